"""From a rule that matched to a `Detection`: question, options with their keys, subject, draft, identity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from copilot.core.detection import (
    SAID_ABOVE,
    Detection,
    EvidenceSource,
    Option,
    Subject,
    fingerprint,
)
from copilot.core.screen_kinds import (
    PROMPT_KINDS,
    READY_KINDS,
    ScreenKind,
)
from copilot.core.screen_rules import Rule
from copilot.detection import questions
from copilot.detection.choices import Choices
from copilot.detection.conditions import evidence_rows
from copilot.detection.marked_list import FORM as MARKED
from copilot.detection.offered import FORM as OFFERED
from copilot.detection.patterns import compiled
from copilot.detection.regions import DIALOG_FORMS, Regions
from copilot.detection.said_above import said_above, text_above
from copilot.detection.subjects import find_subject
from copilot.detection.tabs import FORM as TABS

_LINES_ABOVE = 2
_MESSAGE_TAIL = 160
"""This many last characters identify a message, however it is wrapped."""
_SPINNERS = r"[⠀-⣿◐◑◒◓]"
_TICKS = compiled(
    rf"(?i){_SPINNERS}|\bin \d+(?:\.\d+)?\s?s(?:ec(?:ond)?s?)?\b|\(\d+\s?s(?:ec(?:ond)?s?)?\)"
    r"|\b\d+\s?s(?:ec(?:ond)?s?)? (?:left|remaining)\b"
    r"|\b\d+\s?(?:s|m|h|d|sec(?:ond)?s?|min(?:ute)?s?|hours?|days?) ago\b"
)
"""What changes by itself while a prompt is open: spinners, countdowns, how long ago something was."""
_TICKING_ROW = compiled(
    rf"(?i){_SPINNERS}|[━█▓▒░]{{3}}|\besc (?:to|again|interrupt)\b|\d:\d\d\b"
    r"|\b(?:elapsed|remaining|eta)\b|…\s*\(|\b\d+(?:\.\d+)?\s?[kKMG]?i?B/s"
)
"""A row above a prompt that shows progress: its numbers count for nothing."""
_PERCENT = compiled(r"\d+(?:\.\d+)? ?%")
_RULER = compiled("|".join(f"[{one}]{{4,}}" for one in "-=_*~#─━═╌┄"))
"""A line across the screen: how long it is says how wide the screen is, and nothing of the prompt."""
_LONE_GLYPH = compiled(r"(?:^\s*|\s{2,})[^\pL\pN\s]\s*$")
"""One glyph apart at the end of a row, such as a spinner's `|`, `/`, `-`."""
_NUMBER = compiled(r"\d+(?:\.\d+)?[kKMG]?")
COMPOSER_REGIONS = frozenset({"message", "composer", "above_composer", "above_field", "footer"})


def of_composer(rule: Rule) -> bool:
    """Whether the rule speaks of the CLI's own input box, which is also there while it works."""
    return rule.region in COMPOSER_REGIONS or ScreenKind(rule.kind) in READY_KINDS


def read(rule: Rule, regions: Regions) -> Detection:
    """The detection of a rule that matched this screen."""
    kind = ScreenKind(rule.kind)
    choices = _choices(rule, regions)
    options = _with_keys(choices, rule, regions) if choices is not None else ()
    question, question_rows = _question(rule, kind, choices, regions)
    region = regions.region(rule.region)
    subject = find_subject(rule.subjects, region, regions) if rule.subjects and region is not None else None
    if subject is None and rule.bare and region is not None:
        subject = said_above(rule.bare, region, regions)
    rows = set(evidence_rows(rule, regions)) | set(question_rows)
    if choices is not None:
        rows.update(regions.rows.text_between(choices.first_row, choices.last_row))
    box = regions.composer
    detection = Detection(
        kind=kind,
        question=question,
        options=options,
        rule=rule.id,
        evidence=tuple(sorted(rows)),
        source=EvidenceSource.TTY if rests_on_tty(rule) else EvidenceSource.SCREEN,
        certainty=rule.certainty,
        subject=subject,
        multi_select=choices is not None and choices.multi,
        multi_line=rule.multi_line,
        ends_input=rule.ends_input,
        draft=box.draft if box is not None else "",
        note=rule.note,
        columns=regions.snapshot.columns,
        above=_above_question(kind, question_rows or tuple(rows), regions),
    )
    return replace(detection, identity=identity_of(detection, regions))


def _above_question(kind: ScreenKind, asked_rows: tuple[int, ...], regions: Regions) -> str:
    """The text above a question for yes or no, one in a line that may be answered so, or a menu."""
    asks = kind in (ScreenKind.YES_NO, ScreenKind.TEXT_INPUT, ScreenKind.MENU)
    return text_above(min(asked_rows), regions) if asks and asked_rows else ""


def rests_on_tty(rule: Rule) -> bool:
    """Whether the rule holds only where the kernel says what the terminal does."""
    return any(clause.tty and "?" not in clause.tty for clause in rule.all)


def _choices(rule: Rule, regions: Regions) -> Choices | None:
    for name in rule.options.split("|") if rule.options else ():
        choices = regions.choices if name == "any" else regions.form(name)
        if choices is not None:
            return choices
    return None


