"""`raw.log`: what a command wrote, line by line, with time and stream, redacted; and the end of it in memory.

Memory and time are bounded whatever comes: up to a cap everything is kept, beyond it only the end. Lines are
written when they are complete, since the two streams of a command share the file.
"""

from __future__ import annotations

import codecs
import os
import time
from collections import deque
from pathlib import Path

import re2

from copilot.private_files import open_private, write_all
from copilot.redaction.redact import Redactor
from copilot.redaction.stream import RedactingStream
from copilot.timebox.pipes import Stream

# Bytes of a command to readable text: UTF-8 and escape sequences may be cut anywhere between two reads.
#
# Everything that would drive a terminal goes: CSI, OSC and its relatives, other escapes, control
# characters. A carriage return becomes the end of a line, so that each state of a progress bar is a line
# of its own.


_MOST_HELD = 4_096
"""An escape sequence that is longer than this is text."""
_SEQUENCES = re2.compile(
    r"(?:\x1b\[|\x{9b})[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x{90}\x{98}\x{9d}-\x{9f}])[^\n\x07\x1b\x{9c}]*(?:\x07|\x1b\\|\x{9c})"
    r"|\x1b[ -/]*[0-~]"
)
_UNFINISHED = re2.compile(
    r"(?:\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\n\x07\x1b\x{9c}]*\x1b?|[ -/]*)?"
    r"|\x{9b}[0-?]*[ -/]*|[\x{90}\x{98}\x{9d}-\x{9f}][^\n\x07\x1b\x{9c}]*\x1b?|\r)$"
)
_CONTROLS = re2.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x{9f}]")
_DROPPED = {code: None for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\t\n"}


class Cleaner:
    """One stream. What `feed` returned is final; `close` returns the rest."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""

    def feed(self, data: bytes, *, last: bool = False) -> str:
        """The clean text that `data` completes."""
        text = self._held + self._decoder.decode(data, last)
        self._held = ""
        if not last:
            unfinished = _unfinished_at(text)
            text, self._held = text[:unfinished], text[unfinished:]
        return clean(text)

    def close(self) -> str:
        """What is left."""
        return self.feed(b"", last=True)


def clean(text: str) -> str:
    """`text` without escape sequences and control characters; lines end in a newline only."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.isascii() and not _CONTROLS.search(text):
        # `translate` takes a hundred times longer for such text than for ASCII.
        return text
    if "\x1b" in text or not text.isascii():
        text = _SEQUENCES.sub("", text)
    return text.translate(_DROPPED)


def _unfinished_at(text: str) -> int:
    """Where a sequence begins that the end of `text` cuts; its length if none does."""
    start = max(0, len(text) - _MOST_HELD)
    found = _UNFINISHED.search(text[start:])
    return start + found.start() if found else len(text)


CAP_BYTES = 8 << 20
TAIL_BYTES = 4 << 20
"""The most that an extract looks at: redacting it takes less than half a second."""
_LONGEST_LINE = 1 << 16


class _Channel:
    """One stream on its way to lines: clean, redacted, complete."""

    def __init__(self, stream: Stream, redactor: Redactor) -> None:
        self.stream = stream
        self._cleaner = Cleaner()
        self._redacting = RedactingStream(redactor)
        self._line = ""

    def feed(self, data: bytes) -> str:
        """The lines that `data` completes."""
        return self._lines(self._redacting.feed(self._cleaner.feed(data)))

    def close(self) -> str:
        """The rest, as lines."""
        text = self._redacting.feed(self._cleaner.close()) + self._redacting.close()
        rest = self._lines(text) + self._line
        self._line = ""
        return rest if not rest or rest.endswith("\n") else rest + "\n"

    def _lines(self, text: str) -> str:
        ready, newline, self._line = (self._line + text).rpartition("\n")
        done = ready + newline
        while len(self._line) >= _LONGEST_LINE:
            done += self._line[:_LONGEST_LINE] + "\n"
            self._line = self._line[_LONGEST_LINE:]
        return done


class OutputLog:
    """The sink of one boxed command. Give `take` to `box.run`, then `close`."""

    def __init__(
        self,
        path: Path,
        redactor: Redactor,
        *,
        cap_bytes: int = CAP_BYTES,
        tail_bytes: int = TAIL_BYTES,
    ) -> None:
        """Raises OSError if the file cannot be made."""
        self._redactor = redactor
        self._cap = cap_bytes
        self._most_tail = tail_bytes
        self._file = open_private(path, os.O_WRONLY | os.O_EXCL)
        self._channels = {stream: _Channel(stream, redactor) for stream in Stream}
        self._tail: deque[str] = deque()
        self._tail_size = 0
        self._late: deque[tuple[Stream, bytes]] = deque()
        self._late_size = 0
        self.received = 0
        """Bytes that the command wrote."""
        self.left_out = 0
        """Bytes of them that are in neither file nor tail."""
        self.fault: OSError | None = None
        """Why the file ends early, if it does (a full disk)."""

    def take(self, stream: Stream, data: bytes) -> None:
        """Output came. Never raises: a full disk ends the file, not the command."""
        self.received += len(data)
        if self.received <= self._cap:
            self._put(stream, self._channels[stream].feed(data))
            return
        self._late.append((stream, data))
        self._late_size += len(data)
        while self._late_size - len(self._late[0][1]) >= self._most_tail:
            dropped = len(self._late.popleft()[1])
            self._late_size -= dropped
            self.left_out += dropped

    def close(self) -> None:
        """Write what is still held; the file is complete then."""
        if self._file < 0:
            return
        if self.left_out:
            # A line that was open before the gap ends there; after it only whole lines follow.
            self._close_channels()
            self._put(None, f"... {self.left_out} bytes are left out here: the log is limited ...\n")
            self._channels = {stream: _Channel(stream, self._redactor) for stream in Stream}
        gaps = set(Stream) if self.left_out else set()
        while self._late:
            stream, data = self._late.popleft()
            if stream in gaps:
                gaps.discard(stream)
                data = data.partition(b"\n")[2] or data
            self._put(stream, self._channels[stream].feed(data))
        self._close_channels()
        try:
            os.fsync(self._file)
        except OSError as error:
            self.fault = self.fault or error
        os.close(self._file)
        self._file = -1

    def tail(self) -> str:
        """The end of the output without times and streams: at least `tail_bytes` of it."""
        return "".join(self._tail)

    def _close_channels(self) -> None:
        for stream, channel in self._channels.items():
            self._put(stream, channel.close())

    def _put(self, stream: Stream | None, text: str) -> None:
        if not text:
            return
        self._tail.append(text)
        self._tail_size += len(text)
        while self._tail_size - len(self._tail[0]) >= self._most_tail:
            self._tail_size -= len(self._tail.popleft())
        if self.fault is not None or self._file < 0:
            return
        prefix = f"[{iso_time(time.time())}] [{stream or 'copilot'}] "
        lines = prefix + text[:-1].replace("\n", "\n" + prefix) + "\n"
        try:
            write_all(self._file, lines.encode("utf-8", "replace"))
        except OSError as error:
            self.fault = error


def iso_time(at: float) -> str:
    """Seconds of the epoch as ISO 8601, UTC, in milliseconds."""
    milliseconds = int(at * 1000)
    text = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(milliseconds // 1000))
    return f"{text}.{milliseconds % 1000:03d}Z"
