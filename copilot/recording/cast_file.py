"""`CastFile`: a recording that stays on the disk, with an index of its events in memory.

A recording of an hour may have tens of megabytes; a replay jumps about in it. Here only times and places are
kept, and an event's text is read again when it is wanted. Every line is checked when the file is opened.
"""

from __future__ import annotations

import json
import mmap
from array import array
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path

from copilot.errors import InputError
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
    _data: mmap.mmap | bytes

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
        line = self._data[self.lines[number] : self.lines[number + 1]].partition(b"\n")[0]
        text: str = json.loads(line)[2]
        return without_surrogates(text)

    def sizes(self) -> list[tuple[int, int]]:
        """All sizes of the terminal, the first one too."""
        resized = [event.size for event in self.others.values() if event.code == RESIZE]
        return [(self.header.columns, self.header.lines), *resized]


def open_cast(path: str | Path) -> CastFile:
    """Open a recording and check every line of it. Raises InputError that names file and line."""
    path = Path(path)
    data = _mapped(path)
    if not data[:4096].strip() and not data[:].strip():
        raise InputError(f"{path}: is empty; an asciicast begins with a header line")
    end = data.find(b"\n")
    size = len(data)
    header = read_header(data[: end if end >= 0 else size], str(path))
    times, lines, others, torn = array("d"), array("Q"), {}, False
    reader = EventReader(str(path), relative=header.version == 3)
    offset, number = end + 1 if end >= 0 else size, 2
    while offset < size:
        end = data.find(b"\n", offset)
        stop = end if end >= 0 else size
        try:
            event = reader.event(data[offset:stop], number)
        except InputError:
            if end >= 0:
                raise
            torn = True
            break
        if event is not None:
            if event.code != OUTPUT:
                others[len(times)] = event
            times.append(event.at)
            lines.append(offset)
        offset, number = stop + 1, number + 1
    lines.append(min(offset, size))
    return CastFile(path, header, times, lines, others, torn, data)


def _mapped(path: Path) -> mmap.mmap | bytes:
    with cast_errors(path), path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if path.stat().st_size else b""
