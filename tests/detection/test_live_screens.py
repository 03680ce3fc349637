"""Screens that only live runs showed: what a CLI draws in our own terminal, and just after a reply."""

from __future__ import annotations

import pytest

from copilot.core.screen_kinds import ScreenKind
from copilot.detection.choices import find_numbered
from copilot.detection.rows import Rows
from tests.detection.screens import RULE, detect, examine, screen

EDGE, FOOT = "╻" + "▄" * 79, "╹" + "▀" * 79


def copilot_box(above: str, footer: str, draft: str = "") -> str:
    """Copilot CLI's composer where the terminal has told its palette: a bar, and no prompt glyph."""
    return f"{above}\n\n /tmp/project [⎇ main]\n{EDGE}\n┃ {draft}▮\n{FOOT}\n {footer}"


@pytest.mark.parametrize(
    ("above", "footer", "kind"),
    [
        (" ● I'll create the file.", "◉ Working · 116 B esc esc interrupt", ScreenKind.BUSY),
        (" ● I created hello.py.", "Interactive · Manual Approval · / commands", ScreenKind.COMPLETED),
        (" ● Done. Which one?", "Interactive · Manual Approval · / commands", ScreenKind.QUESTION),
        (
            " ● No copilot-instructions.md found. Run /init to generate.",
            "Interactive · / commands",
            ScreenKind.IDLE,
        ),
    ],
)
def test_copilot_cli_behind_a_bar(above: str, footer: str, kind: ScreenKind) -> None:
    assert detect("copilot", copilot_box(above, footer), alternate=True).kind is kind


def test_a_draft_behind_a_bar_is_a_draft() -> None:
    text = copilot_box(" ● I created hello.py.", "Interactive · / commands", "and a test")
    assert examine("copilot", screen(text, alternate=True)).detection.draft == "and a test"


def test_a_bar_alone_is_no_composer() -> None:
    """A quotation in the CLI's text stands behind a bar too, but in no box."""
    text = f" ● He said:\n{EDGE}\n┃ Do it\n┃ now\n\n{FOOT}"
    assert examine("copilot", screen(text, alternate=True)).regions.composer is None


@pytest.mark.parametrize(
    ("typed", "draft"),
    [
        ("", ""),
        ('Ask anything… "Fix a TODO in the codebase"', ""),
        ("keep it\n  ┃  as it is", "keepitasitis"),
    ],
)
def test_the_draft_of_opencode_stands_above_its_row_of_names(typed: str, draft: str) -> None:
    """The model's name is no draft: a reply would be held as if a person were typing."""
    box = f"  ┃\n  ┃  {typed}\n  ┃\n  ┃  Build · Fake Model Local\n  ╹{'▀' * 76}"
    text = (
        f"     I left build/ alone.\n\n     ▣  Build · Fake Model · 1.5s\n\n{box}\n    2.5K  ctrl+p commands"
    )
    detection = detect("opencode", text, alternate=True)
    assert "".join(detection.draft.split()) == draft
    assert detection.kind is ScreenKind.COMPLETED


def test_a_line_editor_repeats_its_prompt_where_a_long_line_wraps() -> None:
    """aider; one earlier line that is answered is no part of the draft, long as it may be."""
    long = "go on without it and say why " * 4
    rows = [f"> {long[begin : begin + 78]}" for begin in range(0, len(long), 78)]
    text = f"> {'an old message ' * 5}\n\nSure.\n\n{RULE}\n" + "\n".join(rows) + "▮"
    detection = detect("aider", text)
    assert "".join(detection.draft.split()) == "".join(long.split())


def test_the_tick_of_a_choice_just_made_is_not_its_label() -> None:
    """opencode draws it for a moment before the list goes: the prompt is the same, and answered once."""
    found = find_numbered(Rows(screen("1. SQLite\n2. Postgres ✓\n3. Type your own answer")), "❯", 0, 2)
    assert found is not None
    assert [option.label for option in found.options] == ["SQLite", "Postgres", "Type your own answer"]


@pytest.mark.parametrize(
    ("below", "kind"), [("", ScreenKind.IDLE), ("\n\n› go on\n\n• Let me see", ScreenKind.UNKNOWN)]
)
def test_codex_that_reports_nothing_is_ready_once_it_was_interrupted(below: str, kind: ScreenKind) -> None:
    """Its composer stands there while text streams, so it is a witness only with the row above it."""
    said = "■ Conversation interrupted - use /feedback if something went wrong" + below
    text = f"✗ You canceled the request to run rm -rf build/\n\n{said}\n\n› ▮\n\n  ? for shortcuts"
    assert detect("codex", text).kind is kind


@pytest.mark.parametrize(
    ("above", "kind"),
    [
        ("✕ [API Error: 500 Internal]", ScreenKind.ERROR),
        ("✦ I look first.\n\n✕ [API Error: 500 Internal]", ScreenKind.ERROR),
        ("✕ [API Error: 500 Internal]\n\n✦ It works again.", ScreenKind.COMPLETED),
    ],
)
def test_an_error_of_gemini_is_its_last_word_if_nothing_follows(above: str, kind: ScreenKind) -> None:
    box = f"{'▀' * 80}\n >   Type your message or @path/to/file\n{'▄' * 80}\n ~/project   no sandbox   gemini"
    shown = detect("gemini", f" > do it\n\n{above}\n\n{box}", title="◇  Ready (project)")
    assert shown.kind is kind
