"""Signals to many processes: each is asked once, and nobody is missed who has left its group."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator

import pytest

from copilot.supervision import process_tree
from copilot.supervision.process_tree import Process
from tests.pty.terminal_drive import changed


@pytest.fixture
def two() -> Iterator[list[Process]]:
    """A leader with its group, and one that has left that group since it was looked at."""
    children = [subprocess.Popen(["sleep", "300"], start_new_session=True) for _ in range(2)]
    try:
        seen = [process_tree.process(child.pid) for child in children]
        leader, left = (one for one in seen if one is not None)
        yield [leader, changed(left, group=leader.group)]
    finally:
        for child in children:
            child.kill()
            child.wait()


@pytest.mark.row("TB-30")
@pytest.mark.parametrize(
    ("number", "by_itself"), [(signal.SIGTERM, [1]), (signal.SIGHUP, [1]), (signal.SIGKILL, [0, 1])]
)
def test_what_asks_comes_once(
    number: int, by_itself: list[int], two: list[Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    grouped: list[int] = []
    single: list[int] = []

    def to_group(group: int, number: int) -> bool:
        grouped.append(group)
        return True

    def to_one(one: Process, number: int) -> bool:
        single.append(two.index(one))
        return True

    monkeypatch.setattr(process_tree, "signal_group", to_group)
    monkeypatch.setattr(process_tree, "signal_process", to_one)
    process_tree.signal_all(two, number)
    assert grouped == [two[0].group] and single == by_itself
