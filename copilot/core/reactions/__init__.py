"""One function per kind of event: it changes the `Run` and says what is to be done."""

from copilot.core import policy
from copilot.core.answering import (
    apply,
    ask,
    carry_out,
    go_on_typing,
    hand_over,
    leave_cli,
    mark_asked,
    risk_of,
    rule,
    send,
    tell_restored,
    type_decided,
)
from copilot.core.effects import Effect, EndRun, LookAtScreen, SignalChild, StartTimer, StopTimer
from copilot.core.events import (
    ChildExited,
    Faulted,
    FreshLook,
    GrantChanged,
    Interrupted,
    InterruptIgnored,
    OpinionFailed,
    OpinionGiven,
    RecordingFailed,
    ReplyFailed,
    ReplyProposed,
    RequestDropped,
    ScreenSettled,
    Started,
    TimerFired,
    WriteFailed,
)
from copilot.core.policy import Ruling
from copilot.core.reactions.checkpoints import checkpoint_late, save_as_it_waits
from copilot.core.reactions.person import reevaluate
from copilot.core.reactions.plan import (
    plan_began,
    plan_enters,
    plan_missed_end,
    plan_offers_again,
    plan_outcome,
    plan_ready,
    plan_saw,
    plan_stopped,
    plan_timer,
    plan_turn_asks,
    plan_turn_ended,
    plan_typed,
)
from copilot.core.reply import Proposal, Reply, Verdict
from copilot.core.risk import NO_RISK
from copilot.core.run import CHECKPOINT, COUNTDOWN, GRACE, LEAVE, TIMEOUT, Run
from copilot.core.run_end import Facts, end_after_grace, end_of, reads_turns
from copilot.core.screen_kinds import READY_KINDS, TEXT_KINDS, ScreenKind
from copilot.core.states import Held, Ready, RunState, Working
from copilot.core.typist import TIMER as TYPING

_WHY_REFUSED = "the CLI is told why its request was refused"
_NOT_YET_TYPED = "the words that you sent with your choice are not typed yet, and something else is asked"


def screen_settled(run: Run, event: ScreenSettled) -> list[Effect]:
    """A settled reading. While a reply is being typed it waits: ReportScreenAgain brings it back."""
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
    run.risk, run.option_risks = event.risk, event.option_risks
    if run.ending is not None:
        return effects
    if not changed:
        return plan_offers_again(run, run.plan) if run.plan is not None else []
    if run.leaving and not run.detection.asks:
        return effects
    effects += run.stop_leaving()
    return [*effects, StopTimer(GRACE), *save_as_it_waits(run), *_on_change(run)]


def fresh_look(run: Run, event: FreshLook) -> list[Effect]:
    """A look that the typist asked for."""
    typist = run.typist
    entered = typist is None or typist.all_written
    effects = go_on_typing(run, event)
    if run.plan is not None and typist is not None and typist.all_written and not entered:
        effects = plan_enters(run.plan, typist) + effects
    if run.plan is not None and typist is not None and run.typist is None:
        effects += plan_typed(run.plan, typist)
    return effects


def _on_change(run: Run) -> list[Effect]:
    kind = run.detection.kind
    if run.plan is not None and plan_turn_asks(run, run.plan):
        return run.enter(Ready(), kind.value) + plan_turn_ended(run, run.plan)
    if run.detection.asks or kind is ScreenKind.UNKNOWN:
        return _on_prompt(run)
    if kind in READY_KINDS:
        return _on_ready(run)
    if kind is ScreenKind.ERROR:
        return run.hold(run.detection.question or "the CLI shows an error", "screen.error")
    return run.enter(Working(), kind.value)


def _on_prompt(run: Run) -> list[Effect]:
    """Something is asked."""
    identity = run.detection.identity
    if identity and run.typed_at >= run.first_seen_at:
        run.owned_by_person = identity
    if identity and identity == run.owned_by_person:
        return run.enter(Held(), "the terminal is yours")
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
        return mark_asked(run) + send(run, trusted, ruling, run.risk)
    at_once = policy.before_asking(run.detection, run.risk, run.situation)
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
    effects = run.enter(Ready(), run.detection.kind.value)
    if run.detection.kind is ScreenKind.COMPLETED and not run.follow_up:
        run.turn_completed()
    if run.restored and not run.limits.broken():
        return effects + tell_restored(run)
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


