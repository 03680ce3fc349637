"""A run line by line, for a run without a screen: readable, or as JSON objects."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from copilot.core.effects import EndRun
from copilot.engine.history import EntryKind, History, HistoryEntry, Step

_INDENT = 10
_MOST_ROWS = 20
"""So many rows of the last screen are written, the lowest."""
_WITHOUT_LINE = frozenset(
    {EntryKind.ASKS, EntryKind.PERSON, EntryKind.LEVEL, EntryKind.GOVERNING, EntryKind.FAULT}
)


class Narrator:
    """Writes events and effects as lines. `clean` is applied to every text from outside."""

    def __init__(self, write: Callable[[str], None], clean: Callable[[str], str], *, as_json: bool) -> None:
        self._write = write
        self._clean = clean
        self._as_json = as_json
        self._history = History()
        self._line = self._json_line if as_json else self._word_line

    def step(self, step: Step, at: float) -> None:
        """Write one event or effect, if it is worth a line."""
        entry = self._history.receive(at, step)
        if entry is not None and _has_line(entry):
            self._line(at, entry.kind.value, entry.fields)

    def note(self, text: str, at: float = 0.0) -> None:
        """Write something that is no event."""
        self._line(at, "note", {"text": text})

    def last_words(self, message: str, display: Sequence[str], end: EndRun, at: float) -> None:
        """Write how the run ended, after what the CLI said last: its message, else its screen."""
        said = self._clean(message).strip("\n")
        if said and not self._as_json:
            self._word_line(at, "message", {"what": "the last message of the CLI:"})
            self._write_rows(said.split("\n"))
        if self._as_json or not said or end.exit_code:
            self.last_screen(display, at)
        entry = self._history.receive(at, end)
        assert entry is not None
        more = {"message": said} if self._as_json else {}
        self._line(at, entry.kind.value, {**entry.fields, **more})

    def _write_rows(self, rows: Sequence[str]) -> None:
        for row in rows:
            self._write(f"{'':9}│ {row}".rstrip())

    def last_screen(self, display: Sequence[str], at: float) -> None:
        """Write what the CLI showed last, unchanged; nothing for an empty screen."""
        text = self._clean("\n".join(row.rstrip() for row in display)).strip("\n")
        if not text.strip():
            return
        rows = text.split("\n")[-_MOST_ROWS:]
        if self._as_json:
            self._json_line(at, "screen", {"text": "\n".join(rows)})
            return
        self._word_line(at, "screen", {"what": "what the CLI showed last:"})
        self._write_rows(rows)

    def _word_line(self, at: float, word: str, fields: Mapping[str, Any]) -> None:
        if word == EntryKind.EXIT.value:  # A plain status stays a number; any other exit is said in words.
            fields = {"how": fields["how"] or fields["status"]}
        values = [
            self._clean(" ".join(str(value).split())) for value in fields.values() if value not in ("", None)
        ]
        self._write(f"{at:7.2f}  {word:<{_INDENT}} {' · '.join(values)}".rstrip())

    def _json_line(self, at: float, word: str, fields: Mapping[str, Any]) -> None:
        cleaned = {
            key: self._clean(value) if isinstance(value, str) else value for key, value in fields.items()
        }
        self._write(json.dumps({"t": round(at, 3), "event": word, **cleaned}, ensure_ascii=False))


def _has_line(entry: HistoryEntry) -> bool:
    """Of a plan only the moves of its steps are worth a line, and keys that are typed have their own."""
    if entry.kind is EntryKind.PLAN:
        return bool(entry.fields["step"]) and entry.fields["state"] != "typing"
    return entry.kind not in _WITHOUT_LINE
