"""The session's eyes wait for whole frames."""

from __future__ import annotations

from dataclasses import replace

import pytest

from copilot.config.profile_files import load_profile
from copilot.core.detection import Detection, ScreenKind
from copilot.core.risk import NO_RISK, Risk, RiskLevel
from copilot.core.tty_facts import UNKNOWN_FACTS
from copilot.detectors import Examiner
from copilot.screen import TerminalScreen
from copilot.session.eyes import HALF_DRAWN_SECONDS, Eyes
from tests.detectors.screens import claude_permission


class _Harmless:
    def prompt(self, detection: Detection) -> Risk:
        """No risk."""
        return NO_RISK

    def option(self, detection: Detection, label: str) -> Risk:
        """No risk."""
        return NO_RISK


@pytest.mark.invariant(2)
def test_a_half_drawn_frame_is_not_judged_and_an_endless_one_is_after_a_while() -> None:
    for closes in (True, False):
        screen = TerminalScreen(80, 24)
        eyes = Eyes(screen, Examiner(load_profile("claude")), lambda: UNKNOWN_FACTS, _Harmless())
        screen.feed(b"\x1b[?2026h" + claude_permission().replace("\n", "\r\n").encode())
        assert eyes.settle(0.0) is None and eyes.settle(0.9) is None
        assert eyes.examination is None
        if closes:
            screen.feed(b"\x1b[?2026l")
        begin = 0.95 if closes else HALF_DRAWN_SECONDS
        assert eyes.settle(begin) is None
        settled = eyes.settle(begin + 0.5)
        assert settled is not None and settled.detection.kind is ScreenKind.PERMISSION


@pytest.mark.row("CP-24")
def test_rules_for_another_version_count_no_more_once_the_version_is_known() -> None:
    profile = load_profile("claude")
    rules = tuple(replace(rule, versions=">=99") for rule in profile.screen.rules)
    profile = replace(profile, screen=replace(profile.screen, rules=rules))
    screen = TerminalScreen(80, 24)
    screen.feed(claude_permission().replace("\n", "\r\n").encode())
    eyes = Eyes(screen, Examiner(profile), lambda: UNKNOWN_FACTS, _Harmless())
    assert eyes.look(0.0).detection.kind is ScreenKind.PERMISSION
    eyes.learn_version("2.1.329")
    assert eyes.look(0.0).detection.kind is ScreenKind.UNKNOWN


@pytest.mark.invariant(7)
@pytest.mark.parametrize("where", ["command", "below the command", "question", "option", "above"])
def test_a_prompt_with_text_that_nobody_sees_is_high_and_read_as_it_is_seen(where: str) -> None:
    hidden = "\x1b[8m; rm -rf ~\x1b[m"
    text = claude_permission("make").replace("❯ 1. Yes", "\x1b[m❯ 1. Yes")
    lines = text.split("\n")
    places = {"command": "make", "question": "Do you want", "option": "1. Yes"}
    screen = TerminalScreen(80, 40)
    rows = [row for row, line in enumerate(lines) if places.get(where, "Do you want") in line]
    assert rows, text
    row = rows[-1] - {"below the command": 1, "above": 4}.get(where, 0)
    lines[row] += hidden
    eyes = Eyes(screen, Examiner(load_profile("claude")), lambda: UNKNOWN_FACTS, _Harmless())
    screen.feed("\r\n".join(lines).encode())
    look = eyes.look(1.0)
    assert look.detection.kind is ScreenKind.PERMISSION
    assert look.danger.level is RiskLevel.HIGH and look.danger.rule == "prompt.unseen"
    assert "rm -rf ~" not in str(look.detection)


@pytest.mark.invariant(7)
def test_a_prompt_that_came_with_characters_without_a_shape_is_high() -> None:
    screen = TerminalScreen(80, 40)
    eyes = Eyes(screen, Examiner(load_profile("claude")), lambda: UNKNOWN_FACTS, _Harmless())
    data = claude_permission("cat notes\u200b.md").replace("\n", "\r\n").encode()
    screen.feed(data)
    assert eyes.look(1.0).danger.level is RiskLevel.NONE
    eyes.dropped.saw(data)
    assert eyes.look(1.0).danger.level is RiskLevel.HIGH
