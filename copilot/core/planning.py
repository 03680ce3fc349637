"""The moves of a plan: start what is due, offer or type a prompt, have a command judged, go on, fail, finish.

One task at a time, and each starts only at a composer that is ready. Nothing that may have been typed or run
before is typed or run again by itself.
"""

from __future__ import annotations

from dataclasses import replace

from copilot.core.answering import leave_cli, start_typing
from copilot.core.characters import is_seen
from copilot.core.checkpoints import CheckpointMoment
from copilot.core.detection import Detection
from copilot.core.effects import (
    CallPerson,
    Effect,
    EndRun,
    JudgeCommand,
    PlanMoved,
    RecordDecision,
    RunCommand,
    SearchScreen,
    StartTimer,
    StopCommand,
    StopTimer,
)
from copilot.core.plan import PlanCommand, PlanPrompt
from copilot.core.plan_progress import PlanPhase, PlanProgress
from copilot.core.policy import Ruling, Situation, make_decision
from copilot.core.reply import Autonomy, Proposal, Reply, Verdict
from copilot.core.reply_keys import CannotType, KeyPlan, plan_keys
from copilot.core.risk import NO_RISK, Risk, RiskLevel
from copilot.core.run import Run
from copilot.core.screen_kinds import READY_KINDS
from copilot.core.states import Held, Ready

# Policy for what a plan does by itself: typing its prompts, and running its commands.
#
# A plan's words are the user's own, so no model is asked; the level still says whether they go without a
# key.


def keys_of_prompt(prompt: PlanPrompt, detection: Detection, situation: Situation) -> KeyPlan:
    """How the prompt is typed at this composer. Raises CannotType."""
    takes_lines = detection.multi_line or prompt.multi_line
    seen = replace(detection, multi_line=takes_lines, ends_input=prompt.ends_input)
    return plan_keys(seen, Reply(text=prompt.text), situation.reply_keys)


def rule_on_prompt(prompt: PlanPrompt, detection: Detection, situation: Situation) -> Ruling:
    """Whether a prompt of the plan is typed by itself."""
    if situation.unrecorded:
        return Ruling(Verdict.HOLD, "policy.unrecorded", situation.unrecorded)
    try:
        keys_of_prompt(prompt, detection, situation)
    except CannotType as problem:
        return Ruling(Verdict.HOLD, "policy.cannot_type", str(problem))
    if situation.autonomy is not Autonomy.FULL:
        return _at_level(situation.autonomy)
    return Ruling(Verdict.SEND, "plan.full", "the plan says so")


def rule_on_command(risk: Risk, situation: Situation) -> Ruling:
    """Whether a command of the plan runs by itself: by its risk, as the guard judges it."""
    if risk.level is RiskLevel.FORBIDDEN:
        return Ruling(Verdict.ESCALATE, "policy.forbidden", risk.reason)
    if situation.unrecorded:
        return Ruling(Verdict.HOLD, "policy.unrecorded", situation.unrecorded)
    if situation.autonomy is not Autonomy.FULL:
        return _at_level(situation.autonomy)
    ceiling = RiskLevel.from_word(situation.limits.risk_ceiling)
    words = f"risk {risk.level.word}: {risk.reason}"
    if risk.level > ceiling:
        return Ruling(Verdict.HOLD, "policy.ceiling", f"{words} (the ceiling is {ceiling.word})")
    return Ruling(Verdict.SEND, "plan.full", words)


def _at_level(level: Autonomy) -> Ruling:
    reason = f"at level {level.value}, each part of a plan waits for you"
    return Ruling(Verdict.HOLD, "policy.level", reason)


CONTINUE = (
    "The session was interrupted during this task. Look at what is already there and go on from where you "
    "stopped; do not start over."
)
_MOST_CHARACTERS = 480
"""A CLI takes much longer texts for a paste and shows only that there was one."""


def check_failed(command: str, outcome: str, excerpt: str) -> str:
    """The message to the CLI about a check that did not pass."""
    head = f"The check `{plain(command)}` of this step {plain(outcome)}."
    tail = "Put it right; then the check is run again."
    room = _MOST_CHARACTERS - len(head) - len(tail)
    shown = plain(excerpt)
    if len(shown) > room:
        shown = "... " + shown[-max(0, room - 4) :]
    said = f" Its output ends: {shown}" if shown and room > 0 else ""
    return f"{head}{said} {tail}"


def plain(text: str) -> str:
    """`text` in one line, of characters that may be typed."""
    kept = (char if _may_stand(text, index) else " " for index, char in enumerate(text))
    return " ".join("".join(kept).split())


