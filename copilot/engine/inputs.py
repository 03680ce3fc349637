"""What a driver gives to the engine besides the core's events. `at` is seconds since the run began.

`epoch` is the wall clock in seconds since 1970: grants end by it, also when the machine was asleep.
"""

from __future__ import annotations

from dataclasses import dataclass

from copilot.core.events import Event
from copilot.core.snapshot import UNKNOWN_FACTS, TtyFacts
from copilot.guard.prompt_permissions import PromptPermissions


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildStarted:
    """The child runs."""

    at: float
    epoch: float


@dataclass(frozen=True, slots=True)
class ChildWrote:
    """Output of the child, as it was read."""

    at: float
    data: bytes


@dataclass(frozen=True, slots=True)
class Resized:
    """The terminal has a new size."""

    at: float
    columns: int
    lines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """Time to read the screen. `cpu_seconds`: what the child used since the last time it was measured.

    Measure it where `Engine.measures_cpu` says so; None where it is not known.
    """

    at: float
    epoch: float
    facts: TtyFacts = UNKNOWN_FACTS
    cpu_seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """The answer to `LookAtScreen`: what the kernel knows of the terminal at this moment."""

    at: float
    epoch: float
    facts: TtyFacts = UNKNOWN_FACTS


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildGone:
    """The child has exited with `status`, negative for a signal."""

    at: float
    epoch: float
    status: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KeysTyped:
    """The person typed into the child; `by_hand` is False for what the terminal reports by itself."""

    at: float
    by_hand: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantsGiven:
    """The person allows `rules`, offered for the prompt of that identity; `limits` goes into each rule."""

    at: float
    epoch: float
    rules: tuple[str, ...]
    limits: str
    identity: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantRevoked:
    """The person takes a grant back."""

    at: float
    epoch: float
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Governed:
    """Another governing prompt counts, kept under this number in `file`; `permissions` is what it allows."""

    at: float
    number: int
    file: str
    sha256: str
    permissions: PromptPermissions


Input = (
    ChildStarted
    | ChildWrote
    | Resized
    | Tick
    | Looked
    | ChildGone
    | KeysTyped
    | GrantsGiven
    | GrantRevoked
    | Governed
    | Event
)
