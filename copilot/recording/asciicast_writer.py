"""Writing terminal recordings in asciicast v2 (the default: every player reads it) and v3.

A writer makes one line per event and hands it to a sink as one piece, so a killed recorder leaves at most one
cut line. Bytes become text by an incremental decoder: a character split over two reads stays whole.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from pathlib import Path
from typing import Any

from copilot.recording.asciicast import EXIT, INPUT, MARKER, OUTPUT, RESIZE, Cast, CastEvent, CastHeader
from copilot.recording.transcript import json_line


class CastWriter:
    """Writes one recording through `sink`, which gets whole lines. The header is written at once.

    Times are seconds since the recording began; one that falls back is written as the time before it.
    """

    def __init__(self, sink: Callable[[bytes], object], header: CastHeader, *, version: int = 2) -> None:
        if version not in (2, 3):
            raise ValueError(f"asciicast version {version}")
        self._sink = sink
        self._version = version
        self._microseconds = 0
        self._milliseconds = 0
        decoder = codecs.getincrementaldecoder("utf-8")
        self._decoders = {OUTPUT: decoder("replace"), INPUT: decoder("replace")}
        sink(json_line(header_v2(header) if version == 2 else header_v3(header)))

    def output(self, at: float, data: bytes) -> None:
        """The child wrote these bytes; an unfinished character waits for its rest."""
        self._bytes(at, OUTPUT, data)

    def input(self, at: float, data: bytes) -> None:
        """These bytes were typed to the child."""
        self._bytes(at, INPUT, data)

    def marker(self, at: float, label: str) -> None:
        """A place to jump to in a player."""
        self.event(CastEvent(at, MARKER, label))

    def resize(self, at: float, columns: int, lines: int) -> None:
        """The terminal has a new size."""
        self.event(CastEvent(at, RESIZE, f"{columns}x{lines}"))

    def exit(self, at: float, status: int) -> None:
        """The child ended; characters that were never finished are written out first."""
        self.finish(at)
        self.event(CastEvent(at, EXIT, str(status)))

    def finish(self, at: float) -> None:
        """Write what is left of an unfinished character, as a replacement character."""
        for code in self._decoders:
            self._bytes(at, code, b"", final=True)

    def event(self, event: CastEvent) -> None:
        """Write one event as it is."""
        self._sink(json_line([self._time(event.at), event.code, event.data]))

    def _bytes(self, at: float, code: str, data: bytes, *, final: bool = False) -> None:
        text = self._decoders[code].decode(data, final)
        if text:
            self.event(CastEvent(at, code, text))

    def _time(self, at: float) -> float:
        """The time as the version writes it. Version 3 has milliseconds since the event before.

        Its differences are taken between rounded absolute times, so that rounding never adds up.
        """
        self._microseconds = max(self._microseconds, round(at * 1e6))
        if self._version == 2:
            return self._microseconds / 1e6
        milliseconds = round(self._microseconds / 1000)
        difference, self._milliseconds = milliseconds - self._milliseconds, milliseconds
        return difference / 1000


def write_cast(path: str | Path, cast: Cast, *, version: int = 2) -> None:
    """Write a whole recording in the given version, replacing the file."""
    with Path(path).open("wb") as file:
        writer = CastWriter(file.write, cast.header, version=version)
        for event in cast.events:
            writer.event(event)


def header_v2(header: CastHeader) -> dict[str, Any]:
    """The header as version 2 has it."""
    environment = dict(header.environment)
    if header.terminal_type:
        environment["TERM"] = header.terminal_type
    value = {"version": 2, "width": header.columns, "height": header.lines, **_common(header, environment)}
    return value | {key: item for key, item in header.extra.items() if not key.startswith("term.")}


def header_v3(header: CastHeader) -> dict[str, Any]:
    """The header as version 3 has it."""
    term: dict[str, Any] = {"cols": header.columns, "rows": header.lines}
    if header.terminal_type:
        term["type"] = header.terminal_type
    other = {}
    for key, item in header.extra.items():
        if key.startswith("term."):
            term[key.removeprefix("term.")] = item
        else:
            other[key] = item
    return {"version": 3, "term": term, **_common(header, header.environment), **other}


def _common(header: CastHeader, environment: dict[str, str]) -> dict[str, Any]:
    value = {
        "timestamp": header.timestamp,
        "idle_time_limit": header.idle_limit_seconds,
        "command": header.command,
        "title": header.title,
        "env": environment,
    }
    return {key: item for key, item in value.items() if item not in (None, "", {})}
