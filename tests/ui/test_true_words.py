"""What panels say is true: of whoever wrote the reply, of what was allowed, and of what nobody could see."""

from __future__ import annotations

from dataclasses import replace

import pytest

from copilot.core.detection import SAID_ABOVE, Detection, Option, Subject
from copilot.core.provider_registry import what_it_saw
from copilot.core.screen_kinds import ScreenKind
from copilot.guard.command_risk import judge_command
from copilot.guard.grants import Grant, GrantLine
from copilot.guard.prompts import assess
from copilot.guard.scope import ProjectScope
from copilot.tui.model import CockpitModel
from copilot.tui.widgets.context_panel import ContextPanel, context_summary
from copilot.tui.widgets.reply_panel import Room, reply_content
from copilot.tui.widgets.risk_text import risk_block
from copilot.tui.widgets.status_bar import fitted_note, status_content
from tests.ui.harness import LEADER, cockpit
from tests.ui.scenes import menu, permission, with_view

SCOPE = ProjectScope(cwd="/home/me/shop", home="/home/me")


def test_what_one_can_do_is_the_last_of_a_note_to_be_cut() -> None:
    note = "no grant names exactly this; it is yours to send: deletes a folder · that key was not sent"
    for room in range(50, 90):
        shown = fitted_note(note, room).plain
        assert shown.endswith(" · that key was not sent") and len(shown) <= room, room
        assert shown.startswith("no grant"), room


def test_the_hint_of_a_note_is_whole_in_eighty_columns() -> None:
    note = "at level watch, no model is asked · that key was not sent"
    assert note in status_content(CockpitModel(permission().view), 74.0, 80, note).plain


async def test_rules_are_called_no_model() -> None:
    async with cockpit(with_view(permission(), provider="rules"), (200, 60)) as (pilot, screen):
        assert screen.query_one(ContextPanel).border_title == "what the rules saw"
        told = context_summary(screen.model.view).plain
        assert "no model is asked" in told and "tokens" not in told
        await pilot.press(LEADER, "c")
        await pilot.pause()
        assert pilot.app.screen.query_one("#context-page").border_title == "what the rules saw"
    assert what_it_saw("playbook") == "what the playbook saw"
    assert what_it_saw("anthropic") == what_it_saw("") == "what the model saw"


@pytest.mark.parametrize(
    ("rule", "left", "words"),
    [
        ("shell:rm -rf build", None, "allowed by you for this run, else high: deletes"),
        ("shell[times=1]:rm -rf build", 1, "allowed by you once, else high: deletes"),
    ],
)
def test_what_was_allowed_says_so_beside_its_lower_risk(rule: str, left: int | None, words: str) -> None:
    risk = judge_command("rm -rf build", SCOPE, (Grant.parse(rule),))
    view = replace(permission().view, risk=risk, decision=None, proposal=None)
    view = replace(view, grants=(GrantLine(rule, "open", 0, left, None, "you"),))
    told = risk_block(view, 100)[0].plain
    assert "risk medium" in told and words in told


def test_until_when_is_told() -> None:
    rule = "shell[for=30m]:rm -rf build"
    risk = judge_command("rm -rf build", SCOPE, (Grant.parse("shell:rm -rf build"),))
    view = replace(permission().view, risk=replace(risk, grants=(rule,)), decision=None)
    view = replace(view, grants=(GrantLine(rule, "open", 0, None, 1_800_000_000.0, "you"),))
    assert "allowed by you until " in risk_block(view, 100)[0].plain


def test_what_is_not_seen_is_no_contradiction_to_a_model_that_says_it() -> None:
    subject = Subject(SAID_ABOVE, "", cut=True)
    for kind, about in ((ScreenKind.YES_NO, subject), (ScreenKind.PERMISSION, None)):
        reason = assess(Detection(kind, question="Continue?", subject=about), SCOPE).reason
        assert "copilot cannot see for itself what this" in reason


def test_a_long_list_without_a_proposal_takes_few_rows_until_keys_go_there() -> None:
    session = menu()
    options = tuple(Option(str(number), selected=number == 1) for number in range(1, 40))
    detection = replace(session.view.detection, options=options)
    view = replace(session.view, detection=detection, proposal=None, decision=None)
    model = CockpitModel(view)
    at_rest = reply_content(model, Room(80, 20)).plain
    assert "1-3 of 39" in at_rest
    assert "1-3 of 39" not in reply_content(model, Room(80, 20, focused=True)).plain
