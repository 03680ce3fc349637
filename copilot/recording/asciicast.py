"""Reading terminal recordings in asciicast v2 and v3, the formats of asciinema and of public players.

Format: https://docs.asciinema.org/manual/asciicast/v2/ and .../v3/. Codes: `o` output, `i` input, `m` marker,
`r` resize, `x` exit status; others are skipped, as the format asks of readers. A file whose last line is cut
(its recorder was killed) is read up to there; any other fault is an error that names the line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Reversible
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from copilot.documents import check_shape
from copilot.errors import InputError
from copilot.plain_files import MIB, is_folder, not_read, read_plain
from copilot.recording.transcript import without_surrogates

OUTPUT = "o"
INPUT = "i"
MARKER = "m"
RESIZE = "r"
EXIT = "x"
KNOWN_CODES = frozenset({OUTPUT, INPUT, MARKER, RESIZE, EXIT})
MOST_AT_ONCE = 128 * MIB
"""Of a recording that is read as a whole; `CastFile` takes a larger one."""
MOST_CELLS_PER_SIDE = 2000
"""A recording that claims a larger screen is refused: it would only fill memory."""


class CastEvent(NamedTuple):
    """One event. `at` is seconds since the recording began, in both versions of the format."""

    at: float
    code: str
    data: str

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines of a resize event. Raises ValueError for anything else."""
        columns, _, lines = self.data.partition("x")
        if self.code != RESIZE or not (columns.isdecimal() and lines.isdecimal()):
            raise ValueError(f"no resize: {self.code!r} {self.data!r}")
        if len(columns) > 5 or len(lines) > 5:
            raise ValueError("a size of more than five digits")
        return int(columns), int(lines)


@dataclass(frozen=True, slots=True)
class CastHeader:
    """What a recording says of itself. `timestamp` is Unix time; `extra` keeps keys that we do not use."""

    columns: int
    lines: int
    version: int = 2
    timestamp: int | None = None
    title: str = ""
    command: str = ""
    terminal_type: str = ""
    idle_limit_seconds: float | None = None
    environment: dict[str, str] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cast:
    """A recording. `torn` means that its last line was cut off and left out."""

    header: CastHeader
    events: tuple[CastEvent, ...]
    torn: bool = False

    @property
    def duration(self) -> float:
        """Seconds until the last event."""
        return self.events[-1].at if self.events else 0.0

    @property
    def exit_status(self) -> int | None:
        """The exit status, if it was recorded as a number."""
        return exit_status_in(self.events)


def exit_status_in(events: Reversible[CastEvent]) -> int | None:
    """The status of the last exit event; None if there is none with a number."""
    status = next((event.data for event in reversed(events) if event.code == EXIT), "")
    digits = status.removeprefix("-")
    return int(status) if digits.isdecimal() and len(digits) < 10 else None


@contextmanager
def cast_errors(path: Path) -> Iterator[None]:
    """Raises InputError for a recording that cannot be read."""
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"{path}: no such recording; give a .cast file or a run of `copilot runs`") from None
    except OSError as error:
        if is_folder(path):
            raise InputError(f"{path}: is a folder; give the .cast file in it") from None
        raise not_read(path, error) from None


def read_cast(path: str | Path) -> Cast:
    """The recording in this file. Raises InputError that names file and line for a file that is not one."""
    path = Path(path)
    with cast_errors(path):
        data = read_plain(path, MOST_AT_ONCE)
    return parse_cast(data, str(path))


def parse_cast(data: bytes, name: str = "recording") -> Cast:
    """The recording in `data`; `name` is its name in error messages. Raises InputError."""
    if not data.strip():
        raise InputError(f"{name}: is empty; an asciicast begins with a header line")
    lines = data.split(b"\n")
    unterminated = lines.pop()
    header = read_header(lines[0] if lines else unterminated, name)
    if not lines:
        return Cast(header, ())
    reader = EventReader(name, relative=header.version == 3)
    read = (reader.event(line, number) for number, line in enumerate(lines[1:], start=2))
    events = [event for event in read if event is not None]
    torn = False
    if unterminated.strip():
        try:
            last = reader.event(unterminated, len(lines) + 1)
        except InputError:
            torn = True
        else:
            events += [last] if last is not None else []
    return Cast(header, tuple(events), torn)


