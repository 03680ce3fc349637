"""The probe: type one harmless letter to prove that a field takes text, then erase it.

An input field echoes the letter at the cursor; a program that acts on single keys does not. The letter may
change its own row only, and erasing it must restore the screen.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

LETTERS = "jzwlh"
"""Letters that at most move the cursor in pagers, editors and lists."""


@dataclass(frozen=True, slots=True)
class FieldView:
    """One snapshot of the field around the cursor; texts are digests, to be compared only.

    `row` and `column` are those of the cursor, drawn or real. `letter` is one of LETTERS that the screen does
    not show as a key; empty if it shows them all. `others` are the other rows without spinners and clocks.
    """

    row: int
    column: int
    letter: str
    others: str
    left: str
    """The text left of the cursor."""
    before: str
    """`left` without its last cell."""
    last: str
    """The last cell of `left`."""
    right: str
    """The text from the cursor on, without placeholder hints."""


class ProbeStep(enum.Enum):
    """The last step that a probe has done."""

    NONE = "none"
    TYPED = "typed"
    ERASED = "erased"
    PASSED = "passed"


def shows(before: FieldView, after: FieldView | None) -> bool:
    """Whether the letter appeared at the cursor, and nothing else changed."""
    return (
        after is not None
        and (after.row, after.column) == (before.row, before.column + 1)
        and after.last == before.letter
        and after.before == before.left
        and after.others == before.others
        and after.right in ("", before.right)
    )


def is_back(before: FieldView, after: FieldView | None) -> bool:
    """Whether the letter is erased and the screen is as before."""
    return (
        after is not None
        and (after.row, after.column) == (before.row, before.column)
        and after.left == before.left
        and after.others == before.others
        and after.right in ("", before.right)
    )
