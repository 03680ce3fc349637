"""What a front end hears of a live session, and what it may ask of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from copilot.core.reply import Autonomy, Reply
from copilot.core.screen_kinds import ScreenKind
from copilot.engine.history import Step
from copilot.engine.view import SessionView

if TYPE_CHECKING:
    from copilot.checkpoints.checkpoint import Checkpoint, Uncovered
    from copilot.checkpoints.undo import UndoPlan, UndoResult
    from copilot.detection import Examination
    from copilot.guard.grants_offer import Offer


class SessionListener(Protocol):
    """A front end. All calls come on the session's event loop and must return at once."""

    def on_screen(self) -> None:
        """The emulated screen changed."""

    def on_view(self, view: SessionView) -> None:
        """The session's state changed."""

    def on_reply_text(self, text: str) -> None:
        """More of the reply's raw text came in from the provider."""

    def on_note(self, text: str) -> None:
        """Something a person should read once."""

    def on_step(self, step: Step, at: float) -> None:
        """An event or effect, as it is recorded."""


class GrantControls(Protocol):
    """What a person may do to the grants of a run."""

    def offer(self) -> Offer:
        """What could be allowed so that the present prompt is answered without the person."""

    def allow(self, rules: Sequence[str], limits: str, *, identity: str) -> None:
        """Give grants that were offered for the prompt of that identity."""

    def revoke(self, rule: str) -> None:
        """Take a grant back."""


class UndoControls(Protocol):
    """Going back to a checkpoint of the project. All of it reads or writes files, in a thread.

    Each call raises CheckpointError, of a run that is over also InputError, in one line.
    """

    async def checkpoints(self) -> tuple[Checkpoint, ...]:
        """All of the run, oldest first."""

    async def uncovered(self) -> tuple[Uncovered, ...]:
        """What the newest checkpoint does not keep, so that no undo touches it."""

    async def plan(self, target: Checkpoint) -> UndoPlan:
        """What going back to `target` would do; nothing in the project changes."""

    async def diff(self, plan: UndoPlan, path: str) -> str:
        """What a plan does to one file, from now to after, as a unified diff; not yet safe to show."""

    async def undo(self, plan: UndoPlan) -> UndoResult:
        """Carry out a plan."""


class SessionControls(Protocol):
    """What a person may do to a session."""

    @property
    def grants(self) -> GrantControls:
        """What they allow."""

    @property
    def checkpoints(self) -> UndoControls | None:
        """The way back for the project's files; None in a run without checkpoints."""

    def clock(self) -> float:
        """Seconds since the run began."""

    def type_bytes(self, data: bytes, *, by_hand: bool = True) -> None:
        """The person's own keys, already encoded for the child.

        With `by_hand=False`: what the terminal reports by itself (mouse moves, focus), which is not typing.
        """

    def resize(self, columns: int, lines: int) -> None:
        """The terminal has a new size."""

    def send(self, reply: Reply, *, identity: str) -> None:
        """Send this reply to the prompt of that identity: the one that the person saw. It dies with it."""

    def dismiss(self, *, identity: str) -> None:
        """Drop the reply to that prompt."""

    def stop_countdown(self) -> None:
        """Hold whatever would be sent by itself, though it may not be what the person saw."""

    def ask_again(self, instruction: str = "", *, identity: str) -> None:
        """Have another reply to that prompt written."""

    def set_autonomy(self, level: Autonomy) -> None:
        """Change the level from now on."""

    def set_governing_prompt(self, text: str) -> str:
        """Let another governing prompt count from now on; empty if it does, else why not, in one line."""

    def examination(self) -> Examination | None:
        """The last look at the screen, every rule with its reason; None before the first."""

    def label_screen(self, kind: ScreenKind, seen: Examination, at: float) -> None:
        """Keep the screen that was seen at that time of the session's clock, and say what it is."""

    def interrupt(self) -> None:
        """First: interrupt the child and end in order; second: end everything now."""
