"""`Script`: which turn answers which request, and everything that went otherwise than the playbook says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from copilot.lab.model_server.conversation import ModelRequest
from copilot.lab.model_server.matching import BindingError, bind, mismatch, unmet
from copilot.lab.model_server.turns import ANY_TIMES, Order, Playbook, Turn


class PlaybookError(AssertionError):
    """The run and its playbook do not agree. The message lists every disagreement with its turn's name."""


class NoTurn(Exception):
    """No turn answers this request; the message says why, and is already among the failures."""


@dataclass(slots=True)
class _Part:
    """A turn with its name and how often it was given."""

    turn: Turn
    name: str
    given: int = 0

    @property
    def spent(self) -> bool:
        return self.turn.times != ANY_TIMES and self.given >= self.turn.times

    @property
    def may_be_passed_over(self) -> bool:
        return (
            self.turn.optional
            or self.turn.after is not None
            or (self.turn.times == ANY_TIMES and self.given > 0)
        )


class Script:
    """The state of a playbook while it is played. Not thread-safe: one event loop owns it."""

    def __init__(self, playbook: Playbook, cwd: str = "") -> None:
        self.playbook = playbook
        self.failures: list[str] = []
        self._cwd = cwd
        self._parts = [
            _Part(turn, turn.name or f"turn {number}") for number, turn in enumerate(playbook.turns, start=1)
        ]

    def is_side(self, request: ModelRequest) -> bool:
        """Whether the request is none of the main conversation."""
        return len(request.tools) < self.playbook.min_tools

    def take(self, request: ModelRequest) -> tuple[str, Turn]:
        """The name of the turn that answers, and the turn with its late values filled in.

        Raises NoTurn when the playbook is used up, when no turn fits, or when a late value is missing.
        """
        part = self._due(request)
        part.given += 1
        if part.turn.expect is not None:
            for line in unmet(part.turn.expect, request):
                self.failures.append(f"{part.name}: request {request.number}: {line}")
        turn = part.turn
        if turn.dynamic is not None:
            turn = self._made(part, turn.dynamic, request)
        try:
            return part.name, bind(turn, request, self._cwd)
        except BindingError as error:
            raise self._failed(f"{part.name}: request {request.number}: {error}") from error

    def _made(
        self, part: _Part, dynamic: Callable[[ModelRequest], Turn | str], request: ModelRequest
    ) -> Turn:
        """The turn that a function makes; what it raises fails the run."""
        try:
            made = dynamic(request)
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            raise self._failed(
                f"{part.name}: request {request.number}: its function failed: {why}"
            ) from error
        return made if isinstance(made, Turn) else replace(part.turn, text=made, dynamic=None)

    def unused(self) -> list[str]:
        """A line for each turn that should have been given and was not."""
        return [
            f"{part.name}: "
            + (f"given {part.given} of {part.turn.times} times" if part.given else "never asked for")
            for part in self._parts
            if not part.spent and not part.may_be_passed_over
        ]

    def _due(self, request: ModelRequest) -> _Part:
        if self.playbook.order is Order.ANY:
            return self._fitting(request)
        return self._next(request)

    def _next(self, request: ModelRequest) -> _Part:
        for part in self._parts:
            if part.spent:
                continue
            if part.turn.after is not None and mismatch(part.turn.after, request.tool_result) is not None:
                continue
            why = mismatch(part.turn.when, request.prompt) if part.turn.when else None
            if why is None:
                return part
            if not part.may_be_passed_over:
                raise self._failed(f"{part.name}: request {request.number}: the prompt {why}")
        raise self._exhausted(request)

    def _fitting(self, request: ModelRequest) -> _Part:
        waiting = [part for part in self._parts if not part.spent]
        if not waiting:
            raise self._exhausted(request)
        for part in waiting:
            if _fits(part.turn, request):
                return part
        names = ", ".join(part.name for part in waiting)
        raise self._failed(
            f"request {request.number}: no unused turn fits the prompt {request.prompt!r}: {names}"
        )

    def _exhausted(self, request: ModelRequest) -> NoTurn:
        last = self._parts[-1].name if self._parts else "none"
        return self._failed(
            f"request {request.number}: the playbook is used up, its last turn was {last!r}; "
            f"the prompt is {request.prompt[:200]!r}"
        )

    def _failed(self, line: str) -> NoTurn:
        self.failures.append(line)
        return NoTurn(line)


def _fits(turn: Turn, request: ModelRequest) -> bool:
    return (turn.when is None or mismatch(turn.when, request.prompt) is None) and (
        turn.after is None or mismatch(turn.after, request.tool_result) is None
    )
