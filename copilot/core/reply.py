"""`Reply` and `Proposal`: what is to be typed, and what a provider says about it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Reply:
    """What to answer: the label of a listed option, or text, or both (refuse, and say why).

    `choice` is an option's label, never its number: the keys are computed from the fresh screen.
    """

    choice: str | None = None
    text: str | None = None

    def __str__(self) -> str:
        return " - ".join(part for part in (self.choice, self.text) if part)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens and money of one model call. `cost_usd` is None when the price is unknown, never 0 for that."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost_usd: float | None = None
    estimated: bool = False
    """The provider reported no usage; these are our own estimates."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A reply that a provider suggests. `confidence` is the model's own, 0 to 1.

    `needs_human` tells that the model itself wants the person; `clarification` is its one short question.
    """

    reply: Reply
    reason: str = ""
    confidence: float = 1.0
    needs_human: bool = False
    clarification: str | None = None
    provider: str = ""
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    raw: str = ""
