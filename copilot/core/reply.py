"""The talk with a provider: what it is asked, the reply that it suggests, and what is decided on it."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from copilot.core.risk import NO_RISK, Risk

INSTRUCTION_PART = "instruction"


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

    `needs_human` means that the model itself wants the person; `clarification` is its one short question.
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


class Autonomy(enum.StrEnum):
    """How much is sent without a keypress."""

    WATCH = "watch"
    SUGGEST = "suggest"
    ASSIST = "assist"
    FULL = "full"

    @property
    def acts(self) -> bool:
        """Whether replies are sent without a keypress."""
        return self in (Autonomy.ASSIST, Autonomy.FULL)


LEVEL_WORDS = {
    Autonomy.WATCH: "only looks: nothing is drafted, nothing is sent",
    Autonomy.SUGGEST: "drafts every reply; you send each one with a key",
    Autonomy.ASSIST: "sends harmless ones after a countdown that any key stops",
    Autonomy.FULL: "sends all up to the risk limit; holds the rest for you",
}
"""The four levels in four lines, for a person who sees them for the first time."""


class Verdict(enum.StrEnum):
    """What is done with a reply."""

    SEND = "send"
    SEND_AFTER_COUNTDOWN = "send after countdown"
    HOLD = "hold"
    """The reply is kept, editable, for one keypress of the person."""
    ESCALATE = "escalate"
    """No reply is offered: the person must answer."""
    REFUSE = "refuse"
    """Unattended: the profile's safe refusal is typed."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision. Nothing is typed by the co-pilot without one, and it is recorded before the keys are.

    `number` counts the decisions of a run from 1. `identity` is the prompt it belongs to. `by` is `policy`
    or `person`. `rule` names the line of policy that decided, `reason` says it for a person.
    """

    number: int
    verdict: Verdict
    identity: str
    reply: Reply | None
    reason: str
    rule: str
    risk: Risk = NO_RISK
    by: str = "policy"
    countdown_seconds: float = 0.0


class AnswerForm(enum.StrEnum):
    """What form a reply must have."""

    YES_NO = "yes_no"
    CHOICE = "choice"
    TEXT = "text"
    MULTI_LINE = "multi_line"


@dataclass(frozen=True, slots=True)
class PromptPart:
    """One part of the user prompt, in the order of the source document. `tokens` may be an estimate.

    `cut` means that the part was trimmed or summarised to fit the budget.
    """

    name: str
    text: str
    tokens: int = 0
    cut: bool = False


@dataclass(frozen=True, slots=True)
class ReplyRequest:
    """Exactly what a provider is given, and in what form it must answer. All of it is redacted already.

    `choices` are the labels that may be chosen (empty for text). `number` counts requests of the run.
    """

    number: int
    system: str
    parts: tuple[PromptPart, ...]
    form: AnswerForm
    choices: tuple[str, ...] = ()
    question: str = ""
    kind: str = ""
    rule: str = ""
    redactions: int = 0
    warnings: tuple[str, ...] = field(default=())
    system_tokens: int = 0

    @property
    def instructs(self) -> bool:
        """Whether the person has said how another reply shall be."""
        return any(part.name == INSTRUCTION_PART for part in self.parts)

    @property
    def user(self) -> str:
        """The user prompt as it is sent."""
        return "\n\n".join(part.text for part in self.parts)

    @property
    def tokens(self) -> int:
        """Tokens of all parts together, by the estimate of the parts."""
        return sum(part.tokens for part in self.parts)
