"""A worker that is told to end: wherever the signal finds it, the trial ends and leaves nothing."""

from __future__ import annotations

import asyncio
import os
import signal
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from copilot.lab.scenarios import run as running
from copilot.lab.scenarios import suite
from copilot.lab.scenarios.read import load_scenarios
from copilot.lab.scenarios.run import Job, run_job
from copilot.lab.stopping import STOPPING

SCENARIO = """\
feature: Files
scenarios:
  - name: makes a file
    commands: [touch made.txt]
    allow_commands: [touch]
    checks: [{command: {run: 'kill -TERM WORKER; sleep 600'}}]
"""


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This process hears the signal as a worker does."""
    monkeypatch.setattr(STOPPING, "asked", False)
    before = signal.signal(signal.SIGTERM, suite._stop)
    yield
    signal.signal(signal.SIGTERM, before)


def told_to_end() -> None:
    signal.raise_signal(signal.SIGTERM)


class Dropped:
    """Something whose end is noticed: what such a callback raises is lost."""


def told_in_a_callback() -> None:
    dropped = Dropped()
    reference = weakref.ref(dropped, lambda _: told_to_end())
    del dropped
    assert reference() is None


async def without_end(begin: Callable[[], None]) -> None:
    begin()
    await asyncio.Event().wait()


def never_ends(begin: Callable[[], None]) -> None:
    """A job, as a worker is given one."""
    STOPPING.run(without_end(begin))


@pytest.mark.parametrize("begin", [told_to_end, told_in_a_callback])
def test_a_coroutine_ends_even_if_the_signal_comes_inside_a_callback(
    worker: None, begin: Callable[[], None]
) -> None:
    with pytest.raises(KeyboardInterrupt):
        suite._guarded(never_ends, begin)


@pytest.mark.row("SI-24")
def test_a_trial_ends_between_two_coroutines_and_within_a_check_and_leaves_no_folder(
    worker: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "files.yaml").write_text(SCENARIO.replace("WORKER", str(os.getpid())))
    (scenario,) = load_scenarios(tmp_path / "files.yaml")
    root = tmp_path / "root"
    with pytest.raises(KeyboardInterrupt):
        suite._guarded(run_job, Job(scenario=scenario, root=root))
    assert list(root.iterdir()) == []
    monkeypatch.setattr(STOPPING, "asked", False)
    monkeypatch.setattr(running, "write_files", lambda folder, files: told_in_a_callback())
    with pytest.raises(KeyboardInterrupt):
        suite._guarded(run_job, Job(scenario=scenario, root=root))
    assert list(root.iterdir()) == []
