"""The probe of a field that nothing else proves: a harmless letter, seen to appear at the cursor, taken back.

A program that acts on single keys does not show a letter where the cursor was and wait for the next one; an
input field does. Only the letter's own row may differ afterwards, and everything is back once it is erased.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

LETTERS = "jzwlh"
"""In pagers, editors and lists these move at most; others answer, change or end something."""


@dataclass(frozen=True, slots=True)
class FieldView:
    """What one look shows of the place where a letter would appear; texts as digests, only to be compared.

    `row` and `column` are the cursor's, drawn or real. `letter` is one that is no key of anything on the
    screen, empty if each of LETTERS is. `others` is every other row, without what moves by itself.
    """

    row: int
    column: int
    letter: str
    others: str
    left: str
    """All that stands left of the cursor."""
    before: str
    """The same without the last cell."""
    last: str
    """The last cell left of the cursor."""
    right: str
    """What stands from the cursor on and is no hint; empty for nothing."""


class ProbeStep(enum.Enum):
    """How far a probe is."""

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
    """Whether the letter is gone again and all is as it was."""
    return (
        after is not None
        and (after.row, after.column) == (before.row, before.column)
        and after.left == before.left
        and after.others == before.others
        and after.right in ("", before.right)
    )
