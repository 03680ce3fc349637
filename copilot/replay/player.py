"""The terminal of a recording at any moment. Sans-IO but for the recording's file: no clock, no task.

`KeyframeIndex` goes through the output once, in small steps that a caller spreads as it likes, and keeps the
whole state of the terminal every so often. `Player` goes to a moment from the nearest of them.
"""

from __future__ import annotations

from bisect import bisect_right

from copilot.recording.asciicast import RESIZE
from copilot.recording.cast_file import CastFile
from copilot.screen import TerminalScreen
from copilot.screen.freezing import FrozenScreen, freeze, thaw

SCROLLBACK_LINES = 200
"""Rows that a replayed terminal remembers: what a larger window brings back after a resize."""
_LEAST_SPACING = 192 * 1024
_MOST_KEYFRAMES = 300
_BATCH_CHARACTERS = 32 * 1024


class KeyframeIndex:
    """Keyframes of a recording. One thread builds (`advance`), others may read meanwhile."""

    def __init__(self, cast: CastFile) -> None:
        self._cast = cast
        size = cast.lines[len(cast)] - cast.lines[0] if len(cast) else 0
        self._spacing = max(_LEAST_SPACING, size // _MOST_KEYFRAMES)
        self._screen = _first_screen(cast)
        self._number = 0
        self._last_kept = cast.lines[0]
        self._numbers = [0]
        self._kept: list[FrozenScreen] = [freeze(self._screen)]

    @property
    def complete(self) -> bool:
        """Whether the whole recording has been gone through."""
        return self._number >= len(self._cast)

    @property
    def share(self) -> float:
        """How much of the recording has been gone through, 0 to 1."""
        return self._number / len(self._cast) if len(self._cast) else 1.0

    def __len__(self) -> int:
        return len(self._numbers)

    def advance(self, events: int = 500) -> bool:
        """Go through some more events. Whether there are more after them."""
        cast = self._cast
        stop = min(self._number + events, len(cast))
        while self._number < stop:
            upto = self._next_stop(stop)
            feed(self._screen, cast, self._number, upto)
            self._number = upto
            if cast.lines[upto] - self._last_kept >= self._spacing:
                self._last_kept = cast.lines[upto]
                self._kept.append(freeze(self._screen))
                self._numbers.append(upto)
        return not self.complete

    def _next_stop(self, stop: int) -> int:
        """Where the next keyframe is due, or `stop` if that comes first."""
        due = bisect_right(self._cast.lines, self._last_kept + self._spacing - 1, self._number, stop)
        return max(due, self._number + 1)

    def nearest(self, number: int) -> tuple[int, FrozenScreen]:
        """The last keyframe at or before event `number`, and the number of the event that follows it."""
        # A keyframe is kept before its number is: between the two there is one more of them than of numbers.
        place = bisect_right(self._numbers, number) - 1
        return self._numbers[place], self._kept[place]


class Player:
    """A recording's terminal, set to one moment. `at` is seconds from the beginning."""

    def __init__(self, cast: CastFile, index: KeyframeIndex | None = None) -> None:
        self.cast = cast
        self.index = index or KeyframeIndex(cast)
        self.screen = _first_screen(cast)
        self.at = 0.0
        self._number = 0
        self.seek(0.0)

    def distance(self, at: float) -> int:
        """Bytes of the recording that must be gone through to show that moment."""
        number = self.cast.before(at)
        lines = self.cast.lines
        return lines[number] - lines[self._start(number)[0]]

    def seek(self, at: float) -> TerminalScreen:
        """The terminal as it was at that moment. The object may be another one than before."""
        at = min(max(at, 0.0), self.cast.duration)
        number = self.cast.before(at)
        start, frozen = self._start(number)
        if frozen is not None:
            self.screen = thaw(frozen)
        feed(self.screen, self.cast, start, number)
        self._number, self.at = number, at
        return self.screen

    def frame_after(self, at: float) -> float | None:
        """When output next came after that moment."""
        cast = self.cast
        numbers = range(cast.before(at), len(cast))
        return next((cast.times[number] for number in numbers if number not in cast.others), None)

    def frame_before(self, at: float) -> float | None:
        """When output last came before that moment."""
        cast = self.cast
        numbers = range(cast.before(at) - 1, -1, -1)
        return next((t for n in numbers if n not in cast.others and (t := cast.times[n]) < at), None)

    def _start(self, number: int) -> tuple[int, FrozenScreen | None]:
        """Where to begin for the state before event `number`: here, or at a keyframe."""
        near, frozen = self.index.nearest(number)
        if self._number <= number and near <= self._number:
            return self._number, None
        return near, frozen


def _first_screen(cast: CastFile) -> TerminalScreen:
    header = cast.header
    return TerminalScreen(header.columns, header.lines, SCROLLBACK_LINES, answer_program_status=False)


def feed(screen: TerminalScreen, cast: CastFile, start: int, stop: int) -> None:
    """Play events `start` up to `stop` into a screen, output that follows each other in one piece."""
    pieces: list[str] = []
    size = 0
    for number in range(start, stop):
        other = cast.others.get(number)
        if other is None:
            text = cast.output(number)
            pieces.append(text)
            size += len(text)
        if other is not None or size >= _BATCH_CHARACTERS:
            _draw(screen, pieces)
            size = 0
        if other is not None and other.code == RESIZE:
            screen.resize(*other.size)
    _draw(screen, pieces)


def _draw(screen: TerminalScreen, pieces: list[str]) -> None:
    if pieces:
        screen.feed("".join(pieces).encode("utf-8", "surrogatepass"))
        screen.take_replies()
        screen.take_events()
        pieces.clear()
