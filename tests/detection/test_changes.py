"""What a dialog shows of a change: which lines go, come and stay, and whether all of them are shown."""

from __future__ import annotations

import pytest

from copilot.core.detection import ShownChange
from tests.detection.screens import detect

DOTS, RULE = "╌" * 80, "─" * 80
DIFF = ("  9  def add(a, b):", " 10 -    return a - b", " 10 +    return a + b", " 11", " ...", " 40 +")


def claude(header: str, asked: str, *rows: str, below: str = "") -> ShownChange | None:
    text = [RULE, f" {header}", " src/a.py", DOTS, *rows, DOTS, f" Do you want to {asked} a.py?"]
    foot = [" ❯ 1. Yes", "   2. No", below, " Esc to cancel · Tab to amend"]
    subject = detect("claude", "\n".join([*text, *foot]), lines=40, hidden=True).subject
    assert subject is not None
    assert not subject.odd
    return subject.change


def codex(*above: str) -> ShownChange | None:
    asked = [
        "",
        "  Would you like to make the following edits?",
        "",
        "  Description: Apply proposed file edits",
    ]
    options = ["  Destination: /srv/p/src/a.py", "", "› 1. Yes, proceed (y)", "  2. No, and tell Codex (esc)"]
    foot = ["", "  Press enter to confirm or esc to cancel"]
    subject = detect("codex", "\n".join([*above, *asked, *options, *foot]), lines=40, hidden=True).subject
    assert subject is not None
    return subject.change


def test_a_new_file_is_read_whole() -> None:
    rows = ("  8 x = 1", "  9", f" 10 {'y' * 75}", f"    {'y' * 5}")
    assert claude("Create file", "create", *rows) == ShownChange(
        "create", (), ("x = 1", "", "y" * 80), (), True
    )


def test_an_edit_is_read_with_its_signs() -> None:
    kept = ("def add(a, b):", "")
    whole = ShownChange("edit", ("    return a - b",), ("    return a + b", ""), kept, True)
    assert claude("Edit file", "make this edit to", *DIFF) == whole


def test_a_file_that_is_overwritten_may_be_shown_with_and_without_signs() -> None:
    for rows in (("  1 -a", "  1 +b"), ("  1 b",)):
        change = claude("Overwrite file", "overwrite", *rows)
        assert change is not None
        assert (change.act, change.added, change.whole) == ("overwrite", ("b",), True)


@pytest.mark.parametrize("row", ["what is this", "…"])
def test_a_row_that_is_none_of_a_change_makes_it_uncertain(row: str) -> None:
    change = claude("Create file", "create", "  1 x", row and f" {row}")
    assert change is not None
    assert not change.whole


def test_rows_that_are_counted_and_not_shown_make_it_a_part() -> None:
    change = claude("Create file", "create", "  1 x", below=" ↑ 3 more lines")
    assert change is not None
    assert not change.whole


def test_codex_counts_what_it_shows_above() -> None:
    shown = ("    12 -a", "    12 +b")
    assert codex("• Edited src/a.py (+1 -1)", *shown) == ShownChange("edit", ("a",), ("b",), (), True)
    part = codex("• Edited src/a.py (+9 -1)", *shown, "    + Show details")
    assert part is not None and not part.whole
    gone = codex("• Deleted src/a.py (+0 -1)", "     1 -a")
    assert gone is not None and gone.act == "delete"


def test_what_codex_shows_of_another_file_or_further_above_is_not_it() -> None:
    assert codex("• Edited src/b.py (+1 -0)", "    1 +b") is None
    assert codex("• Edited src/a.py (+1 -0)", "    1 +b", "• I have made it.") is None
    assert codex() is None
