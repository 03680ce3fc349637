"""A project that wants to run, read or write something through its checkpoints: nothing of it does."""

from __future__ import annotations

import os
import shutil
import socket
import stat
import subprocess
from pathlib import Path

import pytest

from copilot.checkpoints.scan import RUN_RECORDS
from copilot.checkpoints.store import Author, Budget, CheckpointError, CheckpointStore, Moment
from copilot.checkpoints.undo import apply_undo, plan_undo
from copilot.recording.artifacts import MANIFEST_NAME, TRANSCRIPT_NAME
from tests.checkpoints.conftest import Kept
from tests.checkpoints.projects import fingerprint, things

_CONFIG = """\
[core]
\tfsmonitor = "{run} fsmonitor"
\thooksPath = {hooks}
\tpager = "{run} pager"
\teditor = "{run} editor"
\tattributesFile = {attributes}
\tworktree = {outside}
[filter "evil"]
\tclean = "{run} clean"
\tsmudge = "{run} smudge"
\tprocess = "{run} process"
\trequired = true
[diff "evil"]
\ttextconv = "{run} textconv"
\tcommand = "{run} diff"
[diff]
\texternal = "{run} external"
[merge "evil"]
\tdriver = "{run} merge"
[gc]
\tauto = 1
[include]
\tpath = {included}
[includeIf "gitdir:**"]
\tpath = {included}
"""
_INCLUDED = '[alias]\n\tfast-import = "!{run} alias"\n[core]\n\tsshCommand = "{run} ssh"\n'
_ATTRIBUTES = "* text eol=crlf filter=evil diff=evil merge=evil ident working-tree-encoding=UTF-16\n"
_HOOKS = ("pre-commit", "post-index-change", "reference-transaction", "post-checkout", "post-commit")


class Trap:
    """What the project would run leaves a line in `ran`."""

    def __init__(self, kept: Kept, outside: Path) -> None:
        self.ran = outside / "ran"
        script = outside / "script"
        script.write_text(f'#!/bin/sh\necho "$@" >> {self.ran}\ncat\n')
        script.chmod(0o755)
        git = kept.project / ".git"
        subprocess.run(["git", "init", "-q", kept.project], check=True)
        names = {
            "run": script,
            "hooks": git / "hooks",
            "attributes": outside / "attributes",
            "included": outside / "included",
            "outside": outside,
        }
        (git / "hooks").mkdir(exist_ok=True)
        for name in _HOOKS:
            shutil.copy(script, git / "hooks" / name)
        (outside / "attributes").write_text(_ATTRIBUTES)
        (outside / "included").write_text(_INCLUDED.format(**names))
        self.config = _CONFIG.format(**names)
        (git / "config").write_text(self.config)
        (git / "info").mkdir(exist_ok=True)
        (git / "info/attributes").write_text(_ATTRIBUTES)
        (git / "objects/info").mkdir(exist_ok=True)
        (git / "objects/info/alternates").write_text(f"{outside}\n")
        kept.file(".gitattributes", _ATTRIBUTES)

    def springs(self) -> bool:
        """Whether it has; it does for plain git, which the test must have seen."""
        return self.ran.exists()


