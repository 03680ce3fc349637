"""`CastFile`: a recording that stays on the disk, with an index of its events in memory.

A recording of an hour may have tens of megabytes; a replay jumps about in it. Here only times and places are
kept, and an event's text is read again when it is wanted. Every line is checked when the file is opened.
"""

from __future__ import annotations

import os
from array import array
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from copilot.documents import parse_json
from copilot.errors import InputError
from copilot.plain_files import MIB, NotRead, open_plain, said_size
from copilot.recording.asciicast import (
    OUTPUT,
    RESIZE,
    CastEvent,
    CastHeader,
    EventReader,
    cast_errors,
    exit_status_in,
    read_header,
)
from copilot.recording.transcript import without_surrogates

_MOST_BYTES = 1024 * MIB
"""Twice what a run records at most (`RecordingLimits`)."""
_MOST_LINE_BYTES = 32 * MIB
"""Twice what waits to be written at most, and so may become one event."""
_BLANK_BYTES = 4096


class _OpenFile:
    """The file, open for as long as somebody looks at the recording.

    It is no memory map: a file that is cut off meanwhile would kill the process.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def __del__(self) -> None:
        os.close(self.descriptor)

    def read(self, start: int, end: int) -> bytes:
        """The bytes between these offsets, as far as they are there. Raises OSError."""
        return os.pread(self.descriptor, end - start, start)


@dataclass(frozen=True, slots=True)
class CastFile:
    """An indexed recording. `times` are seconds from the beginning, one for each event, never falling.

    `lines` are the byte offsets at which the events' lines begin, and one more where the last one ends.
    `others` holds by its number each event that is no output. `torn` means that the last line was cut off.
    """

    path: Path
    header: CastHeader
    times: array[float]
    lines: array[int]
    others: dict[int, CastEvent]
    torn: bool
    _data: _OpenFile

    def __len__(self) -> int:
        return len(self.times)

    @property
    def duration(self) -> float:
        """Seconds until the last event."""
        return self.times[-1] if self.times else 0.0

    @property
    def exit_status(self) -> int | None:
        """The exit status, if it was recorded as a number."""
        return exit_status_in(self.others.values())

    def before(self, at: float) -> int:
        """How many events there are up to and with this moment."""
        return bisect_right(self.times, at)

    def event(self, number: int) -> CastEvent:
        """The event of that number, from 0."""
        other = self.others.get(number)
        return other if other is not None else CastEvent(self.times[number], OUTPUT, self.output(number))

    def output(self, number: int) -> str:
        """The text of an output event; empty for any other."""
        if number in self.others:
            return ""
        line = self._data.read(self.lines[number], self.lines[number + 1]).partition(b"\n")[0]
        try:
            text: str = parse_json(line)[2]
            return without_surrogates(text)
        except (ValueError, LookupError, TypeError, AttributeError):
            raise InputError(f"{self.path}: has changed since it was opened; open it again") from None

    def sizes(self) -> list[tuple[int, int]]:
        """All sizes of the terminal, the first one too."""
        resized = [event.size for event in self.others.values() if event.code == RESIZE]
        return [(self.header.columns, self.header.lines), *resized]


def open_cast(path: str | Path) -> CastFile:
    """Open a recording and check every line of it. Raises InputError that names file and line."""
    path = Path(path)
    with cast_errors(path):
        data = _OpenFile(open_plain(path))
        if (size := os.fstat(data.descriptor).st_size) > _MOST_BYTES:
            raise NotRead(f"it is larger than {said_size(_MOST_BYTES)}", "cut it")
        with open(os.dup(data.descriptor), "rb") as file:
            return _indexed(path, file, data, size)


def _indexed(path: Path, file: BinaryIO, data: _OpenFile, size: int) -> CastFile:
    """`size` is how much counts: a run that goes on writes more meanwhile."""
    first = _line(file, size, f"{path}: line 1")
    if not first.strip() and not file.read(_BLANK_BYTES).strip():
        raise InputError(f"{path}: is empty; an asciicast begins with a header line")
    header = read_header(first.rstrip(b"\n"), str(path))
    times, lines, others, torn = array("d"), array("Q"), {}, False
    reader = EventReader(str(path), relative=header.version == 3)
    offset, number = len(first), 2
    while line := _line(file, size - offset, f"{path}: line {number}"):
        try:
            event = reader.event(line.removesuffix(b"\n"), number)
        except InputError:
            if line.endswith(b"\n"):
                raise
            torn = True
            break
        if event is not None:
            if event.code != OUTPUT:
                others[len(times)] = event
            times.append(event.at)
            lines.append(offset)
        offset, number = offset + len(line), number + 1
    lines.append(offset)
    return CastFile(path, header, times, lines, others, torn, data)


def _line(file: BinaryIO, left: int, where: str) -> bytes:
    """The next line with its newline, of at most so many bytes; empty at the end. Raises InputError."""
    line = file.readline(min(left, _MOST_LINE_BYTES + 1))
    if len(line) > _MOST_LINE_BYTES:
        raise InputError(f"{where}: is longer than {said_size(_MOST_LINE_BYTES)}")
    return line
