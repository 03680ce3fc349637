"""The data types of a playbook: the answers of a scripted model, their pace, and the requests it expects."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from copilot.lab.model_server.requests import ModelRequest

JsonObject = dict[str, Any]
"""For `Turn.times`: answer any number of requests."""


@dataclass(frozen=True, slots=True)
class TextMatch:
    """A condition on a text; all parts that are set must hold. `regex` is RE2 syntax, searched anywhere.

    White space counts for `exact`, and is folded for `contains` and `absent`.
    """

    contains: str | None = None
    exact: str | None = None
    regex: str | None = None
    absent: str | None = None
    json: Any = None
    """The value of the text when parsed as JSON; its objects may have more keys."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the request must hold when its turn is taken; None is not checked.

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
        """The arguments by name; a raw input is named `input`."""
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
    """How fast an answer streams: the delay before its first byte, then the size and delay of each chunk."""

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

    `name` identifies the turn in failures (default: "turn N"). `when` is a condition on the user's newest
    prompt, `after` one on the tool results since the model's last words; the turn is skipped while `after`
    does not hold. `dynamic` makes the turn from the request. The turn answers `times` requests before the
    next is due; with ANY_TIMES, all until a prompt does not fit its `when`. `optional` turns may stay unused.
    `hang_seconds`: keep the stream open and silent after the content (with pings if `keep_alive`), then end
    it properly. `refusal` is the text of a refusal.
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
    gets `side_text` as its answer and consumes no turn.
    """

    turns: tuple[Turn, ...]
    order: Order = Order.STRICT
    min_tools: int = 3
    side_text: str = "Scripted task"
    pace: Pace = field(default_factory=Pace)
    source: Path | None = None


def playbook(*turns: Turn | str, order: Order = Order.STRICT, min_tools: int = 3) -> Playbook:
    """A playbook of these turns; a string is a turn with that text."""
    return Playbook(tuple(turn if isinstance(turn, Turn) else Turn(turn) for turn in turns), order, min_tools)


def tool_turn(text: str, *calls: ToolCall, then: str = "Done.", name: str = "") -> tuple[Turn, Turn]:
    """Two turns: one that calls tools, and one that answers the request with their results."""
    return Turn(text, calls, name=name), Turn(then, name=f"{name}, then" if name else "")
