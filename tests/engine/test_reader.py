"""`ScreenReader` waits for whole frames and reads what a person sees."""

from __future__ import annotations

from dataclasses import replace

import pytest

from copilot.config.profile_files import load_profile
from copilot.core.events import FreshLook, ScreenSettled
from copilot.core.risk import RiskLevel
from copilot.core.screen_kinds import ScreenKind
from copilot.detection import Examiner
from copilot.engine.reader import HALF_DRAWN_SECONDS, ScreenReader
from copilot.screen import TerminalScreen
from tests.detection.screens import claude_permission
from tests.engine.engines import Driven, only


@pytest.mark.invariant(2)
def test_a_half_drawn_frame_is_not_judged_and_an_endless_one_is_after_a_while() -> None:
    for closes in (True, False):
        screen = TerminalScreen(80, 24)
        reader = ScreenReader(screen, Examiner(load_profile("claude")))
        screen.feed(b"\x1b[?2026h" + claude_permission().replace("\n", "\r\n").encode())
        assert reader.settle(0.0) is None and reader.settle(0.9) is None
        assert reader.examination is None
        if closes:
            screen.feed(b"\x1b[?2026l")
        begin = 0.95 if closes else HALF_DRAWN_SECONDS
        assert reader.settle(begin) is None
        settled = reader.settle(begin + 0.5)
        assert settled is not None and settled.detection.kind is ScreenKind.PERMISSION
        assert (reader.next_check_at or 99.0) > begin + 0.5, "read again and again in an endless update"


def test_a_child_that_exits_inside_a_synchronized_update_is_exited() -> None:
    screen = TerminalScreen(80, 24)
    reader = ScreenReader(screen, Examiner(load_profile("claude")))
    screen.feed(claude_permission().replace("\n", "\r\n").encode())
    reader.settle(0.0)
    asked = reader.settle(1.0)
    assert asked is not None and asked.detection.kind is ScreenKind.PERMISSION
    screen.feed(b"\x1b[?2026h")
    assert reader.settle(1.1) is None
    reader.exit_status = 0
    ended = reader.settle(1.2)
    assert ended is not None and ended.detection.kind is ScreenKind.EXITED


@pytest.mark.row("CP-24")
def test_rules_for_another_version_count_no_more_once_the_version_is_known() -> None:
    profile = load_profile("claude")
    rules = tuple(replace(rule, versions=">=99") for rule in profile.screen.rules)
    profile = replace(profile, screen=replace(profile.screen, rules=rules))
    screen = TerminalScreen(80, 24)
    screen.feed(claude_permission().replace("\n", "\r\n").encode())
    reader = ScreenReader(screen, Examiner(profile))
    assert reader.look(0.0).detection.kind is ScreenKind.PERMISSION
    reader.learn_version("2.1.329")
    assert reader.look(0.0).detection.kind is ScreenKind.UNKNOWN


@pytest.mark.invariant(7)
@pytest.mark.parametrize("where", ["command", "below the command", "question", "option", "above"])
def test_a_prompt_with_text_that_nobody_sees_is_high_and_read_as_it_is_seen(where: str) -> None:
    hidden = "\x1b[8m; rm -rf ~\x1b[m"
    text = claude_permission("cat notes.md").replace("❯ 1. Yes", "\x1b[m❯ 1. Yes")
    lines = text.split("\n")
    places = {"command": "cat notes.md", "question": "Do you want", "option": "1. Yes"}
    driven = Driven()
    rows = [row for row, line in enumerate(lines) if places.get(where, "Do you want") in line]
    assert rows, text
    row = rows[-1] - {"below the command": 1, "above": 4}.get(where, 0)
    lines[row] += hidden
    driven.shows("\n".join(lines))
    look = only(driven.looks(), FreshLook)[0]
    assert look.detection.kind is ScreenKind.PERMISSION
    assert look.risk.level is RiskLevel.HIGH and look.risk.rule == "prompt.unseen"
    assert "rm -rf ~" not in str(look.detection)


@pytest.mark.invariant(7)
def test_a_prompt_that_came_with_characters_without_a_shape_is_high() -> None:
    for command, level in (("cat notes.md", RiskLevel.NONE), ("cat notes\u200b.md", RiskLevel.HIGH)):
        driven = Driven()
        (settled,) = only(driven.shows(claude_permission(command)), ScreenSettled)
        (look,) = only(driven.looks(), FreshLook)
        assert settled.risk.level is look.risk.level is level
