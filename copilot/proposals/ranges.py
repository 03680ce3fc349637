"""Range edits of one text. All of them name places of the same base, so their order does not count."""

from __future__ import annotations

from itertools import pairwise

from copilot.errors import InputError
from copilot.proposals.models import Anchor, Position, RangeEdit


class Refused(InputError):
    """A proposal that is not carried out; one line that says which part, and why."""


def apply_ranges(base: str, edits: list[RangeEdit], anchors: list[Anchor]) -> str:
    """`base` with all edits. Raises Refused for one that is out of range, overlaps, or mixes line ends."""
    lines = base.split("\n")
    _check_anchors(lines, anchors)
    starts = _starts(lines)
    spans = sorted(
        (_offset(one.start, lines, starts), _offset(one.end, lines, starts), at, one.text)
        for at, one in enumerate(edits)
    )
    for start, end, at, text in spans:
        if end < start:
            raise Refused(f"edits.{at}: ends before it begins; give start before end")
        _check_line_ends(base, text, at)
    for (start, end, first, _), (next_start, _, second, _) in pairwise(spans):
        if next_start < end or next_start == start:
            raise Refused(f"edits.{second}: overlaps edits.{first}; join them")
    pieces, last = [], 0
    for start, end, _, text in spans:
        pieces += [base[last:start], text]
        last = end
    return "".join([*pieces, base[last:]])


def _starts(lines: list[str]) -> list[int]:
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    return starts


def _offset(place: Position, lines: list[str], starts: list[int]) -> int:
    if place.line > len(lines):
        end = "" if lines[-1] == "" else ", and the last one has no newline"
        raise Refused(f"line {place.line}: out of range, the base has {len(lines)} lines{end}")
    line = lines[place.line - 1].removesuffix("\r") if place.line < len(lines) else lines[-1]
    if place.column > len(line) + 1:
        raise Refused(f"line {place.line}, column {place.column}: out of range, the line has {len(line)}")
    return starts[place.line - 1] + place.column - 1


def _check_anchors(lines: list[str], anchors: list[Anchor]) -> None:
    for anchor in anchors:
        found = lines[anchor.line - 1].removesuffix("\r") if anchor.line <= len(lines) else None
        if found != anchor.text:
            raise Refused(f"anchor of line {anchor.line}: the base reads otherwise there; look at it again")


def _check_line_ends(base: str, text: str, at: int) -> None:
    """An edit keeps the line ends of its base: a mixed file breaks tools, and hides changes in diffs."""
    if "\n" not in base or "\n" not in text:
        return
    with_return, there = text.count("\r\n"), base.count("\r\n")
    if there == base.count("\n") and with_return != text.count("\n"):
        raise Refused(f"edits.{at}: its lines end in LF, those of the base in CRLF; write \\r\\n")
    if there == 0 and with_return:
        raise Refused(f"edits.{at}: its lines end in CRLF, those of the base in LF; write \\n")
