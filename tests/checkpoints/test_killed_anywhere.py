"""copilot killed with -9 at any moment of keeping and undoing: the log is true, and undo run again finishes."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from copilot.checkpoints.states import read_state
from copilot.checkpoints.store import Author, CheckpointStore, Moment
from copilot.checkpoints.undo import UndoPlan, apply_undo, plan_undo
from tests.checkpoints.projects import Thing, things
from tests.checkpoints.test_histories import (
    BUDGET,
    MIXED,
    History,
    assert_state,
    covered,
    groups,
    kept_aside,
    seeds,
    to_be_kept,
    tokens,
)


def live(folder: str, seed: int, told: Connection) -> None:
    """A run without end; what was in the project at each checkpoint is told."""
    history = History(Path(folder), seed)
    told.send(history.was)
    while True:
        history.was.clear()
        for _ in range(history.chance.randrange(1, 3)):
            history.go_on(Author.PROGRAM)
            history.go_on(history.chance.choice(MIXED))
        told.send(history.was)
        history.was.clear()
        history.undo()
        told.send(history.was)


def killed(folder: Path, seed: int, messages: int, seconds: float) -> dict[int, dict[str, Thing]]:
    """Killed so long after so many messages; what was there at the checkpoints that were told."""
    fork = multiprocessing.get_context("fork")
    ours, theirs = fork.Pipe(duplex=False)
    child = fork.Process(target=live, args=(str(folder), seed, theirs), daemon=True)
    child.start()
    theirs.close()
    was: dict[int, dict[str, Thing]] = {}
    for _ in range(messages):
        was.update(ours.recv())
    time.sleep(seconds)
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)
    child.join()
    try:
        while ours.poll():
            was.update(ours.recv())
    except (EOFError, OSError):
        pass
    return was


def check(folder: Path, was: dict[int, dict[str, Thing]], target: int) -> None:
    """All that was told is in the log; undo to the target, back, and to the target again, loses nothing."""
    project = folder / "project"
    before = things(project)
    store = CheckpointStore.open(folder / "run", BUDGET)
    taken = store.checkpoints()
    for number, found in was.items():
        assert_state(read_state(store.repository, taken[number].commit), found)
    plan = plan_undo(store, taken[target % len(taken)])
    result = apply_undo(store, plan)
    after = things(project)
    kept = to_be_kept(store, plan.target, plan.before.number)
    assert kept <= tokens(after.values()) | kept_aside(store)
    assert tokens(covered(without_left(before)).values()) <= to_be_kept(
        store, plan.before, plan.before.number
    )
    assert not list(project.rglob(".copilot-undo-*"))
    assert all(why for _, why, _ in result.refused)
    again = plan_undo(store, plan.target)
    assert {one.action for one in again.files} <= {"keep", "refuse"}, again.files
    apply_undo(store, plan_undo(store, plan.before))
    assert covered(things(project), before, after) == covered(without_left(before), before, after)
    store.close()


def without_left(found: dict[str, Thing]) -> dict[str, Thing]:
    """Without the temporary file of the undo that was killed, which may be a second name of one put in place."""
    return {path: _alone(thing) for path, thing in found.items() if ".copilot-undo-" not in path}


def _alone(thing: Thing) -> Thing:
    same = tuple(path for path in thing.same if ".copilot-undo-" not in path)
    return replace(thing, same=same if len(same) > 1 else ())


@pytest.mark.examples
@pytest.mark.parametrize("group", groups())
def test_a_kill_loses_nothing_and_undo_run_again_finishes(tmp_path: Path, group: int) -> None:
    for seed in seeds(group):
        folder = tmp_path / str(seed)
        check(folder, killed(folder, seed, seed % 4 + 1, seed * 7 % 100 / 500), seed * 31)


CALLS = ("replace", "unlink", "rmdir", "mkdir", "symlink", "link", "fchmod", "fsync", "ftruncate")


def killed_at(number: int, store: CheckpointStore, plan: UndoPlan) -> bool:
    """Carry out a plan in a process that kills itself before its so-many-th change of the disk; whether it came so far."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] != 0
    left = number

    def counted(call: Callable[..., Any]) -> Callable[..., Any]:
        def change(*arguments: Any, **named: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*arguments, **named)

        return change

    for name in CALLS:
        setattr(os, name, counted(getattr(os, name)))
    apply_undo(store, plan)
    os._exit(0)


def with_both(project: Path) -> None:
    """A file and a folder, which the program will replace by a folder and a file."""
    (project / "folder").mkdir()
    (project / "folder/in").write_text("in it\n")
    (project / "file").write_text("a file\n")


def gone(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_killed_before_each_change_of_the_disk(tmp_path: Path) -> None:
    reached, number = 0, 0
    while number == reached:
        number += 1
        history = History(tmp_path / str(number), 3, with_both)
        history.go_on(Author.PROGRAM)
        (history.project / "mine").write_text("PERSON-0001-00000000\n")
        history.took(history.store.take(Author.PERSON, Moment("reply", 0.0)))
        for name in ("folder", "file"):
            gone(history.project / name)
        (history.project / "folder").write_text("now a file\n")
        (history.project / "file/in").mkdir(parents=True)
        plan = plan_undo(history.store, history.store.checkpoints()[0], author=Author.PROGRAM)
        history.took(plan.before)
        reached += killed_at(number, history.store, plan)
        check(tmp_path / str(number), history.was, 0)
        result = apply_undo(history.store, plan_undo(history.store, plan.target))
        after = things(history.project)
        assert after.pop("mine") == history.was[2]["mine"]
        assert not result.refused and after == history.was[0], number
        history.store.close()
    assert reached > 20
