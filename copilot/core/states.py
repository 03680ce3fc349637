"""The phase of a run, each with the data that only it has, and the table of legal transitions.

Transitions are checked by the table, as h11 does. A request that is open while keys are typed, or keys that
are typed while the person must decide, cannot be represented.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from copilot.core.second_opinion import PendingOpinion
    from copilot.core.typist import Typist


class RunState(enum.StrEnum):
    """The states of a run."""

    INIT = "INIT"
    """The child has not been started."""
    RUNNING = "RUNNING"
    """The child works, or nothing certain is known."""
    AWAITING_INPUT = "AWAITING_INPUT"
    """The child's composer is ready and nothing is asked."""
    ASKING_QUESTION = "ASKING_QUESTION"
    """The child asks; a reply is being written or counted down."""
    ANSWERING = "ANSWERING"
    """Keys are being typed and verified."""
    HELD = "HELD"
    """The person must decide."""
    COMPLETED = "COMPLETED"
    ERROR = "ERROR"
    """Crash, timeout of the child, unrecoverable fault."""
    ABORTED = "ABORTED"
    """Ended by the person or by a guard rail."""


END_STATES = frozenset({RunState.COMPLETED, RunState.ERROR, RunState.ABORTED})
LIVE_STATES = frozenset(RunState) - END_STATES

_AFTER_START = (LIVE_STATES - {RunState.INIT}) | END_STATES

TRANSITIONS: dict[RunState, frozenset[RunState]] = {
    **{state: _AFTER_START - {state} for state in LIVE_STATES},
    RunState.INIT: frozenset({RunState.RUNNING, RunState.ERROR, RunState.ABORTED}),
    RunState.RUNNING: _AFTER_START - {RunState.RUNNING, RunState.ANSWERING},
    **{state: frozenset() for state in END_STATES},
}
"""For each state the states that may follow it. Staying in a state is always allowed."""


@dataclass(frozen=True, slots=True)
class NotStarted:
    """The child has not been started."""

    state: ClassVar = RunState.INIT


@dataclass(frozen=True, slots=True)
class Working:
    """The child works, or nothing certain is known."""

    state: ClassVar = RunState.RUNNING


@dataclass(frozen=True, slots=True)
class Ready:
    """The child's composer is ready and nothing is asked."""

    state: ClassVar = RunState.AWAITING_INPUT


@dataclass(slots=True)
class Asking:
    """The child asks. `request` is the number of the request that is open, `opinion` the one waited for."""

    state: ClassVar = RunState.ASKING_QUESTION
    request: int | None = None
    opinion: PendingOpinion | None = None


@dataclass(slots=True)
class Answering:
    """Keys are typed and verified by `typist`; None once they are, while the CLI is being left.

    With `saving` the typist has not begun, since its checkpoint is not taken; `said` once the person knows.
    """

    state: ClassVar = RunState.ANSWERING
    typist: Typist | None
    saving: bool = False
    said: bool = False


@dataclass(frozen=True, slots=True)
class Held:
    """The person must decide."""

    state: ClassVar = RunState.HELD


@dataclass(frozen=True, slots=True)
class Ended:
    """The run is over: `state` is COMPLETED, ERROR or ABORTED."""

    state: RunState


Phase = NotStarted | Working | Ready | Asking | Answering | Held | Ended


class IllegalTransition(Exception):
    """A transition that the table does not list was asked for: a fault of ours."""


def check_transition(old: RunState, new: RunState) -> RunState:
    """`new`, if the table allows to go there from `old`. Raises IllegalTransition."""
    if new is old or new in TRANSITIONS[old]:
        return new
    raise IllegalTransition(f"{old} -> {new}")
