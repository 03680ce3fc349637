"""Prompt identity: the same under spinners, clocks, redraws and resizes; another one for another question."""

from __future__ import annotations

from functools import cache

import pytest

from copilot.config.profile_files import load_profile
from copilot.core.detection import Detection
from copilot.core.snapshot import ScreenSnapshot
from copilot.detection import Examiner
from copilot.recording.asciicast import read_cast
from copilot.replay.driver import pieces_of
from copilot.screen import TerminalScreen
from tests.detection.screens import claude_composer, claude_permission, detect
from tests.scoring.labels import ASKING, CORPUS, labels_of

SAMPLE = (
    "claude/two_permissions", "claude/ask_multi", "codex/rm_rf_accept_80x24", "gemini/bash_permission_80x24",
    "qwen/shell_approve", "copilot/write_approve", "opencode/shell_destructive_deny", "pi/write_approve_80x24",
    "aider/add_file", "classic/apt_remove", "classic/clack_all", "classic/git_add_p",
)  # fmt: skip


def line(text: str) -> str:
    """The identity of a prompt of a classic program."""
    found = detect("generic", text)
    assert found.identity, found
    return found.identity


@pytest.mark.row("CP-32")
@pytest.mark.invariant(2)
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Delete 3 files? [y/N] ", "Delete 30 files? [y/N] "),
        ("Free 3 MB? [y/N] ", "Free 30 MB? [y/N] "),
        ("Keep 5% of it? [y/N] ", "Keep 50% of it? [y/N] "),
        ("Wait for 3 s? [y/N] ", "Wait for 30 s? [y/N] "),
        ("Spend 1000 tokens? [y/N] ", "Spend 9000 tokens? [y/N] "),
        ("Move the job to 10:30? [y/N] ", "Move the job to 11:30? [y/N] "),
        ("After this 3 MB will be freed.\nContinue? [Y/n] ", "After this 30 MB will be freed.\nContinue? [Y/n] "),
    ],
)  # fmt: skip
def test_a_number_in_the_question_makes_it_another_prompt(one: str, other: str) -> None:
    assert line(one) != line(other)


@pytest.mark.row("CP-32")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("⠋ resolving\nContinue? [y/N] ", "⠙ resolving\nContinue? [y/N] "),
        ("fetched 12% of it\nContinue? [y/N] ", "fetched 13% of it\nContinue? [y/N] "),
        ("copied 10.1 MB at 3.2 MB/s\nContinue? [y/N] ", "copied 12.9 MB at 3.1 MB/s\nContinue? [y/N] "),
        ("elapsed 0:59\nContinue? [y/N] ", "elapsed 1:00\nContinue? [y/N] "),
        ("↑ 1.2k tokens (12s · esc to cancel)\nOK? [y/N] ", "↑ 980 tokens (9s · esc to cancel)\nOK? [y/N] "),
        (f"{' ' * 60}|\nContinue? [y/N] ", f"{' ' * 60}/\nContinue? [y/N] "),
        ("Installing       -\nContinue? [y/N] ", "Installing       \\\nContinue? [y/N] "),
        ("Continue (in 9 seconds)? [y/N] ", "Continue (in 10 seconds)? [y/N] "),
    ],
)
def test_what_ticks_does_not_make_it_another_prompt(one: str, other: str) -> None:
    assert line(one) == line(other)


@pytest.mark.row("CP-32")
def test_a_menu_is_the_same_at_every_width_and_keeps_all_its_options() -> None:
    """A label that the terminal wraps is no row between the list and its question."""
    text = (
        "Pick one:\r\n  1) React is a library for user interfaces, rather long in its label\r\n"
        "  2) Next\r\n  3) Express\r\nChoose [1-3]: "
    )
    terminal = TerminalScreen(100, 24)
    terminal.feed(text.encode())
    examiner = Examiner(load_profile("generic"))
    identities, labels = set(), set()
    for columns in (100, 60, 45, 30, 100):
        terminal.resize(columns, 24)
        found = examiner.examine(terminal.snapshot()).detection
        identities.add(found.identity)
        labels.add(tuple(option.label for option in found.options))
    assert len(identities) == 1 and "" not in identities
    assert labels == {("React is a library for user interfaces, rather long in its label", "Next", "Express")}


def test_how_long_a_ruler_is_does_not_make_it_another_prompt() -> None:
    """A program that draws itself anew after a resize draws its rulers as wide as the screen."""
    one, other = (line(f"{'=' * width}\nSetup\n{'-' * width}\nInstall? [y/n] ") for width in (70, 50))
    assert one == other