def started(run: Run, event: Started) -> list[Effect]:
    """The child runs: the clock of the time limit starts."""
    effects = run.enter(Working(), "the child runs")
    if run.limits.timeout_seconds is not None:
        effects.append(StartTimer(TIMEOUT, run.limits.timeout_seconds))
    if run.plan is not None:
        effects += plan_began(run.plan)
    return effects


def child_exited(run: Run, event: ChildExited) -> list[Effect]:
    """The child is gone: `core/run_end.py` says what that means."""
    plan = run.plan
    facts = Facts(
        status=event.status,
        program=run.program,
        decided=run.ending,
        refusals=run.refusals,
        unrecorded=run.unrecorded,
        asking=_asking(run, event),
        leaving=run.leaving,
        headless=run.headless,
        person_after_error=run.typed_at > run.turns.error_at,
        turns=run.turns,
        reads_turns=reads_turns(run.profile.screen),
        plan=lambda: plan_outcome(plan) if plan is not None else None,
    )
    return run.finish(end_of(facts))


def _asking(run: Run, event: ChildExited) -> bool:
    """Whether a prompt was open and not taken on, settled or drawn right before the end."""
    answered = run.typist is not None and run.typist.all_written
    known = (run.owned_by_person, run.answered)
    drawn = run.headless and event.prompt not in ("", *known)
    return not answered and (run.open_question or run.exited_while_asking or drawn)


def interrupted(run: Run, event: Interrupted) -> list[Effect]:
    """First an interrupt to the child and an orderly end; the second time everything ends now."""
    run.interrupts += 1
    effects = run.withdraw("the run is interrupted") + plan_stopped(run)
    run.ending = EndRun("aborted", 130, "ended by you")
    if run.interrupts == 1:
        return [*effects, SignalChild("interrupt"), StartTimer(LEAVE, run.limits.interrupt_seconds)]
    return [*effects, SignalChild("kill"), *run.finish(run.ending)]


def interrupt_ignored(run: Run, event: InterruptIgnored) -> list[Effect]:
    """There was nothing to end and nothing is being tidied up: the time for that is not waited for."""
    return [StopTimer(LEAVE), SignalChild("end")] if run.interrupts == 1 else []


def write_failed(run: Run, event: WriteFailed) -> list[Effect]:
    """Keys did not go out: nothing more is typed until the person has looked."""
    if run.state is RunState.INIT:
        return []
    run.follow_up = ""
    return [
        *run.stop_asking(),
        StopTimer(TYPING),
        *run.hold(f"keys could not be written: {event.reason}", "fault.write"),
    ]


def recording_failed(run: Run, event: RecordingFailed) -> list[Effect]:
    """From now on everything is held: what is decided could not be read later."""
    run.unrecorded = event.reason
    if run.typist is None and not run.detection.asks:
        return []
    effects = run.withdraw(event.reason)
    return effects + run.hold(event.reason, "policy.unrecorded") if run.detection.asks else effects


def faulted(run: Run, event: Faulted) -> list[Effect]:
    """Something of ours broke."""
    return run.stop(EndRun("failed", 1, event.reason))


def opinion_given(run: Run, event: OpinionGiven) -> list[Effect]:
    """If it agrees, policy rules once more, for things may have changed meanwhile; if not, it is held."""
    awaited = _awaited_opinion(run, event)
    if awaited is None:
        return []
    before, proposal = awaited
    run.opinions.count(denied=not event.agrees)
    if event.agrees:
        return carry_out(run, proposal.reply, _stricter(before, rule(run, proposal)))
    if run.opinions.why_tripped:
        return hand_over(run, proposal.reply)
    reason = f"the second opinion says no: {event.reason}"
    return carry_out(run, proposal.reply, Ruling(Verdict.HOLD, "opinion.denied", reason))


