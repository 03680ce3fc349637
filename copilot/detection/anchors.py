"""Whether a dialog is drawn exactly as its CLI draws it, so that its rows say what it is about.

A command, a file or a tool's arguments may hold rows that look like a dialog's own: a rule, a header, a
question, a list of options. What a dialog is about is read from its exact place only; whatever looks like a
part of a dialog elsewhere is named here, and the prompt is held.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from copilot.core.screen_rules import Anchors, SubjectRule
from copilot.detection.patterns import compiled
from copilot.detection.regions import Region, Regions
from copilot.detection.rows import RowKind

_ACTS = frozenset({"shell", "write", "edit", "delete", "read", "test_run"})
"""What may be sent by itself; anything else is a person's to judge however it is drawn."""
_LINE = compiled(r"^\s*[─━═▔▁╌┄┈╍┅┉]{10,}\s*$")
_QUESTION = compiled(r"(?i)^\s*(?:do you want|would you like|allow|approve|proceed|can) [^?]*\?\s*$")
_OPTION = compiled(r"^\s*[❯›▸»>]\s*\d{1,2}[.)]\s")
_OVERLAYS = (
    ("\u0300", "\u036f"),
    ("\u1ab0", "\u1aff"),
    ("\u1dc0", "\u1dff"),
    ("\u20d0", "\u20ff"),
    ("\ufe20", "\ufe2f"),
)
_MANY_BLANKS = 8
_SECOND = "a second dialog is on the screen, or a row that looks like one's"


@dataclass(frozen=True, slots=True)
class Anatomy:
    """Where the parts of a dialog are: row numbers, -1 for what is not on the screen.

    `first` and `last` are the rows that enclose the body, `question` what is asked, `flaw` what is not as it
    should be, empty if everything is.
    """

    header: int = -1
    first: int = -1
    last: int = -1
    question: str = ""
    flaw: str = ""


def anatomy(region: Region, regions: Regions) -> Anatomy:
    """The parts of the dialog whose options are on the screen, by the profile's anchors."""
    anchors, choices = regions.rules.anchors, regions.choices
    end = choices.first_row if choices is not None else regions.rows.last_text_row + 1
    question = _question(end, regions)
    if anchors.rule:
        return _between_rules(anchors, end, question, regions)
    headers = [row for row in region.rows if row < end and _matches(anchors.headers, row, regions)]
    if len(headers) > 1:
        return Anatomy(question=question, flaw="a second row in it looks like the dialog's header")
    return Anatomy(header=headers[0] if headers else -1, question=question)


def flaw_of(rule: SubjectRule, rows: tuple[int, ...], dialog: Anatomy, regions: Regions) -> str:
    """Why what `rule` found in `rows` may not be what the dialog is about; empty if it is."""
    odd = odd_character(rows, regions) or _written_over(rows, regions)
    if odd or rule.action not in _ACTS or not rule.anchored or not regions.rules.anchors.headers:
        return odd
    if dialog.flaw:
        return dialog.flaw
    if rule.asks and compiled(rule.asks).fullmatch(dialog.question) is None:
        return "its question does not fit its header"
    if rule.header:
        return ""
    return "" if rule.headless else "it is not drawn as this CLI draws it"


def has_header(rule: SubjectRule, dialog: Anatomy, regions: Regions) -> bool:
    """Whether the dialog's header is the one that `rule` is for."""
    if rule.headless:
        return dialog.header < 0
    return not rule.header or (dialog.header >= 0 and _matches(rule.header, dialog.header, regions))


def odd_character(rows: tuple[int, ...], regions: Regions) -> str:
    """What in these rows looks like something else: another blank, a mark drawn over a letter."""
    for row in rows:
        text = raw(row, regions)
        if text.isascii():
            continue
        for char in text:
            if char != " " and (char.isspace() or unicodedata.category(char) == "Zs"):
                return f"it has a blank that is none (U+{ord(char):04X})"
            if any(low <= char <= high for low, high in _OVERLAYS):
                return f"it has a mark drawn over another character (U+{ord(char):04X})"
    return ""


