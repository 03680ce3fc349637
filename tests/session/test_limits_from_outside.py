"""The limits of a run are kept whatever its child shows: its time limit, and a signal that ends it.

Each child shows screens that are slow to judge, or floods; the model never answers. Only whether a limit is kept at
all is asserted here; how soon is measured by `tests.benchmarks.bench_guard`.
"""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.session.limited_runs import SHOWN, run

SHORT = ("dos_cd", "flood")
"""The others take their two seconds each, and run with the slow tests."""


def _slow(names: tuple[str, ...]) -> list[object]:
    return [name if name in names else pytest.param(name, marks=pytest.mark.slow) for name in SHOWN]


@pytest.mark.row("CP-16")
@pytest.mark.invariant(14)
@pytest.mark.parametrize("name", _slow(SHORT))
def test_the_time_limit_is_kept(name: str, tmp_path: Path) -> None:
    ended = run(tmp_path, SHOWN[name])
    assert (ended.code, ended.end["outcome"]) == (3, "stopped"), ended
    assert "the time limit is reached" in ended.end["reason"]


@pytest.mark.invariant(14)
@pytest.mark.parametrize(
    "number",
    [
        signal.SIGINT,
        # In the cockpit these two are tried on every run (`tests/ui/test_ended_from_outside.py`).
        pytest.param(signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, marks=pytest.mark.slow),
    ],
    ids=lambda one: one.name,
)
@pytest.mark.parametrize("name", _slow(("folders redrawn",)))
def test_a_signal_ends_it(name: str, number: signal.Signals, tmp_path: Path) -> None:
    ended = run(tmp_path, SHOWN[name], number=number)
    assert (ended.code, ended.end["outcome"]) == (130, "aborted"), ended


STUCK = """\
import sys
from copilot.guard import budget, command_risk
from copilot.session import loop_watch
loop_watch.TURN_SECONDS = 1.0
budget.Budget.spend = lambda self, units: None
command_risk.MAX_FOLDERS = 1 << 30
from copilot.cli import main
sys.exit(main(sys.argv[1:]))
"""
"""A guard whose verdicts have no bound, and a watch that finds the loop stuck sooner."""


@pytest.mark.invariant(14)
@pytest.mark.parametrize(
    ("number", "code"),
    [
        pytest.param(None, 3, id="time limit"),
        pytest.param(signal.SIGTERM, 130, id="SIGTERM", marks=pytest.mark.slow),
    ],
)
def test_it_is_kept_by_who_does_not_judge(number: int | None, code: int, tmp_path: Path) -> None:
    ended = run(tmp_path, SHOWN["dos_cd"], number=number, begin=("-c", STUCK))
    assert (ended.code, ended.end.get("event")) == (code, "note"), ended
