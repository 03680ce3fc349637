"""What a check is given, and what it gives: never a bare yes or no."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from copilot.lab.record import ToolUse, TrialRecord
from copilot.plain_files import MIB


class Family(enum.StrEnum):
    """What kind of thing a check looks at; the weights of a suite follow it."""

    REASONING = "reasoning"
    MECHANICS = "mechanics"
    JUDGE = "judge"


WEIGHTS = {Family.REASONING: 3.0, Family.JUDGE: 2.0, Family.MECHANICS: 1.0}


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found. `passed` is None if it cannot be known; `score` is a judge's 0 to 100."""

    passed: bool | None
    reasons: tuple[str, ...]
    score: int | None = None

    def __post_init__(self) -> None:
        if not self.reasons:
            raise ValueError("a finding without a reason")


MOST_OF_A_FILE = 4 * MIB
"""What a check reads of what the agent wrote."""


def failed(*reasons: str) -> Finding:
    return Finding(False, reasons)


def passed(*reasons: str) -> Finding:
    return Finding(True, reasons)


def unknown(*reasons: str) -> Finding:
    """There was nothing to judge, or it could not be tried: no pass."""
    return Finding(None, reasons)


def unless(faults: Sequence[str], good: str) -> Finding:
    """Failed for each of these faults; without any passed, because of `good`."""
    return failed(*faults) if faults else passed(good)


@dataclass(frozen=True, slots=True)
class Trial:
    """What checks look at: the runs (a second one if that is asked for) and the project as it is now.

    `existed` are the project's files before, with their texts.
    """

    records: tuple[TrialRecord, ...]
    project: Path
    existed: Mapping[str, str] = field(default_factory=dict)
    model_problems: tuple[str, ...] = ()

    @property
    def record(self) -> TrialRecord:
        """The first run."""
        return self.records[0]

    @property
    def uses(self) -> list[ToolUse]:
        return list(self.record.tools)


Run = Callable[[Trial, Mapping[str, Any]], Finding]


@dataclass(frozen=True, slots=True)
class Check:
    """A check by its name. `parameters` are its keys with their types; those in `needs` must be given."""

    name: str
    family: Family
    about: str
    run: Run
    parameters: Mapping[str, type] = field(default_factory=dict)
    needs: tuple[str, ...] = ()


CHECKS: dict[str, Check] = {}


def check(family: Family, *, needs: Sequence[str] = (), **parameters: type) -> Callable[[Run], Run]:
    """Register a function as the check of its name; its docstring says first what it is about."""

    def registered(run: Run) -> Run:
        name = getattr(run, "__name__", "")
        about = (run.__doc__ or "").strip().splitlines()[0]
        CHECKS[name] = Check(name, family, about, run, parameters, tuple(needs))
        return run

    return registered


def all_checks() -> dict[str, Check]:
    from copilot.lab.checks import (  # noqa: F401  they register themselves
        claims,
        duplicates,
        looking,
        mechanics,
        model_judge,
        reasoning,
        verifying,
    )

    return CHECKS
