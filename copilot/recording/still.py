"""A still: one screen as a recording of a single frame, redacted, that every tool of ours can read.

What the detectors look at is kept: text, styles, soft wraps, the cursor, the title, the child's own report.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import fields

from copilot.core.snapshot import Colour, ScreenSnapshot, Style
from copilot.recording.asciicast import OUTPUT, Cast, CastEvent, CastHeader

RedactLines = Callable[[Sequence[str], Sequence[bool]], list[str]]
"""Rows and which of them run on, to as many rows without their secrets."""

_SGR = {
    "bold": 1,
    "dim": 2,
    "italic": 3,
    "underline": 4,
    "blink": 5,
    "reverse": 7,
    "conceal": 8,
    "strikethrough": 9,
}
_PLAIN = Style()


def still(snapshot: ScreenSnapshot, redact: RedactLines, *, title: str = "", at: float = 0.0) -> Cast:
    """The recording of this one screen; `title` is the recording's own, `at` its only moment, in seconds."""
    header = CastHeader(snapshot.columns, len(snapshot.lines), title=title, terminal_type="xterm-256color")
    return Cast(header, (CastEvent(at, OUTPUT, frame(snapshot, redact)),))


def frame(snapshot: ScreenSnapshot, redact: RedactLines) -> str:
    """The output that draws this screen on an empty terminal of its size."""
    alternate = "\x1b[?1049h\x1b[H" if snapshot.alternate_screen else ""
    rows = redact(snapshot.lines, snapshot.wrapped)
    parts = [alternate]
    for number, (before, after) in enumerate(zip(snapshot.lines, rows, strict=True)):
        goes_on = number < len(snapshot.wrapped) and snapshot.wrapped[number] and len(after) == len(before)
        drawn = _styled_row(snapshot, number) if after == before else after[: snapshot.columns].rstrip()
        last = number == len(rows) - 1
        parts.append(drawn + ("" if last or (goes_on and after == before) else "\r\n"))
    parts.append(_reports(snapshot, redact))
    row, column, visible = snapshot.cursor
    parts.append(f"\x1b[{row + 1};{column + 1}H")
    parts.append("" if visible else "\x1b[?25l")
    return "".join(parts)


def _styled_row(snapshot: ScreenSnapshot, number: int) -> str:
    """One row with its styles. A row that runs on is written to its edge, so that it wraps again."""
    characters, styles = snapshot.characters[number], snapshot.styles[number]
    goes_on = number < len(snapshot.wrapped) and snapshot.wrapped[number]
    used = len(characters)
    while not goes_on and used and characters[used - 1] in (" ", "") and styles[used - 1] == _PLAIN:
        used -= 1
    parts: list[str] = []
    pen = _PLAIN
    for text, style in zip(characters[:used], styles[:used], strict=True):
        if text and style != pen:
            parts.append(_sgr(style))
            pen = style
        parts.append(text)
    return "".join(parts) + ("\x1b[0m" if pen != _PLAIN else "")


def _sgr(style: Style) -> str:
    codes = ["0"]
    for field in fields(style):
        value = getattr(style, field.name)
        if field.name in ("foreground", "background"):
            codes += _colour(value, 38 if field.name == "foreground" else 48)
        elif value:
            codes.append(str(_SGR[field.name]))
    return f"\x1b[{';'.join(codes)}m"


def _colour(colour: Colour, base: int) -> list[str]:
    if isinstance(colour, int):
        return [str(base), "5", str(colour)]
    if colour.startswith("#"):
        return [str(base), "2", *(str(int(colour[place : place + 2], 16)) for place in (1, 3, 5))]
    return []


def _reports(snapshot: ScreenSnapshot, redact: RedactLines) -> str:
    """Title, program status and progress, as the child reported them."""
    parts = []
    if snapshot.title:
        parts.append(f"\x1b]0;{_one(snapshot.title, redact)}\x07")
    status = snapshot.program_status
    if status is not None:
        words = [f"state={status.state}"]
        words += [f"{name}={value}" for name, value in (("app", status.app), ("kind", status.kind)) if value]
        if status.message:
            message = base64.b64encode(_one(status.message, redact).encode()).decode()
            words.append(f"msg={message}")
        parts.append(f"\x1b]7501;{':'.join(words)}\x07")
    if snapshot.progress is not None:
        progress = "3" if snapshot.progress < 0 else f"1;{snapshot.progress}"
        parts.append(f"\x1b]9;4;{progress}\x07")
    return "".join(parts)


def _one(text: str, redact: RedactLines) -> str:
    return redact((text,), (False,))[0]
