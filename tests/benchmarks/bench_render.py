"""What a frame of the terminal costs, as ratios to naive `rich.Text` rows in the same run.

`python -m tests.benchmarks.bench_render`. The whole path is measured for both, from a dirty widget to the ANSI
string that the driver would write. The naive widget goes through Textual's compositor, as any widget does, alone
on a screen. Ours goes the way it goes in the cockpit, its rows straight to the driver; "composed" is the way it
goes under a dialog, through the compositor and all containers of the cockpit. CPU time; rounds are interleaved,
the best counts.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import pyte
from rich.console import Group
from rich.style import Style as RichStyle
from rich.text import Text
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widget import Widget

from copilot.tui.app import CopilotApp
from copilot.tui.widgets.terminal import TerminalView
from tests.fakes.fake_session import FakeSession
from tests.ui.harness import app_on
from tests.ui.scenes import output_until

COLUMNS, LINES = 120, 40
ROUNDS = 15


def usual_ui() -> bytes:
    """Runs of 4 to 30 cells, truecolour, absolutely positioned."""
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


def colour_log() -> bytes:
    """Lines of a log: time, level, module and message, each in one of the sixteen colours."""
    source = random.Random(8)
    lines = []
    for number in range(LINES):
        parts = [f"\x1b[90m12:00:{number:02}\x1b[0m \x1b[1;3{source.randint(1, 6)}mINFO\x1b[0m"]
        width = 14
        while width < COLUMNS - 20:
            word = "".join(source.choice("abcdefgh") for _ in range(source.randint(4, 14)))
            parts.append(f"\x1b[3{source.randint(1, 7)}m{word}\x1b[0m")
            width += len(word) + 1
        lines.append(" ".join(parts))
    return "\r\n".join(lines).encode()


def dense() -> bytes:
    """Each cell with a foreground and background of its own."""
    source = random.Random(9)
    parts = []
    for row in range(LINES):
        parts.append(f"\x1b[{row + 1}H")
        for _ in range(COLUMNS):
            colours = ";".join(str(source.randint(0, 255)) for _ in range(3))
            ground = ";".join(str(source.randint(0, 255)) for _ in range(3))
            parts.append(f"\x1b[38;2;{colours};48;2;{ground}m{source.choice('abcdefgh')}")
    return "".join(parts).encode()


def claude() -> bytes:
    return output_until("claude/rm_rf_deny.cast", 12.0)[2]


STREAMS: dict[str, Callable[[], bytes]] = {
    "usual": usual_ui,
    "log": colour_log,
    "claude": claude,
    "dense": dense,
}
UNJUDGED = {"dense"}
"""No screen of a program looks like it; the reference did not judge it either."""


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


class NaiveScreen(Screen[None]):
    """Only the naive widget."""

    CSS = f"NaiveTerminal {{ width: {COLUMNS}; height: {LINES}; }}"

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.naive = NaiveTerminal()
        self.naive.pyte_screen = pyte.Screen(COLUMNS, LINES)
        with suppress(TypeError):
            pyte.ByteStream(self.naive.pyte_screen).feed(data)

    def compose(self) -> ComposeResult:
        yield self.naive


def composed(app: CopilotApp, screen: Screen[Any], widget: Widget, dirty: Sequence[Any] = ()) -> str:
    """A full frame as Textual's compositor makes it, up to the text that goes to the terminal."""
    for row in dirty:
        row.picture = None
    widget._layout_cache.clear()
    widget._set_dirty()
    screen._compositor.update_widgets({widget})
    update = screen._compositor.render_partial_update()
    assert update is not None
    return update.render_segments(app.console)


def best(work: Callable[[], object], times: int) -> float:
    """Seconds of one call, on the process's clock."""
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) / times


async def measure(name: str, data: bytes) -> tuple[float, float]:
    """Print and give the ratios: full frame with strips to build, one dirty row."""
    session = FakeSession(COLUMNS, LINES)
    app = app_on(session)
    async with app.run_test(size=(COLUMNS + 1, LINES + 2)) as pilot:
        await pilot.pause(0.5)
        await pilot.press("ctrl+right_square_bracket", "z")
        await pilot.pause(0.2)
        screen = app.session_screen
        assert screen is not None
        session.screen.feed(data)
        terminal = screen.query_one(TerminalView)
        naive_screen = NaiveScreen(data)
        naive = naive_screen.naive
        app.install_screen(naive_screen, "naive")
        rows = [session.screen.visible_row(y) for y in range(LINES)]
        written: list[str] = []

        def display(_screen: object, update: Any) -> None:
            if update is not None:
                written.append(update.render_segments(app.console))

        app._display = display  # type: ignore[method-assign,assignment]

        def painted(dirty: list[Any]) -> None:
            for row in dirty:
                row.picture = None
            terminal._paint()

        def kept() -> None:
            terminal._shown.clear()
            terminal._paint()

        works: dict[str, tuple[Callable[[], object], int]] = {
            "all": (lambda: painted(rows), 5),
            "kept": (kept, 20),
            "one": (lambda: painted(rows[LINES // 2 : LINES // 2 + 1]), 50),
            "composed": (lambda: composed(app, screen, terminal, rows), 5),
        }
        times = dict.fromkeys(("naive", *works), 9.0)
        for _ in range(ROUNDS):
            await app.push_screen("naive")
            await pilot.pause()
            assert (naive.size.width, naive.size.height) == (COLUMNS, LINES)
            times["naive"] = min(times["naive"], best(lambda: composed(app, naive_screen, naive), 2))
            await app.pop_screen()
            await pilot.pause()
            assert (terminal.size.width, terminal.size.height) == (COLUMNS + 1, LINES)
            for work, (call, count) in works.items():
                written.clear()
                times[work] = min(times[work], best(call, count))
                assert len(written) in (0, count)
        runs = sum(len(row.picture_of(COLUMNS).starts) for row in rows)
    ratios = {work: times["naive"] / seconds for work, seconds in times.items()}
    print(
        f"{name:7}{runs:5} runs | rich.Text {times['naive'] * 1e3:6.2f} ms"
        f" | all rows dirty {times['all'] * 1e3:5.2f} ms = {ratios['all']:5.1f}x"
        f" (composed {ratios['composed']:4.1f}x)"
        f" | strips kept {times['kept'] * 1e3:5.3f} ms = {ratios['kept']:4.0f}x"
        f" | one row {times['one'] * 1e3:5.3f} ms = {ratios['one']:4.0f}x",
        flush=True,
    )
    return ratios["all"], ratios["one"]


async def run() -> int:
    """All screens; 1 if a goal is missed."""
    os.environ.update(TERM="xterm-256color", COLORTERM="truecolor")
    ratios = {name: await measure(name, make()) for name, make in STREAMS.items()}
    judged = [ratio for name, ratio in ratios.items() if name not in UNJUDGED]
    good = min(full for full, _ in judged) >= 10 and min(one for _, one in judged) >= 80
    print(f"goals (10x, 80x): {'met' if good else 'MISSED'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(run()))
