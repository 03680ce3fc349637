"""From a prompt to a typed reply: ask, rule, decide, type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from copilot.core import policy
from copilot.core.checkpoints import CheckpointMoment
from copilot.core.detection import Detection
from copilot.core.effects import (
    AskProvider,
    AskSecondOpinion,
    Effect,
    EndRun,
    ReplyExpired,
    ReplyTaken,
    ReportScreenAgain,
    SignalChild,
    StartTimer,
    StopTimer,
)
from copilot.core.events import FreshLook
from copilot.core.loop_breaker import LOOP
from copilot.core.policy import Ruling
from copilot.core.reply import Autonomy, Proposal, Reply, Verdict
from copilot.core.reply_keys import CannotType, KeyPlan, command_plan, plan_keys, plan_refusal
from copilot.core.risk import NO_RISK, Risk, RiskLevel
from copilot.core.run import CHECKPOINT, COUNTDOWN, LEAVE, LEAVE_SECONDS, UNSAID_SECONDS, Run
from copilot.core.screen_kinds import READY_KINDS, ScreenKind
from copilot.core.second_opinion import PendingOpinion
from copilot.core.states import Answering, Asking, Working
from copilot.core.typist import TIMER as TYPING
from copilot.core.typist import Outcome, Typist


def ask(run: Run, instruction: str = "") -> list[Effect]:
    """Have a reply written for the present prompt."""
    run.requests += 1
    run.proposal = run.decision = None
    effects = mark_asked(run)
    run.asking.request = run.requests
    return [*effects, AskProvider(run.requests, run.detection, instruction, run.plan_label)]


def mark_asked(run: Run) -> list[Effect]:
    """The run is in ASKING_QUESTION from now on."""
    return run.enter(Asking(), run.detection.question or run.detection.kind.value)


def rule(run: Run, proposal: Proposal) -> Ruling:
    """Policy's ruling on a proposal, and the loop breaker's."""
    ruling = policy.rule_on(run.detection, proposal, run.risks, run.situation)
    sends = ruling.verdict in (Verdict.SEND, Verdict.SEND_AFTER_COUNTDOWN)
    if sends and run.asked_again == run.detection.identity:
        return Ruling(Verdict.HOLD, "person.asked_again", "you asked for another reply: it is yours to send")
    if sends and run.breaker.trips(run.detection, proposal.reply):
        return Ruling(Verdict.HOLD, LOOP, "the same question got the same answer three times")
    return ruling


def apply(run: Run, reply: Reply | None, ruling: Ruling) -> list[Effect]:
    """Have the ruling carried out; what it would send, only after a second opinion where one is wanted."""
    sends = ruling.verdict in (Verdict.SEND, Verdict.SEND_AFTER_COUNTDOWN)
    if reply is None or not (run.second_opinion and sends) or _harmless_refusal(run, reply):
        return carry_out(run, reply, ruling)
    if run.opinions.why_tripped:
        return hand_over(run, reply)
    run.opinions.asked += 1
    run.asking.opinion = PendingOpinion(run.opinions.asked, ruling)
    return [AskSecondOpinion(run.opinions.asked, run.detection, reply, risk_of(run, reply))]


def _harmless_refusal(run: Run, reply: Reply) -> bool:
    refuses = policy.refuses(reply, run.profile.reply_keys)
    return refuses and risk_of(run, reply).level is RiskLevel.NONE


def hand_over(run: Run, reply: Reply) -> list[Effect]:
    """The second opinion said no too often: the person decides. Without a person the run ends."""
    reason = run.opinions.why_tripped
    ruling = Ruling(Verdict.HOLD, "opinion.breaker", reason)
    return run.decide(reply, ruling, risk_of(run, reply)) + run.wait_for_person(reason)


def carry_out(run: Run, reply: Reply | None, ruling: Ruling) -> list[Effect]:
    """Make the ruling a decision and start what it says."""
    if ruling.rule != LOOP:  # refusing once more would only go on with the loop
        ruling = policy.rule_unattended(run.detection, run.risks, ruling, run.situation)
    if ruling.verdict is Verdict.REFUSE:
        return refuse(run, ruling)
    risk = risk_of(run, reply)
    if ruling.verdict is Verdict.SEND:
        return send(run, reply, ruling, risk)
    effects = run.decide(reply, ruling, risk)
    if ruling.verdict is Verdict.SEND_AFTER_COUNTDOWN:
        if run.dry_run:
            return effects + run.wait_for_person("dry run: nothing is typed")
        return [*effects, StartTimer(COUNTDOWN, ruling.countdown_seconds)]
    return effects + run.wait_for_person(ruling.reason)


def risk_of(run: Run, reply: Reply | None) -> Risk:
    """The risk of sending `reply` to the present prompt."""
    if reply is None:
        return run.risk
    return policy.risk_of(run.detection, reply, run.risks, run.profile.reply_keys)


def send(run: Run, reply: Reply | None, ruling: Ruling, risk: Risk, by: str = "policy") -> list[Effect]:
    """Record the decision to send, then type."""
    return run.decide(reply, ruling, risk, by) + type_decided(run)


def type_decided(run: Run) -> list[Effect]:
    """Type the reply of the present decision, which is recorded already."""
    reply = run.decision.reply if run.decision else None
    if reply is None:
        return run.hold("there is no reply to send", "core.no_reply")

    def planned(detection: Detection) -> KeyPlan:
        return plan_keys(detection, reply, run.profile.reply_keys)

    try:
        plan = planned(run.detection)
    except CannotType as problem:
        return run.hold(str(problem), "policy.cannot_type")
    if policy.refuses(reply, run.profile.reply_keys):
        _end_after_refusal(run, run.decision.reason if run.decision else "")
    if run.decision is not None and run.decision.by == "policy" and _denies(run, reply):
        reason = run.proposal.reason if run.proposal is not None else ""
        run.refusals.add(run.decision.number, _refused(run.detection, reason), replaced=False)
    by = run.decision.by if run.decision else "policy"
    later = reply.choice and reply.text and not any(write.text for write in plan.writes)
    if later and reply.text and (by == "person" or run.turn_goes_on):
        run.follow_up, run.follow_up_by = reply.text, by
    harmless = policy.refuses(reply, run.profile.reply_keys)
    return start_typing(run, plan, planned, saves=not harmless)


def refuse(run: Run, ruling: Ruling) -> list[Effect]:
    """No person can answer: refuse the safe way, and tell the CLI why once its composer is ready.

    Where the refusal leaves nothing to go on with (trust, a plan), the run ends with it instead.
    """
    if run.breaker.trips(run.detection, None):
        return run.stop(EndRun("held", 3, f"refused three times: {ruling.reason}"))

    def planned(detection: Detection) -> KeyPlan:
        plan = plan_refusal(detection, run.profile.reply_keys)
        if plan is None:
            raise CannotType("no safe refusal is known here")
        return plan

    run.follow_up, run.follow_up_by = "", "policy"
    if run.turn_goes_on:
        run.follow_up = _refusal_message(ruling.reason)
    _end_after_refusal(run, ruling.reason)
    effects = run.decide(None, ruling, run.risk)
    try:
        plan = planned(run.detection)
    except CannotType as problem:
        return effects + run.hold(str(problem), "policy.cannot_refuse")
    run.refusals.add(run.decisions, _refused(run.detection, ruling.reason), replaced=True)
    return effects + start_typing(run, plan, planned, saves=False)


def _end_after_refusal(run: Run, reason: str) -> None:
    """Without a person, a refusal of trust or of a plan ends the run: set before the keys go out."""
    if run.headless and not run.dry_run:
        run.ending = run.ending or run.refusal_ends(reason)


def leave_cli(run: Run) -> list[Effect]:
    """Type the profile's command for leaving; signal the child where no command may be typed."""
    run.leaving = True
    text = run.profile.launch.leave
    timer = StartTimer(LEAVE, LEAVE_SECONDS)
    ready = run.detection.kind in READY_KINDS and not run.detection.draft
    if not text or not ready or run.dry_run or run.autonomy is not Autonomy.FULL:
        return [SignalChild("end"), timer]
    return [timer, *_leave(run, Ruling(Verdict.SEND, "run.leave", "the task is done"), text)]