def _may_stand(text: str, index: int) -> bool:
    char = text[index]
    return char.isprintable() and (char.isascii() or (char.isalnum() and is_seen(text, index)))


PLAN_STEP = "plan step"
PLAN_TURN = "plan turn"
PLAN_LOOK = "plan look"
COMMAND_SECONDS = 1800.0
"""The most that a command may take where its step sets no time."""
_UNCLEAR = "an earlier run may have typed this already; dismiss it if the CLI has it, send it if not"
_NO_TALK = "this was sent in an earlier run, and this CLI cannot take up that conversation; send it anew?"
_BEGUN = "this was begun in an earlier run and its end was not seen; run it again?"
_YOURS = "you typed here: send this, or dismiss it"


def go_on(run: Run) -> list[Effect]:
    """Start what is due, if the composer is ready for it."""
    plan = run.plan
    effects: list[Effect] = []
    while plan is not None and plan.phase is PlanPhase.DUE and _ready(run, plan):
        if plan.step >= len(plan.plan.steps):
            return effects + _finish(run, plan)
        if (plan.step + 1, "") in plan.carried.done:
            plan.next_step()
            continue
        if not plan.begun:
            effects += _begin_step(plan)
        work = plan.work
        if work is None:
            effects += [_moved(plan, "done", whole=True), StopTimer(PLAN_STEP)]
            plan.next_step()
        elif (plan.step + 1, plan.part) in plan.carried.done and plan.message is None:
            plan.go_on()
        else:
            return effects + _start(run, plan, work)
    return effects


def _ready(run: Run, plan: PlanProgress) -> bool:
    """Whether the CLI waits for its next instruction, and nothing else is under way."""
    at_composer = run.detection.kind in READY_KINDS or run.detection.identity == plan.ended_at != ""
    return at_composer and run.typist is None and run.ending is None and not run.leaving


def _begin_step(plan: PlanProgress) -> list[Effect]:
    plan.begun = True
    effects: list[Effect] = [_moved(plan, "began", plan.current.name, whole=True)]
    if plan.current.timeout_seconds is not None:
        effects.append(StartTimer(PLAN_STEP, plan.current.timeout_seconds))
    return effects


def _start(run: Run, plan: PlanProgress, work: PlanCommand | PlanPrompt) -> list[Effect]:
    """Start one part, or find out first what an earlier run made of it."""
    broken = run.limits.broken()
    if broken:
        return run.stop(EndRun("stopped", 3, broken))
    here = (plan.step + 1, plan.part)
    if plan.message is None and here == plan.carried.sent:
        return take_up(run, plan)
    if here == plan.carried.unclear:
        return _begun_before(run, plan, work)
    return judge(plan, work) if isinstance(work, PlanCommand) else offer(run, plan, work)


def _begun_before(run: Run, plan: PlanProgress, work: PlanCommand | PlanPrompt) -> list[Effect]:
    text, plan.carried = plan.carried.unclear_text, replace(plan.carried, unclear=None)
    if isinstance(work, PlanCommand):
        return (
            judge(plan, work) if plan.current.repeatable else hold_command(run, plan, work, NO_RISK, _BEGUN)
        )
    if plan.message is not None or not plan.carried.continues:
        plan.unclear = True
        return offer(run, plan, work)
    plan.phase = PlanPhase.LOOKING
    plan.ticket += 1
    return [SearchScreen(plan.ticket, words=text or work.text)]


def take_up(run: Run, plan: PlanProgress) -> list[Effect]:
    """The due prompt was taken in an earlier run and its turn was cut off: go on, without saying it again."""
    plan.carried = replace(plan.carried, sent=None)
    plan.phase, plan.unclear = PlanPhase.DUE, False
    work = plan.work
    if not isinstance(work, PlanPrompt):
        return go_on(run)
    if not plan.carried.continues:
        plan.unclear = True
        return offer(run, plan, work, _NO_TALK)
    if plan.current.checks and plan.task == plan.current.last_prompt:
        effects: list[Effect] = [
            _moved(plan, "done", "sent in an earlier run; the checks say how far it got")
        ]
        plan.go_on()
        return effects + go_on(run)
    known, part = _moved(plan, "sent", "in an earlier run"), plan.part
    plan.task += 1
    plan.message, plan.message_part = PlanPrompt(CONTINUE), part
    return [known, *offer(run, plan, plan.message)]


# -- prompts -------------------------------------------------------------------------------------------


