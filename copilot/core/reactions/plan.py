"""What follows for the plan: commands judged and ended, turns ended, prompts taken, the person's word."""

from __future__ import annotations

from copilot.core.checkpoints import CheckpointMoment
from copilot.core.detection import Detection
from copilot.core.effects import (
    Effect,
    EndRun,
    PlanMoved,
    ReplyExpired,
    SearchScreen,
    StartTimer,
    StopCommand,
    StopTimer,
)
from copilot.core.events import CommandEnded, CommandJudged, PersonDismissed, PersonSent, ScreenSearched
from copilot.core.plan import PlanCommand, PlanPrompt
from copilot.core.plan_progress import IDENTITY, PlanPhase, PlanProgress
from copilot.core.planning import (
    PLAN_LOOK,
    PLAN_STEP,
    PLAN_TURN,
    check_failed_here,
    end_part,
    fail,
    go_on,
    held_proposal,
    judged,
    moved,
    run_command,
    take_up,
    type_prompt,
)
from copilot.core.policy import Ruling
from copilot.core.reply import Verdict
from copilot.core.risk import RiskLevel
from copilot.core.run import Run
from copilot.core.screen_kinds import (
    READY_KINDS,
    ScreenKind,
)
from copilot.core.states import Ready, RunState
from copilot.core.typist import Outcome, Typist

UNSEEN_SECONDS = 2.0
"""A turn of which nothing was seen has ended only if the composer is ready for so long."""
LOOK_EVERY_SECONDS = 1.0


def plan_began(plan: PlanProgress) -> list[Effect]:
    """The first records: what an earlier run did of the plan, and last that it began.

    A run that was killed before that last record says nothing: the earlier run's own records count.
    """
    carried, known = plan.carried, plan.plan.steps

    def before(key: tuple[int, str], state: str, text: str) -> PlanMoved:
        step, part = key
        index = step - 1
        return PlanMoved(step, part, state, text, 0, plan.plan.label(index), known[index].digest)

    effects: list[Effect] = [before(key, "done", "in an earlier run") for key in sorted(carried.done)]
    if carried.sent is not None:
        effects.append(before(carried.sent, "sent", "in an earlier run"))
    if carried.unclear is not None:
        effects.append(before(carried.unclear, "unclear", carried.unclear_text))
    return [*effects, PlanMoved(0, "", "began", plan.plan.name)]


# -- the screen ----------------------------------------------------------------------------------------


def plan_saw(plan: PlanProgress, detection: Detection) -> None:
    """A settled screen: what proves that the CLI took up its work."""
    if plan.phase is PlanPhase.TURN and (detection.at_work or detection.asks):
        plan.seen_at_work = True


def plan_ready(run: Run, plan: PlanProgress) -> list[Effect]:
    """The composer is ready, newly: the turn may have ended, or the next part may start."""
    if plan.phase is PlanPhase.TURN:
        return _turn_at_ready(run, plan)
    if plan.phase is PlanPhase.HELD and plan.command is None:
        plan.phase = PlanPhase.DUE
    elif plan.phase is PlanPhase.TYPING and run.typist is None:
        plan.unclear = plan.typist is None or plan.typist.written > 0
        plan.phase = PlanPhase.DUE
    return go_on(run)


def plan_offers_again(run: Run, plan: PlanProgress) -> list[Effect]:
    """The same composer, and the person has taken back what they typed: what was held is held again."""
    lost = plan.phase is PlanPhase.HELD and plan.command is None and run.proposal is None
    ready = run.detection.kind in READY_KINDS and not run.detection.draft and run.typist is None
    return plan_ready(run, plan) if lost and ready and not run.headless else []


def plan_after_typing(run: Run, plan: PlanProgress) -> None:
    """The person typed into the CLI: a held command is none of its business, and stays held."""
    command = plan.command
    if plan.held_command() is not None and command is not None and plan.risk.level < RiskLevel.FORBIDDEN:
        run.proposal = held_proposal(plan, command.text)


def plan_turn_asks(run: Run, plan: PlanProgress) -> bool:
    """Whether what is asked now is the end that this step expects."""
    expected = plan.current.end.kind is ScreenKind.QUESTION is run.detection.kind
    return plan.phase is PlanPhase.TURN and expected and run.ending is None


