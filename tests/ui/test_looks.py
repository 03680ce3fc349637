"""What a person sees of the cockpit is whole, can be read, and is no larger than what it says."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from rich.style import Style
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static, TextArea

from copilot.core.detection import SAID_ABOVE, Subject
from copilot.core.screen_kinds import ScreenKind
from copilot.tui.model import CockpitModel
from copilot.tui.replay.panel import seen_content
from copilot.tui.screens.start import StartScreen
from copilot.tui.text import rows_of
from copilot.tui.themes import THEMES
from copilot.tui.widgets.detector_panel import DetectorPanel
from copilot.tui.widgets.key_bar import KeyBar
from copilot.tui.widgets.reply_box import ReplyBox
from copilot.tui.widgets.status_bar import status_content, strip_content
from copilot.tui.widgets.terminal import TerminalView
from copilot.tui.widgets.timeline import RunTimeline
from tests.engine.test_timeline import review_of
from tests.replay.golden import GOLDEN
from tests.ui.clicking import lines_of
from tests.ui.harness import LEADER, app_of, cockpit, left, pressing
from tests.ui.plan_scene import plan_session
from tests.ui.replay_harness import replaying
from tests.ui.scenes import SCENES, permission


def styles_of(screen: Screen[object], word: str) -> list[Style]:
    """How the segments with that word are drawn, those below a dialog too."""
    below = screen.app._background_screens
    update = screen._compositor.render_update(full=True, screen_stack=below)
    with screen.app.console.capture():
        assert update is not None
        segments = list(screen.app.console.render(update))
    return [one.style for one in segments if word in one.text and one.style is not None]


async def test_a_badge_is_never_bold_black_of_the_terminals_own() -> None:
    async with cockpit(permission(), (120, 40)) as (pilot, _):
        for theme, bold in (("dark", True), ("light", True), ("ansi-dark", False)):
            pilot.app.theme = THEMES[theme].name
            await pilot.pause()
            (badge,) = styles_of(pilot.app.screen, " HELD ")
            assert bool(badge.bold) is bold, theme
        picture = pilot.app.export_screenshot()
    (name,) = re.findall(r'class="\S+-(r\d+)"[^>]*>[^<]*HELD', picture)
    (rule,) = re.findall(rf"-{name} {{([^}}]*)}}", picture)
    assert "fill: #000000" in rule, "a picture of the terminal's own colours has true black"


async def test_what_lies_below_a_dialog_is_dim_in_the_terminals_own_colours() -> None:
    async with cockpit(permission(), (120, 40), theme="ansi-dark") as (pilot, _):
        assert not any(one.dim for one in styles_of(pilot.app.screen, "suggest"))
        await pilot.press(LEADER, "question_mark")
        await pilot.pause()
        (below,) = styles_of(pilot.app.screen, "claude-sonnet")
        assert below.dim and not below.bold
        await pilot.press("escape", LEADER, "colon")
        await pilot.pause()
        assert styles_of(pilot.app.screen, "claude-sonnet")[0].dim
        await pilot.press("escape", LEADER, "w")
        await pilot.pause()
        assert not styles_of(pilot.app.screen, " HELD ")[0].dim


async def test_excerpts_run_over_rows_where_there_is_room_and_are_cut_where_not() -> None:
    async with cockpit(permission(), (156, 42)) as (pilot, screen):
        for size, cut in (((156, 42), 0), ((120, 40), 1)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            panel = screen.query_one(DetectorPanel)
            assert str(panel.content).count("…") == cut, size
            assert isinstance(panel.content, Content)
            assert rows_of(panel.content, panel.content_size.width) <= panel.content_size.height, size


async def test_a_command_of_a_plan_is_not_drawn_where_the_program_reads() -> None:
    plan = plan_session()
    async with cockpit(plan, (120, 40)) as (pilot, screen):
        terminal, panel = screen.query_one(TerminalView), screen.query_one(ReplyBox)
        drawn = [terminal.render_line(y).text for y in range(terminal.size.height)]
        assert not any("◆" in line for line in drawn)
        assert "$ rm -rf build" in str(panel.query_one("#reply-text", Static).content)
        await pilot.press(LEADER, "d")
        await pilot.pause()
        drawn = [terminal.render_line(y).text for y in range(terminal.size.height)]
        assert any("◆ Write the release notes" in line for line in drawn)


def test_the_status_line_shows_a_time_whole_or_not_at_all() -> None:
    for width in range(30, 60):
        shown = status_content(CockpitModel(permission().view), 74.0, width).plain.rstrip()
        assert not shown.endswith("…") or width < 34, width
        assert shown.count("1:") == shown.count("1:14"), width


async def test_the_start_screen_offers_keys_that_do_something() -> None:
    app = app_of([permission(), permission()])
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press(LEADER, "plus")
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)
        keys = app.screen.query_one("#start-keys", Static)
        assert "program" not in str(keys.content) and "f folder" in str(keys.content)
        await pilot.press("f")
        await pilot.pause()
        assert "Esc leaves it as it was" in str(keys.content) and "q leave" not in str(keys.content)
        await pilot.press("escape")
        await pilot.pause()
        assert "q leave" in str(keys.content)


async def test_the_governing_prompt_has_a_frame_of_its_own_length() -> None:
    async with cockpit(permission(), (120, 40)) as (pilot, screen):
        for size in ((80, 24), (120, 40), (200, 60)):
            await pilot.resize_terminal(*size)
            await pilot.pause(0.1)
            await pilot.press(LEADER, "c", "e")
            await pilot.pause()
            page, editor = pilot.app.screen.query_one(".page"), pilot.app.screen.query_one(TextArea)
            assert page.size.height <= 12, size
            editor.load_text("a line\n" * 200)
            await pilot.pause()
            assert page.region.bottom <= size[1] and editor.region.bottom < page.region.bottom, size
            assert editor.cursor_screen_offset.y < page.region.bottom, size
            await left(pilot, screen)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_all_stands_in_the_panel_while_an_instruction_is_written(size: tuple[int, int]) -> None:
    async with cockpit(permission(), size) as (pilot, screen):
        await pilot.press(LEADER, "r")
        await pilot.pause()
        assert screen.query_one(ReplyBox).max_scroll_y == 0


async def test_the_option_that_is_edited_stays_in_sight() -> None:
    async with cockpit(permission(), (120, 40)) as (pilot, screen):
        panel = screen.query_one(ReplyBox)
        for size in ((80, 24), (60, 16), (120, 40), (200, 60)):
            await pilot.resize_terminal(*size)
            await pilot.pause(0.1)
            await pilot.press(LEADER, "p", "up", "up", "up", "down", "e")
            await pilot.pause()
            for written in ("short", "a line\n" * 30):
                panel.editor.load_text(written)
                panel.editor.move_cursor(panel.editor.document.end)
                await pilot.pause()
                drawn = lines_of(pilot)[panel.region.y : panel.region.bottom]
                assert any("▸ 2 Yes, and always allow" in row for row in drawn), (size, written[:5])
            panel.editor.load_text("")
            await left(pilot, screen)


@pytest.mark.parametrize("scene", ["busy", "stale", "permission"])
async def test_the_line_of_a_scenes_run_begins_with_the_run(scene: str) -> None:
    async with cockpit(SCENES[scene](), (120, 40)) as (pilot, screen):
        await pressing()(pilot)
        line = str(screen.query_one(RunTimeline).content)
        assert line.startswith("run ▃") and line.count("●") == 3


async def test_a_panel_of_a_small_replay_uses_its_width() -> None:
    async with replaying(GOLDEN / "claude-rm-rf", (80, 24)) as (pilot, screen):
        await pilot.press("n", "n", "d", "p")
        await pilot.pause()
        seen = str(screen.query_one("#replay-seen", Static).content)
        assert "access to /tmp/demo/project" in seen


def test_an_option_over_several_rows_is_indented_in_a_replay() -> None:
    moment = review_of("demo-full").moment(0.7)
    lines = seen_content(moment, lambda row: "", 24).plain.splitlines()
    first = next(number for number, line in enumerate(lines) if "2 Yes, and don't" in line)
    assert lines[first + 1].startswith("      ") and lines[first + 1].strip()


def test_a_subject_without_a_word_is_not_drawn() -> None:
    moment = review_of("demo-full").moment(0.7)
    nothing = replace(moment.detection, kind=ScreenKind.YES_NO, subject=Subject(SAID_ABOVE, "", cut=True))
    assert SAID_ABOVE not in seen_content(replace(moment, detection=nothing), lambda row: "").plain


async def test_at_the_right_edge_the_mark_points_at_its_row() -> None:
    async with cockpit(SCENES["countdown"](), size=(80, 24)) as (_, screen):
        terminal = screen.query_one(TerminalView)
        assert terminal.gutter_width == 0
        ends = {terminal.render_line(y).text[-1] for y in range(terminal.size.height)}
    assert "◀" in ends and not {"▶", "▌"} & ends


async def test_the_keys_of_the_palette_are_told() -> None:
    async with cockpit(SCENES["permission"]()) as (pilot, screen):
        bar = screen.query_one(KeyBar)
        await pilot.press(LEADER, "question_mark")
        assert "its edge" in str(bar.content)
        await pilot.press("escape", LEADER, "colon")
        await pilot.pause()
        told = str(bar.content)
        assert all(key in told for key in ("type to find", "↑↓", "Enter", "Esc")) and "edge" not in told


def test_the_strip_tells_the_risk_whatever_the_reply_is() -> None:
    for scene in ("question", "drafts", "permission", "withdrawn", "writing"):
        session = SCENES[scene]()
        model = CockpitModel()
        model.update(session.view, session.now)
        line = strip_content(model, session.now, 80).plain.splitlines()[1]
        assert not model.detection.asks or ("risk " in line and len(line) <= 80), scene


def test_while_it_counts_down_the_strip_tells_the_risk_and_each_word_once() -> None:
    session = SCENES["countdown"]()
    model = CockpitModel()
    model.update(session.view, session.now)
    told = strip_content(model, session.now, 80).plain
    assert "risk low" in told and "any key" not in told and told.count(" s ") <= 2


async def test_the_way_to_write_a_reply_is_told_with_its_leader() -> None:
    session = SCENES["question"]()
    session.show(proposal=None, decision=None)
    async with cockpit(session, size=(120, 40), leader="f12") as (_, screen):
        assert "or F12 e to write one here" in str(screen.query_one("#reply-text", Static).content)
