"""`freeze` and `thaw`: the whole state of a terminal kept aside, to go on from it later, and more than once.

A replay keeps one each few hundred kilobytes of output, so that any moment is near one. Rows are packed: a
frozen screen takes some tens of kilobytes and shares nothing that a later write could change.
"""

from __future__ import annotations

import copy
from collections import deque
from dataclasses import dataclass
from typing import Any

from copilot.screen.cursor import TerminalCursor
from copilot.screen.rows import SPACER, Row
from copilot.screen.screen import TerminalScreen
from copilot.screen.scrollback import PackedRow, unpacked
from copilot.screen.tokens import Machine

_ROWS = frozenset({"_main", "_alternate"})
_MADE_ANEW = frozenset({"_rows", "cursor", "_machine", "_decode", "_last", "_styles", "_replies", "_events"})
"""What a thawed screen has of its own."""
_MACHINE = ("state", "_parameters", "_intermediates", "_pieces", "_length")

_FrozenRow = PackedRow | Row


@dataclass(frozen=True, slots=True)
class FrozenScreen:
    """A screen at one moment. `thaw` makes as many of it as are wanted."""

    state: dict[str, Any]
    main: tuple[_FrozenRow, ...]
    alternate: tuple[_FrozenRow, ...]
    scrollback: tuple[_FrozenRow, ...]
    most_scrollback: int
    on_alternate: bool
    cursor: tuple[int, int, Any]
    machine: tuple[Any, ...]
    decoder: Any


def freeze(screen: TerminalScreen) -> FrozenScreen:
    """The state of `screen`, which may go on. What waits for the child or the application is left out."""
    state = {
        name: copy.copy(value)
        for name, value in vars(screen).items()
        if name not in _ROWS | _MADE_ANEW | {"scrollback", "_keyboards"}
    }
    state["_keyboards"] = [copy.copy(stack) for stack in screen._keyboards]
    cursor = screen.cursor
    for place, row in enumerate(screen.scrollback):
        if isinstance(row, Row) and not _holds_spacer(row):
            screen.scrollback[place] = PackedRow(row)
    return FrozenScreen(
        state=state,
        main=tuple(map(_frozen, screen._main)),
        alternate=tuple(map(_frozen, screen._alternate)),
        scrollback=tuple(_copied(row) if isinstance(row, Row) else row for row in screen.scrollback),
        most_scrollback=screen.scrollback.maxlen or 0,
        on_alternate=screen.alternate_screen,
        cursor=(cursor.x, cursor.y, cursor.style),
        machine=tuple(copy.copy(getattr(screen._machine, name)) for name in _MACHINE),
        decoder=screen._decode.__self__.getstate(),  # type: ignore[attr-defined]
    )


def thaw(frozen: FrozenScreen) -> TerminalScreen:
    """A screen that goes on from there, independent of all others."""
    state = frozen.state
    screen = TerminalScreen(state["columns"], state["lines"], answer_program_status=False)
    for name, value in state.items():
        setattr(screen, name, copy.copy(value))
    screen._keyboards = [copy.copy(stack) for stack in state["_keyboards"]]
    screen._main = [_thawed(row) for row in frozen.main]
    screen._alternate = [_thawed(row) for row in frozen.alternate]
    screen._rows = screen._alternate if frozen.on_alternate else screen._main
    # Packed rows are only ever replaced, never written to, so they are shared.
    rows = (_copied(row) if isinstance(row, Row) else row for row in frozen.scrollback)
    screen.scrollback = deque(rows, maxlen=frozen.most_scrollback)
    x, y, style = frozen.cursor
    screen.cursor = TerminalCursor(screen, style)
    screen.cursor.x, screen.cursor.y = x, y
    screen._machine = Machine(screen)
    for name, value in zip(_MACHINE, frozen.machine, strict=True):
        setattr(screen._machine, name, copy.copy(value))
    screen._decode.__self__.setstate(frozen.decoder)  # type: ignore[attr-defined]
    screen._dirty, screen._seen_pictures, screen._last = set(), [], None
    return screen


def _holds_spacer(row: Row) -> bool:
    return row.length < 0 and bool(row.cells) and row.cells[-1] is SPACER


def _frozen(row: Row) -> _FrozenRow:
    """Packed, but for a row whose last cell could then not be told from a written blank."""
    return _copied(row) if row.length >= 0 or _holds_spacer(row) else PackedRow(row)


def _thawed(row: _FrozenRow) -> Row:
    return _copied(row) if isinstance(row, Row) else unpacked(row)


def _copied(row: Row) -> Row:
    if row.length < 0:
        new = Row(list(row.cells), list(row.pens))
    else:
        new = Row()
        new.pieces, new.length = list(row.pieces), row.length
    new.wrapped, new.plain = row.wrapped, row.plain
    return new
