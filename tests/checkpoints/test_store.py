"""Taking and listing checkpoints: what they say, what they cost, what is not covered, what a fault says."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from copilot.checkpoints import importer
from copilot.checkpoints.git import Repository
from copilot.checkpoints.importer import FAST_IMPORT, Importer, project_path, tree_path
from copilot.checkpoints.log import LOG_NAME
from copilot.checkpoints.rebuildable import REBUILDABLE, rebuilt_by
from copilot.checkpoints.scan import Scan, Scanner
from copilot.checkpoints.store import Author, Budget, Changes, CheckpointError, CheckpointStore, Moment
from copilot.errors import InputError
from tests.checkpoints.conftest import Kept, until_times_are_told_apart
from tests.checkpoints.projects import ODD_NAMES


def test_a_checkpoint_says_what_changed_and_who_did(kept: Kept) -> None:
    kept.file("stays")
    kept.file("goes/away", "1\n")
    kept.file("changes", "1\n")
    assert kept.start().changes == Changes()
    (kept.project / "goes/away").unlink()
    (kept.project / "goes").rmdir()
    kept.file("changes", "2\n")
    kept.file("new/file")
    (kept.project / "new").chmod(0o700)
    moment = Moment("waits", 2.5, 3, "y, yes")
    taken = kept.store.take(Author.PROGRAM, moment)
    assert taken.changes == Changes(("new/", "new/file"), ("changes",), ("goes/", "goes/away"))
    assert (taken.number, taken.author, taken.moment) == (1, Author.PROGRAM, moment)
    (kept.project / "new").chmod(0o750)
    (kept.project / "changes").chmod(0o600)
    (kept.project / "stays").unlink()
    (kept.project / "stays").symlink_to("changes")
    kept.project.chmod(0o700)
    assert kept.person().changes == Changes(("stays",), ("./", "changes", "new/"), ("stays",))
    again = CheckpointStore.open(kept.run)
    assert again.checkpoints() == kept.store.checkpoints() and len(again.checkpoints()) == 3
    again.close()


def test_nothing_changed_starts_no_git(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    until_times_are_told_apart(kept.file("file", "1\n"))
    first = kept.start()

    def started(*_: object, **__: object) -> None:
        raise AssertionError("git was started")

    monkeypatch.setattr(Repository, "start", started)
    monkeypatch.setattr(Repository, "ended", started)
    assert kept.program().commit == first.commit
    assert kept.program().changes == Changes()
    kept.file("file", "2\n")
    with pytest.raises(AssertionError, match="was started"):
        kept.program()


def test_a_content_that_is_kept_is_not_written_again(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.file("first", "1\n")
    kept.start()
    kept.file("second", "2\n")
    kept.program()
    monkeypatch.setattr(Importer, "blob", None)
    for name in ("first", "second"):
        (kept.project / name).rename(kept.project / f"{name}.new")
    assert kept.program().changes == Changes(("first.new", "second.new"), (), ("first", "second"))


def test_a_checkpoint_that_failed_is_made_good_by_the_next(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.file("file", "1\n")
    kept.start()
    kept.file("file", "2\n")
    with monkeypatch.context() as patch:
        patch.setattr(Repository, "start", lambda *_, **__: (_ for _ in ()).throw(CheckpointError("no git")))
        with pytest.raises(CheckpointError, match="no git"):
            kept.program()
    assert kept.program().changes == Changes(changed=("file",))


def test_a_change_that_leaves_size_and_mtime_is_seen(kept: Kept) -> None:
    file = kept.file("file", "1\n")
    at = file.stat()
    until_times_are_told_apart(file)
    kept.start()
    file.write_text("2\n")
    os.utime(file, ns=(at.st_atime_ns, at.st_mtime_ns))
    assert kept.program().changes.changed == ("file",)


def test_a_change_right_after_the_checkpoint_is_seen(kept: Kept) -> None:
    file = kept.file("file", "0\n")
    kept.start()
    for number in range(40):
        file.write_text(f"{number % 10}\n")
        kept.program()
        state = kept.store.state(kept.store.checkpoints()[-1].commit)
        assert kept.store.repository.run(["cat-file", "blob", state["file"].blob]) == file.read_bytes()


def test_times_are_not_trusted_before_they_are_old(kept: Kept) -> None:
    file = kept.file("file", "0\n")
    root = os.open(kept.project, os.O_RDONLY)
    first = Scanner(root, Scan(), Budget(), {}, lambda *_: None).run()
    until_times_are_told_apart(file)
    later = Scanner(root, Scan(), Budget(), {}, lambda *_: None).run()
    os.close(root)
    assert not first.seen and list(later.seen) == ["file"]


def test_a_project_that_is_too_large_is_told_before_it_is_read(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(10):
        kept.file(f"{number}", "1\n")
    store = CheckpointStore.make(kept.run, kept.project, Budget(entries=5))
    monkeypatch.setattr(Repository, "start", None)
    monkeypatch.setattr("copilot.checkpoints.scan.read_file", None)
    with pytest.raises(CheckpointError, match="more than 5 files"):
        store.take(Author.START, Moment("start", 0.0))
    store.close()


def test_a_failed_checkpoint_leaves_nothing_on_the_disk(kept: Kept) -> None:
    kept.file("a", "1\n")
    kept.start()
    store = CheckpointStore.open(kept.run, Budget(store_bytes=kept.store.used_bytes + 50_000))
    before = store.used_bytes
    for number in range(20):
        kept.file(f"b{number}").write_bytes(os.urandom(10_000))
    with pytest.raises(CheckpointError, match="store_bytes"):
        store.take(Author.PROGRAM, Moment("waits", 0.0))
    assert store.used_bytes == before
    store.close()


def test_a_project_that_was_made_anew_is_seen(kept: Kept) -> None:
    kept.file("file", "1\n")
    kept.start()
    kept.project.rename(kept.run / "old")
    with pytest.raises(CheckpointError, match=r"the project cannot be opened.*make the folder again"):
        kept.program()
    kept.project.mkdir()
    assert kept.program().changes.removed == ("file",)
    kept.project.rmdir()
    kept.project.symlink_to(kept.run / "old")
    with pytest.raises(CheckpointError, match="the project cannot be opened"):
        kept.program()


def test_threads_wait_for_each_other(kept: Kept) -> None:
    kept.start()

    def work(number: int) -> None:
        for turn in range(5):
            kept.file(f"{number}", f"{turn}\n")
            kept.program()
            kept.store.checkpoints()

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(work, range(3)))
    assert [one.number for one in CheckpointStore.open(kept.run).checkpoints()] == list(range(16))


def test_two_stores_of_a_run_write_in_turn(kept: Kept) -> None:
    kept.start()
    stores = [CheckpointStore.open(kept.run) for _ in range(3)]

    def work(store: CheckpointStore) -> None:
        for turn in range(5):
            kept.file(f"{id(store)}", f"{turn}\n")
            store.take(Author.PROGRAM, Moment("waits", 0.0))

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(work, stores))
    assert [one.number for one in kept.store.checkpoints()] == list(range(16))
    for store in stores:
        store.close()


def test_two_stores_of_a_run_see_each_others_checkpoints(kept: Kept) -> None:
    kept.file("file", "1\n")
    kept.start()
    other = CheckpointStore.open(kept.run)
    kept.file("file", "2\n")
    other.take(Author.PERSON, Moment("undo", 0.0))
    assert kept.program().changes == Changes()
    kept.file("file", "3\n")
    assert kept.program().changes == Changes(changed=("file",))
    assert [one.number for one in other.checkpoints()] == [0, 1, 2, 3]
    other.close()


def test_what_is_not_covered_is_named_with_its_reason(kept: Kept) -> None:
    kept.file("package.json")
    kept.file("node_modules/package/index.js")
    kept.file("web/.git/config")
    kept.file("module/.git", "gitdir: ../.git/modules/module")
    kept.file("large").write_bytes(b"12345678901")
    kept.file(".git/config")
    os.mkfifo(kept.project / "pipe")
    deep = kept.project / "/".join(["d"] * 102)
    deep.mkdir(parents=True)
    store = CheckpointStore.make(kept.run, kept.project, Budget(file_bytes=10, skipped=("data",)))
    kept.file("data/rows")
    store.take(Author.START, Moment("start", 0.0))
    assert {one.path: one.why for one in store.uncovered()} == {
        "node_modules": "can be built again by the package manager",
        "web": "a git repository of its own",
        "module": "a git repository of its own",
        "large": "larger than 10 bytes",
        "pipe": "a named pipe",
        "data": "left out by the settings",
        "/".join(["d"] * 101): "deeper than 100 folders",
    }
    store.close()


def test_what_is_not_covered_any_more_is_not_said_to_be_removed(kept: Kept) -> None:
    kept.file("sub/file", "1\n")
    kept.start()
    kept.file("sub/.git/config")
    assert kept.program().changes == Changes()
    (kept.project / "sub/.git/config").unlink()
    (kept.project / "sub/.git").rmdir()
    assert kept.program().changes == Changes()


def test_runs_kept_in_the_project_are_left_out(tmp_path: Path) -> None:
    for place, path in (("logs/run", "logs/run"), (".state/runs/one", ".state/runs")):
        run = tmp_path / place
        run.mkdir(parents=True)
        store = CheckpointStore.make(run, tmp_path)
        store.take(Author.START, Moment("start", 0.0))
        assert (path, "copilot's own records") in {(one.path, one.why) for one in store.uncovered()}
        assert not store.take(Author.PROGRAM, Moment("waits", 0.0)).changes
        store.close()


@pytest.mark.parametrize("rule", REBUILDABLE, ids=lambda rule: f"{rule.name}-{rule.by.split()[0]}")
def test_a_folder_is_rebuildable_by_more_than_its_name(rule: object) -> None:
    assert isinstance(rule, type(REBUILDABLE[0]))
    assert rebuilt_by(rule.name, rule.inside, rule.beside) == rule.by
    if rule.inside or rule.beside:
        assert not rebuilt_by(rule.name, frozenset({"main.py"}), frozenset({"README.md"}))


@pytest.mark.parametrize(
    ("budget", "says"),
    [
        (Budget(entries=3), r"more than 3 files.*\(entries\)"),
        (Budget(project_bytes=100), r"more than 100 bytes.*\(project_bytes\)"),
        (Budget(store_bytes=10), r"are full.*\(store_bytes\)"),
        (Budget(seconds=-1.0), r"takes longer than.*\(seconds\)"),
    ],
)
def test_over_the_budget_is_said_in_one_line(kept: Kept, budget: Budget, says: str) -> None:
    for number in range(4):
        kept.file(f"{number}", f"{number}" * 30)
    store = CheckpointStore.make(kept.run, kept.project, budget)
    with pytest.raises(CheckpointError, match=says) as caught:
        store.take(Author.START, Moment("start", 0.0))
    assert "\n" not in str(caught.value) and store.checkpoints() == ()
    store.close()


def test_without_git_it_says_so(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(kept.run))
    with pytest.raises(CheckpointError, match="git is not installed; "):
        CheckpointStore.make(kept.run, kept.project)


def test_git_of_the_project_is_not_run(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = kept.file("bin/git", "#!/bin/sh\necho true\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:bin:.")
    monkeypatch.chdir(kept.project)
    with pytest.raises(CheckpointError, match="git is not installed; "):
        CheckpointStore.make(kept.run, kept.project)


def test_only_the_user_reads_the_checkpoints(kept: Kept) -> None:
    kept.file("file", "1\n")
    kept.start()
    kept.file("file", "2\n")
    kept.program()
    folder = kept.run / "checkpoints"
    for path in [folder, *folder.rglob("*")]:
        assert stat.S_IMODE(path.lstat().st_mode) & 0o077 == 0, path


def test_a_torn_last_line_is_cut_off(kept: Kept) -> None:
    kept.file("file", "1\n")
    kept.start()
    log = kept.run / "checkpoints" / LOG_NAME
    whole = log.read_bytes()
    log.write_bytes(whole + b'{"number":1,' + b"x" * 5000)
    store = CheckpointStore.open(kept.run)
    assert len(store.checkpoints()) == 1
    store.take(Author.PERSON, Moment("undo", 0.0))
    lines = log.read_bytes().splitlines()
    assert [json.loads(line)["number"] for line in lines] == [0, 1] and lines[0] + b"\n" == whole
    store.close()


def _no_folder(run: Path) -> None:
    (run / "checkpoints").rename(run / "else")


def _bad_line(run: Path) -> None:
    (run / "checkpoints" / LOG_NAME).write_text('{"number": 0}\n')


def _bad_notes(run: Path) -> None:
    (run / "checkpoints/notes").write_text("[]")


def _no_project(run: Path) -> None:
    (run.parent / "project").rename(run.parent / "moved")


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_no_folder, "has no checkpoints"),
        (_bad_line, "line 1 is no checkpoint"),
        (_bad_notes, "cannot be read; this run cannot be undone"),
        (_no_project, "project cannot be opened"),
    ],
)
def test_what_cannot_be_opened_is_said_in_one_line(
    kept: Kept, spoil: Callable[[Path], None], says: str
) -> None:
    kept.start()
    spoil(kept.run)
    with pytest.raises(InputError, match=says) as caught:
        CheckpointStore.open(kept.run).checkpoints()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ODD_NAMES)
def test_no_part_of_a_path_in_the_tree_is_gits_own(name: str) -> None:
    path = f"folder/{name}"
    kept = tree_path(path)
    assert project_path(kept) == path
    assert not any(part.lower().startswith((b".git", b"git~")) for part in kept.split(b"/"))


def test_a_writing_that_breaks_off_is_none(kept: Kept) -> None:
    kept.start()
    process = kept.store.repository.start([*FAST_IMPORT], errors=subprocess.DEVNULL)
    process.communicate(b"commit refs/heads/torn\ncommitter copilot <copilot> 1 +0000\ndata 0\n\n")
    assert process.returncode != 0
    assert not (kept.run / "checkpoints/git/refs/heads/torn").exists()


def test_odd_names_are_kept_and_listed(kept: Kept) -> None:
    for name in ODD_NAMES:
        kept.file(f"{name}.d/{name}", "1\n")
    kept.start()
    for name in ODD_NAMES:
        kept.file(f"{name}.d/{name}", "2\n")
    assert kept.program().changes.changed == tuple(sorted(f"{name}.d/{name}" for name in ODD_NAMES))
    store = CheckpointStore.open(kept.run)
    assert store.take(Author.PERSON, Moment("undo", 0.0)).changes == Changes()
    assert store.checkpoints()[1] == kept.store.checkpoints()[1]
    store.close()


def test_a_git_that_stands_still_is_ended(
    kept: Kept, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    script = tmp_path / "git"
    script.write_text("#!/bin/sh\nkill -STOP $$\nexec false\n")
    script.chmod(0o755)
    kept.file("a", "x" * (1 << 20))
    kept.store.repository._git = str(script)
    monkeypatch.setattr(importer, "MOST_SECONDS", 0.1)
    with pytest.raises(CheckpointError, match="cannot be written"):
        kept.start()
