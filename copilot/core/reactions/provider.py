"""What follows when a provider has answered, or has not."""

from __future__ import annotations

from copilot.core.answering import apply, rule
from copilot.core.decision import Verdict
from copilot.core.effects import Effect
from copilot.core.events import ReplyFailed, ReplyProposed, RequestDropped
from copilot.core.policy import Ruling
from copilot.core.run import Run


def reply_proposed(run: Run, event: ReplyProposed) -> list[Effect]:
    """A proposal. One for a prompt that is gone is dropped; its price counts."""
    run.limits.spend(event.proposal.usage.cost_usd)
    if event.request != run.request:
        return []
    run.request, run.proposal = None, event.proposal
    return apply(run, event.proposal.reply, rule(run, event.proposal))


def reply_failed(run: Run, event: ReplyFailed) -> list[Effect]:
    """No usable reply: held, with the reason, and never a default yes."""
    run.limits.spend(event.cost_usd)
    if event.request != run.request:
        return []
    run.request = None
    effects = run.decide(None, Ruling(Verdict.ESCALATE, "provider.failed", event.reason), run.danger)
    return effects + run.wait_for_person(event.reason)


def request_dropped(run: Run, event: RequestDropped) -> list[Effect]:
    """It was paid for, though nobody uses it."""
    run.limits.spend(event.cost_usd)
    return []
