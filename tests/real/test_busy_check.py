"""The check for keys while busy, seen failing and passing on recordings."""

from __future__ import annotations

from pathlib import Path

import pytest

from copilot.recording.asciicast import INPUT, Cast, CastEvent, CastHeader, read_cast
from tests.real.busy_check import BusyCheck, Key, check_keys, reports

CORPUS = Path(__file__).parents[1] / "corpus"
WORKING = "\x1b]7501;state=working:app=codex\x1b\\"
DONE = "\x1b]7501;state=done:app=codex\x07"


def cast(*outputs: tuple[float, str]) -> Cast:
    return Cast(CastHeader(80, 24), tuple(CastEvent(at, "o", data) for at, data in outputs))


def test_a_key_while_working_is_found() -> None:
    recording = cast((1.0, WORKING), (3.0, DONE), (4.0, "x"))
    check = check_keys(recording, [Key(0.5, "a"), Key(2.0, "b"), Key(3.5, "c")])
    assert check.busy_stretches == ((1.0, 3.0),)
    assert check.violations == ("'b' was typed at 2.000 s, busy since 1.000 s (program status working)",)
    with pytest.raises(AssertionError, match=r"'b' was typed at 2\.000 s"):
        check.assert_no_key_while_busy()


def test_a_key_just_under_way_is_forgiven() -> None:
    check_keys(cast((1.0, WORKING), (2.0, DONE)), [Key(1.05, "a")]).assert_no_key_while_busy()


def test_a_sequence_split_over_events_counts_from_its_end() -> None:
    assert reports(cast((1.0, WORKING[:7]), (1.5, WORKING[7:])))[0].at == 1.5


def test_titles_count_where_no_status_is_reported() -> None:
    recording = cast(
        (1.0, "\x1b]0;⠋ project\x07"), (1.1, "\x1b]0;⠙ project\x07"), (3.0, "\x1b]0;project\x07")
    )
    assert check_keys(recording, [Key(2.0, "a")]).violations
    assert not check_keys(recording, [Key(3.1, "a")]).violations
    claude = cast((1.0, "\x1b]0;◐ Claude Code\x07"), (3.0, "\x1b]0;✳ Claude Code\x07"))
    assert check_keys(claude, [Key(2.0, "a")]).busy_stretches == ((1.0, 3.0),)


@pytest.mark.parametrize(
    ("busy", "ready"),
    [
        ("✦  Working… (project)", "◇  Ready (project)"),
        ("✦  Working… (project)", "✋  Action Required (project)"),
        ("◐\ufe0e Qwen - project", "✳\ufe0e Qwen - project"),
    ],
)
def test_the_titles_of_gemini_and_qwen(busy: str, ready: str) -> None:
    recording = cast((1.0, f"\x1b]0;{busy}\x07"), (3.0, f"\x1b]0;{ready}\x07"))
    assert check_keys(recording, [Key(2.0, "a"), Key(3.5, "b")]).violations == (
        f"'a' was typed at 2.000 s, busy since 1.000 s (title {busy!r})",
    )


def test_nothing_to_check_is_a_failure_too() -> None:
    with pytest.raises(AssertionError, match="never reported to be busy"):
        check_keys(cast((1.0, DONE)), [Key(2.0, "a")]).assert_no_key_while_busy()
    with pytest.raises(AssertionError, match="no key was typed"):
        check_keys(cast((1.0, WORKING)), []).assert_no_key_while_busy()


def recorded(name: str) -> BusyCheck:
    recording = read_cast(CORPUS / f"{name}.cast")
    typed = [Key(event.at, event.data) for event in recording.events if event.code == INPUT]
    return check_keys(recording, typed)


@pytest.mark.parametrize(
    "name", ["codex/queue_while_busy", "claude/queue_while_busy", "codex/interrupt_tool"]
)
def test_recordings_that_type_while_busy_are_caught(name: str) -> None:
    assert recorded(name).violations


@pytest.mark.parametrize(
    "name", ["codex/two_permissions", "claude/full_session_80x24", "claude/psp_session", "claude/rm_rf_deny"]
)
def test_recordings_that_wait_are_clean(name: str) -> None:
    recorded(name).assert_no_key_while_busy()
