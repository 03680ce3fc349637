"""The words of a playbook: what a scripted model answers, how fast, and what it must have been sent."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from copilot.lab.model_server.requests import ModelRequest

JsonObject = dict[str, Any]
ANY_TIMES = 0
"""For `Turn.times`: as often as a request comes."""


@dataclass(frozen=True, slots=True)
class TextMatch:
    """A condition on a text; all parts that are set must hold. `regex` is RE2 syntax, searched anywhere.

    White space is compared as it is for `exact`, and folded for `contains` and `absent`.
    """

    contains: str | None = None
    exact: str | None = None
    regex: str | None = None
    absent: str | None = None
    json: Any = None
    """A JSON value that the text, read as JSON, must hold: objects may have more keys."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the model must have been sent when a turn is taken; what is None is not looked at.

    `prompt` is the newest text of the user, `tool_result` the results that came after the model's last
    words (joined by newlines), `system` the instructions, `anywhere` the whole conversation. `tools` are
    names that must be offered.
    """

    prompt: TextMatch | None = None
    tool_result: TextMatch | None = None
    system: TextMatch | None = None
    anywhere: TextMatch | None = None
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the model calls: with named `arguments`, or, for a custom tool, with raw `input`."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    input: str | None = None

    @property
    def named(self) -> JsonObject:
        """The arguments by name, a raw input as `input`."""
        return dict(self.arguments) if self.input is None else {"input": self.input}


@dataclass(frozen=True, slots=True)
class HttpError:
    """An HTTP error instead of an answer. `retry_after_seconds` becomes the header `retry-after`.

    `kind` is the protocol's own word for the error (empty: the usual one for this status).
    """

    status: int
    message: str = "scripted error"
    kind: str = ""
    retry_after_seconds: float | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    details: Sequence[Any] = ()


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast an answer streams: a delay before the first byte, then so many characters at a time."""

    first_delay_seconds: float = 0.0
    chunk_characters: int = 40
    chunk_delay_seconds: float = 0.0


class Drop(enum.StrEnum):
    START = "start"
    """Before the first byte of the answer."""
    MIDDLE = "middle"
    """After half of the pieces of the content."""
    END = "end"
    """After all of the content, before the events that close the answer."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that the answer reports; None means an estimate from the length of the texts."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Turn:
    """One answer of the scripted model.

    `name` is how failures speak of it (a playbook names unnamed turns "turn N"). `when` is the condition on
    the user's newest prompt, `after` one on the tool results that came since the model's last words: a turn
    whose `after` does not hold is passed over. `dynamic` makes the turn from the request. `times` answers
    alike are given before the next turn is due; a turn of
    ANY_TIMES gives way only to a prompt that does not fit its `when`. An `optional` turn may stay unused.
    `hang_seconds`: keep the stream open and silent after the content (with pings if `keep_alive`), then end
    it in order. `refusal` is what the model says while refusing.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    name: str = ""
    thinking: str = ""
    when: TextMatch | None = None
    after: TextMatch | None = None
    expect: Expectation | None = None
    error: HttpError | None = None
    refusal: str | None = None
    hang_seconds: float = 0.0
    keep_alive: bool = False
    drop: Drop | None = None
    pace: Pace | None = None
    usage: Usage = field(default_factory=Usage)
    times: int = 1
    optional: bool = False
    dynamic: Callable[[ModelRequest], Turn | str] | None = None
    truncated: bool = False
    """The answer ends because the output limit was reached."""


class Order(enum.StrEnum):
    STRICT = "strict"
    """The next turn, and its `when` must fit."""
    ANY = "any"
    """The first unused turn whose `when` fits; a turn without `when` fits everything."""


@dataclass(frozen=True, slots=True)
class Playbook:
    """The turns of a scripted model.

    A request that offers fewer than `min_tools` tools is a side request of the CLI (title, routing): it
    gets a canned answer, whose text is `side_text`, and consumes no turn.
    """

    turns: tuple[Turn, ...]
    order: Order = Order.STRICT
    min_tools: int = 3
    side_text: str = "Scripted task"
    pace: Pace = field(default_factory=Pace)
    source: Path | None = None


def playbook(*turns: Turn | str, order: Order = Order.STRICT, min_tools: int = 3) -> Playbook:
    """A playbook of these turns; a plain string is a turn that says it."""
    return Playbook(tuple(turn if isinstance(turn, Turn) else Turn(turn) for turn in turns), order, min_tools)


def tool_turn(text: str, *calls: ToolCall, then: str = "Done.", name: str = "") -> tuple[Turn, Turn]:
    """The two turns of a model that uses tools and then says something: each is a request of its own."""
    return Turn(text, calls, name=name), Turn(then, name=f"{name}, then" if name else "")
