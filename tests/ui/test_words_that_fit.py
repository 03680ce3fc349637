"""What a person writes is offered only where it can go, and is never lost."""

from __future__ import annotations

from itertools import product

from textual.widgets import Static

from copilot.core.detection import Detection, Option
from copilot.core.risk import NO_RISK, Risk, RiskLevel
from copilot.core.screen_kinds import ScreenKind
from copilot.core.states import RunState
from copilot.tui.keymap import Place
from copilot.tui.screens.session import SessionScreen
from copilot.tui.widgets.key_bar import KeyBar
from copilot.tui.widgets.reply_box import ReplyBox
from tests.fakes.fake_session import FakeSession
from tests.ui.harness import LEADER, begin_again, cockpit
from tests.ui.scenes import menu, permission, question, with_view

HIGH = Risk(RiskLevel.HIGH, ("deletes much at once",), "risk.words", "Delete everything")


def _asks(kind: ScreenKind) -> FakeSession:
    return with_view(
        question(), detection=Detection(kind, question="?", identity="q1"), proposal=None, decision=None
    )


async def test_no_editor_opens_where_no_words_can_go() -> None:
    session = _asks(ScreenKind.MENU)
    async with cockpit(session, (120, 30)) as (pilot, screen):
        for kind, keys in product((ScreenKind.MENU, ScreenKind.EDITOR, ScreenKind.PAGER), ("e", "pe")):
            await begin_again(pilot, session, _asks(kind).view)
            assert not any(hint.action == "edit" for hint in screen.query_one(KeyBar)._hints), kind
            await pilot.press(LEADER, *keys)
            assert screen.place is Place.TERMINAL, (kind, keys)
            assert screen.model.notes[-1].startswith("words are never typed at "), (kind, keys)
            await pilot.press(*"words")
            assert session.typed == b"" and session.calls == [], (kind, keys)


async def test_what_was_written_stands_there_when_the_editor_opens_again() -> None:
    session = question()
    async with cockpit(session) as (pilot, screen):
        editor = screen.query_one(ReplyBox).editor
        await pilot.press(LEADER, "e", *" too")
        written = editor.text
        await pilot.press("escape", "escape", LEADER, "e")
        assert editor.text == written and written.endswith(" too")
        await pilot.press("enter")
        await pilot.pause()
        session.show(state=RunState.HELD)  # it could not be typed
        await pilot.press(LEADER, "e")
        assert editor.text == written


async def test_what_was_written_to_another_prompt_is_a_key_away() -> None:
    session = question()
    async with cockpit(session) as (pilot, screen):
        editor = screen.query_one(ReplyBox).editor
        await pilot.press(LEADER, "e", *" too")
        written = editor.text
        session.show(detection=Detection(ScreenKind.QUESTION, question="And?", identity="q9"))
        await pilot.pause()
        await pilot.press("escape", "escape", LEADER, "e")
        assert editor.text != written
        await pilot.press("ctrl+p")
        assert editor.text == written


async def test_who_takes_no_instruction_is_asked_again_without_a_line_for_one() -> None:
    session = with_view(permission(), takes_instructions=False, provider="rules")
    for keys in ((LEADER, "r"), (LEADER, "p", "r")):
        session.calls.clear()
        async with cockpit(session) as (pilot, screen):
            await pilot.press(*keys)
            assert session.calls == [("ask_again", "")] and screen.place is Place.TERMINAL
            assert screen.model.notes[-1] == "asked again; offline rules take no instruction"
            await pilot.press(*"shorter", "enter")
            assert session.typed == b"" and session.calls == [("ask_again", "")]


def _told(screen: SessionScreen) -> str:
    return str(screen.query_one("#reply-text", Static).content)


async def test_the_risk_is_that_of_the_marked_option() -> None:
    options = tuple(
        Option(word, key=str(number)) for number, word in enumerate(("Build", "Delete everything", "Quit"), 1)
    )
    asked = Detection(ScreenKind.MENU, question="Choose [1-3]:", options=options, identity="m1")
    session = with_view(
        menu(), detection=asked, proposal=None, decision=None, option_risks=(NO_RISK, HIGH, NO_RISK)
    )
    async with cockpit(session, (120, 30)) as (pilot, screen):
        await pilot.press(LEADER, "p")
        assert "risk high" not in _told(screen)
        await pilot.press("2")
        assert "the marked one: ▆ risk high  deletes much at once" in _told(screen)
        await pilot.press("3")
        assert "risk high" not in _told(screen) and "the marked one: ▁ risk none" in _told(screen)
