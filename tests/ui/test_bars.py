"""What the bars and panels say in few words: folders, levels, why there is nothing, how sure it is."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from textual.widgets import Static

from copilot.core.detection import Detection, EvidenceSource
from copilot.core.reply import AnswerForm, Autonomy, PromptPart, ReplyRequest
from copilot.core.screen_kinds import ScreenKind
from copilot.engine.view import SessionView
from copilot.tui.layout import LayoutPreferences
from copilot.tui.model import CockpitModel
from copilot.tui.text import clean
from copilot.tui.widgets.context_panel import context_summary, context_whole
from copilot.tui.widgets.detector_panel import detector_content
from copilot.tui.widgets.key_bar import KeyBar
from copilot.tui.widgets.status_bar import StatusBar, line_content, short_folder, status_content
from copilot.tui.widgets.terminal import TerminalView
from tests.ui.harness import LEADER, cockpit, keeping
from tests.ui.scenes import log, permission

FOLDER = "/home/me/.local/state/copilot/runs/r1"


def model_of(view: SessionView) -> CockpitModel:
    model = CockpitModel()
    model.update(view, 0.0)
    return model


def test_a_folder_gives_up_its_first_parts_one_by_one() -> None:
    for room, shown in (
        (60, "~/.local/state/copilot/runs/r1"),
        (28, "…/state/copilot/runs/r1"),
        (17, "…/copilot/runs/r1"),
        (16, "…/runs/r1"),
        (4, "…/r1"),
        (3, ""),
        (-5, ""),
    ):
        assert short_folder(FOLDER, "/home/me", room) == shown, room


def test_only_what_is_in_the_home_is_told_by_it() -> None:
    assert short_folder("/home/mecha/r1", "/home/me", 60) == "/home/mecha/r1"
    assert short_folder("/tmp/r1", "/", 60) == short_folder("/tmp/r1", "", 60) == "/tmp/r1"
    assert short_folder("", "/home/me", 60) == ""


def test_replies_are_counted_by_another_word_than_the_steps_of_a_plan() -> None:
    model = model_of(replace(permission().view, plan_step="2/4: tests"))
    shown = status_content(model, 74.0, 160).plain
    assert "sent 3/50" in shown and "plan 2/4" in shown
    assert "step" not in shown


def test_what_just_fits_is_not_cut() -> None:
    model = model_of(permission().view)
    whole = status_content(model, 74.0, 200).plain.split("   ")[0]
    assert status_content(model, 74.0, len(whole)).plain == whole


async def test_the_badge_stands_in_the_bar_where_the_panel_with_it_is_out_of_sight() -> None:
    async with cockpit(permission(), (120, 40)) as (_, screen):
        bar = screen.query_one(StatusBar)
        for alone in (False, True):
            bar.alone = alone
            bar.show(screen.model, 74.0)
            assert str(bar.content).startswith(" ▲ HELD ") is alone


def test_one_line_says_the_level_in_a_word_where_there_is_room() -> None:
    model = model_of(permission().view)
    assert "●○○ suggest" in line_content(model, 74.0, 100, "", "^]").plain
    assert "○ suggest" not in line_content(model, 74.0, 99, "", "^]").plain


def test_a_part_of_which_hardly_anything_would_be_left_is_left_out() -> None:
    model = model_of(permission().view)
    note = "the program was told the new size"
    whole = line_content(model, 74.0, 90, note, "^]").plain
    before = whole.index(note)
    after = len(" ^] keys")
    assert note[:11] in line_content(model, 74.0, before + 12 + after, note, "^]").plain
    assert note[:2] not in line_content(model, 74.0, before + 11 + after, note, "^]").plain


def test_why_no_model_saw_anything() -> None:
    for provider, level, tokens, said in (
        ("rules", Autonomy.WATCH, 0, "Offline rules write the replies; no model is asked."),
        ("anthropic", Autonomy.WATCH, 0, "At level watch, no model is asked."),
        ("anthropic", Autonomy.SUGGEST, 0, "No model has been asked yet."),
        ("anthropic", Autonomy.SUGGEST, 5210, "No model was asked about this."),
    ):
        view = SessionView(provider=provider, autonomy=level, tokens=tokens)
        assert context_whole(view).plain == said


def test_what_the_model_saw_has_no_separator_at_the_end_of_a_line_and_one_blank_line_between_parts() -> None:
    view = permission().view
    assert view.request is not None
    sent = view.request.tokens + view.request.system_tokens
    lines = context_whole(view).plain.splitlines()
    assert lines[0] == f"anthropic claude-sonnet-4-5 · {sent} tokens"
    assert lines[1] == "1 redacted · $0.0142 in all"
    assert not any(one == other == "" for one, other in pairwise(lines))


def test_shares_of_the_parts_are_a_hundred_percent_together() -> None:
    for tokens in ((210, 1480, 190, 120, 90), (1, 1, 1), (1,) * 6, (0, 3, 0), (7,)):
        parts = tuple(PromptPart(f"part {number}", "text", count) for number, count in enumerate(tokens))
        request = ReplyRequest(number=1, system="", parts=parts, form=AnswerForm.TEXT)
        told = context_summary(SessionView(provider="anthropic", request=request)).plain
        shares = [int(share) for share in re.findall(r"(\d+)%", told)]
        assert (len(shares), sum(shares)) == (len(tokens), 100), tokens


def test_the_system_prompt_counts_among_what_a_model_was_sent_and_only_there() -> None:
    request = ReplyRequest(
        1, "You answer.", (PromptPart("question", "?", 60),), AnswerForm.TEXT, system_tokens=40
    )
    told = context_summary(
        SessionView(provider="anthropic", request=request, waiting_for_provider=True)
    ).plain.splitlines()
    assert told[0].endswith("100 tokens")
    assert [line[10:].strip() for line in told[2:]] == ["40% system", "60% question"]
    of_rules = context_whole(SessionView(provider="rules", request=request)).plain
    assert "── question" in of_rules and "system" not in of_rules and "%" not in of_rules


def test_without_tokens_no_part_has_a_share() -> None:
    parts = (PromptPart("question", "", 0),)
    request = ReplyRequest(number=1, system="", parts=parts, form=AnswerForm.TEXT)
    assert " 0% question" in context_summary(SessionView(provider="anthropic", request=request)).plain


@pytest.mark.parametrize("provider", ["rules", "playbook"])
def test_who_is_no_model_is_told_nothing_as_a_system_and_counts_no_tokens(provider: str) -> None:
    view = replace(permission().view, provider=provider)
    assert view.request is not None
    told = context_whole(view).plain
    assert "── system" not in told and clean(view.request.system) not in told
    assert "%" not in context_summary(view).plain and "tokens" not in context_summary(view).plain
    assert not any("tokens" in line for line in told.splitlines() if line.startswith("──"))
    assert "── governing prompt" in told


def detected(evidence: tuple[int, ...], rows: list[str], **more: object) -> list[str]:
    detection = Detection(
        ScreenKind.QUESTION,
        rule="claude.question.prose",
        evidence=evidence,
        source=EvidenceSource.SCREEN,
        identity="p1",
    )
    model = model_of(SessionView(detection=replace(detection, **more)))  # type: ignore[arg-type]
    return detector_content(model, 74.0, lambda row: rows[row], 40).plain.splitlines()


def test_certainty_stays_in_one_piece() -> None:
    assert detected((), [], certainty=0.86)[1:] == ["claude.question.prose · the screen", "86% sure"]


def test_a_screen_that_is_not_understood_has_no_certainty() -> None:
    lines = detected((), [], certainty=0.0, kind=ScreenKind.UNKNOWN, rule="engine.no_rule")
    assert not any("sure" in line for line in lines)


def test_ruled_lines_are_no_evidence_and_one_row_more_is_shown() -> None:
    rows = ["──────", *(f"row {number}" for number in range(8)), "╰────╯"]
    told = [line for line in detected(tuple(range(8)), rows) if line.startswith("▌")]
    assert [line.split()[-1] for line in told] == list("0123456")
    lines = detected(tuple(range(10)), rows)
    assert lines[-1].strip() == "and 2 more"
    assert len([line for line in lines if line.startswith("▌")]) == 6


def test_a_row_that_does_not_fit_whole_is_cut_to_one() -> None:
    view = SessionView(
        detection=Detection(ScreenKind.MENU, rule="r", evidence=(0, 1), source=EvidenceSource.SCREEN)
    )
    model, long = model_of(view), "one two three four five six seven eight nine"
    lines = detector_content(model, 74.0, lambda row: (long, "short")[row], 24, 5).plain.splitlines()
    assert lines[2:] == ["▌  1 one two three four…", "▌  2 short"]


async def test_scroll_bars_are_thin_and_on_the_ground_of_their_box() -> None:
    async with cockpit(permission(), (120, 40)) as (pilot, screen):
        rule = pilot.app.theme_variables["rule"]
        await pilot.press(LEADER, "colon")
        await pilot.pause()
        for box in (pilot.app.screen.query_one("CommandList"), screen.query_one("#reply")):
            assert box.styles.scrollbar_size_vertical == 1
            assert box.styles.scrollbar_color.hex.lower() == rule.lower()
            assert box.styles.scrollbar_background == box.styles.background


async def test_the_bar_says_how_far_back_one_looks() -> None:
    async with cockpit(log()) as (pilot, screen):
        bar, terminal = screen.query_one(KeyBar), screen.query_one(TerminalView)
        most = len(terminal.session.screen.scrollback)
        await pilot.press(LEADER, "v", "home")
        assert f"{most} of {most} lines back" in str(bar.content)
        await pilot.press("down")
        assert f"{most - 1} of {most} lines back" in str(bar.content)
        await pilot.press("escape")
        assert "back" not in str(bar.content).split()


async def test_in_zoom_the_status_bar_shows_the_reply_and_its_risk() -> None:
    async with cockpit(permission(), (120, 40)) as (pilot, screen):
        await pilot.press(LEADER, "z")
        await pilot.pause()
        told = str(screen.query_one(StatusBar).content)
    assert "HELD" in told and "◆ No" in told and "risk high" in told and "$" not in told


async def test_the_keys_of_the_one_line_form_leave_the_reply_and_its_risk_in_sight() -> None:
    async with cockpit(permission(), (80, 24), preferences=keeping(LayoutPreferences(one_line=True))) as (
        pilot,
        screen,
    ):
        await pilot.press(LEADER)
        await pilot.pause()
        told = str(screen.query_one(KeyBar).content)
    assert (
        told.startswith("▲ HELD ◆ No") and "▆ high" in told and "s send" in told and len(told.rstrip()) <= 80
    )


async def test_the_context_panel_says_whose_request_it_shows_as_soon_as_that_changes() -> None:
    session = permission()
    async with cockpit(session, (200, 60)) as (pilot, screen):
        panel = screen.query_one("#context-text", Static)
        assert "nothing is asked now" not in str(panel.content)
        asked = session.view.detection
        for detection, told in ((Detection(ScreenKind.BUSY), True), (asked, False)):
            session.show(detection=detection)
            await pilot.pause()
            assert ("nothing is asked now" in str(panel.content)) is told
