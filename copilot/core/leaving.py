"""Leaving the CLI when the task is done."""

from __future__ import annotations

from copilot.core.answering import leave
from copilot.core.effects import Effect, SignalChild, StartTimer
from copilot.core.policy import Ruling
from copilot.core.reply import Autonomy, Verdict
from copilot.core.run import LEAVE, LEAVE_SECONDS, Run
from copilot.core.screen_kinds import READY_KINDS


def leave_cli(run: Run) -> list[Effect]:
    """Type the profile's command for leaving; signal the child where no command may be typed."""
    run.leaving = True
    text = run.profile.launch.leave
    timer = StartTimer(LEAVE, LEAVE_SECONDS)
    ready = run.detection.kind in READY_KINDS and not run.detection.draft
    if not text or not ready or run.dry_run or run.autonomy is not Autonomy.FULL:
        return [SignalChild("end"), timer]
    return [timer, *leave(run, Ruling(Verdict.SEND, "run.leave", "the task is done"), text)]
