"""The compact strip: what decides about sending never falls off, and nothing is told twice."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from textual.content import Content

from copilot.core.risk import RiskLevel
from copilot.tui.describe import why_held_below_risk
from copilot.tui.model import CockpitModel
from copilot.tui.text import cut_at_word
from copilot.tui.widgets.key_bar import KeyBar
from copilot.tui.widgets.reply_summary import reply_is_cut, reply_summary
from copilot.tui.widgets.status_bar import CompactStrip, line_content, strip_content
from tests.ui.harness import cockpit
from tests.ui.scenes import SCENES, countdown, drafts, question, risky


def model_of(scene: str) -> CockpitModel:
    model = CockpitModel()
    model.update(SCENES[scene]().view, 0.0)
    return model


def test_risk_and_why_it_is_held_are_told_before_the_end_of_a_reply() -> None:
    for scene, width in product(("question", "risky"), (60, 78, 100, 200)):
        model = model_of(scene)
        told = reply_summary(model, width).truncate(width, ellipsis=True).plain
        reply, risk, held = (told.index(word) for word in ("◆ ", "risk", "▲ "))
        assert reply < risk < held, (scene, width)
        assert reply_is_cut(model, width) is ("…" in told[:risk]), (scene, width)


async def test_the_panel_stays_among_the_keys_while_it_alone_shows_the_whole_reply() -> None:
    async with cockpit(drafts()) as (_, screen):
        strip = str(screen.query_one(CompactStrip).content).splitlines()[1]
        assert strip.startswith("draft 3 of 3  ◆ ") and "…  ▁ risk none  ▲ at level" in strip
        assert "p panel" in str(screen.query_one(KeyBar).content)


def test_the_one_line_keeps_the_risk_as_well() -> None:
    shown = line_content(model_of("question"), 74.0, 80, "", "^]").plain
    assert "risk none" in shown and shown.endswith(" ^] keys") and len(shown) == 80


async def test_a_countdown_shows_reply_risk_and_seconds_once() -> None:
    async with cockpit(countdown()) as (_, screen):
        first, second = strip_content(screen.model, 74.0, 78).split("\n")
        assert "SENDING" in first.plain
        assert second.plain.startswith("◆ Yes  ▂ risk low  ▶ in 2 s ━")
        assert second.cell_length <= 78
        assert "sends" not in second.plain and "any key" not in second.plain
        assert "accent" in str(second.spans[0].style) and second.plain[second.spans[0].start] == "◆"


def test_a_long_reply_leaves_room_for_risk_and_bar() -> None:
    model = CockpitModel()
    ends = countdown().view.countdown_ends_at
    model.update(replace(question().view, countdown_ends_at=ends, decision=None), 0.0)
    second = strip_content(model, 74.0, 60).split("\n")[1]
    assert "…  ▁ risk none  ▶ in 2 s ━" in second.plain
    assert second.cell_length <= 60


@pytest.mark.parametrize("words", ["{}", "risk high: {}"])
def test_below_the_risk_its_reason_is_not_told_again(words: str) -> None:
    view = risky().view
    assert view.decision is not None and view.decision.risk.level is RiskLevel.HIGH
    model = CockpitModel()
    for end, told in ((" (the ceiling is medium)", "the ceiling is medium"), (" at once", None)):
        reason = words.format(view.decision.risk.reason) + end
        model.update(replace(view, decision=replace(view.decision, reason=reason)), 0.0)
        assert why_held_below_risk(model) == (told or reason)


def test_a_reason_is_cut_behind_a_whole_word() -> None:
    said = "▲ at level suggest, every reply waits for you"
    for width in range(4, 40):
        cut = cut_at_word(Content(said), width).plain
        assert len(cut) <= width and cut.endswith("…"), width
        kept = cut.removesuffix("…")
        assert said.startswith(kept) and kept[-1] not in " ,", width
        assert " " not in kept.strip() or said[len(kept)] in " ,", width
