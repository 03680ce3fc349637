"""What follows when the screen has settled, or was looked at anew."""

from __future__ import annotations

from copilot.core import policy
from copilot.core.answering import apply, ask, go_on_typing, mark_asked, risk_of, send
from copilot.core.decision import Verdict
from copilot.core.detection import READY_KINDS, ScreenKind
from copilot.core.effects import Effect, EndRun, StopTimer
from copilot.core.events import FreshLook, ScreenSettled
from copilot.core.leaving import leave_cli
from copilot.core.policy import Ruling
from copilot.core.reactions.plan import (
    plan_offers_again,
    plan_ready,
    plan_saw,
    plan_turn_asks,
    plan_turn_ended,
    plan_typed,
)
from copilot.core.reply import Proposal, Reply
from copilot.core.reply_keys import TEXT_KINDS
from copilot.core.risk import NO_RISK
from copilot.core.run import GRACE, Run
from copilot.core.states import RunState

_WHY_REFUSED = "the CLI is told why its request was refused"
_NOT_YET_TYPED = "the words that you sent with your choice are not typed yet, and something else is asked"


def screen_settled(run: Run, event: ScreenSettled) -> list[Effect]:
    """A settled reading. While a reply is being typed it waits: SettleAnew brings it back."""
    if run.typist is not None:
        return []
    if event.detection.kind is ScreenKind.EXITED:
        run.exited_while_asking = run.open_question
    run.turns.saw(event.detection, event.at)
    if event.detection.at_work:
        run.breaker.worked()
    if run.plan is not None:
        plan_saw(run.plan, event.detection)
    changed = event.detection.identity != run.detection.identity or event.detection.kind != run.detection.kind
    effects = run.withdraw("the prompt changed") if changed else []
    run.detection, run.first_seen_at = event.detection, event.first_seen_at
    run.danger, run.option_dangers = event.danger, event.option_dangers
    if run.ending is not None:
        return effects
    if not changed:
        return plan_offers_again(run, run.plan) if run.plan is not None else []
    if run.leaving and not run.detection.asks:
        return effects
    effects += run.stop_leaving()
    return [*effects, StopTimer(GRACE), *_on_change(run)]


def fresh_look(run: Run, event: FreshLook) -> list[Effect]:
    """A look that the typist asked for."""
    typist = run.typist
    effects = go_on_typing(run, event)
    if run.plan is not None and typist is not None and run.typist is None:
        effects += plan_typed(run.plan, typist)
    return effects


def _on_change(run: Run) -> list[Effect]:
    kind = run.detection.kind
    if run.plan is not None and plan_turn_asks(run, run.plan):
        return run.enter(RunState.AWAITING_INPUT, kind.value) + plan_turn_ended(run, run.plan)
    if run.detection.asks or kind is ScreenKind.UNKNOWN:
        return _on_prompt(run)
    if kind in READY_KINDS:
        return _on_ready(run)
    if kind is ScreenKind.ERROR:
        return run.hold(run.detection.question or "the CLI shows an error", "screen.error")
    return run.enter(RunState.RUNNING, kind.value)


def _on_prompt(run: Run) -> list[Effect]:
    """Something is asked."""
    identity = run.detection.identity
    if identity and run.typed_at >= run.first_seen_at:
        run.owned_by_person = identity
    if identity and identity == run.owned_by_person:
        return run.enter(RunState.HELD, "the terminal is yours")
    if run.detection.kind in TEXT_KINDS:
        words, run.follow_up = run.follow_up, ""
        if words and run.follow_up_by == "person":
            return _offer_words(run, words)
    broken = run.limits.broken()
    if broken:
        return run.stop(EndRun("stopped", 3, broken))
    trusted = policy.trust_reply(run.detection, run.situation)
    if trusted is not None:
        ruling = Ruling(Verdict.SEND, "policy.trust_flag", "--trust names the launch folder")
        return mark_asked(run) + send(run, trusted, ruling, run.danger)
    at_once = policy.before_asking(run.detection, run.danger, run.situation)
    if at_once is not None:
        return mark_asked(run) + apply(run, None, at_once)
    return ask(run)


def _offer_words(run: Run, words: str) -> list[Effect]:
    """A text is asked for before the CLI was ready for what the person said with a choice: theirs to say."""
    reply, ruling = Reply(text=words), Ruling(Verdict.HOLD, "person.follow_up", _NOT_YET_TYPED)
    run.proposal = Proposal(reply, reason="your own words")
    run.owned_by_person = run.detection.identity
    effects = mark_asked(run) + run.decide(reply, ruling, risk_of(run, reply), "person")
    return effects + run.wait_for_person(_NOT_YET_TYPED)


def _on_ready(run: Run) -> list[Effect]:
    """The composer is ready and nothing is asked."""
    effects = run.enter(RunState.AWAITING_INPUT, run.detection.kind.value)
    if run.detection.kind is ScreenKind.COMPLETED and not run.follow_up:
        run.turn_completed()
    if run.follow_up and not run.limits.broken():
        text, run.follow_up = run.follow_up, ""
        by = run.follow_up_by
        reason = "the words that you sent with your choice" if by == "person" else _WHY_REFUSED
        ruling = Ruling(Verdict.SEND, f"{by}.follow_up", reason)
        return effects + send(run, Reply(text=text), ruling, NO_RISK, by)
    if run.plan is not None and not run.plan.over:
        return effects + plan_ready(run, run.plan)
    if not run.headless:
        return effects
    if run.detection.kind is ScreenKind.COMPLETED and not run.dry_run:
        return effects + leave_cli(run)
    return effects + run.start_grace()
