"""Where a CLI went on by itself after a reading: then that reading was none of a ready input box."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import re2

from copilot.core.snapshot import ScreenSnapshot
from copilot.recording.asciicast import INPUT, Cast
from copilot.replay.driver import pieces_of
from copilot.screen import TerminalScreen

_MOVES_WITHIN = 1.5
_KEY_SECONDS = 0.1
"""A key is recorded so much after or before what it does."""
_LETTERS = re2.compile(r"\pL+")


def _keys(cast: Cast) -> list[float]:
    return [event.at for event in cast.events if event.code == INPUT]


def worked_alone(cast: Cast, ready: Sequence[float], works: Sequence[float]) -> Iterator[float]:
    """Those of the times after which it was at work before any key was typed."""
    keys = _keys(cast)
    for at in ready:
        then = next((one for one in works if one > at), None)
        if then is not None and not any(at - _KEY_SECONDS <= key <= then for key in keys):
            yield at


def moved_alone(cast: Cast, times: Sequence[float]) -> Iterator[float]:
    """Those of the times after which words changed soon, though no key was typed in between.

    Words behind all others do not count: redaction keeps the last ones back until more output comes.
    """
    keys = _keys(cast)
    screen = TerminalScreen(cast.header.columns, cast.header.lines)
    waiting = list(times)
    shown: dict[float, list[str]] = {}
    for piece in pieces_of(cast):
        while waiting and waiting[0] <= piece.at:
            shown[waiting.pop(0)] = _words(screen.snapshot())
        if piece.size is not None:
            screen.resize(*piece.size)
        screen.feed(piece.data)
        for at, before in list(shown.items()):
            if piece.at - at > _MOVES_WITHIN or any(at - _KEY_SECONDS <= key <= piece.at for key in keys):
                del shown[at]
            elif _words(screen.snapshot())[: len(before)] != before:
                yield at
                del shown[at]


def _words(snapshot: ScreenSnapshot) -> list[str]:
    """What is said on the screen; bars, frames and numbers are not."""
    return [str(word) for word in _LETTERS.findall("\n".join(snapshot.lines))]
