"""The page of rules, and the label of a screen that nobody understood, by a person's keys."""

from __future__ import annotations

from textual.containers import VerticalScroll
from textual.pilot import Pilot
from textual.widgets import Static

from copilot.core.screen_kinds import ScreenKind
from copilot.recording.unknown_screens import LABELS
from copilot.tui.screens.explain import ExplainScreen, explain_content
from copilot.tui.screens.label import LABEL_KEYS, LabelScreen
from tests.ui.harness import app_on
from tests.ui.scenes import busy, permission

LEADER = "ctrl+right_square_bracket"


def labelling(pilot: Pilot[int]) -> bool:
    return isinstance(pilot.app.screen, LabelScreen)


async def test_every_rule_is_there_with_its_reason_and_the_list_scrolls() -> None:
    session = permission()
    async with app_on(session).run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        await pilot.press(LEADER, "x")
        screen = pilot.app.screen
        assert isinstance(screen, ExplainScreen)
        examination = session.examination()
        assert examination is not None
        text = explain_content(examination, 92).plain
        for verdict in examination.verdicts():
            assert verdict.rule.id in text
        assert "read as permission, by claude.permission" in text
        assert "✓  90  permission claude.permission" in text
        assert "·  95  trust      claude.trust.folder\n" in text
        page = screen.query_one(VerticalScroll)
        assert page.max_scroll_y > 0
        for _ in range(40):
            await pilot.press("pagedown")
        assert page.scroll_y == page.max_scroll_y
        await pilot.press("escape")
        assert not isinstance(pilot.app.screen, ExplainScreen)
        assert session.typed == b""


async def test_it_follows_the_program_and_keeps_the_reader_s_place() -> None:
    session = permission()
    async with app_on(session).run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        await pilot.press(LEADER, "x")
        await pilot.press("pagedown")
        await pilot.pause()
        screen = pilot.app.screen
        assert isinstance(screen, ExplainScreen)
        page = screen.query_one(VerticalScroll)
        before = page.scroll_y
        assert before > 0
        session.feed(b"\x1b[2J\x1b[H\x1b]2;\x1b[31mred\x07nothing that anybody knows")
        screen._update()
        await pilot.pause()
        assert "read as not understood" in str(screen.query_one("#page-text", Static).content)
        assert page.scroll_y == before
        assert "\x1b" not in str(screen.query_one("#page-text", Static).content)


async def test_one_key_labels_any_screen() -> None:
    session = busy()
    async with app_on(session).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press(LEADER, "l")
        assert labelling(pilot)
        await pilot.press("m")
        assert ("label_screen", ScreenKind.MENU) in session.calls
        assert not labelling(pilot)
        await pilot.press(LEADER, "l", "escape")
        assert len(session.calls) == 1
        assert session.typed == b""


def test_every_label_has_one_key() -> None:
    assert {kind for kind, _ in LABEL_KEYS.values()} == set(LABELS)
    assert len(LABEL_KEYS) == len(LABELS)
