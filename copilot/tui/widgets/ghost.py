"""The proposed text, drawn into the terminal where it would be typed. The emulated screen never has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from copilot.core.plan_progress import of_plan_command
from copilot.screen import TerminalScreen, modes
from copilot.tui.model import CockpitModel
from copilot.tui.text import clean
from copilot.tui.widgets.overlays import Overlays
from copilot.tui.widgets.paint import Overlay

# The child's cursor: its shape as asked for by DECSCUSR, in focus or not, blinking or not.
#
# The default (0) is a steady block: a cursor blinks only if the child asks for it, and then not for ever,
# so that an idle session costs nothing.


BLINK_SECONDS = 0.5
_MOST_BLINKS = 40
_BLINKING = frozenset({1, 3, 5})
_UNDERLINES, _BARS = (3, 4), (5, 6)
BAR = "▏"


def cursor_shape(shape: int, overlays: Overlays, *, focused: bool, blank: bool) -> tuple[Overlay, str]:
    """What is laid over the cursor's cell, and the character drawn there instead of its own, if any.

    A bar is drawn where the cell is blank; over a character it would hide it, so the cell is tinted instead.
    """
    if not focused:
        return overlays.cursor_faint, ""
    if shape in _UNDERLINES:
        return overlays.cursor_underline, ""
    if shape in _BARS:
        return (overlays.cursor_bar, BAR) if blank else (overlays.cursor_faint, "")
    return overlays.cursor_block, ""


class CursorBlink:
    """Whether a blinking cursor is shown at the moment. Any drawing shows it; after a while it rests."""

    def __init__(self) -> None:
        self.shown = True
        self._left = 0

    def restart(self, screen: TerminalScreen) -> bool:
        """The child drew. True if the cursor blinks from now on."""
        self.shown = True
        self._left = _MOST_BLINKS if _blinks(screen) else 0
        return self._left > 0

    def tick(self, screen: TerminalScreen) -> bool:
        """Half a period has passed. False if the cursor now rests, shown."""
        self._left -= 1
        if self._left <= 0 or not _blinks(screen):
            self.shown = True
            return False
        self.shown = not self.shown
        return True


def _blinks(screen: TerminalScreen) -> bool:
    shape = screen.cursor_shape
    return shape in _BLINKING or (shape == 0 and modes.CURSOR_BLINK in screen.mode)


_LEAST_CELLS = 6
_FRAMES = frozenset("│┃║|▌▐")


@dataclass(frozen=True, slots=True)
class Ghost:
    """What is drawn over the cells of `row` from `column` on; a wide character's second half is empty."""

    row: int
    column: int
    cells: tuple[str, ...]

    @property
    def end(self) -> int:
        return self.column + len(self.cells)

    @property
    def stamps(self) -> dict[int, str]:
        return dict(enumerate(self.cells, self.column))


def ghost_text(model: CockpitModel) -> str:
    """The text that would be typed, on one line; empty if none would be, or no person may see it.

    A command of a plan is run by copilot, never typed at the program.
    """
    proposal, detection = model.proposal, model.detection
    if proposal is None or not model.answerable or detection.options or model.secret or detection.draft:
        return ""
    if of_plan_command(detection):
        return ""
    if proposal.reply.choice is not None or not proposal.reply.text:
        return ""
    return f"◆ {' ⏎ '.join(clean(proposal.reply.text).splitlines())}"


def ghost_at(text: str, place: tuple[int, int], hidden: bool, row: Sequence[str]) -> Ghost | None:
    """`text` from the child's cursor (`place`: line, column) on, over the cells of its row.

    Several CLIs hide the cursor and draw their own, but leave it where they would type. One that is parked
    at the left edge means nothing, and nothing is drawn; the frame at the right edge stays.
    """
    line, column = place
    if not text or (hidden and column == 0) or column >= len(row) or row[column] == "":
        return None
    used = [index for index, cell in enumerate(row) if cell.strip()]
    room = (used[-1] if used and used[-1] > column and row[used[-1]] in _FRAMES else len(row)) - column
    if room < _LEAST_CELLS:
        return None
    cells = _cells(text, room)
    cells += [" "] * _placeholder_left(row, column + len(cells), column + room)
    return Ghost(line, column, tuple(cells))


def _placeholder_left(row: Sequence[str], start: int, end: int) -> int:
    """How many cells of the placeholder would still show behind the text: up to the first gap."""
    for column in range(start, end):
        if row[column] == " " and (column + 1 >= end or row[column + 1] == " "):
            return column - start
    return max(0, end - start)


def _cells(text: str, room: int) -> list[str]:
    """The text in at most `room` cells; an ellipsis where it does not fit."""
    cells: list[str] = []
    fits = cell_len(text) <= room
    for character in text:
        width = cell_len(character)
        if len(cells) + width > (room if fits else room - 1):
            break
        if width:
            cells += [character, *([""] * (width - 1))]
    return cells if fits else [*cells, "…"]
