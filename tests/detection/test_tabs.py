"""Options side by side: read where one is lit and a row names the keys, and driven only as the screen confirms."""

from __future__ import annotations

import pytest

from copilot.core.detection import Detection
from copilot.core.profile import ReplyKeys
from copilot.core.reply import Reply
from copilot.core.reply_keys import Check, plan_keys
from copilot.core.screen_kinds import ScreenKind
from tests.detection.screens import detect

LIT, PLAIN = "\x1b[7m", "\x1b[m"
ARROWS = "\n\n←/→ move · enter select"
TAB = "\n\ntab to move · enter to confirm"
TABS = {
    "arrows": (
        f" {LIT} Build {PLAIN}   Test   Deploy{ARROWS}",
        ["Enter", "Right Enter", "Right Right Enter"],
    ),
    "the last is lit": (
        f" Build   Test  {LIT} Deploy {PLAIN}{ARROWS}",
        ["Left Left Enter", "Left Enter", "Enter"],
    ),
    "in brackets": (
        f" [ Build ]  [{LIT} Test {PLAIN}]  [ Deploy ]{TAB}",
        ["S-Tab Enter", "Enter", "Tab Enter"],
    ),
}
NO_TABS = {
    "none is lit": f" Build   Test   Deploy{ARROWS}",
    "two are lit": f" {LIT}Build{PLAIN}  {LIT}Test{PLAIN}  Deploy  Run{ARROWS}",
    "no row of keys": f" {LIT} Build {PLAIN}   Test   Deploy",
    "keys that take nothing": f" {LIT} Build {PLAIN}   Test   Deploy\n\n←/→ scroll",
    "a lit word of a sentence": f" The {LIT}build{PLAIN} fails in two places{ARROWS}",
}


def shown(row: str) -> Detection:
    return detect("generic", f"Which area?\n\n{row}", hidden=True)


@pytest.mark.parametrize("name", TABS)
def test_options_in_one_row_are_read_with_their_keys(name: str) -> None:
    row, keys = TABS[name]
    seen = shown(row)
    assert (seen.kind, seen.question) == (ScreenKind.MENU, "Which area?")
    assert [(option.label, option.key) for option in seen.options] == list(
        zip(["Build", "Test", "Deploy"], keys, strict=True)
    )


@pytest.mark.parametrize("name", NO_TABS)
def test_what_is_only_similar_has_no_options(name: str) -> None:
    assert not shown(NO_TABS[name]).options


@pytest.mark.invariant(2)
def test_enter_waits_until_the_option_that_is_meant_is_selected() -> None:
    """A program that ignores the arrow would take the option that was selected before."""
    plan = plan_keys(shown(TABS["arrows"][0]), Reply(choice="Deploy"), ReplyKeys())
    assert [(write.keys, write.check) for write in plan.writes] == [
        (("Right", "Right"), Check.SAME_PROMPT),
        (("Enter",), Check.POINTER),
    ]
    assert plan.target == "Deploy"