def plan_turn_ended(run: Run, plan: PlanProgress) -> list[Effect]:
    """The turn has ended at what is on the screen now."""
    plan.ended_at = run.detection.identity
    run.turn_completed()
    return end_part(run, plan, "done")


def _turn_at_ready(run: Run, plan: PlanProgress) -> list[Effect]:
    end, kind = plan.current.end, run.detection.kind
    if run.detection.identity == plan.typed_at_identity:
        return run.start_grace()
    if end.shows:
        return [*_search(plan), *run.start_grace()]
    if kind is not ScreenKind.COMPLETED and end.kind is not kind:
        return run.start_grace()
    if plan.seen_at_work:
        return plan_turn_ended(run, plan)
    return [StartTimer(PLAN_TURN, UNSEEN_SECONDS)]


def plan_missed_end(run: Run, plan: PlanProgress) -> str:
    """Why a turn does not count as ended though the composer is ready, and what to write; else empty."""
    end, detection = plan.current.end, run.detection
    known = detection.kind not in READY_KINDS or detection.identity == plan.typed_at_identity
    if plan.phase is not PlanPhase.TURN or known:
        return ""
    if end.shows:
        return f"the text that `ends: shows: {end.shows}` waits for did not come up; correct it in the plan"
    seen, wanted = detection.kind.value, end.kind.value
    return (
        f"the turn is read as {seen} and the step waits for {wanted}; "
        f"if this CLI ends its turns so, add `ends: {seen}` to the step"
    )


def _search(plan: PlanProgress) -> list[Effect]:
    plan.ticket += 1
    return [SearchScreen(plan.ticket, pattern=plan.current.end.shows)]


def screen_searched(run: Run, event: ScreenSearched) -> list[Effect]:
    """The text is there, or not: the expected end of a turn, or what an earlier run may have typed."""
    plan = run.plan
    if plan is None or event.ticket != plan.ticket or run.ending is not None:
        return []
    if plan.phase is PlanPhase.LOOKING:
        if event.found:
            return take_up(run, plan)
        plan.unclear, plan.phase = True, PlanPhase.DUE
        return go_on(run)
    if plan.phase is not PlanPhase.TURN or run.detection.kind not in READY_KINDS:
        return []
    return plan_turn_ended(run, plan) if event.found else [StartTimer(PLAN_LOOK, LOOK_EVERY_SECONDS)]


def plan_timer(run: Run, plan: PlanProgress, timer: str) -> list[Effect]:
    """A timer of the plan ran out."""
    if run.ending is not None or plan.over or timer not in (PLAN_STEP, PLAN_TURN, PLAN_LOOK):
        return []
    if timer == PLAN_STEP:
        return _step_over_time(run, plan)
    waits = plan.phase is PlanPhase.TURN and run.detection.kind in READY_KINDS and run.typist is None
    if not waits:
        return []
    return _search(plan) if timer == PLAN_LOOK else plan_turn_ended(run, plan)


def _step_over_time(run: Run, plan: PlanProgress) -> list[Effect]:
    seconds = plan.current.timeout_seconds or 0.0
    if run.state is RunState.HELD and not run.headless:
        return [StartTimer(PLAN_STEP, seconds)]
    effects: list[Effect] = [StopCommand()] if plan.phase is PlanPhase.RUNNING else []
    return (
        effects + run.withdraw("the step took too long") + fail(run, plan, f"took longer than {seconds:g} s")
    )


# -- typing --------------------------------------------------------------------------------------------


def plan_enters(plan: PlanProgress, typist: Typist) -> list[Effect]:
    """The Enter of a prompt is about to go out: what the step waits for counts from here on.

    A fast program shows it before the prompt is known to be taken.
    """
    if plan.phase is not PlanPhase.TYPING or typist is not plan.typist or not plan.current.end.shows:
        return []
    plan.ticket += 1
    return [SearchScreen(plan.ticket, pattern=plan.current.end.shows, mark=True)]


def plan_typed(plan: PlanProgress, typist: Typist) -> list[Effect]:
    """Typing has come to an outcome."""
    if plan.phase is not PlanPhase.TYPING or typist is not plan.typist:
        return []
    if typist.outcome is Outcome.EXPIRED:
        plan.phase = PlanPhase.DUE
        return []
    if typist.outcome is Outcome.NOT_SAVED:
        plan.phase = PlanPhase.HELD
        return []
    if typist.outcome not in (Outcome.TAKEN, Outcome.BLOCKED):
        plan.phase, plan.unclear = PlanPhase.HELD, True
        return []
    plan.phase, plan.seen_at_work = PlanPhase.TURN, typist.outcome is Outcome.BLOCKED
    return [moved(plan, "sent", decision=typist.decision)]


