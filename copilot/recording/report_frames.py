"""The recording as pictures for a page: rows that frames share, styles as numbers, no terminal needed.

So many frames and no more: of a long run they are thinned out evenly, but the moments of its prompts stay.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from copilot.core.snapshot import DEFAULT_STYLE, Colour, ScreenSnapshot, Style
from copilot.guard.text import safe_text
from copilot.recording.asciicast import RESIZE
from copilot.recording.cast_file import CastFile
from copilot.screen import TerminalScreen
from copilot.screen.theme import palette

MOST_FRAMES = 1500
MOST_ROWS = 40_000
_LEAST_GAP_SECONDS = 0.1
_QUIET_SECONDS = 0.04

Pieces = tuple[tuple[str, int], ...]
"""A row as texts with the numbers of their styles; 0 is the plain one."""

_Row = tuple[tuple[str, ...], tuple[Style, ...]]


@dataclass(slots=True)
class Pictures:
    """Frames of a recording, and the screens of chosen moments."""

    styles: dict[Style, int] = field(default_factory=lambda: {DEFAULT_STYLE: 0})
    rows: dict[Pieces, int] = field(default_factory=dict)
    frames: list[tuple[float, list[int]]] = field(default_factory=list)
    screens: dict[float, list[Pieces]] = field(default_factory=dict)
    _last: dict[tuple[int, int], tuple[_Row, Pieces]] = field(default_factory=dict, init=False, repr=False)
    """What the rows of the last snapshot are cut into. It holds them: no other object gets their id."""

    def take(self, at: float, snapshot: ScreenSnapshot, *, frame: bool, chosen: bool) -> None:
        """Keep the screen of a moment: as a frame, as a chosen one, or both."""
        pieces = self._rows_of(snapshot)
        if chosen:
            self.screens[at] = pieces
        if frame and len(self.rows) < MOST_ROWS:
            numbers = [self.rows.setdefault(row, len(self.rows)) for row in pieces]
            if not self.frames or self.frames[-1][1] != numbers:
                self.frames.append((round(at, 3), numbers))

    def _rows_of(self, snapshot: ScreenSnapshot) -> list[Pieces]:
        """Snapshots share the rows that did not change: these are not cut up again."""
        before, shown = self._last, {}
        rows = list(zip(snapshot.characters, snapshot.styles, strict=True))
        for row in rows:
            key = id(row[0]), id(row[1])
            shown[key] = before.get(key) or (row, self._pieces(*row))
        self._last = shown
        return [shown[id(characters), id(styles)][1] for characters, styles in rows]

    def _pieces(self, characters: Sequence[str], styles: Sequence[Style]) -> Pieces:
        runs: list[tuple[str, int]] = []
        start = 0
        for style, run in groupby(styles):
            end = start + len(list(run))
            runs.append(("".join(characters[start:end]), self.styles.setdefault(style, len(self.styles))))
            start = end
        if runs and runs[-1][1] == 0:
            runs[-1] = (runs[-1][0].rstrip(), 0)
        return tuple((safe_text(text), number) for text, number in runs if text)

    def css(self) -> str:
        """The styles as classes `t1`, `t2`, …"""
        return "\n".join(f".t{number}{{{_css(style)}}}" for style, number in self.styles.items() if number)

    def as_object(self, duration: float, marks: Sequence[float]) -> dict[str, object]:
        """What the page's player is given."""
        return {
            "duration": round(duration, 3),
            "marks": [round(at, 3) for at in marks],
            "rows": [list(row) for row in self.rows],
            "frames": self.frames or [[0, []]],
        }


def pictures_of(cast: CastFile, chosen: Sequence[float], *, frames: bool) -> Pictures:
    """The pictures of a recording; `chosen` are moments whose screens are wanted in any case."""
    pictures = Pictures()
    screen = TerminalScreen(cast.header.columns, cast.header.lines, 200, answer_program_status=False)
    gap = max(_LEAST_GAP_SECONDS, cast.duration / MOST_FRAMES)
    stops = sorted(set(chosen))
    next_at = 0.0
    for number in range(len(cast)):
        at = cast.times[number]
        while stops and stops[0] < at:
            stop = stops.pop(0)
            pictures.take(stop, screen.snapshot(), frame=frames, chosen=True)
        other = cast.others.get(number)
        if other is None:
            screen.feed(cast.output(number).encode("utf-8", "surrogatepass"))
            screen.take_replies()
            screen.take_events()
        elif other.code == RESIZE:
            screen.resize(*other.size)
        follows = cast.times[number + 1] if number + 1 < len(cast) else at + 1
        if frames and at >= next_at and (follows - at > _QUIET_SECONDS or at >= next_at + gap):
            pictures.take(at, screen.snapshot(), frame=True, chosen=False)
            next_at = at + gap
    for stop in [*stops, cast.duration]:
        pictures.take(stop, screen.snapshot(), frame=frames, chosen=stop in chosen)
    return pictures


def screen_html(rows: Sequence[Pieces], evidence: frozenset[int] = frozenset()) -> str:
    """A screen as the inside of a `pre`, the rows of the evidence marked."""
    lines = []
    used = max([number for number, row in enumerate(rows) if row] + sorted(evidence), default=-1) + 1
    for number, row in enumerate(rows[:used]):
        spans = "".join(
            f'<span class="t{style}">{html.escape(text)}</span>' if style else html.escape(text)
            for text, style in row
        )
        lines.append(f'<span class="evidence">{spans or " "}</span>' if number in evidence else spans)
    return "\n".join(lines)


def _css(style: Style) -> str:
    front, behind = _hex(style.foreground, "#d9dfe7"), _hex(style.background, "#0d1117")
    if style.reverse:
        front, behind = behind, front
    if style.conceal:
        front = behind
    parts = [f"color:{front}"]
    if behind != "#0d1117":
        parts.append(f"background:{behind}")
    for wanted, rule in (
        (style.bold, "font-weight:700"),
        (style.italic, "font-style:italic"),
        (style.dim, "opacity:.7"),
    ):
        parts += [rule] if wanted else []
    lines = [
        word
        for wanted, word in ((style.underline, "underline"), (style.strikethrough, "line-through"))
        if wanted
    ]
    if lines:
        parts.append(f"text-decoration:{' '.join(lines)}")
    return ";".join(parts)


def _hex(colour: Colour, default: str) -> str:
    if isinstance(colour, int):
        return "#{:02x}{:02x}{:02x}".format(*palette(colour))
    return default if colour == "default" else colour
