"""Rows put together again: which ends of rows are a wrap, which are the text's own, which cannot be known.

The CLIs wrap by themselves, so the terminal does not know. A row whose successor would still have fitted
ended by itself. Where it would not have fitted, a blank was wrapped, or the text has a line end there; where
the row is full, a long word may have been broken as well. `echo a` and `rm b` on two rows may be one command
or two, so such a seam is never guessed: the text is then not known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from copilot.core.screen_rules import SubjectRule
from copilot.detection.regions import Regions


@dataclass(frozen=True, slots=True)
class Joined:
    """The text of `rows` rows. `sure` means that it is exactly what was printed."""

    text: str
    sure: bool
    rows: int


def columns_left(row: int, margin: int, regions: Regions) -> int:
    """How many columns behind the row's text the CLI left unused; 0 or less if the row is full."""
    used = regions.rows.columns_of(row, 0, len(regions.rows.texts[row])).stop
    return regions.rows.columns - margin - used


def join_lines(
    parts: Sequence[str], numbers: Sequence[int], rule: SubjectRule, regions: Regions, reported: str | None
) -> Joined:
    """Rows of a text that may have line ends, such as a command.

    `reported` is the same text with its white space folded, if the CLI reported it: it shows whether a word
    was broken, but not whether a blank is a line end.
    """
    gaps = _gaps(parts, reported)
    text, sure = parts[0], True
    for index, part in enumerate(parts[1:], 1):
        before = numbers[index - 1]
        if _soft_wrapped(before, regions):
            text += part
            continue
        left = columns_left(before, rule.margin, regions)
        if not part or _first_word(part) + 1 <= left:
            text += "\n" + part
        elif left <= 0 and gaps is not None and gaps[index] == "":
            text += part
        else:
            text, sure = f"{text} {part}", False
    return Joined(text, sure, len(parts))


def join_one(parts: Sequence[str], numbers: Sequence[int], rule: SubjectRule, regions: Regions) -> Joined:
    """Rows of a text without line ends, such as a path: it ends with the first row that was not wrapped.

    A full row may end in a broken word or at a blank. Only a text that has no blank is known then.
    """
    text, broken, blanks, count = parts[0], False, " " in parts[0], 1
    for index, part in enumerate(parts[1:], 1):
        before = numbers[index - 1]
        left = columns_left(before, rule.margin, regions)
        if _soft_wrapped(before, regions):
            text += part
        elif left <= 0 or (text[-1:] in rule.breaks and _first_piece(part, rule.breaks) > left):
            text, broken = text + part, True
        elif _first_word(part) + 1 > left:
            text, blanks = f"{text} {part}", True
        else:
            break
        blanks = blanks or " " in part
        count += 1
    return Joined(text, not (broken and blanks), count)


def _soft_wrapped(row: int, regions: Regions) -> bool:
    return bool(regions.snapshot.wrapped) and regions.snapshot.wrapped[row]


def _first_word(part: str) -> int:
    return len(part.split(" ", 1)[0])


def _first_piece(part: str, breaks: str) -> int:
    """How many columns the next row's text needs up to the first place where it could be wrapped."""
    for index, character in enumerate(part):
        if character == " ":
            return index
        if character in breaks:
            return index + 1
    return len(part)


def _gaps(parts: Sequence[str], reported: str | None) -> list[str] | None:
    """What `reported` has before each part, a blank or nothing; None if it is not the text of these rows."""
    if reported is None:
        return None
    rest = " ".join(reported.split())
    gaps = []
    for part in parts:
        piece = " ".join(part.split())
        gap = " " if rest.startswith(" ") else ""
        if not rest.startswith(gap + piece):
            return None
        rest = rest[len(gap + piece) :]
        gaps.append(gap)
    return None if rest else gaps
