"""Writes `session.cast` and `raw/` from a thread of its own, so that recording costs the session no time.

Output is redacted on its way. The queue is bounded: if the disk or the redactor cannot keep up, output is
left out and the recording says how much. A failure ends this recording only, and is reported; nothing
unredacted is ever written, also not when the redactor itself fails.
"""

from __future__ import annotations

import codecs
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from copilot.private_files import FOLDER_MODE, open_private, write_all
from copilot.recording.artifacts import CAST_NAME, RAW_FOLDER
from copilot.recording.asciicast import MARKER, OUTPUT, CastEvent, CastHeader
from copilot.recording.asciicast_writer import CastWriter
from copilot.recording.stream_redactor import StreamRedactor


class RawLog:
    """Writes `raw/output-0001.log` and on. Raises OSError."""

    def __init__(self, folder: Path, *, file_bytes: int, files: int) -> None:
        self._folder = folder / RAW_FOLDER
        self._folder.mkdir(mode=FOLDER_MODE, exist_ok=True)
        self._file_bytes = file_bytes
        self._files = files
        self._number = max((_number(path) for path in self._folder.glob("output-*.log")), default=0)
        self._descriptor = -1
        self._size = 0

    def write(self, data: bytes) -> None:
        """Append output, beginning a new file when one is full."""
        while data:
            if self._descriptor < 0 or self._size >= self._file_bytes:
                self._next_file()
            part = data[: self._file_bytes - self._size]
            write_all(self._descriptor, part)
            self._size += len(part)
            data = data[len(part) :]

    def close(self) -> None:
        """Close the present file."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _next_file(self) -> None:
        self.close()
        self._number += 1
        path = self._folder / f"output-{self._number:04d}.log"
        self._descriptor = open_private(path, os.O_WRONLY | os.O_APPEND)
        self._size = 0
        old = self._folder / f"output-{self._number - self._files:04d}.log"
        old.unlink(missing_ok=True)


def _number(path: Path) -> int:
    digits = path.stem.removeprefix("output-")
    return int(digits) if digits.isdecimal() else 0


# Terminal output as text without losing a byte: what is no UTF-8 becomes characters that encode the bytes.
#
# The redactor needs text that is valid Unicode, the raw log needs the very bytes. So each undecodable
# byte B is decoded as U+10FF00 + B, in the last private-use plane, and encoded back to that byte.


_BASE = 0x10FF00
_HANDLER = "copilot-kept-bytes"
_TO_SURROGATE = {_BASE + byte: 0xDC00 + byte for byte in range(0x80, 0x100)}
_TO_REPLACEMENT = {_BASE + byte: 0xFFFD for byte in range(0x80, 0x100)}


def _keep(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "".join(chr(_BASE + byte) for byte in error.object[error.start : error.end]), error.end


codecs.register_error(_HANDLER, _keep)


def kept_bytes_decoder() -> codecs.IncrementalDecoder:
    """A decoder of UTF-8 that loses nothing and waits for split characters."""
    return codecs.getincrementaldecoder("utf-8")(_HANDLER)


def to_bytes(text: str) -> bytes:
    """The bytes that the decoder made `text` of."""
    if _has_kept(text):
        text = text.translate(_TO_SURROGATE)
    return text.encode("utf-8", "surrogateescape")


def to_text(text: str) -> str:
    """`text` for people: bytes that are no text as replacement characters."""
    return text.translate(_TO_REPLACEMENT) if _has_kept(text) else text


def _has_kept(text: str) -> bool:
    return bool(text) and max(text) >= chr(_BASE)


_FLUSH_SECONDS = 0.25
_QUIET_SECONDS = 0.6
_HELD_SECONDS = 1.0
"""The longest that flowing output is held back for the rest of a secret."""
_CLOSE_SECONDS = 30.0
_TAKE_BYTES = 8 * 1024
"""The size of a piece of work while the person types; otherwise eight times as much."""
_TYPING_SECONDS = 2.0
_MOST_WAITING_BYTES = 16 * 1024 * 1024
_DEFER_SECONDS = 0.1
"""How long the recorder pauses after a key."""
_LONGEST_DEFER_SECONDS = 0.6


@dataclass(frozen=True, slots=True)
class RecordingLimits:
    """Sizes in bytes. Raw output keeps the newest `raw_files` files; a cast ends when it is full."""

    raw_file_bytes: int = 8 * 1024 * 1024
    raw_files: int = 8
    cast_bytes: int = 512 * 1024 * 1024


class OutputRecorder:
    """Records output, markers, resizes and the exit. No method raises or waits, except `close`.

    `on_failed` is called from the recorder's thread, once.
    """

    def __init__(
        self,
        folder: Path,
        header: CastHeader,
        *,
        redact: Callable[[str], str],
        limits: RecordingLimits,
        version: int,
        on_failed: Callable[[str], None],
        each_second: Callable[[], None] = lambda: None,
    ) -> None:
        self._on_failed = on_failed
        self._each_second = each_second
        self._limits = limits
        self._redact = redact
        self._redactor = StreamRedactor(redact)
        self._decoder = kept_bytes_decoder()
        self._raw = RawLog(folder, file_bytes=limits.raw_file_bytes, files=limits.raw_files)
        self._cast_file = open_private(folder / CAST_NAME, os.O_WRONLY | os.O_APPEND | os.O_TRUNC)
        self._cast_lines = bytearray()
        self._cast_size = 0
        self._cast_full = False
        self._cast = CastWriter(self._cast_lines.extend, header, version=version)
        self._events: deque[tuple[int, CastEvent]] = deque()
        self._queue: deque[tuple[float, bytes | CastEvent]] = deque()
        self._waiting_bytes = 0
        self._dropped = 0
        self._last_at = 0.0
        self._stopping = False
        self._failed = False
        self._deferred_until = 0.0
        self._aside = False
        self._wake = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="copilot recorder", daemon=True)
        self._thread.start()

    def output(self, at: float, data: bytes) -> None:
        """The child wrote these bytes."""
        with self._wake:
            if self._failed:
                return
            if self._waiting_bytes + len(data) > _MOST_WAITING_BYTES:
                self._dropped += len(data)
                return
            if self._dropped:
                self._note_dropped(at)
            first = not self._queue
            self._queue.append((at, data))
            self._waiting_bytes += len(data)
            if not self._aside and (first or self._is_plenty()):  # else it would be woken for nothing
                self._wake.notify()

    def event(self, event: CastEvent) -> None:
        """A marker, a resize or the exit, in the order of the output."""
        with self._wake:
            self._queue.append((event.at, event))
            self._wake.notify()

    def defer_writes(self) -> None:
        """A person has pressed a key. While output floods, the redactor would hold the interpreter for half
        of the time until its echo; for a moment output only waits, if not too much does already."""
        self._deferred_until = time.monotonic() + _DEFER_SECONDS

    def close(self) -> None:
        """Write what is left and end. Waits for the thread."""
        with self._wake:
            if self._dropped:
                self._note_dropped(self._last_at)
            self._stopping = True
            self._wake.notify()
        self._thread.join(_CLOSE_SECONDS)

    def _note_dropped(self, at: float) -> None:
        text = f"{self._dropped} bytes of output were not recorded: the recorder could not keep up"
        self._queue.append((at, CastEvent(at, MARKER, text)))
        self._dropped = 0

    def _run(self) -> None:
        try:
            self._loop()
        except Exception as error:  # the session must go on, whatever is wrong here
            self._fail(error)
        finally:
            self._raw.close()
            os.close(self._cast_file)

    def _loop(self) -> None:
        self._flush_cast()
        last_output = last_second = time.monotonic()
        while True:
            items, stopping = self._next_items()
            now = time.monotonic()
            if any(isinstance(item, bytes) for _, item in items):
                last_output = now
            for at, item in items:
                self._enter(at, item)
            self._give_out(quiet=now - last_output >= _QUIET_SECONDS, final=stopping)
            if now - last_second >= 1:
                last_second = now
                self._each_second()
            if stopping:
                return

    def _next_items(self) -> tuple[list[tuple[float, bytes | CastEvent]], bool]:
        """What has come in, at most so much; empty after a while without anything."""
        with self._wake:
            if not self._queue and not self._stopping:
                held = self._events or self._redactor.given != self._redactor.added
                self._wake.wait(_FLUSH_SECONDS if held else 1.0)
            if self._queue and not self._is_plenty():
                # Gather for a moment: one look of the redactor at many small pieces.
                self._wake.wait_for(self._is_plenty, _FLUSH_SECONDS)
            self._stand_aside()
            items = []
            size = 0
            most = (
                _TAKE_BYTES if time.monotonic() - self._deferred_until < _TYPING_SECONDS else 8 * _TAKE_BYTES
            )
            while self._queue and size < most:
                item = self._queue.popleft()
                size += len(item[1]) if isinstance(item[1], bytes) else 0
                items.append(item)
            self._waiting_bytes -= size
            return items, self._stopping and not self._queue

    def _stand_aside(self) -> None:
        """Before a piece of work, and never for long: one key after the other must not stop the recording."""
        until = time.monotonic() + _LONGEST_DEFER_SECONDS
        self._aside = True
        while (left := min(self._deferred_until, until) - time.monotonic()) > 0:
            if self._stopping or self._waiting_bytes >= _MOST_WAITING_BYTES // 2:
                break
            self._wake.wait(left)
        self._aside = False

    def _is_plenty(self) -> bool:
        return self._stopping or self._waiting_bytes >= _TAKE_BYTES

    def _enter(self, at: float, item: bytes | CastEvent) -> None:
        self._last_at = max(self._last_at, at)
        if isinstance(item, bytes):
            self._redactor.add(at, self._decoder.decode(item))
            return
        if item.code != MARKER:
            # Output before a resize must not be drawn after it.
            self._give_out(quiet=True, final=False)
        self._events.append((self._redactor.added, item))

    def _give_out(self, *, quiet: bool, final: bool) -> None:
        if final:
            self._redactor.add(self._last_at, self._decoder.decode(b"", True))
        given_before = self._redactor.given
        aged = self._last_at - _HELD_SECONDS
        pieces = self._redactor.take(quiet=quiet, final=final, older_than=aged)
        given = given_before
        whole = sum(len(text) for _, text in pieces) == self._redactor.given - given_before
        for at, text in pieces:
            self._write_events(given)
            given += len(text) if whole else 0
            self._raw.write(to_bytes(text))
            self._write(CastEvent(at, OUTPUT, to_text(text)))
        # While it is quiet an event does not wait for a word that may never end.
        self._write_events(self._redactor.added if quiet or final else self._redactor.given)
        self._flush_cast()

    def _write_events(self, upto: int) -> None:
        while self._events and self._events[0][0] <= upto:
            event = self._events.popleft()[1]
            if event.code == MARKER:
                event = event._replace(data=" ".join(self._redact(event.data).split()))
            self._write(event)

    def _write(self, event: CastEvent) -> None:
        if self._cast_full and event.code == OUTPUT:
            return
        if self._cast_size + len(self._cast_lines) > self._limits.cast_bytes and not self._cast_full:
            self._cast_full = True
            limit = self._limits.cast_bytes
            self._cast.event(CastEvent(event.at, MARKER, f"the recording is full ({limit} bytes)"))
            return
        self._cast.event(event)

    def _flush_cast(self) -> None:
        """Write the gathered lines in one piece; a disk that takes only a part keeps none of it."""
        data, size = bytes(self._cast_lines), self._cast_size
        self._cast_lines.clear()
        if not data:
            return
        written = os.write(self._cast_file, data)
        if written != len(data):
            os.ftruncate(self._cast_file, size)
            raise OSError(28, os.strerror(28))
        self._cast_size += written

    def _fail(self, error: Exception) -> None:
        self._failed = True
        what = error.strerror if isinstance(error, OSError) else f"{type(error).__name__} while redacting"
        self._on_failed(f"the recording of the terminal has stopped: {what}")
        with self._wake:
            while not self._stopping:
                self._queue.clear()
                self._waiting_bytes = 0
                self._wake.wait()
