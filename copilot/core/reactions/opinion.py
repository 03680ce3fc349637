"""What follows when the second opinion has come, or has not. It can hold a reply and never send one."""

from __future__ import annotations

from copilot.core.answering import carry_out, hand_over, rule
from copilot.core.decision import Verdict
from copilot.core.effects import Effect
from copilot.core.events import OpinionFailed, OpinionGiven
from copilot.core.policy import Ruling
from copilot.core.run import Run


def opinion_given(run: Run, event: OpinionGiven) -> list[Effect]:
    """If it agrees, policy rules once more, for things may have changed meanwhile; if not, it is held."""
    run.limits.spend(event.cost_usd)
    pending, proposal = run.opinion, run.proposal
    if pending is None or proposal is None or event.request != pending.number:
        return []
    run.opinion = None
    run.opinions.count(denied=not event.agrees)
    if event.agrees:
        return carry_out(run, proposal.reply, _stricter(pending.ruling, rule(run, proposal)))
    if run.opinions.tripped:
        return hand_over(run, proposal.reply)
    reason = f"the second opinion says no: {event.reason}"
    return carry_out(run, proposal.reply, Ruling(Verdict.HOLD, "opinion.denied", reason))


def opinion_failed(run: Run, event: OpinionFailed) -> list[Effect]:
    """No opinion: held, with the reason."""
    run.limits.spend(event.cost_usd)
    pending, proposal = run.opinion, run.proposal
    if pending is None or proposal is None or event.request != pending.number:
        return []
    run.opinion = None
    reason = f"no second opinion: {event.reason}"
    return carry_out(run, proposal.reply, Ruling(Verdict.HOLD, "opinion.failed", reason))


def _stricter(before: Ruling, now: Ruling) -> Ruling:
    """What holds of both: a countdown that was due stays one, and what is held now is held."""
    counts_down = before.verdict is Verdict.SEND_AFTER_COUNTDOWN
    return before if counts_down and now.verdict is Verdict.SEND else now