def offer(run: Run, plan: PlanProgress, prompt: PlanPrompt, why_held: str = "") -> list[Effect]:
    """Type the prompt, or hold it for the person."""
    reply = Reply(text=prompt.text)
    ruling = _ruling(run, plan, prompt, why_held)
    if run.dry_run:
        effects = run.decide(reply, ruling, NO_RISK)
        return effects + end_part(run, plan, "done", "dry run: nothing is typed")
    if ruling.verdict is Verdict.SEND:
        return type_prompt(run, plan, prompt, ruling)
    run.proposal = held_proposal(plan, prompt.text)
    plan.phase = PlanPhase.HELD
    return run.decide(reply, ruling, NO_RISK) + run.wait_for_person(ruling.reason)


def _ruling(run: Run, plan: PlanProgress, prompt: PlanPrompt, why_held: str) -> Ruling:
    ruling = rule_on_prompt(prompt, run.detection, run.situation)
    if ruling.verdict is not Verdict.SEND:
        return ruling
    if plan.unclear:
        return Ruling(Verdict.HOLD, "plan.unclear", why_held or _UNCLEAR)
    if run.detection.identity == run.owned_by_person or run.typed_at >= run.first_seen_at:
        return Ruling(Verdict.HOLD, "plan.yours", _YOURS)
    return ruling


def type_prompt(
    run: Run, plan: PlanProgress, prompt: PlanPrompt, ruling: Ruling, by: str = "policy"
) -> list[Effect]:
    """Decide to send the prompt, and begin to type it."""

    def planned(detection: Detection) -> KeyPlan:
        return keys_of_prompt(prompt, detection, run.situation)

    effects = run.decide(Reply(text=prompt.text), ruling, NO_RISK, by)
    try:
        keys = planned(run.detection)
    except CannotType as problem:
        plan.phase = PlanPhase.HELD
        return effects + run.hold(str(problem), "policy.cannot_type")
    number = run.decisions
    plan.begins(number)
    run.breaker.reset()
    effects += start_typing(run, keys, planned)
    plan.phase, plan.typist, plan.seen_at_work = PlanPhase.TYPING, run.typist, False
    plan.typed_at_identity, plan.unclear = run.detection.identity, False
    return [*effects, _moved(plan, "typing", prompt.text, decision=number)]


def held_proposal(plan: PlanProgress, text: str) -> Proposal:
    """A part of the plan as the proposal that the person sees."""
    return Proposal(Reply(text=text), reason=f"step {plan.label}", provider="plan")


# -- commands ------------------------------------------------------------------------------------------


def judge(plan: PlanProgress, command: PlanCommand) -> list[Effect]:
    """Have the command judged; what follows depends on it."""
    plan.phase = PlanPhase.JUDGING
    plan.ticket += 1
    return [JudgeCommand(plan.ticket, command)]


def judged(run: Run, plan: PlanProgress, command: PlanCommand, risk: Risk) -> list[Effect]:
    """The risk of the due command is known: run it, hold it, or refuse it."""
    plan.risk = risk
    ruling = rule_on_command(risk, run.situation)
    if run.dry_run:
        effects = _decide(run, plan, command, ruling)
        return effects + end_part(run, plan, "done", "dry run: nothing is run")
    if ruling.verdict is Verdict.SEND:
        return run_command(run, plan, command, ruling)
    if risk.level is RiskLevel.FORBIDDEN:
        effects = _decide(run, plan, command, ruling)
        return effects + fail(run, plan, f"`{command.text}` is never run: {risk.reason}", held=True)
    return hold_command(run, plan, command, risk, ruling.reason, ruling.rule)


def hold_command(
    run: Run, plan: PlanProgress, command: PlanCommand, risk: Risk, reason: str, rule: str = "plan.unclear"
) -> list[Effect]:
    """The person decides whether the command runs."""
    plan.phase, plan.risk = PlanPhase.HELD, risk
    plan.ticket += 1
    effects = _decide(run, plan, command, Ruling(Verdict.HOLD, rule, reason))
    effects += run.enter(Held(), reason)
    if run.headless:
        why = f"a person is needed for `{command.text}`: {reason}"
        return effects + run.stop(EndRun("held", 3, why))
    run.proposal = held_proposal(plan, command.text)
    return [*effects, CallPerson(plan.asked_for(command).identity, reason)]


