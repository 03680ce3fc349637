"""Finding a text in a terminal over time: the moments at which it comes onto the screen.

Goes through the recording in small steps, so that a caller can show what is found meanwhile. The screen is
looked at when a frame is complete, and at least each tenth of a second of a stream that never rests; text
that is shown for less is not found.
"""

from __future__ import annotations

from copilot.recording.asciicast import RESIZE
from copilot.recording.cast_file import CastFile
from copilot.replay.player import KeyframeIndex, feed
from copilot.screen import TerminalScreen
from copilot.screen.freezing import thaw

FRAME_GAP_SECONDS = 0.033
LONGEST_FRAME_SECONDS = 0.1
MOST_HITS = 5000


class TextFinder:
    """Finds `query` from the keyframe before `at` to the end, then from the beginning up to there.

    Upper and lower case are one as long as the text has no capitals. A match is on one row.
    """

    def __init__(self, cast: CastFile, index: KeyframeIndex, query: str, at: float = 0.0) -> None:
        self.hits: list[float] = []
        """Moments at which the text came onto the screen, in order of time."""
        self._cast = cast
        self._query = query
        self._exact = query != query.lower()
        self._first, frozen = index.nearest(cast.before(at))
        self._parts = [(self._first, len(cast), frozen)]
        if self._first:
            self._parts.append((0, self._first, index.nearest(0)[1]))
        self._found: list[float] = []
        self._number = self._stop = 0
        self._screen: TerminalScreen
        self._with: frozenset[str] = frozenset()
        self._matching: dict[int, str | None] = {}
        self._open_part()

    @property
    def complete(self) -> bool:
        """Whether everything has been looked at, or so much found that it is enough."""
        return (not self._parts and self._number >= self._stop) or len(self._found) >= MOST_HITS

    def advance(self, events: int = 400) -> bool:
        """Look at some more. Whether there is more to look at."""
        stop = min(self._number + events, self._stop)
        while self._number < stop:
            upto = self._end_of_frame(stop)
            feed(self._screen, self._cast, self._number, upto)
            self._number = upto
            self._look(self._cast.times[upto - 1])
        if self._number >= self._stop and self._parts:
            self._open_part()
        self.hits = sorted(self._found)
        return not self.complete

    def _open_part(self) -> None:
        self._number, self._stop, frozen = self._parts.pop(0)
        self._screen = thaw(frozen)
        self._with, self._matching = frozenset(), {}

    def _end_of_frame(self, stop: int) -> int:
        times, others = self._cast.times, self._cast.others
        start = times[self._number]
        number = self._number + 1
        while number < stop and times[number] - times[number - 1] <= FRAME_GAP_SECONDS:
            if times[number] - start > LONGEST_FRAME_SECONDS:
                break
            other = others.get(number)
            if other is not None and other.code == RESIZE:
                break
            number += 1
        return number

    def _look(self, at: float) -> None:
        """A hit where a row holds the text; one that held it already and has only grown is none."""
        screen = self._screen
        matching: dict[int, str | None] = {}
        for line in range(screen.lines):
            picture = screen.visible_row(line).picture_of(screen.columns)
            known = self._matching.get(picture.number, "")
            matching[picture.number] = self._match(picture.text) if known == "" else known
        self._matching = matching
        found = frozenset(text for text in matching.values() if text)
        if any(not any(map(text.startswith, self._with)) for text in found - self._with):
            self._found.append(at)
        self._with = found

    def _match(self, text: str) -> str | None:
        """The row without blanks at its ends if it holds the text; None if it does not."""
        hay = text if self._exact else text.lower()
        return text.strip() if self._query in hay else None