def _with_keys(choices: Choices, rule: Rule, regions: Regions) -> tuple[Option, ...]:
    words = rule.option_keys
    options = choices.options
    if not words or words == "arrows":
        return options
    if words == "digit" and _types_into(choices, regions):
        return tuple(replace(option, key=None) for option in options)
    result = []
    numbers = choices.numbers if any(choices.numbers) else range(1, len(options) + 1)
    for index, (number, option) in enumerate(zip(numbers, options, strict=True)):
        if words == "digit":
            key: str | None = str(number) if number < 10 else None
        elif words == "digit Enter":
            key = f"{number} Enter"
        elif words == "letter":
            key = option.label[:1].lower()
        elif words == "one key":
            key = (option.key or "").removesuffix(" Enter") or None
        elif words == "arrow path":
            key = _arrow_path(options, index)
        elif words == "yes_no words":
            key = f"{option.label.lower()} Enter"
        else:
            key = option.key
        result.append(replace(option, key=key))
    return tuple(result)


def typed_numbers(detection: Detection, regions: Regions) -> Detection:
    """The same list where lines are read: a number is typed, as arrow keys do nothing there.

    Options without numbers get no key: nothing says what takes them.
    """
    choices = regions.choices
    if choices is None or not any(choices.numbers) or len(choices.numbers) != len(detection.options):
        return replace(detection, kind=ScreenKind.UNKNOWN, options=(), identity="")
    options = tuple(
        replace(option, key=f"{number} Enter")
        for number, option in zip(choices.numbers, detection.options, strict=True)
    )
    return replace(detection, options=options)


def _types_into(choices: Choices, regions: Regions) -> bool:
    """Whether the pointed row holds the cursor: it is a text field, a digit would be a part of its text."""
    cursor = regions.snapshot.cursor
    return cursor.visible and cursor.row == choices.pointer_row


def _arrow_path(options: tuple[Option, ...], target: int) -> str:
    selected = next((n for n, option in enumerate(options) if option.selected), 0)
    distance = target - selected
    return " ".join([*(["Down"] * distance if distance > 0 else ["Up"] * -distance), "Enter"])


def _question(
    rule: Rule, kind: ScreenKind, choices: Choices | None, regions: Regions
) -> tuple[str | None, tuple[int, ...]]:
    region = regions.region(rule.region)
    if rule.question_text:
        return rule.question_text, ()
    if rule.question and region is not None:
        text = questions.matched_question(rule.question, region)
        if text:
            return text, ()
    if kind not in PROMPT_KINDS and kind is not ScreenKind.ERROR:
        return None, ()
    if rule.region == "message":
        asked = questions.prose_question(regions)
    elif choices is not None and choices.form in (*DIALOG_FORMS, OFFERED, MARKED, TABS):
        asked = questions.dialog_question(regions, choices)
    else:
        line = regions.region("prompt_line")
        asked = (
            questions.Question(questions.line_question(line.text), line.rows) if line is not None else None
        )
    return (asked.text, asked.rows) if asked is not None else (None, ())


def identity_of(detection: Detection, regions: Regions) -> str:
    """The fingerprint of what is asked: without spinners, clocks, counters, and the pointer."""
    if not detection.waiting:
        return ""
    # whether a row is the label's continuation or a description may change with the width: both count
    labels = tuple(_steady(option.label + (option.description or "")) for option in detection.options)
    question = "" if detection.kind is ScreenKind.PAGER else _steady(detection.question or "")
    return fingerprint(detection.kind, question, labels, _above(detection, detection.subject, regions))


def _steady(text: str) -> str:
    """Words of the prompt itself: every number in them counts, but for what ticks."""
    return str(_TICKS.sub("#", text))


def _context(rows: Sequence[str]) -> str:
    """The rows above a prompt, without moving parts."""
    return "\n".join(
        str(_NUMBER.sub("#", _TICKS.sub("#", row))) if _TICKING_ROW.search(row) else _steady(row)
        for row in (_LONE_GLYPH.sub("", _RULER.sub("─", _PERCENT.sub("%", row))) for row in rows)
    )


def _lines_above(row: int, regions: Regions) -> list[str]:
    """The last lines with text above a row, each as it was before the terminal wrapped it."""
    wrapped = regions.snapshot.wrapped
    lines: list[str] = []
    runs_on = False
    for number in range(row - 1, -1, -1):
        text = regions.rows.texts[number]
        if runs_on and lines:
            lines[-1] = text + lines[-1]
        elif len(lines) == _LINES_ABOVE:
            break
        elif _LONE_GLYPH.sub("", text).strip():
            lines.append(text)
        full = number > 0 and regions.snapshot.characters[number - 1][-1].strip() != ""
        runs_on = full or (number > 0 and bool(wrapped) and wrapped[number - 1])
    return lines[::-1]


def _above(detection: Detection, subject: Subject | None, regions: Regions) -> str:
    """What distinguishes this prompt from the same one about something else."""
    if subject is not None and subject.action != SAID_ABOVE:
        return "" if subject.cut and not subject.odd else subject.text
    certain_idle = detection.kind is ScreenKind.IDLE and detection.certainty == 1.0
    if certain_idle or detection.kind in (ScreenKind.PAGER, ScreenKind.EDITOR):
        return ""
    rows = regions.rows
    if regions.composer is not None and (regions.choices is None or not detection.options):
        end, _ = regions.message_end
        first = regions.message_rows[0] if regions.message_rows is not None else 0
        said = "".join(rows.texts[row] for row in rows.text_between(first, end))
        return _steady("".join(said.split())[-_MESSAGE_TAIL:])
    if detection.options and detection.kind is not ScreenKind.YES_NO:
        return ""
    if subject is not None:
        return _context(subject.text.splitlines())
    return _context(_lines_above(min(detection.evidence, default=0), regions))