class EventReader:
    """Turns lines into events, one after the other, with their times made absolute and never falling."""

    def __init__(self, name: str, *, relative: bool) -> None:
        self._name = name
        self._relative = relative
        self._at = 0.0

    def event(self, line: bytes, number: int) -> CastEvent | None:
        """The event of a line; None for a comment or a code that we do not know. Raises InputError."""
        if not line.strip() or (self._relative and line.startswith(b"#")):
            return None
        value = _json(line, self._name, number)
        if not isinstance(value, list) or len(value) != 3:
            self._fail(number, 'an event must be a list [seconds, "code", "data"]')
        seconds, code, data = value
        if isinstance(seconds, bool) or not isinstance(seconds, int | float):
            self._fail(number, "the time of an event must be a number of seconds")
        if not 0 <= seconds <= 1e9:
            self._fail(number, f"{str(seconds)[:20]} is no time of an event (0 to 1e9 seconds)")
        if not isinstance(code, str):
            self._fail(number, "the code of an event must be a string")
        self._at = self._at + seconds if self._relative else max(self._at, float(seconds))
        return self._event(code, data, number) if code in KNOWN_CODES else None

    def _event(self, code: str, data: Any, number: int) -> CastEvent:
        if code == EXIT and isinstance(data, int):
            data = str(data)
        if not isinstance(data, str):
            self._fail(number, "the data of an event must be a string")
        # Sums of thousandths drift; nanoseconds are finer than any clock that wrote them.
        event = CastEvent(round(self._at, 9), code, without_surrogates(data))
        if code == RESIZE:
            try:
                columns, lines = event.size
            except ValueError:
                self._fail(number, f'a resize must be "COLUMNSxLINES", not {data[:40]!r}')
            _check_size(columns, lines, f"{self._name}: line {number}")
        return event

    def _fail(self, number: int, what: str) -> NoReturn:
        raise InputError(f"{self._name}: line {number}: {what}")


def _json(line: bytes, name: str, number: int) -> Any:
    try:
        return _DECODER.decode(line.decode())
    except UnicodeDecodeError:
        raise InputError(f"{name}: line {number}: is not UTF-8 text") from None
    except (ValueError, RecursionError):
        raise InputError(f"{name}: line {number}: is not JSON") from None


def _no_constant(word: str) -> NoReturn:
    raise ValueError(word)


_DECODER = json.JSONDecoder(parse_constant=_no_constant)
"""Made once: `json.loads` with an option makes one for each line."""


def read_header(line: bytes, name: str) -> CastHeader:
    """The header in the first line of a recording. Raises InputError."""
    try:
        value = _json(line, name, 1)
    except InputError:
        raise InputError(f"{name}: line 1: is no asciicast header (JSON with a version of 2 or 3)") from None
    try:
        check_shape(value)
    except ValueError as error:
        raise InputError(f"{name}: line 1: {error}") from None
    if not isinstance(value, dict) or value.get("version") not in (2, 3):
        version = value.get("version") if isinstance(value, dict) else None
        hint = "; convert it with `asciinema convert`" if version == 1 else ""
        raise InputError(f"{name}: line 1: asciicast version 2 or 3 is needed, not {version!r:.40}{hint}")
    return _header_v3(value, name) if value["version"] == 3 else _header_v2(value, name)


def _header_v2(value: dict[str, Any], name: str) -> CastHeader:
    environment = _environment(value.get("env"))
    used = {"version", "width", "height", "timestamp", "title", "command", "idle_time_limit", "env"}
    return CastHeader(
        *_size(value, "width", "height", name),
        version=2,
        terminal_type=environment.get("TERM", ""),
        environment=environment,
        extra={key: item for key, item in value.items() if key not in used},
        **_common(value),
    )


def _header_v3(value: dict[str, Any], name: str) -> CastHeader:
    term = value.get("term")
    if not isinstance(term, dict):
        raise InputError(f"{name}: line 1: the header of version 3 needs `term` with `cols` and `rows`")
    used = {"version", "term", "timestamp", "title", "command", "idle_time_limit", "env"}
    extra = {key: item for key, item in value.items() if key not in used}
    extra |= {f"term.{key}": item for key, item in term.items() if key not in {"cols", "rows", "type"}}
    return CastHeader(
        *_size(term, "cols", "rows", name),
        version=3,
        terminal_type=_string(term.get("type")),
        environment=_environment(value.get("env")),
        extra=extra,
        **_common(value),
    )


def _size(value: dict[str, Any], width: str, height: str, name: str) -> tuple[int, int]:
    columns, lines = value.get(width), value.get(height)
    if type(columns) is not int or type(lines) is not int:
        raise InputError(f"{name}: line 1: the header needs `{width}` and `{height}` as whole numbers")
    _check_size(columns, lines, f"{name}: line 1")
    return columns, lines


def _check_size(columns: int, lines: int, where: str) -> None:
    if not (1 <= columns <= MOST_CELLS_PER_SIDE and 1 <= lines <= MOST_CELLS_PER_SIDE):
        raise InputError(
            f"{where}: a screen of {columns}x{lines} is out of range (1 to {MOST_CELLS_PER_SIDE})"
        )


def _common(value: dict[str, Any]) -> dict[str, Any]:
    timestamp, limit = value.get("timestamp"), value.get("idle_time_limit")
    usable = isinstance(timestamp, int | float) and 0 <= timestamp < 1e11
    return {
        "timestamp": int(timestamp) if usable and timestamp is not None else None,
        "title": _string(value.get("title")),
        "command": _string(value.get("command")),
        "idle_limit_seconds": float(limit) if isinstance(limit, int | float) and 0 < limit < 1e9 else None,
    }


def _environment(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        return {}
    return {str(key): _string(item) for key, item in value.items() if isinstance(item, str)}


def _string(value: object) -> str:
    return without_surrogates(value) if isinstance(value, str) else ""
