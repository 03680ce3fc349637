"""What a permission prompt is about: the command or the file, whole where the dialog shows it whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from copilot.core.detection import Subject
from copilot.core.screen_rules import SubjectRule
from copilot.detection.anchors import Anatomy, anatomy, flaw_of, has_header, misplaced
from copilot.detection.changes import shown_change
from copilot.detection.conditions import has_style
from copilot.detection.patterns import compiled, found
from copilot.detection.regions import Region, Regions
from copilot.detection.rows import RowKind

_ELLIPSIS = ("…", "...")
_FILES = frozenset({"write", "edit", "delete", "read"})


def find_subject(rules: tuple[SubjectRule, ...], region: Region, regions: Regions) -> Subject | None:
    """The first entry that finds something. Where the dialog cuts the text, the program status counts."""
    dialog = anatomy(region, regions)
    for rule in rules:
        if rule.when and not (found(rule.when, region.flat) or found(rule.when, region.text)):
            continue
        if not has_header(rule, dialog, regions):
            continue
        reported = _reported(rule, regions)
        shown = _shown(rule, region, regions, reported)
        if reported is None and shown is None:
            continue
        value = shown
        if reported is not None and (shown is None or (shown.cut and len(reported) > len(shown.text))):
            value = _as_reported(rule, reported, shown)
        return _certain(rule, value, reported, dialog, regions) if value is not None else None
    return None


def _certain(
    rule: SubjectRule, value: Subject, reported: str | None, dialog: Anatomy, regions: Regions
) -> Subject:
    """The subject, cut and with the reason if it may not be what the dialog is about."""
    flaw = value.odd or flaw_of(rule, value.rows, dialog, regions) or _elsewhere(rule, value, regions)
    if (
        not flaw
        and reported is not None
        and not value.cut
        and not rule.headless
        and not _is_reported(rule.action, value.text, reported)
    ):
        flaw = "the CLI reports another one"
    if rule.headless and reported is not None and reported.endswith(value.text) and not value.cut:
        value = replace(value, text=reported, cut=reported.endswith(_ELLIPSIS))
    elif rule.headless:
        value = replace(value, cut=True)
    change = shown_change(rule, dialog, value.text, regions)
    return replace(value, cut=value.cut or bool(flaw), odd=flaw, change=change)


_FRAMES = dict.fromkeys(map(ord, "│┃|╭╮╰╯┌┐└┘─━ ←"))


def _elsewhere(rule: SubjectRule, value: Subject, regions: Regions) -> str:
    """Why the box below the row may say another command; empty if it says the same, or there is none."""
    choices = regions.choices
    if rule.action != "shell" or choices is None or not rule.boxed:
        return ""
    texts = {row: regions.rows.texts[row].translate(_FRAMES) for row in range(choices.first_row)}
    below = [text for row, text in texts.items() if row > value.rows[-1] and text]
    shown = "".join(below[:-1])
    same = not shown or shown == value.text.translate(_FRAMES)
    return "" if same else "the box below it shows another text"


def _is_reported(action: str, shown: str, reported: str) -> bool:
    """Whether both are the same text but for white space; a report may be cut off, or have the whole path."""
    one, other = "".join(shown.split()), "".join(reported.split())
    for ellipsis in _ELLIPSIS:
        if other.endswith(ellipsis):
            return one.startswith(other.removesuffix(ellipsis))
    return one == other or (action in _FILES and other.endswith(f"/{one.removeprefix('./')}"))


def _as_reported(rule: SubjectRule, reported: str, shown: Subject | None) -> Subject:
    """A report folds white space: of a command it hides the line ends, so that is never known whole."""
    cut = rule.action == "shell" or reported.endswith(_ELLIPSIS)
    if shown is None:
        return Subject(rule.action, reported, cut)
    return Subject(rule.action, reported, cut or not _same(shown.text, reported), shown.rows)


def _same(shown: str, reported: str) -> bool:
    """Whether all that is shown, but for white space and what is left out at an ellipsis, is reported."""
    flat = "".join(reported.split())
    return all(piece in flat for piece in "".join(shown.split()).split("…"))


def _reported(rule: SubjectRule, regions: Regions) -> str | None:
    status = regions.snapshot.program_status
    if not rule.message or status is None or not status.message:
        return None
    match = compiled(rule.message).search(status.message)
    reported = match.group(1) if match is not None else None
    return str(reported).strip() if reported is not None else None


def _shown(rule: SubjectRule, region: Region, regions: Regions, reported: str | None) -> Subject | None:
    place = regions.region(rule.region) if rule.region else region
    if place is None or not place.rows:
        return None
    if rule.style:
        return _styled(rule, place, regions)
    return _between(rule, place, regions, reported) if rule.start else None


def _styled(rule: SubjectRule, place: Region, regions: Regions) -> Subject | None:
    """The block of rows in the rule's style that ends the region; it may go on above the screen."""
    bottom = top = place.rows[-1] + 1
    while top > 0 and any(has_style(style, rule.style) for style in regions.snapshot.styles[top - 1]):
        top -= 1
    numbers = list(range(top, bottom))
    value = _joined(rule, numbers, [regions.rows.texts[row].strip() for row in numbers], regions, None)
    return replace(value, cut=True) if value is not None and top == 0 else value