def opinion_failed(run: Run, event: OpinionFailed) -> list[Effect]:
    """No opinion: held, with the reason."""
    awaited = _awaited_opinion(run, event)
    if awaited is None:
        return []
    reason = f"no second opinion: {event.reason}"
    return carry_out(run, awaited[1].reply, Ruling(Verdict.HOLD, "opinion.failed", reason))


def _awaited_opinion(run: Run, event: OpinionGiven | OpinionFailed) -> tuple[Ruling, Proposal] | None:
    """What policy ruled on the proposal that the opinion is about; None if it is not waited for any more."""
    run.limits.spend(event.cost_usd)
    pending, proposal = run.opinion, run.proposal
    if pending is None or proposal is None or event.request != pending.number:
        return None
    run.asking.opinion = None
    return pending.ruling, proposal


def _stricter(before: Ruling, now: Ruling) -> Ruling:
    """What holds of both: a countdown that was due stays one, and what is held now is held."""
    counts_down = before.verdict is Verdict.SEND_AFTER_COUNTDOWN
    return before if counts_down and now.verdict is Verdict.SEND else now


def timer_fired(run: Run, event: TimerFired) -> list[Effect]:
    """A timer fired; one that is not waited for any more does nothing."""
    if event.timer in (TYPING, CHECKPOINT):
        return _typing_timer(run, event.timer)
    if event.timer == COUNTDOWN:
        return _countdown_over(run, event)
    if event.timer == TIMEOUT:
        return run.stop(EndRun("stopped", 3, "the time limit is reached (--timeout)"))
    if event.timer == LEAVE:
        return [SignalChild("end")]
    if event.timer == GRACE:
        missed = plan_missed_end(run, run.plan) if run.plan is not None else ""
        return run.stop(end_after_grace(run.detection, run.refusals.unheard, missed))
    return plan_timer(run, run.plan, event.timer) if run.plan is not None else []


def _typing_timer(run: Run, timer: str) -> list[Effect]:
    if timer == CHECKPOINT:
        return checkpoint_late(run)
    return [LookAtScreen(TYPING)] if run.typist is not None else []


def _countdown_over(run: Run, event: TimerFired) -> list[Effect]:
    """The reply is typed, unless we were stopped meanwhile (Ctrl-Z, SIGSTOP): no person saw it coming."""
    counting = run.decision is not None and run.decision.verdict is Verdict.SEND_AFTER_COUNTDOWN
    if not counting or run.typist is not None:
        return []
    if event.late_seconds:
        return run.hold("the countdown ran out while copilot was stopped", "core.unseen_countdown")
    return type_decided(run)


def reply_proposed(run: Run, event: ReplyProposed) -> list[Effect]:
    """A proposal. One for a prompt that is gone is dropped; its price counts."""
    run.limits.spend(event.proposal.usage.cost_usd)
    if event.request != run.request:
        return []
    run.asking.request, run.proposal = None, event.proposal
    return apply(run, event.proposal.reply, rule(run, event.proposal))


def reply_failed(run: Run, event: ReplyFailed) -> list[Effect]:
    """No usable reply: held, with the reason, and never a default yes."""
    run.limits.spend(event.cost_usd)
    if event.request != run.request:
        return []
    run.asking.request = None
    effects = run.decide(None, Ruling(Verdict.ESCALATE, "provider.failed", event.reason), run.risk)
    return effects + run.wait_for_person(event.reason)


def request_dropped(run: Run, event: RequestDropped) -> list[Effect]:
    """It was paid for, though it is not used."""
    run.limits.spend(event.cost_usd)
    return []


USED = "used"


def grant_changed(run: Run, event: GrantChanged) -> list[Effect]:
    """If it is about the present prompt, its risk changes, and policy rules again on what is not sent yet."""
    if not event.identity or event.identity != run.detection.identity:
        return []
    run.risk = event.risk
    over = run.typist is not None or run.ending is not None or run.leaving
    mine = run.detection.asks and run.detection.identity != run.owned_by_person
    if over or not mine or run.proposal is None or event.change == USED:
        return []
    return [*run.stop_asking(), *reevaluate(run, run.proposal)]
