"""`transcript.jsonl`: one record per line, written so that no crash loses what was acknowledged.

A record is one JSON object in one `os.write` to a descriptor in append mode:
`{"v":1,"seq":7,"time":"2026-01-02T03:04:05.678Z","at":12.5,"state":"RUNNING","type":"event.Started","data":{…},`
`"crc":"1a2b3c4d"}`. `seq` counts from 1 without a gap, `at` is seconds of the run's monotonic clock, `crc` is
the CRC-32 of the line without that last field. Source: safety notes (e).
"""

from __future__ import annotations

import json
import os
import zlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from copilot.private_files import open_private, sync_data
from copilot.recording.artifacts import TRANSCRIPT_NAME

# JSON as the run folder writes it: one line, compact, readable, and harmless when shown with `cat`.
#
# Letters of every script stay readable. What could act on a terminal or break a line is escaped: C0 (by
# JSON itself), DEL, C1, line and paragraph separators, bidi controls, and lone surrogates, which UTF-8
# cannot hold.


_ACTING = (*range(0x7F, 0xA0), 0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A), 0xFEFF)
_ESCAPES = {code: f"\\u{code:04x}" for code in (*_ACTING, *range(0xD800, 0xE000))}


def json_text(value: Any, *, indent: int | None = None) -> str:
    """`value` as JSON. Raises ValueError for numbers that JSON has no word for (NaN, infinity)."""
    separators = (",", ":") if indent is None else None
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=separators, indent=indent)
    if text.isprintable():
        return text
    return text.translate(_ESCAPES)


def json_line(value: Any) -> bytes:
    """`value` as one line of UTF-8 JSON with its newline."""
    return json_text(value).encode() + b"\n"


def without_surrogates(text: str) -> str:
    """`text` with each lone surrogate, which no UTF-8 can hold, as a replacement character."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


SCHEMA_VERSION = 1
_CRC_FIELD = b',"crc":"%08x"}'
_CRC_LENGTH = len(_CRC_FIELD % 0)


def sealed(body: bytes) -> bytes:
    """A JSON object with its checksum as last field, and the newline."""
    return body[:-1] + _CRC_FIELD % zlib.crc32(body) + b"\n"


def unsealed(line: bytes) -> bytes | None:
    """The object that was sealed into this line (without newline); None if the checksum does not fit."""
    body = line[:-_CRC_LENGTH] + b"}"
    return body if line[-_CRC_LENGTH:] == _CRC_FIELD % zlib.crc32(body) else None


class TranscriptWriter:
    """Appends records. Raises OSError; then the file ends with the last whole record, if the disk allows."""

    def __init__(self, folder: Path, *, next_sequence: int = 1) -> None:
        self._descriptor = open_private(folder / TRANSCRIPT_NAME, os.O_WRONLY | os.O_APPEND)
        self._sequence = next_sequence
        self._dirty = False

    @property
    def next_sequence(self) -> int:
        """The number that the next record gets."""
        return self._sequence

    def append(self, kind: str, at: float, data: dict[str, Any], *, state: str = "", durable: bool) -> None:
        """Write one record; with `durable` it is on the disk when this returns. Raises OSError."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        record = {
            "v": SCHEMA_VERSION,
            "seq": self._sequence,
            "time": now,
            "at": round(at, 6),
            "state": state,
            "type": kind,
            "data": data,
        }
        line = sealed(json_text(record).encode())
        written = os.write(self._descriptor, line)
        if written != len(line):
            self._take_back(written)
            raise OSError(28, os.strerror(28))
        self._sequence += 1
        self._dirty = True
        if durable:
            self.sync()

    def sync(self) -> None:
        """Have all records on the disk. Raises OSError."""
        if self._dirty and self._descriptor >= 0:
            # Cleared first: a record that another thread appends meanwhile must not pass for synced.
            self._dirty = False
            sync_data(self._descriptor)

    def close(self) -> None:
        """Close the file. Raises OSError."""
        if self._descriptor >= 0:
            try:
                self.sync()
            finally:
                os.close(self._descriptor)
                self._descriptor = -1

    def _take_back(self, written: int) -> None:
        size = os.fstat(self._descriptor).st_size
        os.ftruncate(self._descriptor, size - written)
