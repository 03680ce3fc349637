"""Whether a grant would change what policy does with the present prompt: a grant makes high risk medium."""

from __future__ import annotations

from dataclasses import replace

from copilot.core import policy
from copilot.core.answering import rule
from copilot.core.policy import Ruling
from copilot.core.reply import Autonomy, Verdict
from copilot.core.risk import Risk, RiskLevel
from copilot.core.run import Run

OF_THE_LEVEL = ("policy.watch", "policy.level", "policy.assist_kind", "policy.assist_risk")
"""Rules that hold a reply at this level whatever is granted."""


def held_all_the_same(run: Run, risk: Risk) -> Ruling | None:
    """What would hold the reply if saying yes were of this `risk`; None if it would be sent."""
    if run.proposal is None:
        return _without_a_reply(run, risk)
    ruling = rule(replace(run, risk=risk), run.proposal)
    return None if ruling.verdict in (Verdict.SEND, Verdict.SEND_AFTER_COUNTDOWN) else ruling


def _without_a_reply(run: Run, risk: Risk) -> Ruling | None:
    """The same while no reply is there, for a reply that says yes."""
    before = policy.before_asking(run.detection, risk, run.situation)
    if before is not None:
        return before
    if run.autonomy is not Autonomy.FULL:
        return Ruling(Verdict.HOLD, "policy.level", f"at level {run.autonomy.value}, it waits for you")
    ceiling = RiskLevel.from_word(run.profile.limits.risk_ceiling)
    if risk.level <= ceiling:
        return None
    return Ruling(Verdict.HOLD, "policy.ceiling", f"the ceiling is {ceiling.word}")