def run_command(
    run: Run, plan: PlanProgress, command: PlanCommand, ruling: Ruling, by: str = "policy"
) -> list[Effect]:
    """Record the decision, then run the command."""
    effects = _decide(run, plan, command, ruling, by)
    plan.phase = PlanPhase.RUNNING
    effects += run.enter(Ready(), f"step {plan.label}: {command.text}")
    run.proposal = run.decision = None
    plan.begins(run.decisions)
    seconds = plan.current.timeout_seconds or COMMAND_SECONDS
    return [
        *effects,
        *run.save(CheckpointMoment.REPLY, command.text),
        _moved(plan, "began", command.text, decision=run.decisions),
        RunCommand(plan.ticket, run.decisions, command, seconds),
    ]


def _decide(
    run: Run, plan: PlanProgress, command: PlanCommand, ruling: Ruling, by: str = "policy"
) -> list[Effect]:
    run.decisions += 1
    asked = plan.asked_for(command)
    run.decision = make_decision(run.decisions, asked, Reply(text=command.text), ruling, plan.risk, by)
    return [RecordDecision(run.decision)]


def check_failed_here(
    run: Run, plan: PlanProgress, command: PlanCommand, outcome: str, excerpt: str
) -> list[Effect]:
    """A check did not pass: it goes back to the CLI, as often as the plan allows."""
    effects: list[Effect] = [_moved(plan, "failed", f"{command.text}: {outcome}")]
    if plan.returns >= plan.current.returns:
        again = f" after {plan.returns} returns to the CLI" if plan.returns else ""
        return effects + fail(run, plan, f"the check `{command.text}` {outcome}{again}")
    plan.returns += 1
    plan.message = PlanPrompt(check_failed(command.text, outcome, excerpt))
    plan.message_part = f"return {plan.returns}"
    plan.phase = PlanPhase.DUE
    if plan.carried.unclear == (plan.step + 1, plan.message_part):
        plan.unclear, plan.carried = True, replace(plan.carried, unclear=None)
    return effects + go_on(run)


# -- ends ----------------------------------------------------------------------------------------------


def end_part(run: Run, plan: PlanProgress, state: str, text: str = "") -> list[Effect]:
    """The present part is over: the next may start at once, for the composer is ready."""
    effects: list[Effect] = [_moved(plan, state, text), StopTimer(PLAN_TURN), StopTimer(PLAN_LOOK)]
    run.proposal = run.decision = None
    plan.go_on()
    return effects + go_on(run)


def fail(run: Run, plan: PlanProgress, why: str, *, held: bool = False) -> list[Effect]:
    """The step fails, and the plan with it. With `held` by a guard rail. A person may go on by hand."""
    effects: list[Effect] = [_moved(plan, "failed", why, whole=True), StopTimer(PLAN_STEP)]
    plan.phase, plan.reason = PlanPhase.FAILED, f"step {plan.label}: {why}"
    if run.headless:
        word, code = ("stopped", 3) if held else ("failed", 1)
        return effects + run.stop(EndRun(word, code, plan.reason))
    effects += run.enter(Held(), plan.reason)
    return [*effects, CallPerson(run.detection.identity, plan.reason)]


def _finish(run: Run, plan: PlanProgress) -> list[Effect]:
    plan.phase = PlanPhase.DONE
    effects: list[Effect] = [PlanMoved(0, "", "done", plan.plan.name)]
    return effects + leave_cli(run) if run.headless else effects


def _moved(
    plan: PlanProgress, state: str, text: str = "", *, decision: int = 0, whole: bool = False
) -> PlanMoved:
    part = "" if whole else plan.part
    return PlanMoved(plan.step + 1, part, state, text, decision, plan.label, plan.current.digest)


def undo_parts(run: Run, plan: PlanProgress, before: int) -> list[Effect]:
    """The files are as they were before this decision: what was begun since is due again."""
    running = plan.phase is PlanPhase.RUNNING
    again = plan.rewind(before)
    if not again:
        return []
    run.proposal = run.decision = None
    steps = sorted({part.step for part in again})
    effects: list[Effect] = [StopCommand()] if running else []
    effects += [StopTimer(timer) for timer in (PLAN_STEP, PLAN_TURN, PLAN_LOOK)]
    digests, label = plan.plan.steps, plan.plan.label
    undone = [(part.step, part.part) for part in again] + [(step, "") for step in steps]
    return effects + [
        PlanMoved(step + 1, part, "undone", "", 0, label(step), digests[step].digest) for step, part in undone
    ]


def moved(plan: PlanProgress, state: str, text: str = "", *, decision: int = 0) -> PlanMoved:
    """The record of what became of the present part."""
    return _moved(plan, state, text, decision=decision)
