"""What follows when a timer of the core has run out."""

from __future__ import annotations

from copilot.core.answering import type_decided
from copilot.core.decision import Verdict
from copilot.core.effects import Effect, EndRun, SignalChild
from copilot.core.ends import end_after_grace
from copilot.core.events import TimerFired
from copilot.core.reactions.plan import plan_missed_end, plan_timer
from copilot.core.run import COUNTDOWN, GRACE, LEAVE, TIMEOUT, Run
from copilot.core.typist import TIMER as TYPING


def timer_fired(run: Run, event: TimerFired) -> list[Effect]:
    """A timer fired; one that nobody waits for any more does nothing."""
    if event.timer == TYPING:
        return list(run.typist.timer()) if run.typist is not None else []
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


def _countdown_over(run: Run, event: TimerFired) -> list[Effect]:
    """The reply is typed, unless we were stopped meanwhile (Ctrl-Z, SIGSTOP): then nobody saw it coming."""
    counting = run.decision is not None and run.decision.verdict is Verdict.SEND_AFTER_COUNTDOWN
    if not counting or run.typist is not None:
        return []
    if event.late_seconds:
        return run.hold("the countdown ran out while copilot was stopped", "core.unseen_countdown")
    return type_decided(run)
