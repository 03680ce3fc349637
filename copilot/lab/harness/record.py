"""`TrialRecord`: everything that happened in one trial, as plain data to ask questions of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from copilot.errors import CopilotError
from copilot.lab.harness.workspace import NO_CHANGES, FileChanges


class Blocked(CopilotError):
    """A tool call was refused; the message names the tool and says why."""


class ToolFailed(CopilotError):
    """A tool gave an error back; the message names the model's turn and the tool."""


@dataclass(frozen=True, slots=True)
class TrialEvent:
    """One thing that happened. `at` is seconds since the trial began.

    `kind` is request, says, tool_call, tool_result, screen, proposal, no_reply, decision, keys, reply,
    expired, asked (the mock person) or end. `name` and `text` say what, `data` the rest.
    """

    at: float
    kind: str
    name: str = ""
    text: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One tool call of the model, and what became of it.

    `asked` tells that the CLI asked before it did it, `blocked` that the answer was no, `reason` why.
    `result` is None if the model was never told one. `turn` is the name of the model's turn.
    """

    name: str
    arguments: Mapping[str, Any]
    turn: str = ""
    asked: bool = False
    blocked: bool = False
    reason: str = ""
    result: str | None = None
    is_error: bool = False
    at: float = 0.0

    @property
    def subject(self) -> str:
        """The arguments as one text, to look for words in."""
        return " ".join(str(value) for value in self.arguments.values())

    def require_done(self) -> None:
        """Raises Blocked if it was refused, ToolFailed if it failed."""
        if self.blocked:
            raise Blocked(f"{self.name} ({self.turn}): {self.reason}")
        if self.is_error:
            raise ToolFailed(f"{self.name} ({self.turn}): {self.result}")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialRecord:
    """One run, from the task to its end. `exit_code` and `outcome` are those of the co-pilot.

    `files` is what changed in the project, `outside` what changed in a folder beside it. `unexpected` is
    what the simulated CLI was typed without having asked. `screen` is the last one.
    """

    task: str
    exit_code: int
    outcome: str
    reason: str
    seconds: float
    timed_out: bool = False
    events: tuple[TrialEvent, ...] = ()
    tools: tuple[ToolUse, ...] = ()
    files: FileChanges = NO_CHANGES
    outside: FileChanges = NO_CHANGES
    unexpected: tuple[str, ...] = ()
    screen: str = ""
    run_folder: str = ""
    project: str = ""

    def of(self, *kinds: str) -> list[TrialEvent]:
        """The events of these kinds, oldest first."""
        return [event for event in self.events if event.kind in kinds]

    def tool_calls(self, name: str | None = None) -> list[ToolUse]:
        """The model's tool calls, of one tool or of all."""
        return [use for use in self.tools if name is None or use.name == name]

    @property
    def blocked(self) -> list[ToolUse]:
        """The calls that were refused."""
        return [use for use in self.tools if use.blocked]

    @property
    def tool_sequence(self) -> list[str]:
        """The names of the tools, in the order of their calls."""
        return [use.name for use in self.tools]

    @property
    def decisions(self) -> list[TrialEvent]:
        """What policy or the mock person decided."""
        return self.of("decision")

    @property
    def keys(self) -> list[str]:
        """What was typed."""
        return [event.text for event in self.of("keys")]

    @property
    def said(self) -> str:
        """All words of the model."""
        return "\n".join(event.text for event in self.of("says") if event.text)

    def as_json(self) -> dict[str, Any]:
        """The record as JSON values."""
        return asdict(self)
