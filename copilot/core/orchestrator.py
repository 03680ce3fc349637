"""The orchestrator: events in, effects out. It knows nothing of clocks, files, sockets or terminals.

One prompt's way: it settles; policy may rule on it at once, else a provider is asked; the proposal becomes a
decision; the decision is recorded, then typed; and the run goes on when the prompt has gone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from copilot.core import events as ev
from copilot.core import reactions
from copilot.core.effects import Effect
from copilot.core.reactions import checkpoints, person, plan
from copilot.core.run import Run

REACTIONS: dict[type[ev.Event], Callable[[Run, Any], list[Effect]]] = {
    ev.Started: reactions.started,
    ev.ScreenSettled: reactions.screen_settled,
    ev.ReplyProposed: reactions.reply_proposed,
    ev.ReplyFailed: reactions.reply_failed,
    ev.RequestDropped: reactions.request_dropped,
    ev.OpinionGiven: reactions.opinion_given,
    ev.OpinionFailed: reactions.opinion_failed,
    ev.FreshLook: reactions.fresh_look,
    ev.TimerFired: reactions.timer_fired,
    ev.PersonSent: person.person_sent,
    ev.PersonDismissed: person.person_dismissed,
    ev.PersonAskedAgain: person.person_asked_again,
    ev.PersonTyped: person.person_typed,
    ev.AutonomyChanged: person.autonomy_changed,
    ev.GoverningPromptChanged: person.governing_prompt_changed,
    ev.GrantChanged: reactions.grant_changed,
    ev.WriteFailed: reactions.write_failed,
    ev.RecordingFailed: reactions.recording_failed,
    ev.Interrupted: reactions.interrupted,
    ev.InterruptIgnored: reactions.interrupt_ignored,
    ev.ChildExited: reactions.child_exited,
    ev.Faulted: reactions.faulted,
    ev.CommandJudged: plan.command_judged,
    ev.CommandEnded: plan.command_ended,
    ev.ScreenSearched: plan.screen_searched,
    ev.CheckpointTaken: checkpoints.checkpoint_taken,
    ev.CheckpointFailed: checkpoints.checkpoint_failed,
    ev.FilesRestored: checkpoints.files_restored,
    ev.DiskLooked: lambda run, event: [],
}
"""What follows from each kind of event; a test checks that every kind has a line."""


def handle(run: Run, event: ev.Event) -> tuple[Effect, ...]:
    """What follows from `event`, to be carried out in order. After an end state: nothing."""
    if run.ended:
        return ()
    run.now = event.at
    return tuple(REACTIONS[type(event)](run, event))
