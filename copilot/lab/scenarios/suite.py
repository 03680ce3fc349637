"""A suite: many scenarios at once, reported in their own order however they finish."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, Future, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from pathlib import Path

from copilot.errors import InputError
from copilot.lab.scenarios import Outcome, Scenario, Verdict
from copilot.lab.scenarios.read import find_files, load_scenarios
from copilot.lab.scenarios.run import Job, run_job

LOST = 2
"""How often a job whose process died is begun anew."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which scenarios are meant: by tag, by number, by a part of the id. Nothing given means all."""

    tags: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    numbers: frozenset[int] = frozenset()
    names: tuple[str, ...] = ()

    def takes(self, scenario: Scenario) -> bool:
        """Whether it is one of those."""
        return (
            (not self.tags or bool(set(self.tags) & set(scenario.tags)))
            and not set(self.without) & set(scenario.tags)
            and (not self.numbers or scenario.number in self.numbers)
            and (not self.names or any(name in scenario.id for name in self.names))
        )


def gather(paths: Sequence[Path], choice: Choice) -> list[Scenario]:
    """The chosen scenarios of these files and folders, in order. Raises InputError, also for none."""
    found: list[Scenario] = []
    for path in find_files(paths):
        found += load_scenarios(path, len(found) + 1)
    ids: dict[str, Scenario] = {}
    for scenario in found:
        if scenario.id in ids:
            first = ids[scenario.id]
            raise InputError(
                f"{scenario.source}, line {scenario.line}: the id {scenario.id!r} is that of "
                f"{first.source}, line {first.line}; give one of them another `name` or `category`"
            )
        ids[scenario.id] = scenario
    chosen = [scenario for scenario in found if choice.takes(scenario)]
    if not chosen:
        raise InputError(f"none of {len(found)} scenarios is chosen; running nothing is not a pass")
    return chosen


def numbers_of(text: str) -> frozenset[int]:
    """`1,3-5` as numbers. Raises InputError."""
    found: set[int] = set()
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdigit() or (dash and not last.isdigit()):
            raise InputError(f"--scenarios {text!r}: {part!r} is no number and no range like 3-5")
        found |= set(range(int(first), int(last or first) + 1))
    return frozenset(found)


Told = Callable[[Job, Outcome], None]


def run_suite(
    jobs: Sequence[Job], executor: Executor, told: Told = lambda job, outcome: None
) -> list[Outcome]:
    """All outcomes, in the order of the jobs. `told` hears of each as it comes.

    A job whose process died is begun anew, elsewhere. Raises KeyboardInterrupt, with nothing left to run.
    """
    outcomes: dict[int, Outcome] = {}
    lost = dict.fromkeys(range(len(jobs)), 0)
    waiting = list(range(len(jobs)))
    while waiting:
        started: dict[Future[Outcome], int] = {
            executor.submit(run_job, jobs[index]): index for index in waiting
        }
        waiting = []
        for future in as_completed(started):
            index = started[future]
            outcome = _result(future, jobs[index], lost[index])
            if outcome is None:
                lost[index] += 1
                waiting.append(index)
                continue
            outcomes[index] = outcome
            told(jobs[index], outcome)
    return [outcomes[index] for index in range(len(jobs))]


def _result(future: Future[Outcome], job: Job, lost: int) -> Outcome | None:
    """The outcome, or None if its process died and it may be begun anew."""
    try:
        outcome = future.result()
    except (BrokenProcessPool, ConnectionError) as error:
        if lost < LOST:
            return None
        return _fault(job, f"its process died {lost + 1} times ({type(error).__name__})", lost + 1)
    except Exception as error:
        return _fault(job, f"{type(error).__name__}: {error}", lost + 1)
    faults = ("its process died",) * lost + outcome.faults
    return replace(outcome, attempts=outcome.attempts + lost, faults=faults)


def _fault(job: Job, reason: str, attempts: int) -> Outcome:
    scenario = job.scenario
    return Outcome(
        id=scenario.id,
        name=scenario.name,
        verdict=Verdict.ERROR,
        as_expected=False,
        seconds=0.0,
        reason=reason,
        attempts=attempts,
        repetition=job.repetition,
        tags=scenario.tags,
        cli=scenario.cli,
        task=scenario.task,
    )


def repeated(jobs: Iterable[Job], times: int) -> list[Job]:
    """Each job so many times."""
    return [replace(job, repetition=number) for job in jobs for number in range(1, times + 1)]


def slots() -> int:
    """How many trials run at once: one for each core that we may use."""
    return max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
