"""The CLI's last message as text: from the screen and what scrolled off it, without marks and wraps."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

import re2

from copilot.core.screen_rules import ScreenForm
from copilot.detection.patterns import compiled, found
from copilot.detection.regions import Regions
from copilot.screen import TerminalScreen
from copilot.screen.hidden import seen_text

MOST_ROWS = 2000
_MOST_WITHOUT_MARK = 200
"""So many rows are taken where the profile does not know how a message begins."""
_RULE = re2.compile(r"^\s*[─━═▔▁]{8,}\s*$")
_OWN_LINE = re2.compile(r"^\s*([-*+•◦▪‣]|\d+[.)]|[a-zA-Z][.)]|[#>|│┃┌├└]|```)(\s|$)")
_SIDE_SPACE = 6
"""So many columns a CLI may leave free at the right of text that it wraps itself."""


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    wrapped: bool
    """The terminal wrapped it into the next one."""


def last_message(screen: TerminalScreen, regions: Regions) -> str:
    """What the CLI said last above its composer; empty if there is nothing."""
    form, columns = regions.rules.form, regions.snapshot.columns
    end, _ = regions.message_end
    wrapped = regions.snapshot.wrapped or (False,) * len(regions.rows)
    lines = [_Line(regions.rows.texts[row], wrapped[row]) for row in range(end + 1)]
    if not regions.snapshot.alternate_screen:
        lines = _past(screen, columns) + lines
    block = _last_block(lines, form)
    return _unwrapped(block, columns, _widest_mark(block, form)).strip("\n")


def _past(screen: TerminalScreen, columns: int) -> list[_Line]:
    kept = len(screen.scrollback)
    rows = (screen.scrollback_row(row).picture_of(columns) for row in range(max(0, kept - MOST_ROWS), kept))
    return [_Line(seen_text(row, screen.theme)[0].replace("\xa0", " ").rstrip(), row.wrapped) for row in rows]


def _last_block(lines: list[_Line], form: ScreenForm) -> list[_Line]:
    """The lines of the last message: from its mark, or from behind what is not the CLI's own words."""
    first = len(lines)
    least = 0 if form.message or form.user else len(lines) - _MOST_WITHOUT_MARK
    while first > max(least, 0):
        text = lines[first - 1].text
        other = form.aside and found(form.aside, text)
        if not other and form.message and found(form.message, text):
            return [line for line in lines[first - 1 :] if not found(form.ignore, line.text)]
        if other or _RULE.search(text) or (form.user and found(form.user, text)):
            break
        first -= 1
    return [line for line in lines[first:] if not found(form.ignore, line.text)]


def _widest_mark(block: list[_Line], form: ScreenForm) -> int:
    """How many columns the mark of the message takes; 0 if it is no mark but the message's first letter."""
    match = compiled(form.message).search(block[0].text) if block and form.message else None
    mark = match.group(0) if match is not None else ""
    return len(mark) if mark[-1:].isspace() and not any(one.isalnum() for one in mark) else 0


def _unwrapped(block: list[_Line], columns: int, mark: int) -> str:
    """The text with its lines as the CLI meant them, as far as that can be known from where they break."""
    if not block:
        return ""
    rows = [_Line(" " * mark + block[0].text[mark:], block[0].wrapped), *block[1:]]
    dedented = textwrap.dedent("\n".join(row.text for row in rows)).split("\n")
    out: list[str] = []
    before: _Line | None = None
    for row, text in zip(rows, dedented, strict=True):
        if before is not None and before.wrapped:
            out[-1] += row.text
        elif before is not None and _runs_on(out[-1], before, text, columns):
            out[-1] = f"{out[-1]} {text.strip()}"
        else:
            out.append(text.rstrip())
        before = row
    return "\n".join(out)


def _runs_on(above: str, before: _Line, text: str, columns: int) -> bool:
    """Whether a line was broken only because its next word had no room."""
    word = text.split(maxsplit=1)[0] if text.strip() else ""
    if not word or not above.strip() or _OWN_LINE.search(text):
        return False
    return len(before.text) + 1 + len(word) > columns - _SIDE_SPACE
