"""Lists of unknown CLIs in all the forms that are met: their options, the selected one, and the keys."""

from __future__ import annotations

import pytest

from copilot.core.screen_kinds import ScreenKind
from copilot.core.snapshot import TtyFacts
from tests.detection.screens import RULE, detect

LIT, PLAIN = "\x1b[7m", "\x1b[m"
KEYS = "\n\n ↑/↓ move · enter select · esc cancel"
EDGE = "─" * 30
RAW = TtyFacts(reading=None, echo=False, canonical=False)
LISTS: dict[str, tuple[str, list[str], int | None]] = {
    "a lit row": (f"  Apple\n{LIT}  Banana{PLAIN}\n  Cherry", ["Apple", "Banana", "Cherry"], 1),
    "an arrow of two characters": ("-> Apple\n   Banana", ["Apple", "Banana"], 0),
    "an arrow of two others": ("   Apple\n=> Banana", ["Apple", "Banana"], 1),
    "a star": ("* Apple\n  Banana", ["Apple", "Banana"], 0),
    "radio buttons in brackets": (" ( ) Apple\n (*) Banana", ["Apple", "Banana"], 1),
    "a key before each": ("  a) Apple\n  b) Banana", ["Apple", "Banana"], None),
    "a key in brackets": ("  [1] Apple\n  [2] Banana", ["Apple", "Banana"], None),
    "a page of a list": ("  ↑ 3 more\n❯ Date\n  Elder\n  ↓ 2 more", ["Date", "Elder"], 0),
    "numbers of a page": ("  ▲\n❯ 4. Date\n  5. Elder\n  ▼", ["Date", "Elder"], 0),
    "check boxes": ("❯ [x] Apple\n  [ ] Banana", ["Apple", "Banana"], 0),
    "check boxes with a lit row": (
        f" [x] Apple\n [ ] Banana\n{LIT} [ ] Cherry{PLAIN}",
        ["Apple", "Banana", "Cherry"],
        2,
    ),
    "more in words": ("❯ Apple\n  Banana\n  ... 12 more below", ["Apple", "Banana"], 0),
    "descriptions": ("❯ Apple\n    a red fruit\n  Banana\n    a yellow one", ["Apple", "Banana"], 0),
}
NO_LISTS = {
    "a coloured word": "The build\n\x1b[36mfails\x1b[m\nin two places",
    "a lit word": f"The build\n{LIT}fails{PLAIN} here\nin two places",
    "all starred": "* fixed the build\n* added a test",
    "check boxes of which none is lit": " [x] Apple\n [ ] Banana",
    "steps": "1. build\n2. test",
}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_above_its_row_of_keys_is_read(name: str) -> None:
    text, labels, selected = LISTS[name]
    seen = detect("generic", f"Which fruit?\n\n{text}{KEYS}", RAW, hidden=True)
    assert (seen.kind, seen.question) == (ScreenKind.MENU, "Which fruit?")
    assert [option.label for option in seen.options] == labels
    assert [n for n, option in enumerate(seen.options) if option.selected] == (
        [] if selected is None else [selected]
    )


def test_a_lit_row_in_a_box_is_selected() -> None:
    inner = [
        f"{'Which fruit?':<30}",
        f"{'  Apple':<30}",
        f"{LIT}{'  Banana':<30}{PLAIN}",
        f"{'  Cherry':<30}",
    ]
    box = "\n".join([f"╭{EDGE}╮", *(f"│{row}│" for row in inner), f"╰{EDGE}╯"])
    seen = detect("generic", f"{box}{KEYS}", RAW, hidden=True)
    assert (seen.kind, seen.question) == (ScreenKind.MENU, "Which fruit?")
    assert [(option.label, option.selected) for option in seen.options] == [
        ("Apple", False),
        ("Banana", True),
        ("Cherry", False),
    ]


def test_keys_of_a_list_are_typed_alone() -> None:
    seen = detect("generic", f"Which fruit?\n\n{LISTS['a key before each'][0]}{KEYS}", RAW, hidden=True)
    assert [option.key for option in seen.options] == ["a", "b"]


@pytest.mark.parametrize("name", LISTS)
def test_it_is_none_above_an_input_box(name: str) -> None:
    text = f"Which fruit?\n\n{LISTS[name][0]}\n\n{RULE}\n> ▮\n{RULE}\n  ↑/↓ move · enter select"
    seen = detect("generic", text, RAW)
    assert (seen.options, seen.kind in (ScreenKind.IDLE, ScreenKind.QUESTION)) == ((), True)


@pytest.mark.parametrize("name", NO_LISTS)
def test_prose_above_a_row_of_keys_is_no_list(name: str) -> None:
    text = f"What I did:\n\n{NO_LISTS[name]}{KEYS}"
    assert detect("generic", text, RAW, hidden=True).kind is ScreenKind.UNKNOWN


def test_a_permission_is_one_however_its_options_are_marked() -> None:
    text = f"Do you want to run this command?\n\n  Ja\n{LIT}  Nein{PLAIN}\n  Immer{KEYS}"
    assert detect("generic", text, RAW, hidden=True).kind is ScreenKind.PERMISSION


def test_lit_check_boxes_say_which_are_ticked() -> None:
    text = f"Which fruit?\n\n [x] Apple\n [ ] Banana\n{LIT} [ ] Cherry{PLAIN}{KEYS}"
    seen = detect("generic", text, RAW, hidden=True)
    assert seen.multi_select
    assert [option.checked for option in seen.options] == [True, False, False]
