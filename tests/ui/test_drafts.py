"""Alternatives: every reply that was written for a prompt can be looked at and sent until the prompt goes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from textual.events import Key

from copilot.core.reply import Autonomy, Decision, Proposal, Reply, Verdict
from copilot.core.risk import NO_RISK
from copilot.engine.view import SessionView
from copilot.tui.model import CockpitModel
from copilot.tui.widgets.reply_box import ReplyBox
from copilot.tui.widgets.reply_panel import Room, reply_content
from copilot.tui.widgets.reply_summary import reply_summary
from tests.ui.harness import LEADER, cockpit
from tests.ui.scenes import drafts, permission, question, stale, withdrawn

LAST = "Use SQLite for now; keep the access behind one module\nso that we can change it later."


def text_of(model: CockpitModel, *, focused: bool = False, width: int = 76) -> str:
    return reply_content(model, Room(width, 20, focused)).plain


@pytest.mark.parametrize(
    ("keys", "sent"),
    [
        ((LEADER, "s"), LAST),
        ((LEADER, "left", LEADER, "s"), "SQLite."),
        ((LEADER, "p", "left", "left", "enter"), "Use PostgreSQL 16 in a container."),
        ((LEADER, "p", "left", "left", "left", "right", "s"), "SQLite."),
    ],
)
async def test_an_earlier_draft_is_looked_at_and_sent(keys: tuple[str, ...], sent: str) -> None:
    session = drafts()
    async with cockpit(session) as (pilot, screen):
        await pilot.press(*keys[:-1])
        assert sent.splitlines()[0] in text_of(screen.model)
        await pilot.press(keys[-1])
        assert session.calls == [("send", Reply(text=sent))]
        assert session.identities == ["p4"]


async def test_the_panel_and_the_strip_tell_which_draft_it_is() -> None:
    async with cockpit(drafts(), (120, 40)) as (pilot, screen):
        panel = screen.query_one(ReplyBox)
        assert str(panel.border_subtitle) == "draft 3 of 3 · ^] ← → the others"
        await pilot.press(LEADER, "left")
        assert str(panel.border_subtitle).startswith("draft 2 of 3")
        assert "draft 2 of 3" in reply_summary(screen.model, 200).plain
        await pilot.press(LEADER, "e")
        assert panel.editor.text == "SQLite."


async def test_without_another_draft_that_is_said() -> None:
    async with cockpit(question()) as (pilot, screen):
        await pilot.press(LEADER, "left")
        assert screen.model.notes[-1] == "there is no other draft; ^] r has another one written"
    async with cockpit(drafts()) as (pilot, screen):
        await pilot.press(LEADER, "right")
        assert screen.model.notes[-1] == "there is no draft further on"


def model_after(*views: SessionView) -> CockpitModel:
    model = CockpitModel()
    for number, view in enumerate(views):
        model.update(view, float(number))
    return model


def other(view: SessionView, **changes: Any) -> SessionView:
    return replace(view, **changes)


def test_a_draft_outlives_a_failure_but_no_dismissal_typing_prompt_or_governing_prompt() -> None:
    view = question().view
    failed = other(view, proposal=None, decision=None, state_reason="the model is down")
    assert model_after(view, failed).proposal == view.proposal
    assert model_after(view, other(failed, stale="you typed")).proposal is None
    assert model_after(view, other(failed, governing_version=2)).proposal is None
    elsewhere = other(failed, detection=replace(view.detection, identity="another"))
    assert model_after(view, elsewhere).proposal is None


async def test_a_dismissed_draft_is_gone() -> None:
    async with cockpit(drafts()) as (pilot, screen):
        await pilot.press(LEADER, "d")
        await pilot.pause()
        assert screen.model.proposal is None
        await pilot.press(LEADER, "s")
        assert screen.model.notes[-1] == "there is no reply to send yet"


def test_the_same_reply_twice_is_one_draft() -> None:
    view = question().view
    assert view.proposal is not None
    again = other(view, proposal=replace(view.proposal, reason="once more"))
    model = model_after(view, again)
    assert (model.drafts.place, model.proposal) == ("", again.proposal)


def test_what_counts_down_is_what_is_shown() -> None:
    """An older draft in sight while the newest is sent would be a lie."""
    view = question().view
    newer = other(view, proposal=Proposal(Reply(text="SQLite.")))
    model = model_after(view, newer)
    assert model.step_draft(-1) and model.proposal == view.proposal
    model.update(other(newer, countdown_ends_at=99.0, autonomy=Autonomy.FULL), 3.0)
    assert model.proposal == newer.proposal


def test_each_draft_has_the_verdict_that_was_made_of_it() -> None:
    view = permission().view
    milder = Decision(
        9, Verdict.HOLD, "p1", Reply(choice="Yes"), "asked again", "person.asked_again", NO_RISK
    )
    model = model_after(view, other(view, proposal=Proposal(Reply(choice="Yes")), decision=milder))
    assert (model.seen.decision, model.marked_index()) == (milder, 0)
    assert model.step_draft(-1)
    assert (model.seen.decision, model.marked_index()) == (view.decision, 3)


async def test_while_another_is_written_no_draft_is_offered() -> None:
    session = drafts()
    async with cockpit(session) as (pilot, screen):
        await pilot.press(LEADER, "r", *"shorter", "enter")
        await pilot.pause()
        assert session.calls == [("ask_again", "shorter")]
        await pilot.press(LEADER, "left")
        assert "is being written" in text_of(screen.model)
        assert screen.model.reply_to_send(from_panel=True) is None


async def test_an_expired_reply_stays_struck_through_with_the_reason() -> None:
    async with cockpit(stale(), (120, 40)) as (_, screen):
        content = reply_content(screen.model, Room())
        assert content.plain == "✗ expired  the prompt changed before the reply was sent\nit was  No"
        assert any("strike" in str(span.style) for span in content.spans)
        assert reply_summary(screen.model, 200).plain.endswith("was sent  it was  No")


async def test_what_is_still_asked_is_shown_beside_what_expired() -> None:
    """Else Enter in the panel would send an option that nobody sees."""
    session = withdrawn()
    async with cockpit(session, (120, 40)) as (pilot, screen):
        await pilot.press(LEADER, "p")
        shown = text_of(screen.model, focused=True)
        assert shown.startswith("✗ expired  you typed") and "▸ 1 Yes" in shown and "risk high" in shown


def test_the_reason_takes_one_line_and_all_of_it_in_the_panel() -> None:
    view = question().view
    assert view.proposal is not None
    model = model_after(other(view, proposal=replace(view.proposal, reason="because " * 300)))
    assert text_of(model, width=60).splitlines()[-1].endswith("…")
    model = model_after(other(view, proposal=replace(view.proposal, reason="because " * 30)))
    assert text_of(model, focused=True, width=60).count("because") == 30


@pytest.mark.parametrize("place", ["edit", "instruct"])
async def test_what_is_typed_in_one_burst_is_in_the_text_that_enter_sends(place: str) -> None:
    """Characters wait in the editor's queue while Enter is decided at once: it must not overtake them."""
    session = question()
    async with cockpit(session, (120, 40)) as (pilot, _):
        await pilot.press(LEADER, "e" if place == "edit" else "r")
        await pilot.pause()
        if place == "edit":
            await pilot.press("ctrl+a", "ctrl+k", "backspace", "ctrl+u")
        burst = [*(Key(letter, letter) for letter in "pnpm"), Key("enter", "\r")]
        for key in burst:
            pilot.app.post_message(key)
        for _ in range(5):
            await pilot.pause()
        assert session.calls == [
            ("send", Reply(text="pnpm")) if place == "edit" else ("ask_again", "pnpm"),
        ]
