"""What follows when the person acts. Handlers for user events."""

from __future__ import annotations

from copilot.core import policy
from copilot.core.answering import apply, ask, mark_asked, risk_of, rule, send
from copilot.core.effects import Effect, ReplyExpired
from copilot.core.events import (
    AutonomyChanged,
    GoverningPromptChanged,
    PersonAskedAgain,
    PersonDismissed,
    PersonSent,
    PersonTyped,
)
from copilot.core.policy import Ruling
from copilot.core.reactions.plan import plan_after_typing, plan_dismissed, plan_sent
from copilot.core.reply import Proposal, Verdict
from copilot.core.risk import NO_RISK
from copilot.core.run import Run
from copilot.core.states import Held, RunState


def person_sent(run: Run, event: PersonSent) -> list[Effect]:
    """A reply as proposed or edited; it dies if the prompt it was meant for is gone."""
    by_plan = plan_sent(run, run.plan, event) if run.plan is not None else None
    if by_plan is not None:
        return by_plan
    over = run.typist is not None or run.ending is not None
    if event.identity != run.detection.identity or not run.detection.waiting or over:
        return [ReplyExpired(event.identity, "the prompt changed before you sent")]
    effects = run.stop_asking()
    run.breaker.reset()
    run.opinions.person_acted()
    ruling = Ruling(Verdict.SEND, "person.sent", "you sent it")
    return effects + send(run, event.reply, ruling, risk_of(run, event.reply), by="person")


def person_dismissed(run: Run, event: PersonDismissed) -> list[Effect]:
    """No reply wanted, or only no countdown."""
    by_plan = plan_dismissed(run, run.plan, event) if run.plan is not None else None
    if by_plan is not None:
        return by_plan
    if event.identity != run.detection.identity or run.typist is not None or not run.detection.asks:
        return []
    effects = run.stop_asking()
    if event.keep:
        reply = run.proposal.reply if run.proposal is not None else None
        ruling = Ruling(Verdict.HOLD, "person.stopped", "you stopped it")
        effects += run.decide(reply, ruling, risk_of(run, reply), by="person")
        return effects + run.wait_for_person("you stopped it")
    run.proposal, run.follow_up = None, ""
    run.owned_by_person = run.detection.identity
    run.opinions.person_acted()
    return effects + run.enter(Held(), "you answer this one")


def person_asked_again(run: Run, event: PersonAskedAgain) -> list[Effect]:
    """Another reply, by the person's instruction. What is never asked of a model is not asked now either."""
    over = run.typist is not None or run.ending is not None
    if event.identity != run.detection.identity or not run.detection.asks or over:
        return []
    if policy.before_asking(run.detection, NO_RISK, run.situation) is not None:
        return []
    run.owned_by_person = ""
    run.asked_again = run.detection.identity
    return run.stop_asking() + ask(run, event.instruction)


def person_typed(run: Run, event: PersonTyped) -> list[Effect]:
    """Keys went to the child by hand: replies withdraw, and this prompt stays the person's."""
    effects = run.withdraw("you typed: the terminal is yours")
    run.follow_up, run.typed_at = "", event.at
    if run.plan is not None:
        plan_after_typing(run, run.plan)
    if not run.detection.identity:
        return effects
    run.owned_by_person = run.detection.identity
    if run.detection.asks:
        run.opinions.person_acted()
    if run.detection.asks and run.state is not RunState.HELD:
        effects += run.enter(Held(), "the terminal is yours")
    return effects


def autonomy_changed(run: Run, event: AutonomyChanged) -> list[Effect]:
    """Another level from now on; policy rules again on what is held or counts down; level watch withdraws it.

    A reply that the new level would send at once counts down first: the person has just looked away from it.
    """
    run.autonomy = run.profile.allowed(event.level)
    if not run.autonomy.acts and run.follow_up_by != "person":
        run.follow_up = ""
    over = run.typist is not None or run.ending is not None or run.leaving
    if over or not run.detection.asks or run.detection.identity == run.owned_by_person:
        return []
    at_once = policy.before_asking(run.detection, run.risk, run.situation)
    if at_once is not None:
        return run.withdraw(at_once.reason) + mark_asked(run) + apply(run, None, at_once)
    effects = run.stop_asking()
    if run.proposal is None:
        return effects + ask(run)
    return effects + reevaluate(run, run.proposal)


def governing_prompt_changed(run: Run, event: GoverningPromptChanged) -> list[Effect]:
    """Another governing prompt: what was proposed or is being written under the old one is asked for again.

    A reply that is being typed was sent already, and a prompt that is the person's stays theirs.
    """
    over = run.typist is not None or run.ending is not None or run.leaving
    if not over and event.identity and event.identity == run.detection.identity:
        run.risk = event.risk
    if over or not run.detection.asks or run.detection.identity == run.owned_by_person:
        return []
    if policy.before_asking(run.detection, run.risk, run.situation) is not None:
        return []
    return [*run.withdraw(f"the governing prompt is version {event.number} now"), *ask(run)]


def reevaluate(run: Run, proposal: Proposal) -> list[Effect]:
    """Rule on a proposal once more; what would be sent at once counts down first."""
    ruling = rule(run, proposal)
    if ruling.verdict is Verdict.SEND:
        seconds = run.profile.limits.countdown_seconds
        ruling = Ruling(Verdict.SEND_AFTER_COUNTDOWN, ruling.rule, ruling.reason, seconds)
    return mark_asked(run) + apply(run, proposal.reply, ruling)
