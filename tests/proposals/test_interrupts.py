"""An application that is ended in its middle: a signal leaves all as it was, and after -9 undo brings it back."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from copilot.checkpoints.entries import blob_id
from copilot.checkpoints.project_writer import ProjectWriter
from copilot.checkpoints.store import CheckpointStore
from tests.proposals.documents import create, edit, hash_of, objects, result, span
from tests.proposals.test_apply import Apply, apply, undo_last, world

__all__ = ["apply"]
CALLS = ("_write_temporary", "put", "make_folder", "remove", "set_mode")
"""What changes the disk for a step, in any order; the first is the middle of the second."""
A = "one\ntwo\n"
DOCUMENT = result(
    edit("a.py", A, span((1, 1), (1, 4), "ONE")),
    objects(
        {
            "op": "delete",
            "path": "folder",
            "before_hash": hash_of(b"/x\0" + blob_id(b"x\n").encode() + b"\n"),
        },
        create("folder", "a file now"),
        {"op": "delete", "path": "file", "before_hash": hash_of("a file\n")},
        create("file/in", "a folder now"),
        create("shut/new", "in a folder that is closed to writing"),
    ),
)

WORDS = ("--yes", "--allow", "write:**", "--allow", "delete:**")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    for name, text in {"a.py": A, "folder/x": "x\n", "file": "a file\n", "shut/x": "x\n"}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "shut").chmod(0o500)
    return folder


def act_after(patched: pytest.MonkeyPatch, calls: int, act: Callable[[], object]) -> None:
    """`act` after so many changes of the disk; before the first one for 0."""
    count = 0

    def counted(call: Callable[..., None]) -> Callable[..., None]:
        def change(*arguments: Any) -> None:
            nonlocal count
            if calls == 0 == count:
                act()
            call(*arguments)
            count += 1
            if count == calls:
                act()

        return change

    for name in CALLS:
        patched.setattr(ProjectWriter, name, counted(getattr(ProjectWriter, name)))


@pytest.mark.row("VR-13")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_after_any_step_reverses_what_was_done(
    number: signal.Signals, code: int, project: Path, apply: Apply
) -> None:
    before, handlers, places = world(project), signal.getsignal(number), 0
    while True:
        with pytest.MonkeyPatch.context() as patched:
            act_after(patched, places, lambda: signal.raise_signal(number))
            ended = apply(DOCUMENT, *WORDS)
        assert signal.getsignal(number) is handlers
        if ended.code == 0:
            break
        assert ended.code == code and ended.err.endswith("interrupted; nothing is changed\n"), (places, ended)
        assert world(project) == before, places
        places += 1
    assert places > 8 and world(project) != before


def test_an_interrupt_in_the_middle_of_a_step_reverses_it_too(
    project: Path, apply: Apply, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Raised by itself, as outside the main thread; the temporary file of the step is left."""
    before = world(project)
    monkeypatch.setattr(ProjectWriter, "_take_place", raising_once(ProjectWriter._take_place))
    ended = apply(DOCUMENT, *WORDS)
    assert ended.code == 130 and "nothing is changed" in ended.err and world(project) == before, ended


def raising_once(call: Callable[..., Any]) -> Callable[..., Any]:
    calls = 0

    def wrapped(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise KeyboardInterrupt
        return call(*arguments)

    return wrapped


def test_what_cannot_be_put_back_does_not_hide_the_interrupt(
    project: Path, apply: Apply, monkeypatch: pytest.MonkeyPatch
) -> None:
    def somebody() -> None:
        (project / "a.py").write_text("somebody else's\n")
        signal.raise_signal(signal.SIGTERM)

    put = ProjectWriter.put

    def putting(self: ProjectWriter, path: str, *rest: Any) -> None:
        put(self, path, *rest)
        if path == "a.py":
            somebody()

    monkeypatch.setattr(ProjectWriter, "put", putting)
    ended = apply(DOCUMENT, *WORDS)
    assert ended.code == 143 and "interrupted; a.py: could not be put back: it changed" in ended.err, ended
    assert (project / "a.py").read_text() == "somebody else's\n" and (project / "folder/x").exists()


def test_a_signal_behind_the_last_step_says_that_all_is_written(
    project: Path, apply: Apply, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before, finish = world(project), CheckpointStore.finish_undo

    def late(*arguments: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        return finish(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(CheckpointStore, "finish_undo", late)
        ended = apply(DOCUMENT, *WORDS)
    assert ended.code == 130 and "all was written before" in ended.err and world(project) != before
    assert undo_last(project, tmp_path).code == 0 and world(project) == before


@pytest.mark.row("VR-13")
def test_killed_after_any_step_undo_brings_all_back(project: Path, apply: Apply, tmp_path: Path) -> None:
    before, places, halves = world(project), 0, 0
    while True:
        child = os.fork()
        if not child:
            act_after(pytest.MonkeyPatch(), places, lambda: os.kill(os.getpid(), signal.SIGKILL))
            os._exit(apply(DOCUMENT, *WORDS).code)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        halves += world(project) != before
        ended = undo_last(project, tmp_path)
        assert ended.code == 0 and world(project) == before, (places, ended)
        if status == 0:
            break
        shutil.rmtree(tmp_path / "state")  # of runs of one second, `last` is any
        assert status == -signal.SIGKILL
        places += 1
    assert places > 8 and halves >= places
