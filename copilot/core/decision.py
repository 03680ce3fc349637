"""`Decision`: what policy makes of a proposal, its risk and the autonomy level."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from copilot.core.reply import Reply
from copilot.core.risk import NO_RISK, Risk


class Autonomy(enum.StrEnum):
    """How much is sent without a keypress."""

    WATCH = "watch"
    SUGGEST = "suggest"
    ASSIST = "assist"
    FULL = "full"


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
    """Nobody is there to ask: the profile's safe refusal is typed."""


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
