"""Input of the host's terminal, as the keys that were pressed.

A terminal without the kitty keyboard protocol sends Escape as the byte that also begins every other key, and
Alt as an Escape in front. Textual takes what follows an Escape within a tenth of a second for one key with
it, and then guesses: Escape and Tab become Shift+Tab, Alt+1 an `¡`, Alt+: a plain `:`, and of two keys with
Alt in one piece the first becomes `^` and a letter. A coding CLI acts on each of these. Here an Escape is
alone after 25 ms (tmux 3.5 waits 10, Neovim 50; the variable ESCDELAY, as of ncurses in ms, gives another
time), and Alt with a key is that key with Alt.
"""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING

from textual import events
from textual._parser import Read1
from textual._xterm_parser import XTermParser

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from textual.message import Message

ESCAPE_SECONDS = 0.025
_ESCAPE, _PASTE, _PASTED = "\x1b", "\x1b[200~", "\x1b[201~"
_BEGINS = re.compile(r"(?P<paste>\x1b\[200~)|(?P<escape>\x1b(?=\x1b))|\x1b(?P<key>[^\x1b\[\]OPX_^\\])")
"""A paste; an Escape before another; or a key with Alt: an Escape and what begins or ends no sequence, by
ECMA-48, 5.4."""


class KeyParser(XTermParser):
    """Textual's parser, but for Escape and Alt."""

    escape_seconds = ESCAPE_SECONDS

    def __init__(self, debug: bool = False) -> None:
        chosen = os.environ.get("ESCDELAY", "")
        if chosen.isdecimal():
            self.escape_seconds = max(1, int(chosen)) / 1000
        self._pasted: list[str] | None = None
        self._kept, self._kept_at = "", 0.0
        super().__init__(debug)

    def read1(self, timeout: float | None = None) -> Read1:  # type: ignore[override]
        """What Textual's parser waits for: also the rest of any other key is not waited for longer."""
        return Read1(None if timeout is None else self.escape_seconds)

    def feed(self, data: str) -> Iterator[Message]:
        """The keys in what came. What may go on is kept until more comes, or until `tick` says it did not."""
        data, self._kept = self._kept + data, ""
        while data:
            if self._pasted is not None:
                inside, end, data = data.partition(_PASTED)
                self._pasted.append(inside if end else self._keep_start_of(_PASTED, inside))
                if end:
                    # As in Textual: its issue 1661.
                    yield events.Paste("".join(self._pasted).replace("\x00", ""))
                    self._pasted = None
            elif found := _BEGINS.search(data):
                yield from self._parse(data[: found.start()])
                data = data[found.end() :]
                yield from self._begun(found)
            else:
                yield from self._parse(self._keep_start_of(_PASTE, data))
                return

    def tick(self) -> Iterator[Message]:
        """The keys that are whole because nothing more came."""
        yield from super().tick()
        if self._kept and time.monotonic() - self._kept_at >= self.escape_seconds:
            kept, self._kept = self._kept, ""
            if self._pasted is not None:
                self._pasted.append(kept)
            elif kept == _ESCAPE:
                yield events.Key("escape", _ESCAPE)
            else:
                yield from self._parse(kept)

    def _parse(self, data: str) -> Iterable[Message]:
        # Nothing at all would mean the end to Textual's parser.
        return super().feed(data) if data else ()

    def _keep_start_of(self, sequence: str, data: str) -> str:
        """Keep what may be the start of this at the end of the data; the data before it."""
        for length in range(min(len(sequence) - 1, len(data)), 0, -1):
            if data.endswith(sequence[:length]):
                self._kept, self._kept_at = data[-length:], time.monotonic()
                return data[:-length]
        return data

    def _begun(self, found: re.Match[str]) -> Iterator[Message]:
        if found["paste"]:
            self._pasted = []
            return
        if found["escape"]:
            yield events.Key("escape", _ESCAPE)
            return
        for key in self._sequence_to_key_events(found["key"]):
            name = f"shift+{key.key.lower()}" if found["key"].isupper() else key.key
            yield events.Key(f"alt+{name}", None)

    def end(self) -> None:
        for _ in super().feed(""):
            pass
