"""`MadeFiles`: what the run itself made, for the judge, and the proposal that waits until that is known.

A checkpoint is taken when the program begins to wait, in a thread of the driver. A reply to a prompt about a
file that the run has just made may be proposed before it is listed: such a proposal waits, for a while.
"""

from __future__ import annotations

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.checkpoints import CheckpointMoment
from copilot.core.detection import Detection
from copilot.core.risk import Risk, RiskLevel
from copilot.core.screen_kinds import ScreenKind
from copilot.engine.ledger import Ledger

WAIT_SECONDS = 3.0
"""The longest that a proposal waits for a checkpoint."""
_OF_FILES = frozenset({"shell", "write", "edit", "delete"})
_WHAT_IT_DID = frozenset({CheckpointMoment.WAITS, CheckpointMoment.TURN})


class MadeFiles:
    """Gathers the files of a run from its checkpoints."""

    def __init__(self) -> None:
        self._ledger = Ledger()
        self._saving_since: float | None = None
        self.waiting: ev.ReplyProposed | None = None

    @property
    def paths(self) -> frozenset[str]:
        """What the program made in this run and nobody else has changed, relative to the project."""
        return frozenset(self._ledger.made)

    @property
    def waits_until(self) -> float | None:
        """When the proposal goes on without the checkpoint."""
        if self.waiting is None or self._saving_since is None:
            return None
        return self._saving_since + WAIT_SECONDS

    def saving(self, effect: fx.TakeCheckpoint, at: float) -> None:
        """A checkpoint is asked for."""
        if effect.moment in _WHAT_IT_DID:
            self._saving_since = at

    def receive(self, event: ev.CheckpointTaken | ev.CheckpointFailed | ev.FilesRestored) -> None:
        """A checkpoint is there, or will not be; or an undo put files back."""
        self._ledger.receive(event)
        if not isinstance(event, ev.FilesRestored) and event.moment in _WHAT_IT_DID:
            self._saving_since = None

    def keeps(self, proposed: ev.ReplyProposed, detection: Detection, risk: Risk) -> bool:
        """Whether the proposal must wait, as the list may lower what it is judged by. It is kept then."""
        subject = detection.subject
        about_files = subject is not None and subject.action in _OF_FILES
        matters = detection.kind is ScreenKind.PERMISSION and risk.level is RiskLevel.HIGH and about_files
        if self._saving_since is None or not matters:
            return False
        self.waiting = proposed
        return True

    def released(self, at: float) -> ev.ReplyProposed | None:
        """The proposal that waited, once the checkpoint is there or late."""
        until = self.waits_until
        if self.waiting is None or (until is not None and at + 1e-9 < until):
            return None
        proposed, self.waiting = self.waiting, None
        return proposed
