"""Dialogs in which a row, or a blank that no screen shows, says another command than the one that is read."""

from __future__ import annotations

import pytest

from copilot.core.reply import Autonomy
from tests.guard.guided_screens import LEVELS, play, profile_for

WIDTH = 118
GEMINI = ("Allow once", "Allow for this session", "No, suggest changes (esc)")
QWEN = ("Allow once", "Always allow ls", "No, suggest changes (esc)")
ASKS = "Enter to select · Esc to cancel"


def painted(rows: list[str]) -> bytes:
    return ("\x1b[2J\x1b[H" + "\r\n".join(rows)).encode()


def claude(command: str) -> bytes:
    line, dots = "─" * 120, "╌" * 120
    body = [f" {row}" for row in command.split("\n")]
    options = [" Do you want to proceed?", " ❯ 1. Yes", "   2. No", "", " Esc to cancel · Tab to amend"]
    return painted(["● I'll go on.", "", line, " Bash command", " Look around", dots, *body, dots, *options])


def codex(command: str) -> bytes:
    first, *rest = command.split("\n")
    rows = ["• Working", "", "", "  Would you like to run the following command?", "", f"  $ {first}"]
    options = ["› 1. Yes, proceed (y)", "  2. No, and tell Codex what to do differently (esc)", ""]
    return painted(
        [*rows, *(f"    {row}" for row in rest), "", *options, "  Press enter to confirm or esc to cancel"]
    )


def gemini(header: str, body: str, options: tuple[str, ...] = GEMINI) -> bytes:
    def box(text: str) -> str:
        return f"│ {text.ljust(WIDTH - 4)} │"

    rows = ["✦ I'll run it.", "", "╭" + "─" * (WIDTH - 2) + "╮"]
    rows += [box(f"{'? Shell  ' if not index else ''}{row}") for index, row in enumerate(header.split("\n"))]
    rows += [box("╭" + "─" * (WIDTH - 6) + "╮")]
    rows += [box(f"│ {row.ljust(WIDTH - 8)} │") for row in body.split("\n")]
    rows += [box("╰" + "─" * (WIDTH - 6) + "╯"), box("Allow execution of [Shell]?"), box("")]
    rows += [box(f"{'●' if index == 1 else ' '} {index}. {one}") for index, one in enumerate(options, 1)]
    return painted([*rows, "╰" + "─" * (WIDTH - 2) + "╯"])


def powershell(command: str) -> bytes:
    return claude(command).replace(b" Bash command", b" PowerShell command")


def generic(question: str, body: str) -> bytes:
    return painted([question, "", *body.split("\n"), "", "❯ 1. Yes", "  2. No", "", ASKS])


def offered(body: str) -> bytes:
    rows = ["Approve tool call?", "", *body.split("\n"), "", " [y] Approve   [n] Deny", ""]
    return painted([*rows, " a-model $0.00", " shop (main)"])


BLANKS = (
    "echo hello \\ \nrm -rf src",
    'bash -c "echo a \\\\ \nrm -rf src"',
    "cat <<A\nhello\nA \ncat <<'B'\nA\nrm -rf src\nB",
    "cat <<A\nhello\n  A\ncat <<'B'\nA\nrm -rf src\nB",
)


@pytest.mark.invariant(13)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("profile", "screen"),
    [
        *(("claude", claude(one)) for one in BLANKS),
        *(("codex", codex(one)) for one in BLANKS),
        ("claude", powershell('echo "\\$(rm -r src)"')),
        ("gemini", gemini("ls", "ls\nrm -rf src")),
        ("gemini", gemini("ls\nrm -rf src", "ls\nrm -rf src")),
        ("qwen", gemini("ls", "ls\nrm -rf src", QWEN)),
        ("qwen", gemini("ls; (rm -rf src)", "ls; (rm -rf src)", QWEN)),
        ("generic", generic("Allow this command to run?", "  rm -rf src; echo '\n  $ ls #'")),
        ("generic", generic("Allow this command to run?", "  Command: rm -rf src\n  Example:\n  $ ls")),
        ("generic", generic("Allow this command to run?", "  rm -rf src; echo '\n\nRun?\n\n  $ ls #'")),
        ("generic", generic("Run command?", "  $ ls\n  Run=1; rm -rf src; ls ?")),
        ("generic", generic("Run command?", "  $ ls\n  Run rm src ?")),
        ("generic", offered("  rm -rf out\n  $ ls")),
    ],
)
def test_a_row_beside_what_is_read_gets_no_yes(profile: str, screen: bytes, level: Autonomy) -> None:
    played = play(screen, profile_for(profile), level)
    assert played.keys == (), played.subject


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("profile", "screen"),
    [
        ("claude", claude("ls")),
        ("claude", claude("cat <<A\nhello\nA")),
        ("codex", codex("ls\nls src")),
        ("gemini", gemini("ls", "ls")),
        ("qwen", gemini("ls (look around)", "ls", QWEN)),
    ],
)
def test_an_ordinary_dialog_is_answered(profile: str, screen: bytes, level: Autonomy) -> None:
    assert play(screen, profile_for(profile), level).keys != ()
