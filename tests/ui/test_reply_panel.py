"""The reply panel in the running cockpit: keys as they are pressed where one is, and no row is wasted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from textual.widgets import Static

from copilot.core.states import RunState
from copilot.tui.options import UiOptions, changed
from copilot.tui.widgets.reply_box import ReplyBox
from copilot.tui.widgets.status_bar import CompactStrip
from copilot.tui.widgets.terminal import TerminalView
from tests.ui.harness import LEADER, cockpit
from tests.ui.scenes import SCENES, countdown, log, permission, question


@pytest.mark.parametrize(
    ("keys", "there", "in_panel"),
    [
        ({}, "or ^] e to write one here", "or e to write one here"),
        (
            {"leader": {"edit": "ctrl+t"}, "reply": {"edit": "ctrl+t"}},
            "or ^] ^T to write one here",
            "or ^T to write one here",
        ),
    ],
)
async def test_the_key_to_write_a_reply_is_told_as_it_is_pressed_there(
    keys: dict[str, Any], there: str, in_panel: str
) -> None:
    session = question()
    session.view = replace(session.view, proposal=None, decision=None)
    options = UiOptions(keymap=changed(keys, "keymap.toml"))
    async with cockpit(session, (120, 40), options=options) as (pilot, screen):
        for told in (there, in_panel):
            shown = " ".join(str(screen.query_one("#reply-text", Static).content).split())
            assert f"type in the terminal, {told}." in shown
            await pilot.press(LEADER, "p")
            await pilot.pause()


async def test_an_open_instruction_costs_the_reason_no_row() -> None:
    async with cockpit(permission(), (120, 40)) as (pilot, screen):
        text = screen.query_one("#reply-text", Static)
        reason = str(text.content).split("≡ why")[1]
        await pilot.press(LEADER, "r")
        await pilot.pause()
        assert str(text.content).split("≡ why")[1] == reason
        panel, line = screen.query_one(ReplyBox), screen.query_one("#reply-instruction")
        assert line.region.bottom == panel.region.bottom - 1
        assert not panel.show_vertical_scrollbar


@pytest.mark.parametrize("scene", ["risky", "permission"])
async def test_the_mark_of_the_choice_stands_at_its_row(scene: str) -> None:
    async with cockpit(SCENES[scene](), (120, 40)) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        for size, column in (((120, 40), 0), ((80, 24), -1)):
            await pilot.resize_terminal(*size)
            await pilot.pause(0.1)
            assert terminal.evidence.choice is not None
            row = terminal.render_line(terminal.evidence.choice)
            assert row.text.rstrip()[column] == "◆", size


async def test_a_reason_that_is_why_it_is_held_is_said_once() -> None:
    session = question()
    proposal, decision = session.view.proposal, session.view.decision
    assert proposal is not None and decision is not None
    reason = "offline rules do not cover this list"
    session.show(proposal=replace(proposal, reason=reason), decision=replace(decision, reason=reason))
    async with cockpit(session, (120, 40)) as (_, screen):
        told = " ".join(str(screen.query_one("#reply-text", Static).content).split())
        assert told.count(reason) == 1 and f"▲ held {reason}" in told


async def test_the_mark_of_the_choice_tells_proposed_picked_and_sending_as_the_panel_does() -> None:
    session = permission()
    async with cockpit(session, (120, 40)) as (pilot, screen):
        terminal = screen.query_one(TerminalView)

        def shape() -> str:
            assert terminal.evidence.choice is not None
            return terminal.render_line(terminal.evidence.choice).text[0]

        assert shape() == "◆"
        screen.model.move_mark(-1)
        terminal.show_evidence(screen.model)
        assert shape() == "▸"
        screen.model.move_mark(1)
        session.show(state=RunState.ANSWERING)
        await pilot.pause()
        assert shape() == "▶"


async def test_the_border_of_a_countdown_is_not_that_of_a_reply_nobody_waits_for() -> None:
    session = countdown()
    async with cockpit(session, (120, 40)) as (pilot, screen):
        panel = screen.query_one(ReplyBox)
        counting = panel.styles.border_top
        bar = str(screen.query_one("#reply-countdown", Static).content)
        assert "any key stops it" in bar
        session.show(countdown_ends_at=None)
        await pilot.pause()
        assert panel.styles.border_top != counting
        assert counting[1].hex.lower() == screen.app.theme_variables["accent"].lower()


async def test_while_keys_look_back_nobody_is_told_to_type() -> None:
    async with cockpit(log()) as (pilot, screen):
        strip, panel = screen.query_one(CompactStrip), screen.query_one("#reply-text", Static)
        said = str(strip.content)
        assert "type in the terminal" in said
        await pilot.press(LEADER, "v")
        await pilot.pause()
        assert "keys look back; Esc returns" in str(strip.content)
        assert "type in the terminal" not in str(panel.content)
        await pilot.press("escape")
        await pilot.pause()
        assert str(strip.content) == said
