"""A command that opens nothing: what was typed for its box reaches no program."""

from __future__ import annotations

from typing import Any

from textual import events

from copilot.core.reply import Proposal, Reply
from copilot.tui.screens.notes import KEPT_SECONDS, KeyGuard
from copilot.tui.widgets.status_bar import CompactStrip
from tests.ui.harness import LEADER, begin_again, cockpit
from tests.ui.scenes import busy, permission, question, watched


async def test_what_is_typed_for_a_box_that_did_not_open_reaches_no_program_until_a_while_later() -> None:
    session = watched()
    view = session.view
    async with cockpit(session) as (pilot, screen):
        for command in ("r", "u"):
            await begin_again(pilot, session, view)
            await pilot.press(LEADER, command, *"yes do it")
            session.now += KEPT_SECONDS * 0.9
            await pilot.press("enter")
            assert session.typed == b"" and "that key was not sent" in screen.model.notes[-1], command
            session.now += KEPT_SECONDS * 0.2  # a key that was kept keeps no other one longer
            await pilot.press("x")
            assert session.typed == b"x", command
        for keys in (("escape",), ()):
            await begin_again(pilot, session, view)
            await pilot.press(LEADER, "r", *keys)
            assert session.typed == b""
            session.now += KEPT_SECONDS
            await pilot.press("escape")
            assert session.typed == b"\x1b", keys
        await begin_again(pilot, session, view)
        await pilot.press(LEADER, "r")
        screen.focused.post_message(events.Paste("yes do it"))  # type: ignore[union-attr]
        await pilot.pause()
        assert session.typed == b"" and "paste again" in screen.model.notes[-1]


async def test_what_opens_a_box_takes_keys_as_ever() -> None:
    session = busy()
    async with cockpit(session) as (pilot, _):
        await pilot.press(LEADER, "question_mark", "escape", "a")
        assert session.typed == b"a"


async def test_again_is_not_offered_where_no_model_is_asked() -> None:
    for session, offered in ((permission(), True), (watched(), False)):
        async with cockpit(session, size=(120, 40)) as (_, screen):
            bar: Any = screen.query_one("KeyBar")
            assert any(hint.action == "ask_again" for hint in bar._hints) is offered


def test_no_key_makes_the_time_longer() -> None:
    declined = KeyGuard()
    assert not declined.takes(0.0)
    declined.begin(10.0, "nothing is asked now")
    assert all(declined.takes(10.0 + KEPT_SECONDS * part) for part in (0.0, 0.5, 0.99))
    assert KEPT_SECONDS <= 0.5 and not declined.takes(10.0 + KEPT_SECONDS)


async def test_a_refusal_to_propose_is_no_reply_that_could_be_sent() -> None:
    """Offline rules leave some prompts to the person: a proposal without a reply."""
    session = question()
    left = Proposal(Reply(), reason="no rule covers this", needs_human=True)
    session.show(proposal=left, decision=None)
    async with cockpit(session, size=(80, 24)) as (pilot, screen):
        assert screen.model.reply_to_send(from_panel=True) is None
        strip = str(screen.query_one(CompactStrip).content)
        assert "Enter alone" not in strip and "◆" not in strip
        await pilot.press(LEADER, "s")
        assert not session.calls and screen.model.notes[-1] == "there is no reply to send yet"
