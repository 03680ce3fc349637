"""What follows when the project's files are saved, cannot be saved, or were put back."""

from __future__ import annotations

from copilot.core.answering import end_typing, tell_restored
from copilot.core.checkpoints import CheckpointMoment
from copilot.core.effects import Effect, EnterState, StartTimer, StopTimer
from copilot.core.events import CheckpointFailed, CheckpointTaken, FilesRestored
from copilot.core.planning import plain, undo_parts
from copilot.core.reactions.plan import plan_typed
from copilot.core.run import CHECKPOINT, CHECKPOINT_SECONDS, UNSAID_SECONDS, Run
from copilot.core.screen_kinds import READY_KINDS
from copilot.core.states import Answering, RunState

_SAVING = "saving a checkpoint of the project first"
_LATE = f"no checkpoint of the project within {CHECKPOINT_SECONDS:g} s, so this could not be undone"
_MOST_NAMED = 5


def save_as_it_waits(run: Run) -> list[Effect]:
    """The program has begun to wait: what it changed until now is its own."""
    if not run.detection.waiting:
        return []
    turn = run.detection.kind in READY_KINDS
    moment = CheckpointMoment.TURN if turn else CheckpointMoment.WAITS
    return run.save(moment, run.detection.question or run.detection.kind.value)


def checkpoint_taken(run: Run, event: CheckpointTaken) -> list[Effect]:
    """The reply that waited for it is typed."""
    return _begin(run) if _awaited(run, event) else []


def checkpoint_failed(run: Run, event: CheckpointFailed) -> list[Effect]:
    """The reply that waited for it is held; what a person sent is typed all the same.

    Without the first one there are none in this run, which the driver has said.
    """
    if event.moment is CheckpointMoment.START:
        run.checkpoints = False
        return _begin(run) if run.saving else []
    reason = f"no checkpoint of the project: {event.reason}"
    return _unsaved(run, reason) if _awaited(run, event) else []


def checkpoint_late(run: Run) -> list[Effect]:
    """First it is said that the reply waits; then it has waited long enough."""
    if not run.saving:
        return []
    if isinstance(run.phase, Answering) and not run.phase.said:
        run.phase.said = True
        left = CHECKPOINT_SECONDS - UNSAID_SECONDS
        return [EnterState(RunState.ANSWERING, _SAVING), StartTimer(CHECKPOINT, left)]
    return _unsaved(run, _LATE)


def _awaited(run: Run, event: CheckpointTaken | CheckpointFailed) -> bool:
    """Whether the present reply waits for this one: that of the wait before it has the same number."""
    if event.moment is not CheckpointMoment.REPLY or run.typist is None:
        return False
    return run.saving and run.typist.decision == event.before


def _begin(run: Run) -> list[Effect]:
    assert isinstance(run.phase, Answering) and run.typist is not None
    run.phase.saving = False
    return [StopTimer(CHECKPOINT), *run.typist.begin(run.now, run.first_seen_at)]


def _unsaved(run: Run, reason: str) -> list[Effect]:
    typist = run.typist
    assert typist is not None
    if run.decision is not None and run.decision.by == "person":
        return _begin(run)
    typist.not_saved(reason)
    effects = [StopTimer(CHECKPOINT), *end_typing(run, typist)]
    return effects + plan_typed(run.plan, typist) if run.plan is not None else effects


def files_restored(run: Run, event: FilesRestored) -> list[Effect]:
    """The CLI gets word of it once, or if, it is ready; the plan goes back to where the files are."""
    run.restored = _words(event)
    effects = undo_parts(run, run.plan, event.before) if run.plan is not None else []
    ready = run.detection.kind in READY_KINDS and run.typist is None and run.ending is None
    return effects + (tell_restored(run) if ready and run.restored else [])


def _words(event: FilesRestored) -> str:
    if not event.paths:
        return ""
    named = ", ".join(plain(path) for path in event.paths[:_MOST_NAMED])
    more = len(event.paths) + event.unlisted - _MOST_NAMED
    rest = f" and {more} more" if more > 0 else ""
    return f"I have undone changes to these files, read them again before you go on: {named}{rest}"
