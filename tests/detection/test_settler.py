"""Readings settle by time, silent screens too; a prompt keeps its identity until it is asked anew."""

from __future__ import annotations

from dataclasses import replace

import pytest

from copilot.config.profile_files import load_profile
from copilot.core.detection import (
    Detection,
    EvidenceSource,
    Option,
)
from copilot.core.profile import Profile
from copilot.core.screen_kinds import ScreenKind
from copilot.detection import Examiner, Settler
from copilot.detection.settler import POLL_SECONDS, STILL_DIALOG_SECONDS
from copilot.engine.reader import ScreenReader
from copilot.screen import TerminalScreen
from tests.detection.screens import claude_composer, claude_permission, screen

CLAUDE = load_profile("claude")
PROMPT = Detection(
    ScreenKind.PERMISSION,
    "Do you want to proceed?",
    (Option("Yes", "1", True), Option("No", "2")),
    identity="abc",
)
BUSY = Detection(ScreenKind.BUSY)
REPORTED_BUSY = Detection(ScreenKind.BUSY, source=EvidenceSource.REPORT)


def settled(settler: Settler, detection: Detection, at: float) -> Detection:
    """Let a reading stand until it counts."""
    settler.observe(detection, at)
    due = settler.next_check_at
    result = settler.observe(detection, due if due is not None else at) or settler.settled
    assert result is not None
    return result


@pytest.mark.row("CP-27")
def test_a_reading_counts_only_after_its_confirmation_time() -> None:
    settler = Settler(CLAUDE)
    assert settler.observe(PROMPT, 1.0) is None
    assert settler.next_check_at == pytest.approx(1.0 + CLAUDE.screen.confirm_seconds["permission"])
    assert settler.observe(PROMPT, 1.1) is None
    due = settler.next_check_at
    assert due is not None
    found = settler.observe(PROMPT, due)
    assert found is not None
    assert found.identity == "abc-1"
    assert settler.first_seen_at == 1.0


@pytest.mark.parametrize(
    ("profile", "rule", "changes", "seconds"),
    [
        (CLAUDE, "claude.permission", [], STILL_DIALOG_SECONDS),
        (CLAUDE, "claude.permission", [1.05], 0.05 + STILL_DIALOG_SECONDS),
        (CLAUDE, "claude.permission", [1.05, 1.1, 1.15, 1.2, 1.25], 0.3),
        (CLAUDE, "claude.composer", [], 0.3),
        (load_profile("generic"), "generic.dialog.permission", [], 0.35),
    ],
    ids=["still", "one change", "a spinner", "no dialog", "no profile"],
)
def test_a_dialog_on_a_still_screen_counts_sooner(
    profile: Profile, rule: str, changes: list[float], seconds: float
) -> None:
    """Only one that a verified profile reads; a screen on which anything moves takes the usual time."""
    settler, prompt = Settler(profile), replace(PROMPT, rule=rule)
    for number, at in enumerate([1.0, *changes]):
        assert settler.observe(prompt, at, screen(f"Do it? {number}")) is None
    assert settler.next_check_at == pytest.approx(1.0 + seconds)


@pytest.mark.parametrize(
    ("between", "gap", "counts"),
    [(BUSY, 0.005, True), (BUSY, 0.1, False), (REPORTED_BUSY, 0.005, False)],
    ids=["half a frame", "another screen", "the CLI's own word"],
)
def test_a_frame_drawn_in_two_writes_does_not_start_the_time_anew(
    between: Detection, gap: float, counts: bool
) -> None:
    settler = Settler(CLAUDE)
    found = None
    for number in range(4):
        at = 1.0 + number * 0.15
        settler.observe(between, at)
        found = settler.observe(PROMPT, at + gap) or found
    assert (found is not None) is counts


@pytest.mark.row("CP-27")
def test_a_silent_prompt_settles_by_the_timer_alone() -> None:
    terminal = TerminalScreen(80, 24)
    terminal.feed(b"Do you want to continue? [Y/n] ")
    reader = ScreenReader(terminal, Examiner(load_profile("generic")))
    assert reader.settle(0.0) is None
    due = reader.next_check_at
    assert due is not None
    found = reader.settle(due)
    assert found is not None
    assert found.detection.kind is ScreenKind.YES_NO


def test_another_reading_starts_the_time_anew() -> None:
    settler = Settler(CLAUDE)
    settler.observe(PROMPT, 1.0)
    settler.observe(BUSY, 1.2)
    assert settler.observe(PROMPT, 1.31) is None


@pytest.mark.row("CP-32")
def test_redraws_and_flickers_do_not_ask_again() -> None:
    settler = Settler(CLAUDE)
    settled(settler, PROMPT, 0.0)
    told = 0
    for step in range(50):
        at = 1.0 + step
        settler.observe(BUSY, at)
        told += settler.observe(PROMPT, at + 0.02) is not None
        told += settler.observe(PROMPT, at + 0.6) is not None
    assert told == 0
    assert settler.settled is not None
    assert settler.settled.identity == "abc-1"


@pytest.mark.row("CP-32")
def test_the_same_question_truly_asked_again_is_a_new_prompt() -> None:
    settler = Settler(CLAUDE)
    assert settled(settler, PROMPT, 0.0).identity == "abc-1"
    settled(settler, BUSY, 1.0)
    assert settled(settler, PROMPT, 2.0).identity == "abc-2"