# -- commands ------------------------------------------------------------------------------------------


def command_judged(run: Run, event: CommandJudged) -> list[Effect]:
    """The risk of the due command."""
    plan = run.plan
    if plan is None or event.ticket != plan.ticket or plan.phase is not PlanPhase.JUDGING:
        return []
    if run.ending is not None or plan.command is None:
        return []
    return judged(run, plan, plan.command, event.risk)


def command_ended(run: Run, event: CommandEnded) -> list[Effect]:
    """The command ended: its part is done, or the step fails, or the CLI hears of it."""
    plan = run.plan
    if plan is None or event.ticket != plan.ticket or plan.phase is not PlanPhase.RUNNING:
        return []
    command = plan.command
    if run.ending is not None or command is None:
        return []
    return run.save(CheckpointMoment.COMMAND, command.text) + _after_command(run, plan, command, event)


def _after_command(run: Run, plan: PlanProgress, command: PlanCommand, event: CommandEnded) -> list[Effect]:
    if event.passed:
        return end_part(run, plan, "done", event.outcome)
    if plan.task < len(plan.current.tasks):
        failed = moved(plan, "failed", event.outcome)
        return [failed, *fail(run, plan, f"`{command.text}` {event.outcome}")]
    return check_failed_here(run, plan, command, event.outcome, event.excerpt)


# -- the person ----------------------------------------------------------------------------------------


def plan_sent(run: Run, plan: PlanProgress, event: PersonSent) -> list[Effect] | None:
    """The person lets a held part go on. None if the event is about something else."""
    if event.identity.startswith(IDENTITY):
        return _command_sent(run, plan, event)
    work = plan.work
    held = plan.phase is PlanPhase.HELD and run.typist is None and run.ending is None
    same, text = event.identity == run.detection.identity, event.reply.text
    if not isinstance(work, PlanPrompt) or not held or not same or not text:
        return None
    effects = run.stop_asking()
    ruling = Ruling(Verdict.SEND, "person.sent", "you sent it")
    prompt = PlanPrompt(text, work.multi_line, work.ends_input)
    return effects + type_prompt(run, plan, prompt, ruling, by="person")


def _command_sent(run: Run, plan: PlanProgress, event: PersonSent) -> list[Effect]:
    asked, command = plan.held_command(), plan.command
    if asked is None or command is None or asked.identity != event.identity or run.ending is not None:
        return [ReplyExpired(event.identity, "the plan has gone on")]
    if event.reply.text not in (None, command.text):
        return [ReplyExpired(event.identity, "a command of the plan is run as it stands, or not at all")]
    if plan.risk.level is RiskLevel.FORBIDDEN:
        return [ReplyExpired(event.identity, plan.risk.reason)]
    plan.ticket += 1
    return run_command(run, plan, command, Ruling(Verdict.SEND, "person.sent", "you sent it"), by="person")


def plan_dismissed(run: Run, plan: PlanProgress, event: PersonDismissed) -> list[Effect] | None:
    """The person wants the held part left out. None if the event is about something else."""
    if plan.phase is not PlanPhase.HELD or event.keep or run.ending is not None:
        return None
    asked = plan.held_command()
    if event.identity != (asked.identity if asked is not None else run.detection.identity):
        return None
    if asked is None and run.detection.kind not in READY_KINDS:
        return None
    text = "you say that the CLI has it" if plan.unclear else "you left it out"
    effects = run.stop_asking() + run.enter(Ready(), text)
    return effects + end_part(run, plan, "skipped", text)


# -- the end -------------------------------------------------------------------------------------------


def plan_stopped(run: Run) -> list[Effect]:
    """The run ends: nothing of the plan goes on."""
    running = run.plan is not None and run.plan.phase is PlanPhase.RUNNING
    return [StopCommand(), StopTimer(PLAN_STEP)] if running else []


def plan_outcome(plan: PlanProgress) -> EndRun | None:
    """How a run ends whose child left by itself; None if the plan has nothing against it."""
    if plan.phase is PlanPhase.DONE:
        return None
    reason = plan.reason or f"the CLI ended before the plan did, at step {plan.label}"
    return EndRun("failed", 1, reason)
