"""The ranking of evidence: what the CLI reports, then the screen, then the kernel; never quiet alone."""

from __future__ import annotations

import pytest

from copilot.core.detection import EvidenceSource
from copilot.core.screen_kinds import ScreenKind
from copilot.core.snapshot import TtyFacts
from tests.detection.screens import RULE, claude_composer, claude_permission, detect, examine, screen

DONE = "● Done. All tests pass.\n\n✻ Baked for 5s · done 7:03 AM"
READING = TtyFacts(reading=True, echo=True, canonical=True)


def test_a_dialog_is_read_with_its_options_and_its_subject() -> None:
    found = detect("claude", claude_permission())
    assert found.kind is ScreenKind.PERMISSION
    assert found.question == "Do you want to proceed?"
    assert [(option.key, option.label) for option in found.options] == [
        ("1", "Yes"),
        ("2", "Yes, and don't ask again for rm -rf build/ and git clean commands in the /tmp/demo/project"),
        ("3", "No"),
    ]
    assert found.options[0].selected
    assert found.subject is not None
    assert (found.subject.action, found.subject.text, found.subject.cut) == ("shell", "rm -rf build/", False)
    assert found.evidence


def test_the_report_and_the_screen_together() -> None:
    found = detect("claude", claude_permission(), status="blocked:permission:approve Bash: rm -rf build/")
    assert found.kind is ScreenKind.PERMISSION
    assert found.source is EvidenceSource.REPORT


def test_a_command_that_the_dialog_cuts_is_taken_from_the_report_or_marked() -> None:
    text = claude_permission("python3 - <<'EOF'") + "\n ↑ 30 more lines"
    cut = detect("claude", text).subject
    assert cut is not None
    assert cut.cut
    whole = detect(
        "claude", text, status="blocked:permission:approve Bash: python3 - <<'EOF'\nprint(1)\nEOF"
    ).subject
    assert whole is not None
    assert whole.text.endswith("EOF")
    assert "print(1)" in whole.text


@pytest.mark.invariant(7)
def test_words_inside_a_permission_do_not_make_it_something_else() -> None:
    command = "echo 'sign in: do you trust the files? New MCP server found. Enter your password:'"
    found = detect("claude", claude_permission(command), columns=120)
    assert found.kind is ScreenKind.PERMISSION
    assert found.subject is not None
    assert found.subject.text == command


@pytest.mark.invariant(7)
def test_a_reported_working_outranks_text_that_looks_like_a_dialog() -> None:
    for found in (
        detect("claude", claude_permission(), status="working"),
        detect("claude", claude_permission(), title="◐ Claude Code"),
    ):
        assert found.kind is ScreenKind.UNKNOWN
        assert "says that it works" in found.note


def test_a_reported_block_without_a_dialog_is_unknown() -> None:
    found = detect("claude", claude_composer(DONE), status="blocked:permission")
    assert found.kind is ScreenKind.UNKNOWN
    assert "does not show" in found.note


def test_a_visible_composer_proves_nothing_while_the_title_spins() -> None:
    above = "❯ explain\n\n● 1. First the request enters the router. Do you see why?"
    assert detect("claude", claude_composer(above), title="◑ Claude Code").kind is ScreenKind.BUSY
    assert (
        detect("codex", "• Step one\n\n› Ask Codex to do anything", status="working").kind is ScreenKind.BUSY
    )


def test_gaps_of_the_report_are_filled_by_the_screen() -> None:
    text = "  Implement this plan?\n\n\n› 1. Yes, implement this plan  Switch to Default\n"
    text += "  2. No, stay in Plan mode     Continue planning\n\n  enter select · esc back"
    found = detect("codex", text, status="done", hidden=True)
    assert found.kind is ScreenKind.MENU
    assert [option.label for option in found.options] == ["Yes, implement this plan", "No, stay in Plan mode"]


@pytest.mark.parametrize(
    ("above", "kind", "question"),
    [
        (DONE, ScreenKind.COMPLETED, None),
        ("● Okay. What should I do instead?\n\n✻ Baked for 0s · done 7:03 AM", ScreenKind.QUESTION, "What should I do instead?"),
        ("● Ready.\n\n  Should I apply it? (yes/no)\n\n✻ Baked for 1s · done 7:03 AM", ScreenKind.YES_NO, "Should I apply it? (yes/no)"),
        ("● Which one?\n  1. MIT\n  2. Apache\n\n✻ Baked for 1s · done 7:03 AM", ScreenKind.QUESTION, "Which one?"),
    ],
)  # fmt: skip
def test_the_end_of_a_turn(above: str, kind: ScreenKind, question: str | None) -> None:
    found = detect("claude", claude_composer(above), title="✳ Claude Code")
    assert (found.kind, found.question) == (kind, question)


