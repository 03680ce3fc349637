"""What follows when the child starts or ends, and when the run itself is ended."""

from __future__ import annotations

from copilot.core.effects import Effect, EndRun, SignalChild, StartTimer, StopTimer
from copilot.core.ends import Facts, end_of, reads_turns
from copilot.core.events import (
    ChildExited,
    Faulted,
    Interrupted,
    InterruptUnheeded,
    RecordingFailed,
    Started,
    WriteFailed,
)
from copilot.core.reactions.plan import plan_began, plan_outcome, plan_stopped
from copilot.core.run import LEAVE, TIMEOUT, Run
from copilot.core.states import RunState
from copilot.core.typist import TIMER as TYPING


def started(run: Run, event: Started) -> list[Effect]:
    """The child runs: the clock of the time limit starts."""
    effects = run.enter(RunState.RUNNING, "the child runs")
    if run.limits.timeout_seconds is not None:
        effects.append(StartTimer(TIMEOUT, run.limits.timeout_seconds))
    if run.plan is not None:
        effects += plan_began(run.plan)
    return effects


def child_exited(run: Run, event: ChildExited) -> list[Effect]:
    """The child is gone: `core/ends.py` says what that means."""
    plan = run.plan
    facts = Facts(
        status=event.status,
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
    """Whether a prompt was open that nobody took on, settled or drawn right before the end."""
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


def interrupt_unheeded(run: Run, event: InterruptUnheeded) -> list[Effect]:
    """There was nothing to end and nothing is being tidied up: the time for that is not waited for."""
    return [StopTimer(LEAVE), SignalChild("end")] if run.interrupts == 1 else []


def write_failed(run: Run, event: WriteFailed) -> list[Effect]:
    """Keys did not go out: nothing more is typed until the person has looked."""
    if run.state is RunState.INIT:
        return []
    run.typist, run.follow_up = None, ""
    return [
        *run.stop_asking(),
        StopTimer(TYPING),
        *run.hold(f"keys could not be written: {event.reason}", "fault.write"),
    ]


def recording_failed(run: Run, event: RecordingFailed) -> list[Effect]:
    """From now on everything is held: nobody could say later what was decided."""
    run.unrecorded = event.reason
    if run.typist is None and not run.detection.asks:
        return []
    effects = run.withdraw(event.reason)
    return effects + run.hold(event.reason, "policy.unrecorded") if run.detection.asks else effects


def faulted(run: Run, event: Faulted) -> list[Effect]:
    """Something of ours broke."""
    return run.stop(EndRun("failed", 1, event.reason))