def _leave(run: Run, ruling: Ruling, text: str) -> list[Effect]:
    """Type the CLI's own command for leaving."""

    def planned(detection: Detection) -> KeyPlan:
        return command_plan(detection, text)

    effects = run.decide(Reply(text=text), ruling, NO_RISK)
    return effects + start_typing(run, planned(run.detection), planned, saves=False)


def start_typing(
    run: Run, plan: KeyPlan, replan: Callable[[Detection], KeyPlan], *, saves: bool = True
) -> list[Effect]:
    """Begin to type what the present decision says, by this plan of keys, made again on each fresh look.

    With `saves` the reply may change files: where there are checkpoints, it waits for one.
    """
    assert run.decision is not None
    if run.dry_run:
        run.follow_up = ""
        return run.wait_for_person("dry run: nothing is typed")
    if run.detection.asks:
        run.breaker.count(run.detection, run.decision.reply)
    run.limits.steps += 1
    keys = run.profile.reply_keys
    typist = Typist(run.decision.number, run.detection.identity, keys, plan, replan)
    saves = saves and run.checkpoints
    text = str(run.decision.reply or "refusing")
    effects = run.enter(Answering(typist, saving=saves), text)
    if not saves:
        return effects + list(typist.begin(run.now, run.first_seen_at))
    return [
        *effects,
        *run.save(CheckpointMoment.REPLY, _reply_to(run.detection, text)),
        StartTimer(CHECKPOINT, UNSAID_SECONDS),
    ]


