"""How the terminal gets onto the screen: straight rows, cursor shapes, frame caps, resizes."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from copilot.screen import TerminalScreen
from copilot.tui.host_app import with_columns_fixed
from copilot.tui.themes import PALETTES
from copilot.tui.widgets.ghost import BAR, CursorBlink
from copilot.tui.widgets.pacing import ECHO_FRAMES, ECHO_SECONDS, FOCUSED_FRAMES, FramePacer
from copilot.tui.widgets.terminal import TerminalView
from copilot.tui.widgets.terminal_picture import RowsUpdate, place_of
from tests.fakes.fake_session import FakeSession
from tests.ui.harness import LEADER, cockpit
from tests.ui.scenes import busy, permission

pytestmark = pytest.mark.drawn


class Written:
    """What the application sends to the terminal, update by update."""

    def __init__(self, pilot: Pilot[Any]) -> None:
        self.updates: list[object] = []
        display, app = pilot.app._display, pilot.app

        def listen(screen: Any, update: Any) -> None:
            self.updates.append(update)
            display(screen, update)

        app._display = listen  # type: ignore[method-assign,assignment]
        self.console = app.console

    def rows(self) -> list[str]:
        """What was written past the compositor."""
        return [
            update.render_segments(self.console) for update in self.updates if isinstance(update, RowsUpdate)
        ]


async def test_what_changes_is_written_at_once_and_nothing_else() -> None:
    session = FakeSession()
    async with cockpit(session) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        session.feed(b"one\r\ntwo\r\n\r\nend")
        session.now += 1
        await pilot.pause()
        written = Written(pilot)
        session.feed(b"\x1b[2;1HTWO\x1b[4;4H")
        session.now += 1
        terminal.screen_changed()
        (update,) = written.rows()
        outer = TerminalScreen(80, 24)
        outer.feed(update.encode())
        lines = [line.rstrip() for line in outer.snapshot().lines]
        assert lines[1] == "TWO" and "one" not in "".join(lines)


async def test_a_straight_row_is_what_the_compositor_would_write() -> None:
    session = FakeSession()
    async with cockpit(session, size=(120, 40)) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        session.now += 1
        session.feed("\x1b[31mred\x1b[0m 漢字 \x1b[1;4mbold\x1b[0m\r\n\x1b[48;5;22mx\x1b[K".encode())
        await pilot.pause()
        place = place_of(terminal)
        assert place is not None
        rows = range(terminal.size.height)
        ours, theirs = TerminalScreen(120, 40), TerminalScreen(120, 40)
        ours.feed(RowsUpdate(place, rows, terminal.lines(rows)).render_segments(pilot.app.console).encode())
        full = screen._compositor.render_full_update()
        theirs.feed(full.render_segments(pilot.app.console).replace("\n", "\r\n").encode())
        height = place.y + terminal.size.height
        assert ours.snapshot().rows[place.y : height] == theirs.snapshot().rows[place.y : height]


async def test_text_behind_an_emoji_keeps_its_column_whatever_its_width_outside() -> None:
    """An outer terminal of other widths: each cluster counts as its first code point alone."""
    session = FakeSession()
    async with cockpit(session, size=(120, 40)) as (pilot, screen):
        session.now += 1
        session.feed("old old old\r⚠️ warning 👩‍👩‍👧 e\u0301nd\r\n".encode())
        await pilot.pause()
        terminal = screen.query_one(TerminalView)
        assert terminal.region.x == 0
        text = terminal.render_line(0).render(pilot.app.console)
        outer = TerminalScreen(120, 1)
        sent = with_columns_fixed(f"\x1b[1;1H{text}")
        outer.feed(sent.replace("\ufe0f", "").replace("\u200d", "\u200b").encode())
        shown, inner = outer.snapshot().characters[0], session.screen.snapshot().characters[0]
        gutter = terminal.gutter_width
        for column in (inner.index("w"), inner.index("e\u0301") + 1):
            assert shown[gutter + column : gutter + column + 2] == inner[column : column + 2]


async def test_a_child_that_still_has_more_lines_than_there_is_room_is_not_painted_below() -> None:
    session = FakeSession()
    async with cockpit(session) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        session.now += 1
        await pilot.pause()
        session.screen.resize(80, 60)
        written = Written(pilot)
        session.feed(b"\x1b[60;1Hlast")
        session.now += 1
        terminal.screen_changed()
        height = terminal.size.height
        rows = [row for update in written.updates if isinstance(update, RowsUpdate) for row in update._rows]
        assert all(row < height for row in rows)
        terminal._show_lines({0, 59})
        assert [update._rows for update in written.updates if isinstance(update, RowsUpdate)][-1] == [0]


async def test_under_a_panel_or_a_dialog_the_compositor_paints() -> None:
    session = permission()
    async with cockpit(session) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        assert place_of(terminal) is not None
        await pilot.press(LEADER, "p")
        await pilot.pause(0.1)
        assert place_of(terminal) is None
        await pilot.press("escape")
        await pilot.pause(0.1)
        assert place_of(terminal) is not None
        await pilot.press(LEADER, "question_mark")
        await pilot.pause(0.1)
        assert place_of(terminal) is None
        written = Written(pilot)
        session.now += 1
        session.feed(b"\x1b[1;1Hdrawn under a dialog")
        await pilot.pause(0.1)
        assert written.rows() == []


async def test_a_synchronized_update_is_held_until_its_end() -> None:
    session = FakeSession()
    async with cockpit(session) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        session.now += 1
        written = Written(pilot)
        session.feed(b"\x1b[?2026hhalf")
        terminal.screen_changed()
        assert written.rows() == []
        session.feed(b" whole\x1b[?2026l")
        session.now += 0.16
        await pilot.pause(0.25)
        assert "half whole" in "".join(written.rows())


def test_a_key_lifts_the_cap_for_its_echo() -> None:
    pacer = FramePacer()
    pacer.painted(10.0)
    assert pacer.wait(10.001, synchronized=False) == pytest.approx(1 / FOCUSED_FRAMES - 0.001)
    pacer.typed(10.001)
    assert pacer.wait(10.001, synchronized=False) == pytest.approx(1 / ECHO_FRAMES - 0.001)
    assert pacer.wait(10.0085, synchronized=False) == 0.0
    late = 10.002 + ECHO_SECONDS
    pacer.painted(late)
    assert pacer.wait(late, synchronized=False) == pytest.approx(1 / FOCUSED_FRAMES)


async def test_frame_caps_by_focus_and_sight() -> None:
    async with cockpit(permission()) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        assert terminal._frames() == 30
        await pilot.press(LEADER, "p")
        await pilot.pause()
        assert terminal._frames() == 10
        await pilot.press("escape", LEADER, "question_mark")
        await pilot.pause()
        assert terminal._frames() == 2


class Stopped:
    """A timer that never fires."""

    def stop(self) -> None:
        pass


FOREGROUND, BACKGROUND = PALETTES["copilot-dark"].foreground, PALETTES["copilot-dark"].background


CURSORS = {
    **dict.fromkeys((b"", b"\x1b[0 q", b"\x1b[1 q", b"\x1b[2 q"), (" ", BACKGROUND, FOREGROUND, False)),
    **dict.fromkeys((b"\x1b[3 q", b"\x1b[4 q"), (" ", FOREGROUND, BACKGROUND, True)),
    **dict.fromkeys((b"\x1b[5 q", b"\x1b[6 q"), (BAR, FOREGROUND, BACKGROUND, False)),
    b"\x1b[?25l": (" ", FOREGROUND, BACKGROUND, False),
}
"""Text, foreground, background and underline of the cell of a cursor of each shape."""


async def test_shapes_of_the_cursor() -> None:
    session = FakeSession()
    async with cockpit(session) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        terminal.focus()

        async def cell(data: bytes, column: int) -> tuple[str, str, str, bool]:
            session.now += 1
            session.feed(b"\x1bcab c\x1b[1;3H" + data)
            await pilot.pause()
            outer = TerminalScreen(80, 1)
            outer.feed(terminal.render_line(0).render(pilot.app.console).encode())
            found = outer.snapshot().rows[0][column + terminal.gutter_width]
            return found.text, str(found.foreground), str(found.background), found.underline

        for shape, wanted in CURSORS.items():
            assert await cell(shape, 2) == wanted, shape
            if wanted[0] == BAR:
                text, _, background, _ = await cell(shape + b"\x1b[1;4H", 3)
                assert text == "c" and background not in (BACKGROUND, FOREGROUND), "it hides no character"


async def test_cursor_without_focus_is_faint() -> None:
    session = permission()
    session.screen.feed(b"\x1b[2J\x1b[1;1H\x1b[?25h")
    async with cockpit(session, size=(120, 40)) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        session.show(proposal=None, detection=busy().view.detection)
        await pilot.press(LEADER, "p")
        await pilot.pause()
        outer = TerminalScreen(121, 1)
        outer.feed(terminal.render_line(0).render(pilot.app.console).encode())
        assert outer.snapshot().rows[0][terminal.gutter_width].background not in (FOREGROUND, BACKGROUND)


def test_a_cursor_blinks_only_if_asked_and_not_for_ever() -> None:
    screen, blink = TerminalScreen(10, 2), CursorBlink()
    assert not blink.restart(screen) and blink.shown
    screen.feed(b"\x1b[5 q")
    assert blink.restart(screen)
    assert blink.tick(screen)
    assert _shown(blink) is False
    assert blink.restart(screen)
    assert _shown(blink) is True
    ticks = 0
    while blink.tick(screen):
        ticks += 1
        assert ticks < 1000
    assert _shown(blink) is True
    screen.feed(b"\x1b[2 q")
    assert not blink.restart(screen)


def _shown(blink: CursorBlink) -> bool:
    """Asked anew: a checker takes an attribute for what it was."""
    return blink.shown


async def test_dragging_a_window_resizes_the_child_once_it_rests() -> None:
    session = FakeSession()
    async with cockpit(session) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        await pilot.pause(0.1)
        before, asked = len(session.sizes), []
        terminal.set_timer = lambda seconds, call: asked.append(call) or Stopped()  # type: ignore
        for width in (90, 95, 100, 105):
            await pilot.resize_terminal(width, 24)
        assert asked and len(session.sizes) == before
        asked[-1]()
        assert session.sizes[before:] == [(104, 20)]