def _between(rule: SubjectRule, place: Region, regions: Regions, reported: str | None) -> Subject | None:
    choices = regions.choices
    last = min(place.rows[-1], choices.first_row - 1) if choices is not None else place.rows[-1]
    start = compiled(rule.start)
    values: list[Subject] = []
    for number in range(place.rows[0], last + 1):
        match = start.search(regions.rows.texts[number]) or start.search(_raw(number, regions))
        if match is None or (values and number <= values[-1].rows[-1]):
            continue
        value = _value(rule, number, match, last, regions, reported)
        if value is not None:
            values.append(value)
        if not rule.unbroken:
            break
    return _together(rule, values, place, regions) if values else None


def _raw(row: int, regions: Regions) -> str:
    return regions.snapshot.lines[row].rstrip()


def _together(rule: SubjectRule, values: list[Subject], place: Region, regions: Regions) -> Subject:
    """All values as one, a line each (a patch may name several files); what hides some of it marks it."""
    text = "\n".join(value.text for value in values)
    rows = tuple(row for value in values for row in value.rows)
    below = "\n".join(regions.rows.texts[rows[0] : place.rows[-1] + 1])
    cut = any(value.cut for value in values) or found(rule.cut, below)
    return Subject(rule.action, text, cut, rows, next((value.odd for value in values if value.odd), ""))


def _value(
    rule: SubjectRule, row: int, match: object, last: int, regions: Regions, reported: str | None
) -> Subject | None:
    stop = _stop(rule, row, last, regions)
    numbers, parts = _body(rule, row, stop, match, regions)
    value = _joined(rule, numbers, parts, regions, reported)
    if value is None:
        return None
    full = bool(rule.room) and stop - row >= rule.room
    return replace(value, cut=value.cut or full, odd=misplaced(rule, row, stop - 1, regions))


def _joined(
    rule: SubjectRule, numbers: list[int], parts: list[str], regions: Regions, reported: str | None
) -> Subject | None:
    while parts and not parts[-1]:
        numbers, parts = numbers[:-1], parts[:-1]
    while parts and not parts[0]:
        numbers, parts = numbers[1:], parts[1:]
    if not parts:
        return None
    if rule.unbroken:
        joined = _join_one(parts, numbers, rule, regions)
    else:
        joined = _join_lines(parts, numbers, rule, regions, reported)
    value = Subject(rule.action, joined.text, not joined.sure, tuple(numbers[: joined.rows]))
    if rule.tail:
        value = _without_tail(rule, value)
    return replace(value, cut=True) if _shortened(rule, value, regions) else value


