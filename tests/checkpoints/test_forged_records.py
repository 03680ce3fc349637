"""A program that can write into the run's folder: its records make copilot touch or run nothing else, and it
never waits.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from copilot.checkpoints.importer import FILES, REF
from copilot.checkpoints.sidecar import SIDECAR
from copilot.checkpoints.states import Contents, read_state
from copilot.checkpoints.store import Author, CheckpointError, CheckpointStore, Moment
from copilot.checkpoints.undo import apply_undo, plan_undo
from copilot.errors import InputError
from tests.checkpoints.conftest import Kept

_WAITS_SECONDS = 30
_MOMENT = Moment("waits", 0.0)
_DEEP = "[" * 100_000
_MANY_FORGED = [
    ("notes", _DEEP),
    ("notes", '{"project":"a\\u0000b"}'),
    ("notes", '{"project":"elsewhere"}'),
    ("journal.json", _DEEP),
    ("journal.json", '{"number":1e999,"token":"0123456789abcdef","moment":["undo",0,0,""],"steps":{}}'),
    ("journal.json", '{"number":1,"token":"0123456789abcdef","moment":[[],"",{},0],"steps":{}}'),
    ("log.jsonl", _DEEP + "\n"),
]


@pytest.fixture(autouse=True)
def _waits_for_nothing() -> Iterator[None]:
    """What waits for ever fails, instead of holding up the tests."""
    before = signal.signal(signal.SIGALRM, lambda *_: pytest.fail("it waits"))
    signal.alarm(_WAITS_SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def begun(kept: Kept) -> Kept:
    kept.file("a", "a\n")
    kept.start()
    return kept


def _records(kept: Kept) -> Path:
    return kept.run / "checkpoints"


def _used(kept: Kept) -> None:
    """What a later `copilot undo` does; a fault has words."""
    with suppress(InputError, CheckpointError):
        store = CheckpointStore.open(kept.run)
        try:
            apply_undo(store, plan_undo(store, store.checkpoints()[0]))
        finally:
            store.close()


@pytest.mark.parametrize("steps", ["a", "../outside/a", ".git/a"])
def test_a_forged_journal_removes_nothing_outside(begun: Kept, tmp_path: Path, steps: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "victim").write_text("precious")
    (begun.project / ".copilot-undo-").mkdir()
    for token in ("/../../outside/victim", "0123456789abcdef"):
        (outside / f".copilot-undo-{token[:16].replace('/', '')}").write_text("precious")
        said = {"number": 1, "token": token, "moment": ["undo", 0, 0, ""], "steps": {steps: [None, None]}}
        before = sorted(outside.iterdir())
        (_records(begun) / "journal.json").write_text(json.dumps(said))
        _used(begun)
        assert sorted(outside.iterdir()) == before


@pytest.mark.parametrize("name", ["log.jsonl", "lock", "journal.json", "notes"])
@pytest.mark.parametrize("put", [Path.symlink_to, Path.hardlink_to])
def test_a_record_that_is_another_file_leaves_it_alone(
    begun: Kept, tmp_path: Path, name: str, put: Callable[[Path, Path], None]
) -> None:
    record, outside = _records(begun) / name, tmp_path / "outside"
    text = (record.read_text() if record.exists() else "") + "precious"
    outside.write_text(text)
    record.unlink(missing_ok=True)
    put(record, outside)
    with suppress(CheckpointError):
        begun.store.take(Author.PROGRAM, _MOMENT)
    _used(begun)
    assert outside.read_text() == text


@pytest.mark.parametrize("name", ["log.jsonl", "lock", "journal.json", "notes", "git/config"])
def test_a_record_that_is_a_pipe_is_not_waited_for(begun: Kept, name: str) -> None:
    record = _records(begun) / name
    record.unlink(missing_ok=True)
    os.mkfifo(record)
    with suppress(CheckpointError):
        begun.store.take(Author.PROGRAM, _MOMENT)
    _used(begun)


@pytest.mark.parametrize(("name", "text"), _MANY_FORGED, ids=range(len(_MANY_FORGED)))
def test_a_record_that_cannot_be_meant_is_told_in_one_line(begun: Kept, name: str, text: str) -> None:
    (_records(begun) / name).write_text(text)
    with pytest.raises((InputError, CheckpointError), match=name):
        CheckpointStore.open(begun.run).checkpoints()


@pytest.mark.parametrize("field", ["at", "decision", "epoch"])
def test_a_line_of_the_log_without_a_finite_time_is_none(begun: Kept, field: str) -> None:
    log = _records(begun) / "log.jsonl"
    said = json.loads(log.read_text())
    log.write_text(json.dumps({**said, field: float("inf")}) + "\n")
    with pytest.raises(InputError, match="line 1"):
        CheckpointStore.open(begun.run).checkpoints()


@pytest.mark.parametrize(
    "path", ["../outside", "a/../../outside", "/outside", "a//b", ".git/config", "a/.git"]
)
def test_a_state_with_a_path_elsewhere_is_not_used(begun: Kept, path: str) -> None:
    said = {"version": 1, "usual": [0o644, 0o755, 0o755], "modes": {}, "groups": {}, "uncovered": {}}
    sidecar = json.dumps({**said, "empty": [path]}).encode()
    stream = b"commit %s\nmark :1\ncommitter a <a> 0 +0000\ndata 0\n\n" % REF.encode()
    stream += b"M 100644 inline %sx\ndata 0\n\n" % FILES
    stream += b"M 100644 inline %s\ndata %d\n%s\nget-mark :1\ndone\n" % (SIDECAR, len(sidecar), sidecar)
    commit = begun.store.repository.run(["fast-import", "--quiet", "--force", "--done"], stdin=stream)
    with pytest.raises(CheckpointError, match="outside the project"):
        read_state(begun.store.repository, commit.decode().strip())


@pytest.mark.parametrize("name", ["reference-transaction", "lazy"])
def test_a_forged_setting_of_git_runs_nothing(begun: Kept, tmp_path: Path, name: str) -> None:
    """Checked before git runs, and without effect if it is forged after that."""
    config, ran = _records(begun) / "git/config", tmp_path / "ran"
    hook = tmp_path / name
    hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
    hook.chmod(0o755)
    text = config.read_text().replace("[extensions]", "[extensions]\n\tpartialClone = x")
    text += (
        f'[core]\n\thooksPath = {tmp_path}\n[protocol]\n\tallow = always\n[remote "x"]\n\tpromisor = true\n'
    )
    text += f'\turl = "ext::{hook}"\n'
    config.write_text(text)
    begun.file("a", "b\n")
    with pytest.raises(CheckpointError, match="config is not as copilot wrote it"):
        begun.program()
    begun.store.repository._check = lambda: None  # type: ignore[method-assign]
    begun.program()
    with Contents(begun.store.repository) as contents, pytest.raises(CheckpointError):
        contents.read("1" * 64)
    assert not ran.exists()


@pytest.mark.parametrize("name", ["commondir", "objects/info/alternates", "info/attributes", "objects/pack"])
def test_a_repository_that_leads_elsewhere_is_not_used(begun: Kept, tmp_path: Path, name: str) -> None:
    place = _records(begun) / "git" / name
    if place.is_dir():
        place.rename(tmp_path / "pack")
        place.symlink_to(tmp_path / "pack")
    else:
        place.write_text(f"{tmp_path}\n")
    begun.file("a", "b\n")
    with pytest.raises(CheckpointError, match="is not used"):
        begun.program()


def test_git_gets_no_folder_of_the_project_to_find_programs_in(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    bin_folder = kept.project / "bin"
    bin_folder.mkdir()
    monkeypatch.setenv("PATH", f"{bin_folder}:bin::{os.environ['PATH']}")
    kept.file("script", '#!/bin/sh\nprintf %s "$PATH"\n').chmod(0o755)
    kept.store.repository._git = str(kept.project / "script")
    got = kept.store.repository.run(["anything"]).decode().split(":")
    assert got and all(Path(one).is_absolute() and str(bin_folder) != one for one in got)


@pytest.mark.parametrize("name", ["undo", "undo/004"])
def test_the_folder_of_refused_versions_is_no_way_out(begun: Kept, tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    link = _records(begun) / name
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(outside)
    begun.file("a", "a\nprogram\n")
    begun.program()
    begun.file("a", "a\nperson\n")
    begun.person()
    plan = plan_undo(begun.store, begun.store.checkpoints()[0])
    assert [one.action for one in plan.files] == ["refuse"]
    with pytest.raises(CheckpointError):
        apply_undo(begun.store, plan)
    assert not list(outside.iterdir())


def test_a_damaged_content_is_not_put_back(begun: Kept) -> None:
    with Contents(begun.store.repository) as contents:
        contents._process.kill()
        contents._process.communicate()
        script = 'read -r id; printf "%s blob 4\\nevil\\n" "$id"'
        contents._process = subprocess.Popen(
            ["sh", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        with pytest.raises(CheckpointError, match="is damaged"):
            contents.read("1" * 64)