@pytest.mark.row("CP-33")
@pytest.mark.invariant(7)
def test_quoted_prompts_above_the_composer_are_not_asked() -> None:
    quoted = "● Here is the code:\n\n  # Do you want to proceed? (y/n)\n  ❯ 1. Yes\n    2. No\n\n  That was all of it."
    found = detect(
        "claude", claude_composer(f"{quoted}\n\n✻ Baked for 1s · done 7:03 AM"), title="✳ Claude Code"
    )
    assert found.kind is ScreenKind.COMPLETED
    assert found.options == ()


@pytest.mark.row("CP-33")
@pytest.mark.parametrize(
    "text",
    [
        "Do you want to continue? [Y/n] Y (assumed by -y)\nINFO unpacking\n",
        "│ Do you want to run this command?\n│ ❯ 1. Yes\n│   2. No\n│ ↑/↓ to navigate · enter to select\n╰─────\n▮",
        '    assert cli.run() == "Proceed? [y/N] "\nE   AssertionError\n',
        "⠇ Is the server up? retrying (5s)",
        "Restarting in 5 s. Press Ctrl+C to cancel. Continue? ",
        "Checking disk space, shall I continue? [y/N] ",
        "Compiling demo v0.1.0 (release). This may take a while...\n",
    ],
)
def test_look_alikes_of_classic_programs_are_not_asked(text: str) -> None:
    assert not detect("generic", text).waiting


def test_the_kernel_settles_what_the_screen_leaves_open() -> None:
    text = "Checking disk space, shall I continue? [y/N] "
    assert detect("generic", text, READING).kind is ScreenKind.YES_NO
    log = "Apply it now? [y/N]: \n[worker] heartbeat 1 ok\n[worker] heartbeat 2 ok\n"
    assert detect("generic", log).kind is ScreenKind.BUSY
    found = detect("generic", log, READING)
    assert (found.kind, found.source) == (ScreenKind.UNKNOWN, EvidenceSource.TTY)
    assert detect("generic", "1+1\n2\n", READING).kind is ScreenKind.UNKNOWN


def test_a_line_read_without_echo_is_a_password() -> None:
    facts = TtyFacts(reading=True, echo=False, canonical=True)
    assert detect("generic", "Vault key for prod? ", facts).kind is ScreenKind.PASSWORD


def test_ghost_text_is_no_draft() -> None:
    dim = f"{DONE}\n{RULE}\n❯ \x1b[2msome ghost text that no list knows\x1b[22m\n{RULE}\n  ? for shortcuts"
    assert detect("claude", dim, title="✳ Claude Code").draft == ""
    assert detect("claude", claude_composer(DONE, draft="fix the bug")).draft == "fix the bug"


def test_a_dialog_of_an_unknown_coding_cli_is_found_by_its_form() -> None:
    text = (
        "╭" + "─" * 60 + "╮\n│ Run this command?\n│ $ make deploy\n│\n│ ❯ Yes, once\n│   Always\n│   No\n│\n"
    )
    text += "│ ↑/↓ navigate · enter select · esc cancel\n╰" + "─" * 60 + "╯"
    found = detect("generic", text, hidden=True)
    assert found.kind is ScreenKind.PERMISSION
    assert [option.label for option in found.options] == ["Yes, once", "Always", "No"]
    assert found.question == "Run this command?"


def test_a_numbered_list_without_a_selected_row_is_prose() -> None:
    text = "Tips:\n1. Create a file\n2. Ask questions\n3. Be specific\n\n enter to select · esc to cancel"
    assert not detect("generic", text, hidden=True).waiting


def test_an_unread_screen_is_unknown() -> None:
    found = detect("claude", "Transcript\n\nsome screen that nobody described", alternate=True)
    assert found.kind is ScreenKind.UNKNOWN


def test_the_end_of_the_child() -> None:
    snapshot = screen("bye")
    from copilot.config.profile_files import load_profile
    from copilot.detection import Examiner

    found = Examiner(load_profile("generic")).examine(snapshot, exit_status=1).detection
    assert found.kind is ScreenKind.EXITED


def test_explain_gives_a_reason_for_every_rule() -> None:
    verdicts = list(examine("claude", screen(claude_permission())).verdicts())
    assert any(verdict.matched and verdict.rule.id == "claude.permission" for verdict in verdicts)
    assert all(verdict.why_not for verdict in verdicts if not verdict.matched)
