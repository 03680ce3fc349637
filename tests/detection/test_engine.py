"""Regular expressions are linear, hostile screens stall nothing, odd lists are read or left alone."""

from __future__ import annotations

import random

import pytest

from copilot.config.profile_files import list_profiles
from copilot.detection import Examiner
from copilot.detection.choices import find_numbered, find_pointer, find_radio
from copilot.detection.patterns import BadPattern, compiled
from copilot.detection.rows import RowKind, Rows
from copilot.screen import TerminalScreen
from tests.detection.screens import RULE, detect, screen

_PIECES = "❯› 1.2)(?[y/N]:│╭╮─━●○◯…✻abcdefghi  \n中💡\x1b[7m\x1b[2m\x1b[0m\x1b[5A"


def test_what_re2_refuses_is_told_with_its_place() -> None:
    with pytest.raises(BadPattern, match="position 1"):
        compiled("a(b")
    with pytest.raises(BadPattern, match="position 3"):
        compiled("abc(?!d)")


def test_hostile_screens_are_only_read() -> None:
    chance = random.Random(7)
    examiners = [Examiner(profile) for profile in list_profiles()]
    for number in range(40):
        terminal = TerminalScreen(chance.choice([1, 20, 80, 200]), chance.choice([1, 3, 24, 60]))
        text = "".join(chance.choice(_PIECES) for _ in range(1500))
        if number % 2:
            text = "".join(chr(chance.randrange(32, 0x3000)) for _ in range(1500))
        terminal.feed(text.encode("utf-8", "replace"))
        picture = terminal.snapshot()
        for examiner in examiners:
            found = examiner.examine(picture).detection
            assert all(0 <= row < len(picture.lines) for row in found.evidence)


def rows_of(text: str, columns: int = 80) -> Rows:
    return Rows(screen(text, columns=columns))


def test_frames_are_taken_off_and_rows_named() -> None:
    rows = rows_of(f"╭{'─' * 50}╮\n│ hello │\n│       │\n╰{'─' * 50}╯\n{RULE}\n{'╌' * 60}")
    assert [kind for kind in rows.kinds[:6]] == [
        RowKind.TOP, RowKind.TEXT, RowKind.BLANK, RowKind.BOTTOM, RowKind.RULE, RowKind.DOTTED,
    ]  # fmt: skip
    assert rows.texts[1] == "  hello"


def test_a_wrapped_label_is_joined_and_a_description_is_not() -> None:
    rows = rows_of(
        "❯ 1. Yes, and do it now for\n     everything/below\n  2. No\n     leaves it as it is", columns=30
    )
    found = find_numbered(rows, "❯", 0, 3)
    assert found is not None
    assert [(option.label, option.description) for option in found.options] == [
        ("Yes, and do it now for everything/below", None),
        ("No", "leaves it as it is"),
    ]


def test_numbers_must_follow_one_another() -> None:
    assert find_numbered(rows_of("1. one\n3. three"), "❯", 0, 1) is None
    found = find_numbered(rows_of("1. old\n2. older\n\ntext\n1. new\n2. newer"), "❯", 0, 5)
    assert found is not None
    assert [option.label for option in found.options] == ["new", "newer"]


def test_check_boxes_are_told_from_labels() -> None:
    found = find_numbered(rows_of("❯ 1. [ ] Auth\n  2. [x] Logging"), "❯", 0, 1)
    assert found is not None
    assert found.multi
    assert [option.checked for option in found.options] == [False, True]


def test_pointer_lists_need_aligned_siblings() -> None:
    found = find_pointer(rows_of("? Pick\n  Upload\n❯ Download\n  Exit"), "❯", 0, 3)
    assert found is not None
    assert [(option.label, option.selected) for option in found.options] == [
        ("Upload", False), ("Download", True), ("Exit", False),
    ]  # fmt: skip
    assert find_pointer(rows_of("❯ only a prompt"), "❯", 0, 0) is None


def test_radio_lists_have_one_chosen() -> None:
    found = find_radio(rows_of("│  ● Minimal\n│  ○ Full"), 0, 1)
    assert found is not None
    assert [option.selected for option in found.options] == [True, False]
    assert find_radio(rows_of("● first point\n● second point"), 0, 1) is None


@pytest.mark.row("CP-20", "CP-30")
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Proceed? [y/n] ", "yes_no"),
        ("Confirm (yes/no): ", "yes_no"),
        ("1) a\n2) b\nChoose an option (1-2): ", "menu"),
        ("Choose an option (1-3): ", "menu"),
        ("Your age? ", "text_input"),
        ("Enter file path: ", "text_input"),
        ("---BEGIN PROMPT---\nWhich colour?\n---END PROMPT---", "question"),
        ("Password: ", "password"),
        ("--More--(20%)", "pager"),
        ("Press any key to continue...", "press_key"),
        ("user@host:~$ ", "idle"),
        (">>> ", "idle"),
    ],
)
def test_forms_of_classic_prompts(text: str, kind: str) -> None:
    assert detect("generic", text).kind == kind
