"""`ScreenSnapshot`: an immutable picture of the emulated screen at one moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class TtyFacts:
    """Facts about the pseudo-terminal; None where the platform does not report them.

    `reading`: a process of the foreground group is blocked reading the terminal (Linux: /proc).
    `echo`, `canonical`: the line discipline's flags. `foreground`: the name of the foreground program.
    """

    reading: bool | None = None
    echo: bool | None = None
    canonical: bool | None = None
    foreground: str | None = None


UNKNOWN_FACTS = TtyFacts()


Colour = int | str
"""`"default"`, a palette index 0 to 255, or `"#rrggbb"`."""


@dataclass(frozen=True)
class Style:
    """How a cell looks. Screens intern their styles, so equal styles are usually the same object."""

    foreground: Colour = "default"
    background: Colour = "default"
    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: bool = False
    reverse: bool = False
    strikethrough: bool = False
    blink: bool = False
    conceal: bool = False


DEFAULT_STYLE = Style()


class Cell(NamedTuple):
    """One cell. A blank cell's text is `" "`; the second half of a wide character has `""`."""

    text: str
    foreground: Colour = "default"
    background: Colour = "default"
    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: bool = False
    reverse: bool = False
    strikethrough: bool = False
    blink: bool = False
    conceal: bool = False


class Cursor(NamedTuple):
    """Where the cursor is, counted from 0, and whether it is shown."""

    row: int
    column: int
    visible: bool


@dataclass(frozen=True, slots=True)
class ProgramStatus:
    """What the child reports of itself by OSC 7501 (Program Status Protocol).

    `state` is one of idle, working, blocked, done, error, clear; `kind` refines blocked
    (permission, question); `message` is the decoded text, empty if none was sent.
    """

    state: str
    kind: str = ""
    message: str = ""
    app: str = ""


@dataclass(frozen=True)
class ScreenSnapshot:
    """The visible screen. `characters[r][c]` and `styles[r][c]` are parallel, exactly `columns` wide.

    `revision` grows with every change of the screen; equal revisions of one screen are equal pictures.
    `wrapped[r]` means that row r runs on into row r + 1 (a soft wrap).
    `synchronized` means that the child is inside a synchronized update (mode 2026): a half-drawn frame.
    """

    columns: int
    lines: tuple[str, ...]
    """Visible rows as text: wide characters once, padded with spaces to the width."""
    characters: tuple[tuple[str, ...], ...]
    styles: tuple[tuple[Style, ...], ...]
    cursor: Cursor
    title: str = ""
    alternate_screen: bool = False
    revision: int = 0
    wrapped: tuple[bool, ...] = ()
    synchronized: bool = False
    bracketed_paste: bool = False
    application_cursor_keys: bool = False
    program_status: ProgramStatus | None = None
    progress: int | None = None
    """OSC 9;4: None when no progress is shown, -1 when it is indeterminate, else per cent."""
    struck: frozenset[int] = field(default=frozenset(), compare=False)
    """Rows in which text was written over before anybody could see it."""
    padded: Mapping[int, int] = field(default_factory=dict, compare=False)
    """How many blanks were written behind the text of a row, for rows that end in some."""

    @cached_property
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """The cells, made when first asked for: tuples of exactly `columns` cells."""
        return tuple(
            tuple(
                Cell(
                    text,
                    style.foreground,
                    style.background,
                    style.bold,
                    style.dim,
                    style.italic,
                    style.underline,
                    style.reverse,
                    style.strikethrough,
                    style.blink,
                    style.conceal,
                )
                for text, style in zip(characters, styles, strict=True)
            )
            for characters, styles in zip(self.characters, self.styles, strict=True)
        )