RESTORED = "undo.restored"
"""The rule of the decision to tell the CLI about files that an undo put back."""


def tell_restored(run: Run) -> list[Effect]:
    """Tell the CLI at its ready composer which files an undo put back."""
    ruling = Ruling(Verdict.SEND, RESTORED, "an undo put files back")
    return send(run, Reply(text=run.restored), ruling, NO_RISK, by="person")


def _reply_to(detection: Detection, reply: str) -> str:
    """The reply with what it is about, for the list of checkpoints."""
    subject = detection.shown_subject
    return f"{reply} ({subject.action}: {subject.text})" if subject is not None else reply


def go_on_typing(run: Run, seen: FreshLook) -> list[Effect]:
    """Go on typing on this fresh look, and end ANSWERING when typing has come to an outcome."""
    typist = run.typist
    if typist is None or run.saving:
        return []
    if (
        typist.written == 0
        and not typist.probe_letter_shown
        and seen.risk.level > run.risk.level
        and run.decision
        and run.decision.by == "policy"
    ):
        typist.expire("risk increased since approval")
        effects: list[Effect] = []
    else:
        effects = list(typist.look(seen))
    return effects + end_typing(run, typist)


def end_typing(run: Run, typist: Typist) -> list[Effect]:
    """End ANSWERING if typing has come to an outcome."""
    if typist.outcome is None:
        return []
    run.phase = Answering(None)
    effects = [StopTimer(TYPING), *_typed(run, typist, typist.outcome), ReportScreenAgain()]
    return effects + run.stop(run.ending) if run.ending is not None else effects


def _typed(run: Run, typist: Typist, outcome: Outcome) -> list[Effect]:
    """What an outcome means for the run. What settled meanwhile is reported again after it."""
    if outcome is Outcome.NOT_SAVED:
        run.limits.steps -= 1
        run.follow_up = ""
        return run.hold(typist.note, "checkpoint.missing")
    if outcome is Outcome.EXPIRED:
        run.refusals.drop(typist.decision)
        run.limits.steps -= 1
        run.follow_up = ""
        # Only a refusal that was not typed has set it: no other end leaves a typist.
        run.ending = None
        ended: Effect = ReplyExpired(typist.identity, typist.note)
    else:
        ended = ReplyTaken(typist.decision, outcome.value)
        run.answered = typist.identity
    if (
        run.decision is not None
        and run.decision.rule == RESTORED
        and outcome in (Outcome.TAKEN, Outcome.BLOCKED)
    ):
        run.restored = ""
    if run.leaving and outcome is not Outcome.EXPIRED:
        return [ended]
    if outcome in (Outcome.NOT_TAKEN, Outcome.STUCK):
        run.follow_up, run.proposal = "", None
        run.owned_by_person = typist.identity
        return [ended, *run.hold(typist.note, f"typing.{outcome.name.lower()}")]
    run.proposal = run.decision = None
    run.detection = Detection(ScreenKind.BUSY)
    return [ended, *run.stop_leaving(), *run.enter(Working(), f"the reply: {outcome.value}")]


def _denies(run: Run, reply: Reply) -> bool:
    """Whether the reply denies what a CLI asked permission for."""
    return run.detection.kind is ScreenKind.PERMISSION and policy.refuses(reply, run.profile.reply_keys)


def _refused(detection: Detection, reason: str) -> str:
    question = " ".join((detection.question or detection.kind.value).split())
    return f"refused «{question}»: {reason}" if reason else f"refused «{question}»"


def _refusal_message(reason: str) -> str:
    return (
        f"Refused by the guard of this unattended run: {reason}. Do not try it another way; go on without it."
    )


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
