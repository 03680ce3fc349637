"""The orchestrator: events in, effects out. It knows nothing of clocks, files, sockets or terminals.

One prompt's way: it settles; policy may rule on it at once, else a provider is asked; the proposal becomes a
decision; the decision is recorded, then typed; and the run goes on when the prompt has gone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from copilot.core import events as ev
from copilot.core.effects import Effect
from copilot.core.reactions import (
    autonomy_changed,
    checkpoint_failed,
    checkpoint_taken,
    child_exited,
    command_ended,
    command_judged,
    faulted,
    files_restored,
    fresh_look,
    governing_prompt_changed,
    grant_changed,
    interrupt_ignored,
    interrupted,
    opinion_failed,
    opinion_given,
    person_asked_again,
    person_dismissed,
    person_sent,
    person_typed,
    recording_failed,
    reply_failed,
    reply_proposed,
    request_dropped,
    screen_searched,
    screen_settled,
    started,
    timer_fired,
    write_failed,
)
from copilot.core.run import Run

REACTIONS: dict[type[ev.Event], Callable[[Run, Any], list[Effect]]] = {
    ev.Started: started,
    ev.ScreenSettled: screen_settled,
    ev.ReplyProposed: reply_proposed,
    ev.ReplyFailed: reply_failed,
    ev.RequestDropped: request_dropped,
    ev.OpinionGiven: opinion_given,
    ev.OpinionFailed: opinion_failed,
    ev.FreshLook: fresh_look,
    ev.TimerFired: timer_fired,
    ev.PersonSent: person_sent,
    ev.PersonDismissed: person_dismissed,
    ev.PersonAskedAgain: person_asked_again,
    ev.PersonTyped: person_typed,
    ev.AutonomyChanged: autonomy_changed,
    ev.GoverningPromptChanged: governing_prompt_changed,
    ev.GrantChanged: grant_changed,
    ev.WriteFailed: write_failed,
    ev.RecordingFailed: recording_failed,
    ev.Interrupted: interrupted,
    ev.InterruptIgnored: interrupt_ignored,
    ev.ChildExited: child_exited,
    ev.Faulted: faulted,
    ev.CommandJudged: command_judged,
    ev.CommandEnded: command_ended,
    ev.ScreenSearched: screen_searched,
    ev.CheckpointTaken: checkpoint_taken,
    ev.CheckpointFailed: checkpoint_failed,
    ev.FilesRestored: files_restored,
}
"""What follows from each kind of event; a test checks that every kind has a line."""


def handle(run: Run, event: ev.Event) -> tuple[Effect, ...]:
    """What follows from `event`, to be carried out in order. After an end state: nothing."""
    if run.ended:
        return ()
    run.now = event.at
    return tuple(REACTIONS[type(event)](run, event))
