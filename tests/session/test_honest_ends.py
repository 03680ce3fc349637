"""A run that did nothing does not end as a success: exit codes as a script that started copilot sees them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.session.outside import headless

RAW = """
import os, sys, tty
tty.setraw(0)
def show(text):
    os.write(1, ("\\x1b[2J\\x1b[H" + text).replace("\\n", "\\r\\n").encode())
def dialog(text):
    show("\\x1b[?25l" + text)
"""
CLAUDE_TRUST = """
dialog('''
 Accessing workspace:

 /tmp/somewhere

 Quick safety check: Is this a project you created or one you trust?

 ❯ No, exit
   Yes, I trust this folder

 Enter to confirm · Esc to cancel
''')
"""
RULE = "─" * 100


def composer(above: str) -> str:
    """Code that draws Claude's composer below this text."""
    return f"show({above!r} + '\\n\\n{RULE}\\n❯ \\n{RULE}\\n  ? for shortcuts')\n"


LEAVES = "os.read(0, 1)\nshow('')\nsys.exit(STATUS)\n"
GOES_ON = "os.read(0, 1)\nshow('Something else that no rule knows, and that waits: ')\nos.read(0, 99)\n"
TO_ITS_COMPOSER = "os.read(0, 1)\n" + composer("Welcome") + "open('typed', 'wb').write(os.read(0, 99))\n"


@pytest.mark.parametrize(
    "then",
    [LEAVES.replace("STATUS", "0"), LEAVES.replace("STATUS", "1"), GOES_ON, TO_ITS_COMPOSER],
    ids=["exit 0", "exit 1", "goes on", "shows its composer"],
)
def test_trust_that_is_refused_is_no_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], then: str
) -> None:
    """S1: whatever the CLI does after the refusal, nothing was done, and the end says why."""
    run = headless(tmp_path, capsys, RAW + CLAUDE_TRUST + then, profile="claude")
    assert (run.exit_code, run.end["exit_code"]) == (3, 3)
    assert "trust" in run.end["reason"] and "not understood" not in run.end["reason"]
    typed = tmp_path / "project" / "typed"
    assert run.end["t"] < 15 and not (typed.exists() and typed.read_bytes())


MCP = """
dialog('''
 New MCP server found in this project: demo

 MCP servers may execute code or access system resources.

 ❯ Use this MCP server
   Use this and all future MCP servers in this project
   Continue without using this MCP server

 Enter to confirm · Esc to cancel
''')
os.read(0, 1)
"""


def test_a_server_that_is_not_trusted_is_left_out_and_the_turn_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The refusal is counted, and what was asked for is done all the same."""
    turn = composer("❯ do it\n\n● Done.\n\n✻ Crunched for 4s") + "os.read(0, 99)\nshow('')"
    run = headless(tmp_path, capsys, RAW + MCP + turn, profile="claude")
    assert run.exit_code == 0, run.out
    assert run.of("decision")[0]["verdict"] == "refuse"


@pytest.mark.parametrize(
    "script",
    [
        "print('Delete it? [y/n] ', end='', flush=True)",
        "import time; print('Delete it? [y/n] ', end='', flush=True); time.sleep(0.6)",
        "print('Overwrite a.txt? (Y/n) ', end='', flush=True)",
        "print('Pick one:\\n\\n❯ 1. Yes\\n  2. No\\n\\nEnter to select · Esc to cancel', end='', flush=True)",
    ],
    ids=["at once", "never read", "with a default", "a menu"],
)
def test_a_prompt_that_is_open_at_the_end_is_no_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], script: str
) -> None:
    """S3: also one that was printed right before the exit and never settled."""
    run = headless(tmp_path, capsys, script)
    assert run.exit_code == 1 and "asking" in run.end["reason"]


@pytest.mark.parametrize(
    "script",
    [
        "print('What now? Nothing.')",
        "print('Build [y/n] is a flag'); print('done')",
        "import time; print('Working on it\\n|', end='', flush=True); time.sleep(0.4)",
        "assert input('Run the tests? [y/n] ') == 'y'",
        "assert input('Run the tests? [y/n] ') == 'y'; print('ok')",
    ],
)
def test_a_program_without_turns_that_asks_nothing_more_is_a_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], script: str
) -> None:
    """An answered prompt still stands on the last screen, and is not open any more."""
    replies = "  - {kind: yes_no, choice: y, optional: true}\n"
    run = headless(tmp_path, capsys, script, "--allow", "prompt:Run*", replies=replies)
    assert run.exit_code == 0, run.out


def test_a_cli_that_leaves_before_a_turn_is_completed_is_no_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = RAW + "import time\n" + composer("Welcome") + "time.sleep(1.2)\nshow('')"
    run = headless(tmp_path, capsys, script, profile="claude")
    assert run.exit_code == 1 and "before a turn" in run.end["reason"]


ERROR = "● API Error: Repeated 529 Overloaded errors. Try again in a\n  moment."
KEY = "  ⎿  Invalid API key · Fix external API key"
TURN_END = "\n\n✻ Crunched for 4s"


@pytest.mark.parametrize("end", ["", TURN_END], ids=["no turn end", "above a turn end"])
@pytest.mark.parametrize(
    ("error", "word"), [(ERROR, "529"), ("● Reading app.py.\n\n" + ERROR, "529"), (KEY, "API key")]
)
def test_a_cli_whose_last_word_is_an_error_is_no_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], error: str, word: str, end: str
) -> None:
    """S2: it shows the error at its composer and leaves by itself, with 0. Nothing is typed there."""
    script = RAW + "import time\n" + composer(f"❯ do it\n\n{error}{end}") + "time.sleep(1.4)\nshow('')"
    run = headless(tmp_path, capsys, script, profile="claude")
    assert run.exit_code == 1 and word in run.end["reason"] and not run.of("types")


@pytest.mark.parametrize(
    "answer",
    [
        "● API Error: 529 Overloaded.\n\n● It works again: all tests pass.",
        "● The log says:\n  API Error: 529 Overloaded\n  so I added a retry.",
        "● Usage limits are documented in LIMITS.md now.",
        "● Your session limit reached the config file: I wrote it there.",
    ],
)
def test_an_answer_about_errors_is_a_completed_turn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], answer: str
) -> None:
    """The turn has ended, so the CLI is left with its own command."""
    script = RAW + composer(f"❯ do it\n\n{answer}{TURN_END}") + "os.read(0, 99)\nshow('')"
    run = headless(tmp_path, capsys, script, profile="claude")
    assert run.exit_code == 0 and "/exit" in run.out
