"""What an undo means for the plan of a run: which of its parts are due again when it is resumed.

An undo that the run itself learnt of is in its transcript, as `PlanMoved` with the state `undone`. What was
put back after the run, or as it ended, is only in the log of its checkpoints: the last undo there says how
far the files go.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from copilot.checkpoints.store import Checkpoint, CheckpointStore
from copilot.core.checkpoints import Author
from copilot.engine.plan_history import PlanPart
from copilot.engine.timeline import Timeline
from copilot.recording.artifacts import CHECKPOINTS_FOLDER

UNDONE = "undone"
"""The state of a part or a step whose files were put back while the run went on."""
LOG_NAME = "log.jsonl"
"""Below the folder of the checkpoints; without it none was ever taken."""


def undo_after(folder: Path, timeline: Timeline) -> Checkpoint | None:
    """The undo that made the files what they are, if the transcript does not know of it; else None.

    Raises InputError or CheckpointError if there are checkpoints that cannot be read: then nobody knows.
    """
    if not (folder / CHECKPOINTS_FOLDER / LOG_NAME).exists():
        return None
    store = CheckpointStore.open(folder)
    try:
        undos = [one for one in store.checkpoints() if one.author is Author.UNDO]
    finally:
        store.close()
    known = {one.checkpoint for one in timeline.ledger.restored}
    return undos[-1] if undos and undos[-1].number not in known else None


def not_undone(parts: Sequence[PlanPart], first_due: int) -> list[PlanPart]:
    """The parts of one name whose work the files still show.

    `first_due` is the number of the first decision that the files do not show; 0 if they show all.
    """
    last = max((place for place, part in enumerate(parts) if _was_undone(part)), default=-1)
    return [part for part in parts[last + 1 :] if not is_due(part, first_due)]


def is_due(part: PlanPart, first_due: int) -> bool:
    """Whether an undo after the run took back what this part did."""
    return 0 < first_due <= part.decision


def _was_undone(part: PlanPart) -> bool:
    return any(move.state == UNDONE for move in part.moves)
