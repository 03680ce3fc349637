"""`freeze` and `thaw`: the whole state of a terminal kept aside, to go on from it later, and more than once.

A replay keeps one each few hundred kilobytes of output, so that any moment is near one. Rows are packed: a
frozen screen takes some tens of kilobytes and shares nothing that a later write could change.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from copilot.screen.rows import PackedRow, Row
from copilot.screen.screen import TerminalScreen


@dataclass(frozen=True, slots=True)
class FrozenScreen:
    """A screen at one moment. `thaw` makes as many of it as are wanted."""

    size: tuple[int, int, int]
    """Columns, lines and rows of scrollback that are kept."""
    main: tuple[PackedRow, ...]
    alternate: tuple[PackedRow, ...]
    scrollback: tuple[Row | PackedRow, ...]
    on_alternate: bool
    cursor: tuple[int, int, Any]
    state: list[dict[str, Any]]
    decoder: Any


def freeze(screen: TerminalScreen) -> FrozenScreen:
    """The state of `screen`, which may go on. What waits for the child or the application is left out."""
    grid, cursor = screen._terminal.grid, screen.cursor
    for place, row in enumerate(grid.scrollback):
        if isinstance(row, Row):
            grid.scrollback[place] = PackedRow(row)
    return FrozenScreen(
        size=(grid.columns, grid.lines, grid.scrollback.maxlen or 0),
        main=tuple(map(PackedRow, grid.main)),
        alternate=tuple(map(PackedRow, grid.alternate)),
        scrollback=tuple(grid.scrollback),
        on_alternate=grid.on_alternate,
        cursor=(cursor.x, cursor.y, cursor.style),
        state=[{name: copy.copy(getattr(part, name)) for name in names} for part, names in _state(screen)],
        decoder=screen._parser.decoder.getstate(),
    )


def thaw(frozen: FrozenScreen) -> TerminalScreen:
    """A screen that goes on from there, independent of all others."""
    screen = TerminalScreen(*frozen.size)
    for (part, _names), values in zip(_state(screen), frozen.state, strict=True):
        for name, value in values.items():
            _put(part, name, copy.copy(value))
    grid = screen._terminal.grid
    grid.main = [row.unpack() for row in frozen.main]
    grid.alternate = [row.unpack() for row in frozen.alternate]
    grid.rows = grid.alternate if frozen.on_alternate else grid.main
    # Packed rows are only ever replaced, never written to, so they are shared.
    grid.scrollback.extend(frozen.scrollback)
    grid.cursor.x, grid.cursor.y, grid.cursor.style = frozen.cursor
    screen._parser.decoder.setstate(frozen.decoder)
    return screen


def _state(screen: TerminalScreen) -> Iterator[tuple[object, Iterable[str]]]:
    """The parts, and what of them is state beside rows and cursor."""
    terminal = screen._terminal
    yield terminal.modes, vars(terminal.modes)
    yield terminal.grid, ("saved", "tabstops", "top", "bottom", "scrolled_total", "packed_until")
    yield terminal.osc, ("labels", "answer_program_status")
    yield terminal.answers, ("theme",)
    yield terminal.writer, ("last_drawn",)
    yield screen._parser.machine, ("state", "_parameters", "_intermediates", "_pieces", "_length")


def _put(part: object, name: str, value: Any) -> None:
    """Sets are shared by parts, so they are filled and not replaced."""
    if isinstance(value, set):
        kept = getattr(part, name)
        kept.clear()
        kept.update(value)
    else:
        setattr(part, name, value)
