"""What a permission prompt is about: the command or the file, whole where the dialog shows it whole."""

from __future__ import annotations

from copilot.core.detection import Subject
from copilot.core.screen_rules import SubjectRule
from copilot.detectors.patterns import compiled, found
from copilot.detectors.regions import Region, Regions
from copilot.detectors.rows import RowKind

_ELLIPSIS = ("…", "...")


def find_subject(rules: tuple[SubjectRule, ...], region: Region, regions: Regions) -> Subject | None:
    """The first entry that finds something; what the program status says of it wins if it is longer."""
    for rule in rules:
        if rule.when and not (found(rule.when, region.flat) or found(rule.when, region.text)):
            continue
        shown = _shown(rule, region, regions)
        told = _told(rule, regions)
        if shown is None and told is None:
            continue
        if shown is None or (told is not None and shown.cut and len(told) > len(shown.text)):
            rows = shown.rows if shown is not None else ()
            return Subject(rule.action, told or "", (told or "").endswith(_ELLIPSIS), rows)
        return shown
    return None


def _told(rule: SubjectRule, regions: Regions) -> str | None:
    status = regions.snapshot.program_status
    if not rule.message or status is None or not status.message:
        return None
    match = compiled(rule.message).search(status.message)
    return str(match.group(1)).strip() if match is not None else None


def _shown(rule: SubjectRule, region: Region, regions: Regions) -> Subject | None:
    if not rule.start or not region.rows:
        return None
    rows = regions.rows
    choices = regions.choices
    last = min(region.rows[-1], choices.first_row - 1) if choices is not None else region.rows[-1]
    start = compiled(rule.start)
    for number in range(region.rows[0], last + 1):
        match = start.search(rows.texts[number])
        if match is None:
            continue
        body = _body(rule, number, match, last, regions)
        if body is None:
            return None
        numbers, parts = body
        text = _put_together(parts, numbers, regions)
        cut = bool(rule.cut) and (found(rule.cut, region.text) or found(rule.cut, text))
        return Subject(rule.action, text, cut or text.endswith(_ELLIPSIS), tuple(numbers)) if text else None
    return None


def _body(
    rule: SubjectRule, row: int, match: object, last: int, regions: Regions
) -> tuple[list[int], list[str]] | None:
    """The rows of the subject and their texts, from the row that opened it to the one that ends it."""
    rows = regions.rows
    groups = match.groups()  # type: ignore[attr-defined]
    numbers: list[int] = []
    parts: list[str] = []
    if groups:
        numbers.append(row)
        parts.append(str(groups[0] or "").strip())
        if rule.single_row:
            return numbers, parts
    for number in range(row + 1, last + 1):
        text = rows.texts[number]
        if rule.end and (found(rule.end, text) or found(rule.end, rows.snapshot.lines[number].rstrip())):
            break
        if rows.kinds[number] is not RowKind.TEXT:
            if parts:
                break
            continue
        numbers.append(number)
        parts.append(text.strip())
        if rule.single_row:
            break
    return (numbers, parts) if parts else None


def _put_together(parts: list[str], numbers: list[int], regions: Regions) -> str:
    """The rows as one text: a row that was wrapped runs on, any other begins a line of its own."""
    text = parts[0]
    for before, number, part in zip(numbers, numbers[1:], parts[1:], strict=False):
        text += _seam(before, number, part, regions) + part
    return text


def _seam(before: int, number: int, part: str, regions: Regions) -> str:
    rows = regions.rows
    if regions.snapshot.wrapped and regions.snapshot.wrapped[before]:
        return ""
    width = rows.columns - rows.indent(number)
    used = len(rows.texts[before]) - rows.indent(number)
    if used >= width:
        return ""
    word = part.split(" ", 1)[0]
    return " " if used + 1 + len(word) > width - 1 else "\n"