def test_a_short_reported_busy_between_makes_a_new_prompt() -> None:
    settler = Settler(CLAUDE)
    assert settled(settler, PROMPT, 0.0).identity == "abc-1"
    settler.observe(REPORTED_BUSY, 1.0)
    assert settler.identified(PROMPT).identity == "abc-1"
    settler.observe(PROMPT, 1.03)
    assert settled(settler, PROMPT, 1.4).identity == "abc-2"


def test_what_is_settled_can_be_told_once_more() -> None:
    settler = Settler(CLAUDE)
    settled(settler, PROMPT, 0.0)
    assert settler.observe(PROMPT, 5.0) is None
    settler.report_again()
    assert settler.observe(PROMPT, 6.0) is not None
    assert settler.observe(PROMPT, 7.0) is None


def test_a_doubtful_reading_is_looked_at_again() -> None:
    settler = Settler(CLAUDE)
    unknown = Detection(ScreenKind.UNKNOWN, certainty=0.0)
    settled(settler, unknown, 0.0)
    assert settler.next_check_at == pytest.approx(1.0 + POLL_SECONDS)


@pytest.mark.row("CP-28", "CP-32")
def test_identity_is_the_same_at_another_width_and_with_the_pointer_elsewhere() -> None:
    examiner = Examiner(CLAUDE)
    wide = examiner.examine(screen(claude_permission(), columns=120)).detection
    text = claude_permission().replace(" ❯ 1. Yes", "   1. Yes").replace("   3. No", " ❯ 3. No")
    moved = examiner.examine(screen(text)).detection
    assert wide.identity == examiner.examine(screen(claude_permission())).detection.identity == moved.identity
    assert [option.selected for option in moved.options] == [False, False, True]


def test_another_command_is_another_prompt() -> None:
    examiner = Examiner(CLAUDE)
    one = examiner.examine(screen(claude_permission("touch one.txt"))).detection
    two = examiner.examine(screen(claude_permission("touch two.txt"))).detection
    assert one.question == two.question
    assert one.identity != two.identity


def test_a_spinner_beside_the_question_does_not_change_its_identity() -> None:
    examiner = Examiner(load_profile("pi"))

    def dialog(spinner: str) -> Detection:
        rule = "─" * 80
        text = f" {spinner} Working...\n\n{rule}\n\n Write file?\n /tmp/hello.py\n\n → Yes\n   No\n\n"
        text += f" ↑↓ navigate  enter select  escape/ctrl+c cancel\n\n{rule}\n/tmp\n1.0%/128k (auto)"
        return examiner.examine(screen(text, hidden=True)).detection

    assert dialog("⠋").kind is ScreenKind.PERMISSION
    assert dialog("⠋").identity == dialog("⠸").identity


def test_a_draft_that_appears_is_news() -> None:
    examiner, settler = Examiner(CLAUDE), Settler(CLAUDE)
    empty = screen(claude_composer("● Done.\n\n✻ Baked for 5s · done 7:03 AM"), title="✳ Claude Code")
    typed = screen(
        claude_composer("● Done.\n\n✻ Baked for 5s · done 7:03 AM", draft="fix it"), title="✳ Claude Code"
    )
    settled(settler, examiner.examine(empty).detection, 0.0)
    found = settled(settler, examiner.examine(typed).detection, 2.0)
    assert found is not None
    assert found.draft == "fix it"


def test_a_prompt_that_has_gone_does_not_seem_to_stand_there_still() -> None:
    settler = Settler(CLAUDE)
    settled(settler, PROMPT, 0.0)
    settler.observe(Detection(ScreenKind.UNKNOWN, note="one"), 1.0)
    due = settler.next_check_at
    assert due is not None
    assert due < 1.5
    found = settler.observe(Detection(ScreenKind.UNKNOWN, note="one"), due)
    assert found is not None
    assert found.kind is ScreenKind.BUSY
    assert settler.next_check_at is not None
    assert settled(settler, PROMPT, 3.0).identity == "abc-2"


def test_after_a_resize_nothing_new_counts_until_the_child_has_drawn_anew() -> None:
    settler = Settler(CLAUDE)
    wide, narrow = replace(PROMPT, columns=120), replace(PROMPT, columns=80)
    assert settled(settler, wide, 0.0).identity == "abc-1"
    cut = replace(narrow, options=PROMPT.options[:1], identity="cut")
    settler.observe(cut, 1.0)
    assert settler.observe(cut, 1.9) is None
    assert settler.observe(narrow, 1.95) is None
    assert settler.settled is not None and settler.settled.identity == "abc-1"
    assert settler.observe(cut, 2.1) is None
    found = settler.observe(cut, 2.6)
    assert found is not None and found.identity == "cut-1"


def test_what_is_torn_by_a_resize_is_no_other_screen() -> None:
    settler = Settler(CLAUDE)
    settled(settler, replace(PROMPT, columns=120), 0.0)
    torn = Detection(ScreenKind.UNKNOWN, columns=80)
    narrow = replace(PROMPT, columns=80)
    assert [settler.observe(torn, at) for at in (1.0, 1.3, 1.6)] == [None, None, None]
    assert settler.observe(narrow, 1.7) is None
    assert settler.observe(narrow, 2.6) is None
    assert settler.settled is not None and settler.settled.identity == "abc-1"
