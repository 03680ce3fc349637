"""What a frame of the terminal costs, as ratios to naive `rich.Text` rows in the same run.

`python -m tests.benchmarks.bench_render`. The whole path is measured, to the ANSI string that the driver would
write: strips, overlays and Textual's own crop and filters. Rounds are interleaved, the best counts.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pyte
from rich.console import Group
from rich.style import Style as RichStyle
from rich.text import Text
from textual.geometry import Region
from textual.widget import Widget

from copilot.tui.widgets.terminal import TerminalView
from tests.fakes.fake_session import FakeSession
from tests.ui.harness import app_on
from tests.ui.scenes import output_until

COLUMNS, LINES = 120, 40
ROUNDS = 15


def usual_ui() -> bytes:
    """Runs of 4 to 30 cells, truecolour, absolutely positioned."""
    import random

    source = random.Random(7)
    parts = []
    for row in range(LINES):
        column = 0
        while column < COLUMNS:
            width = min(source.randint(4, 30), COLUMNS - column)
            red, green, blue = (source.randint(0, 255) for _ in range(3))
            text = "".join(source.choice("abcdefgh ") for _ in range(width))
            parts.append(f"\x1b[{row + 1};{column + 1}H\x1b[38;2;{red};{green};{blue}m{text}")
            column += width
    return "".join(parts).encode()


def claude() -> bytes:
    """A permission prompt of Claude Code."""
    return output_until("claude/rm_rf_deny.cast", 12.0)[2]


class NaiveTerminal(Widget):
    """What one writes first, and what textual-terminal 0.3.0 does: on stock pyte, `render` gives one
    `rich.Text` per row, appended cell by cell and styled run by run."""

    pyte_screen: pyte.Screen

    def render(self) -> Group:
        return Group(*(self._row(y) for y in range(LINES)))

    def _row(self, y: int) -> Text:
        row, text, start = self.pyte_screen.buffer[y], Text(no_wrap=True, end=""), 0
        for x in range(COLUMNS):
            text.append(row[x].data)
            if x and row[x][1:] != row[x - 1][1:]:
                text.stylize(_style(row[x - 1]), start, x)
                start = x
        text.stylize(_style(row[COLUMNS - 1]), start, COLUMNS)
        return text


def _style(cell: Any) -> RichStyle:
    foreground, background = (
        f"#{name}"
        if len(name) == 6 and name.isalnum() and not name.isalpha()
        else "default"
        if name == "default"
        else "red"
        for name in (cell.fg, cell.bg)
    )
    return RichStyle(
        color=foreground, bgcolor=background, bold=cell.bold, italic=cell.italics, reverse=cell.reverse
    )


def best(work: Callable[[], None], times: int) -> float:
    """Seconds of one call, the best of some."""
    start = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - start) / times


async def measure(name: str, data: bytes) -> tuple[float, float]:
    """Print and give the ratios: full frame with strips to build, one dirty row."""
    session = FakeSession(COLUMNS, LINES)
    session.screen.feed(data)
    app = app_on(session)
    async with app.run_test(size=(COLUMNS + 1, LINES + 2)) as pilot:
        await pilot.press("ctrl+right_square_bracket", "z")
        await pilot.pause(0.2)
        screen = app.session_screen
        assert screen is not None
        terminal = screen.query_one(TerminalView)
        slow = NaiveTerminal()
        slow.pyte_screen = pyte.Screen(COLUMNS, LINES)
        with suppress(TypeError):
            pyte.ByteStream(slow.pyte_screen).feed(data)
        slow.styles.layer = "over"
        await screen.mount(slow)
        await pilot.pause(0.2)
        assert slow.size.height >= LINES

        def draw(widget: Widget, first: int, height: int) -> None:
            region = Region(0, first, widget.size.width, height)
            widget._set_dirty(region)
            for strip in widget.render_lines(region):
                strip.render(app.console)

        def dirty(rows: range) -> None:
            for y in rows:
                session.screen.visible_row(y).picture = None

        def naive() -> None:
            slow._layout_cache.clear()
            slow._dirty_regions.add(slow.size.region)
            draw(slow, 0, LINES)

        def all_dirty() -> None:
            dirty(range(LINES))
            draw(terminal, 0, LINES)

        def one_dirty() -> None:
            dirty(range(LINES // 2, LINES // 2 + 1))
            draw(terminal, LINES // 2, 1)

        times = {"naive": 9.0, "all": 9.0, "kept": 9.0, "one": 9.0}
        for _ in range(ROUNDS):
            times["naive"] = min(times["naive"], best(naive, 1))
            times["all"] = min(times["all"], best(all_dirty, 2))
            times["kept"] = min(times["kept"], best(lambda: draw(terminal, 0, LINES), 4))
            times["one"] = min(times["one"], best(one_dirty, 20))
    full, one = times["naive"] / times["all"], times["naive"] / times["one"]
    print(
        f"{name:8} rich.Text {times['naive'] * 1e3:6.2f} ms | Line API, all rows dirty {times['all'] * 1e3:5.2f} ms"
        f" = {full:5.1f}x | strips kept {times['kept'] * 1e3:5.2f} ms = {times['naive'] / times['kept']:5.1f}x"
        f" | one row {times['one'] * 1e3:5.3f} ms = {one:5.0f}x"
    )
    return full, one


async def run() -> int:
    """Both screens; 1 if a goal is missed."""
    ratios = [await measure("usual", usual_ui()), await measure("claude", claude())]
    good = min(full for full, _ in ratios) >= 10 and min(one for _, one in ratios) >= 80
    print(f"goals (10x, 80x): {'met' if good else 'MISSED'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(run()))
