"""`ReplyRequest`: exactly what a provider is given, and in what form it must answer."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

INSTRUCTION_PART = "instruction"


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
    """A request for one reply. Everything in it is redacted already.

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
