"""Boxes with buttons, as dialog and whiptail draw them: what is lit is what Enter takes."""

from __future__ import annotations

import pytest

from copilot.core.screen_kinds import ScreenKind
from tests.detection.screens import detect

GROUND, LIT, END = "\x1b[30;47m", "\x1b[37;41m", "\x1b[m"
WIDTH = 46


def box(rows: list[str]) -> str:
    """Black on white in a box; `*text*` is white on red."""
    drawn = [f"┌{'─' * WIDTH}┐"]
    for row in rows:
        parts = row.split("*")
        text = "".join(f"{LIT}{part}{GROUND}" if n % 2 else part for n, part in enumerate(parts))
        drawn.append(f"│{text}{' ' * (WIDTH - len(''.join(parts)))}│")
    drawn.append(f"└{'─' * WIDTH}┘")
    return "\n".join(f"{GROUND}{row}{END}" for row in drawn)


YES_NO = " Erase the disk?||         {}          {}"
MENU = " Choose the boot mode||     {}|     {}|     {}||      {}        {}"


def drawn(form: str, *words: str) -> str:
    return box(form.format(*words).split("|"))


@pytest.mark.parametrize(
    ("words", "keys"),
    [(("*<Yes>*", "<No>"), ["Enter", "Right Enter"]), (("<Yes>", "*<No>*"), ["Left Enter", "Enter"])],
)
def test_the_button_on_a_ground_of_its_own_is_where_the_keys_start(
    words: tuple[str, str], keys: list[str]
) -> None:
    detection = detect("generic", drawn(YES_NO, *words), hidden=True)
    assert detection.kind is ScreenKind.YES_NO
    assert [(option.label, option.key) for option in detection.options] == list(
        zip(("Yes", "No"), keys, strict=True)
    )
    assert [option.selected for option in detection.options] == [key == "Enter" for key in keys]


def test_without_a_lit_button_nobody_knows_where_the_keys_start() -> None:
    detection = detect("generic", drawn(YES_NO, "<Yes>", "<No>"), hidden=True)
    assert [(option.key, option.selected) for option in detection.options] == [(None, False), (None, False)]


@pytest.mark.parametrize("buttons", [("<Ok>", "<Cancel>"), ("*<Ok>*", "<Cancel>")])
def test_the_lit_row_of_a_box_is_its_selected_option(buttons: tuple[str, str]) -> None:
    rows = ("1 Normal", "*2 Recovery*", "3 Erase disk")
    detection = detect("generic", drawn(MENU, *rows, *buttons), hidden=True)
    assert (detection.kind, detection.question) == (ScreenKind.MENU, "Choose the boot mode")
    assert [(option.label, option.key, option.selected) for option in detection.options] == [
        ("Normal", None, False),
        ("Recovery", None, True),
        ("Erase disk", None, False),
    ]
    assert not detection.multi_select


def test_a_list_whose_box_would_be_left_is_not_answered() -> None:
    rows = ("1 Normal", "*2 Recovery*", "3 Erase disk")
    assert detect("generic", drawn(MENU, *rows, "<Ok>", "*<Cancel>*"), hidden=True).kind is ScreenKind.UNKNOWN


def test_marks_are_ticks() -> None:
    rows = ("*[x] docs  the manual*", "[ ] code  the program", "[ ] more  the rest")
    detection = detect("generic", drawn(MENU, *rows, "*<Ok>*", "<Cancel>"), hidden=True)
    assert [(option.label, option.description, option.checked) for option in detection.options] == [
        ("docs", "the manual", True),
        ("code", "the program", False),
        ("more", "the rest", False),
    ]
    assert detection.multi_select