def _without_tail(rule: SubjectRule, value: Subject) -> Subject:
    match = compiled(rule.tail).search(value.text)
    return replace(value, cut=True) if match is None else replace(value, text=value.text[: match.start()])


def _shortened(rule: SubjectRule, value: Subject, regions: Regions) -> bool:
    """Whether the CLI left out some of it, or may have gone on in a row that is not read."""
    if value.text.startswith(_ELLIPSIS) or value.text.endswith(_ELLIPSIS):
        return True
    if not (rule.unbroken or rule.single_row):
        return False
    full = not rule.tail and _columns_left(value.rows[-1], rule.margin, regions) <= 0
    return "…" in value.text or full


def _stop(rule: SubjectRule, row: int, last: int, regions: Regions) -> int:
    """The row before which it ends. Of several the last: the first may be part of a command."""
    if not rule.end:
        return last + 1
    ends = [
        number
        for number in range(row + 1, last + 1)
        if found(rule.end, regions.rows.texts[number]) or found(rule.end, _raw(number, regions))
    ]
    if rule.end_last:
        ends = [number for number in ends if not regions.rows.text_between(number + 1, last)]
    if not ends:
        return last + 1
    return ends[0] if rule.unbroken or rule.single_row or found(rule.end, "") else ends[-1]


def _body(
    rule: SubjectRule, row: int, stop: int, match: object, regions: Regions
) -> tuple[list[int], list[str]]:
    """The rows of the subject and their texts, from the row that opened it to the one that ends it."""
    rows = regions.rows
    groups = match.groups()  # type: ignore[attr-defined]
    numbers: list[int] = []
    parts: list[str] = []
    if groups and groups[0]:
        numbers.append(row)
        parts.append(str(groups[0]).strip())
        if rule.single_row:
            return numbers, parts
    for number in range(row + 1, stop):
        if rows.kinds[number] is not RowKind.TEXT and (rule.unbroken or rule.single_row):
            if parts:
                break
            continue
        numbers.append(number)
        parts.append(rows.texts[number].strip())
        if rule.single_row:
            break
    return numbers, parts


# Rows put together again: which ends of rows are a wrap, which are the text's own, which cannot be known.
#
# The CLIs wrap by themselves, so the terminal does not know. A row whose successor would still have fitted
# ended by itself. Where it would not have fitted, a blank was wrapped, or the text has a line end there;
# where the row is full, a long word may have been broken as well. `echo a` and `rm b` on two rows may be one
# command or two, so such a seam is never guessed: the text is then not known.


@dataclass(frozen=True, slots=True)
class _JoinedRows:
    """The text of `rows` rows. `sure` means that it is exactly what was printed."""

    text: str
    sure: bool
    rows: int


def _columns_left(row: int, margin: int, regions: Regions) -> int:
    """How many columns behind the row's text the CLI left unused; 0 or less if the row is full."""
    used = regions.rows.columns_of(row, 0, len(regions.rows.texts[row])).stop
    return regions.rows.columns - margin - used


def _join_lines(
    parts: Sequence[str], numbers: Sequence[int], rule: SubjectRule, regions: Regions, reported: str | None
) -> _JoinedRows:
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
        left = _columns_left(before, rule.margin, regions)
        if not part or _first_word(part) + 1 <= left:
            text += "\n" + part
        elif left <= 0 and gaps is not None and gaps[index] == "":
            text += part
        else:
            text, sure = f"{text} {part}", False
    return _JoinedRows(text, sure, len(parts))


def _join_one(
    parts: Sequence[str], numbers: Sequence[int], rule: SubjectRule, regions: Regions
) -> _JoinedRows:
    """Rows of a text without line ends, such as a path: it ends with the first row that was not wrapped.

    A full row may end in a broken word or at a blank. Only a text that has no blank is known then.
    """
    text, broken, blanks, count = parts[0], False, " " in parts[0], 1
    for index, part in enumerate(parts[1:], 1):
        before = numbers[index - 1]
        left = _columns_left(before, rule.margin, regions)
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
    return _JoinedRows(text, not (broken and blanks), count)


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