def _written_over(rows: tuple[int, ...], regions: Regions) -> str:
    """What nobody could see of these rows: text under the text, blanks that push the rest away."""
    snapshot = regions.snapshot
    if snapshot.struck.intersection(rows):
        return "it was written over before it could be seen"
    bare = regions.rules.anchors.bare
    if bare and any(snapshot.padded.get(row, 0) >= _MANY_BLANKS for row in rows):
        return "blanks fill its row, so it may go on out of sight"
    return ""


def raw(row: int, regions: Regions) -> str:
    """The row as it is, frames included, without the blanks at its end."""
    return regions.snapshot.lines[row].rstrip(" ")


def _matches(pattern: str, row: int, regions: Regions) -> bool:
    return compiled(pattern).fullmatch(raw(row, regions)) is not None


def _question(end: int, regions: Regions) -> str:
    """The paragraph right above the options, its rows joined."""
    parts: list[str] = []
    row = end - 1
    while row >= 0 and regions.rows.kinds[row] is RowKind.BLANK:
        row -= 1
    while row >= 0 and regions.rows.kinds[row] is RowKind.TEXT:
        parts.append(regions.rows.texts[row].strip())
        row -= 1
    return " ".join(reversed(parts))


def _between_rules(anchors: Anchors, end: int, question: str, regions: Regions) -> Anatomy:
    columns = regions.snapshot.columns
    opening, line = anchors.rule * columns, anchors.line * columns
    texts = [raw(row, regions) for row in range(end)]
    openings = [row for row, text in enumerate(texts) if text == opening]
    if len(openings) > 1:
        return Anatomy(
            question=question, flaw="a second dialog is on the screen, or a row that looks like one's"
        )
    top = openings[0] if openings else -1
    lines = [row for row in range(top + 1, end) if texts[row] == line]
    headers = [row for row in range(top + 1, end) if compiled(anchors.headers).fullmatch(texts[row].strip())]
    first, last = (lines[0], lines[1]) if len(lines) == 2 else (-1, lines[-1] if lines else -1)
    header = top + 1 if top >= 0 and headers[:1] == [top + 1] else -1
    inner = range(first + 1, last) if first >= 0 else range(top + 1, max(last, top + 1))
    flaw = _flaw(anchors, texts, (top, header, headers, lines, end), inner)
    return Anatomy(header, first, last, question, flaw)


def _flaw(  # noqa: PLR0911  one line a flaw
    anchors: Anchors, texts: list[str], found: tuple[int, int, list[int], list[int], int], inner: range
) -> str:
    top, header, headers, lines, end = found
    own = {top, *lines}
    if top >= 0 and any(row != header for row in headers):
        return "a row in it looks like the header of another dialog"
    if header >= 0 and len(lines) not in (0, 2):
        return "a row in it looks like the line that ends its body"
    if any(_LINE.search(texts[row]) for row in range(top + 1, end) if row not in own):
        return "a row in it looks like one of the dialog's lines"
    body = [row for row in range(top + 1, end) if texts[row] and row not in own]
    if header >= 0 and not all(texts[row].startswith(" " * anchors.indent) for row in body):
        return "a row in it stands further left than the dialog"
    if any(_QUESTION.search(texts[row]) for row in inner):
        return "a row in it looks like the dialog's question"
    if any(_OPTION.search(texts[row]) for row in inner):
        return "a row in it looks like one of the dialog's options"
    return ""


def starts_again(rule: SubjectRule, row: int, last: int, regions: Regions) -> bool:
    """Whether a row after the one that opens the subject could open it as well."""
    start = compiled(rule.start)
    return any(start.search(regions.rows.texts[other]) for other in range(row + 1, last + 1))


def misplaced(rule: SubjectRule, row: int, last: int, regions: Regions) -> str:
    """Why a row that fits `start` may not open what the dialog is about."""
    if rule.once and starts_again(rule, row, last, regions):
        return "a second row in it looks like its beginning"
    if rule.apart and row > 0 and regions.rows.kinds[row - 1] is RowKind.TEXT:
        return "its beginning does not stand apart"
    blanks = " " * rule.indent
    rows = (raw(other, regions) for other in range(row + 1, last + 1))
    if any(text and not text.startswith(blanks) for text in rows):
        return "a row in it stands further left than it should"
    return ""