def environment_of_a_trap(trap: Trap, kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's own configuration and environment would run something too."""
    home = trap.ran.parent / "home"
    (home / ".config/git").mkdir(parents=True)
    for path in (home / ".gitconfig", home / ".config/git/config", home / "system"):
        path.write_text(trap.config.replace("worktree", "unused"))
    (home / ".config/git/attributes").write_text(_ATTRIBUTES)
    script = str(trap.ran.parent / "script")
    for name, value in {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "GIT_CONFIG_SYSTEM": str(home / "system"),
        "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.fsmonitor",
        "GIT_CONFIG_VALUE_0": f"{script} count",
        "GIT_EXTERNAL_DIFF": f"{script} external",
        "GIT_DIR": str(kept.project / ".git"),
        "GIT_WORK_TREE": str(kept.project),
        "GIT_INDEX_FILE": str(kept.project / ".git/index"),
        "GIT_OBJECT_DIRECTORY": str(kept.project / ".git/objects"),
        "GIT_TRACE": str(trap.ran),
        "GIT_TEMPLATE_DIR": str(home),
    }.items():
        monkeypatch.setenv(name, value)


def test_nothing_of_the_project_or_the_user_runs(
    kept: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    trap = Trap(kept, outside)
    environment_of_a_trap(trap, kept, monkeypatch)
    text = "".join(f"$Id$ line {number}\n" for number in range(20))
    kept.file("file", text)
    before = fingerprint(kept.project / ".git")
    kept.start()
    kept.file("file", text.replace("line 3", "three"))
    kept.program()
    kept.file("file", text.replace("line 3", "three").replace("line 15", "mine"))
    kept.person()
    plan = plan_undo(kept.store, kept.store.checkpoints()[0])
    plan.diff("file")
    result = apply_undo(kept.store, plan)
    assert not trap.springs(), trap.ran.read_text()
    assert result.merged == ("file",)
    assert (kept.project / "file").read_bytes() == text.replace("line 15", "mine").encode()
    assert fingerprint(kept.project / ".git") == before
    monkeypatch.delenv("GIT_TRACE")
    subprocess.run(["git", "-C", kept.project, "status"], check=False, capture_output=True)
    assert trap.springs(), "the trap works"


def test_nothing_outside_is_written_through_links(kept: Kept, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / "folder").mkdir(parents=True)
    (outside / "file").write_text("theirs\n")
    (outside / "folder/file").write_text("theirs\n")
    kept.file("folder/file", "1\n")
    kept.file("file", "1\n")
    kept.file("hard", "1\n")
    kept.start()
    shutil.rmtree(kept.project / "folder")
    (kept.project / "folder").symlink_to(outside / "folder")
    (kept.project / "file").unlink()
    (kept.project / "file").symlink_to(outside / "file")
    (kept.project / "hard").unlink()
    (kept.project / "hard").hardlink_to(outside / "file")
    assert "folder/file" in kept.program().changes.removed
    apply_undo(kept.store, plan_undo(kept.store, kept.store.checkpoints()[0]))
    assert {path: thing.data for path, thing in things(kept.project).items()} == {
        "folder": b"",
        "folder/file": b"1\n",
        "file": b"1\n",
        "hard": b"1\n",
    }
    assert (outside / "file").read_text() == "theirs\n"
    apply_undo(kept.store, plan_undo(kept.store, kept.store.checkpoints()[1]))
    assert (kept.project / "folder").is_symlink()
    assert (outside / "folder/file").read_text() == "theirs\n"
    assert sorted(path.name for path in outside.rglob("*")) == ["file", "file", "folder"]


def test_a_folder_that_becomes_a_link_after_the_plan_leads_nowhere(kept: Kept, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("2\n")
    kept.file("folder/file", "1\n")
    kept.start()
    kept.file("folder/file", "2\n")
    kept.program()
    plan = plan_undo(kept.store, kept.store.checkpoints()[0])
    (kept.project / "folder").rename(tmp_path / "moved")
    (kept.project / "folder").symlink_to(outside)
    result = apply_undo(kept.store, plan)
    assert (outside / "file").read_text() == "2\n" and [path for path, _, _ in result.refused] == [
        "folder/file"
    ]


def test_a_folder_that_becomes_a_link_while_it_is_undone_leads_nowhere(
    kept: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "b").write_text("2\n")
    kept.file("a", "1\n")
    kept.file("folder/b", "1\n")
    kept.start()
    kept.file("a", "2\n")
    kept.file("folder/b", "2\n")
    kept.program()
    plan = plan_undo(kept.store, kept.store.checkpoints()[0])
    replace = os.replace

    def swaps(source: str, target: str, **named: int) -> None:
        replace(source, target, **named)
        if target == "a":
            (kept.project / "folder").rename(tmp_path / "moved")
            (kept.project / "folder").symlink_to(outside)

    monkeypatch.setattr(os, "replace", swaps)
    result = apply_undo(kept.store, plan)
    assert (outside / "b").read_text() == "2\n" and [path.name for path in outside.iterdir()] == ["b"]
    assert [(path, why) for path, why, _ in result.refused] == [
        ("folder/b", "its folder is something else now")
    ]


def test_pipes_sockets_and_devices_are_not_opened(
    kept: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(kept.project / "pipe")
    monkeypatch.chdir(kept.project)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
    expected = {"pipe": "a named pipe", "socket": "a socket"}
    if os.geteuid() == 0:
        try:
            os.mknod(kept.project / "device", 0o600 | stat.S_IFCHR, os.makedev(1, 5))
            expected["device"] = "a device"
        except OSError:
            pass
    kept.start()
    assert {one.path: one.why for one in kept.store.uncovered()} == expected
    os.mkfifo(kept.project / "other")
    kept.program()
    apply_undo(kept.store, plan_undo(kept.store, kept.store.checkpoints()[0]))
    assert {path.name for path in kept.project.iterdir()} == {*expected, "other"}


@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_a_file_that_becomes_something_else_before_it_is_read_is_not_read(
    kept: Kept, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.file("file", "1\n")
    try:
        mode = stat.S_IFIFO if kind == "pipe" else stat.S_IFCHR
        os.mknod(kept.run / kind, 0o600 | mode, os.makedev(1, 5))
    except OSError:
        pytest.skip("devices cannot be made here")
    opened = os.open

    def swapped(path: object, flags: int, *rest: int, **named: int) -> int:
        if path == "file" and (kept.run / kind).exists():
            (kept.run / kind).replace(kept.project / "file")
        return opened(path, flags, *rest, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", swapped)
    monkeypatch.setattr(os, "pread", None)
    kept.start()
    assert [one.path for one in kept.store.uncovered()] == ["file"]


def test_a_file_of_four_gigabytes_is_named_and_not_read(kept: Kept) -> None:
    with kept.file("large").open("wb") as file:
        file.truncate(4 << 30)
    kept.start()
    assert [(one.path, one.why) for one in kept.store.uncovered()] == [("large", "larger than 64 MiB")]
    assert kept.store.used_bytes < 100_000


@pytest.mark.slow
def test_a_hundred_thousand_files_are_too_many(kept: Kept) -> None:
    for number in range(100_000):
        if number % 1000 == 0:
            (kept.project / f"{number}").mkdir()
        os.close(os.open(kept.project / f"{number - number % 1000}" / f"f{number}", os.O_CREAT))
    with pytest.raises(CheckpointError, match=r"more than 50,000 files"):
        kept.start()


def test_a_folder_with_too_many_files_is_not_listed_to_its_end(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(100):
        kept.file(f"folder/{number}")
    listed = 0
    scandir = os.scandir

    class Counted:
        def __init__(self, folder: int) -> None:
            self._entries = scandir(folder)

        def __enter__(self) -> Counted:
            return self

        def __exit__(self, *_: object) -> None:
            self._entries.close()

        def __iter__(self) -> Counted:
            return self

        def __next__(self) -> os.DirEntry[str]:
            nonlocal listed
            listed += 1
            return next(self._entries)

    store = CheckpointStore.make(kept.run, kept.project, Budget(entries=10))
    monkeypatch.setattr(os, "scandir", Counted)
    with pytest.raises(CheckpointError, match="more than 10 files"):
        store.take(Author.START, Moment("start", 0.0))
    assert listed < 50
    store.close()


def test_paths_deeper_than_the_system_takes_are_kept(kept: Kept) -> None:
    place = os.open(kept.project, os.O_RDONLY)
    for _ in range(60):
        name = "n" * 100
        os.mkdir(name, dir_fd=place)
        below = os.open(name, os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = below
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=place))
    kept.start()
    os.unlink("file", dir_fd=place)
    kept.program()
    result = apply_undo(kept.store, plan_undo(kept.store, kept.store.checkpoints()[0]))
    assert not result.refused and os.stat("file", dir_fd=place).st_size == 0
    os.close(place)


def test_the_records_of_another_run_are_not_undone(kept: Kept) -> None:
    """It may have begun while this one went on; its checkpoints are the way back of somebody else."""
    assert {MANIFEST_NAME, TRANSCRIPT_NAME} == RUN_RECORDS
    kept.file("a")
    kept.start()
    for name in RUN_RECORDS:
        kept.file(f"other/{name}", "theirs")
    kept.program()
    apply_undo(kept.store, plan_undo(kept.store, kept.store.checkpoints()[0]))
    assert {one.name for one in (kept.project / "other").iterdir()} == RUN_RECORDS
    assert [one.path for one in kept.store.uncovered()] == ["other"]