@pytest.mark.row("CP-32")
def test_numbers_of_a_dialog_and_of_prose_count() -> None:
    one, other = (
        detect("claude", claude_permission("rm -rf build/", f"Do you want to delete {n} files?"))
        for n in (3, 30)
    )
    assert one.kind is other.kind and one.identity != other.identity
    prose = [
        detect("claude", claude_composer(f"● Shall I delete {n} files?\n\n✻ Baked for 5s · done 7:03 AM"))
        for n in (3, 30)
    ]
    assert prose[0].identity != prose[1].identity


@pytest.mark.row("CP-32")
def test_a_message_is_the_same_however_it_is_wrapped() -> None:
    words = "I looked at the three places where the cache is filled. " * 3 + "Shall I change all of them?"

    def at(columns: int) -> Detection:
        rows, row = [], "●"
        for word in words.split():
            if len(row) + 1 + len(word) > columns - 2:
                rows.append(row)
                row = " "
            row += f" {word}"
        above = "\n".join([*rows, row, "", "✻ Baked for 5s · done 7:03 AM"])
        return detect("claude", claude_composer(above), columns=max(columns, 80))

    assert at(120).asks and at(120).identity == at(100).identity == at(80).identity


# over the recordings


@cache
def prompts_of(name: str) -> list[tuple[str, TerminalScreen]]:
    """The screen of each prompt of a recording, just before it is answered."""
    path = CORPUS / f"{name}.cast"
    cast = read_cast(path)
    times = [
        (f"{name}#{number}", label["t_end"] - 0.002)
        for number, label in enumerate(labels_of(path))
        if label["state"] in ASKING
    ]
    found = []
    for where, at in times:
        screen = TerminalScreen(cast.header.columns, cast.header.lines)
        for piece in pieces_of(cast):
            if piece.at <= at and piece.data:
                screen.feed(piece.data)
        found.append((where, screen))
    return found


def looked(name: str, snapshot: ScreenSnapshot) -> Detection:
    cli = name.partition("/")[0]
    return Examiner(load_profile("generic" if cli == "classic" else cli)).examine(snapshot).detection


def redrawn(snapshot: ScreenSnapshot) -> bytes:
    """Bytes that draw the same picture anew, row by row, colours included."""
    parts = ["\x1b[?25l\x1b[2J"]
    for row, (characters, styles) in enumerate(zip(snapshot.characters, snapshot.styles, strict=True), 1):
        parts.append(f"\x1b[{row};1H")
        for text, style in zip(characters, styles, strict=True):
            parts.append(f"\x1b[0{_sgr(style)}m{text}")
    row, column, visible = snapshot.cursor
    parts.append(f"\x1b[0m\x1b[{row + 1};{column + 1}H" + ("\x1b[?25h" if visible else ""))
    return "".join(parts).encode()


def _sgr(style: object) -> str:
    codes = {"bold": 1, "dim": 2, "italic": 3, "underline": 4, "reverse": 7}
    parts = [str(code) for name, code in codes.items() if getattr(style, name)]
    for base, colour in ((38, getattr(style, "foreground", "")), (48, getattr(style, "background", ""))):
        if isinstance(colour, int):
            parts.append(f"{base};5;{colour}")
        elif str(colour).startswith("#"):
            red, green, blue = (int(str(colour)[n : n + 2], 16) for n in (1, 3, 5))
            parts.append(f"{base};2;{red};{green};{blue}")
    return "".join(f";{part}" for part in parts)


@pytest.mark.row("CP-32")
@pytest.mark.parametrize("name", SAMPLE)
def test_a_redraw_keeps_the_identity(name: str) -> None:
    for where, screen in prompts_of(name):
        before = looked(name, screen.snapshot())
        again = TerminalScreen(screen.snapshot().columns, len(screen.snapshot().lines))
        if screen.snapshot().alternate_screen:
            again.feed(b"\x1b[?1049h")
        again.feed(f"\x1b]0;{screen.snapshot().title}\x07".encode())
        again.feed(redrawn(screen.snapshot()))
        status = screen.snapshot().program_status
        if status is not None:
            again.feed(f"\x1b]7501;state={status.state}:kind={status.kind}\x07".encode())
        after = looked(name, again.snapshot())
        assert (after.kind, after.question, after.options) == (
            before.kind,
            before.question,
            before.options,
        ), where
        assert after.identity == before.identity, where


@pytest.mark.row("CP-32")
@pytest.mark.parametrize("name", SAMPLE)
def test_a_wider_window_keeps_the_identity(name: str) -> None:
    for where, screen in prompts_of(name):
        before = screen.snapshot()
        one = looked(name, before)
        screen.resize(before.columns + 30, len(before.lines))
        assert looked(name, screen.snapshot()).identity == one.identity, where
        screen.resize(before.columns, len(before.lines))
        assert looked(name, screen.snapshot()).identity == one.identity, where
