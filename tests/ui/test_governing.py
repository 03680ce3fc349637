"""The governing prompt edited in place: taken by one key, refused with the words kept, left as it was."""

from __future__ import annotations

from textual.widgets import Static, TextArea

from copilot.core.events import GoverningPromptChanged
from copilot.tui.run_line import RunLine
from copilot.tui.screens.context import ContextScreen
from copilot.tui.screens.session import SessionScreen
from copilot.tui.widgets.context_panel import context_whole
from tests.ui.harness import LEADER, cockpit
from tests.ui.scenes import busy, permission


async def test_what_is_written_governs() -> None:
    session = permission()
    before = session.view.governing_prompt
    async with cockpit(session) as (pilot, _):
        await pilot.press(LEADER, "c", "e")
        editor = pilot.app.screen.query_one(TextArea)
        assert editor.text == before
        assert pilot.app.focused is editor
        await pilot.press("enter", *"be q", "ctrl+s")
        await pilot.pause()
        assert session.calls == [("set_governing_prompt", f"{before}\nbe q")]
        assert isinstance(pilot.app.screen, SessionScreen)
        assert session.typed == b""
    assert "governing prompt: version 2" in context_whole(session.view).plain


async def test_what_is_refused_stays_to_be_corrected() -> None:
    session = busy()
    async with cockpit(session) as (pilot, _):
        await pilot.press(LEADER, "c", "e")
        pilot.app.screen.query_one(TextArea).load_text(" ")
        await pilot.press("ctrl+s")
        await pilot.pause()
        assert isinstance(pilot.app.screen, ContextScreen)
        note = pilot.app.screen.query_one("#governing-note", Static)
        assert "it is empty" in str(note.render())
        assert pilot.app.focused is pilot.app.screen.query_one(TextArea)


async def test_esc_leaves_it_as_it_was_and_then_closes() -> None:
    session = busy()
    async with cockpit(session) as (pilot, _):
        await pilot.press(LEADER, "c", "e", "x", "escape")
        assert isinstance(pilot.app.screen, ContextScreen)
        await pilot.press("e")
        assert pilot.app.screen.query_one(TextArea).text == session.view.governing_prompt
        await pilot.press("escape", "escape")
        await pilot.pause()
        assert isinstance(pilot.app.screen, SessionScreen)
        assert session.calls == []


async def test_what_could_move_the_terminal_is_not_loaded() -> None:
    session = busy()
    session.show(governing_prompt="be kind\x1b[2J\nalways")
    async with cockpit(session) as (pilot, _):
        await pilot.press(LEADER, "c", "e")
        text = pilot.app.screen.query_one(TextArea).text
        assert "\x1b" not in text
        assert text.endswith("\nalways")


def test_it_leaves_a_mark_on_the_line_of_the_run() -> None:
    line = RunLine()
    line.step(GoverningPromptChanged(at=3.0, number=2, file="f", sha256="0"), 3.0, tuple)
    (mark,) = line.marks()
    assert mark.label == "governing prompt, version 2"
