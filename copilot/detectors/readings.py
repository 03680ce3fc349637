"""From a rule that matched to a `Detection`: question, options with their keys, subject, draft, identity."""

from __future__ import annotations

from dataclasses import replace

from copilot.core.detection import (
    PROMPT_KINDS,
    READY_KINDS,
    Detection,
    EvidenceSource,
    Option,
    ScreenKind,
    Subject,
    fingerprint,
)
from copilot.core.screen_rules import Rule
from copilot.detectors import questions
from copilot.detectors.choices import Choices
from copilot.detectors.conditions import evidence_rows
from copilot.detectors.patterns import compiled
from copilot.detectors.regions import DIALOG_FORMS, Regions
from copilot.detectors.subjects import find_subject

_ROWS_ABOVE = 2
_COUNTERS = compiled(r"\b\d+(?:\.\d+)?\s?(?:s|ms|m|h|%|tokens?|[kKMG]i?B)\b|[⠀-⣿◐◑◒◓]")
COMPOSER_REGIONS = frozenset({"message", "composer", "above_composer", "footer"})


def of_composer(rule: Rule) -> bool:
    """Whether the rule speaks of the CLI's own input box, which is also there while it works."""
    return rule.region in COMPOSER_REGIONS or ScreenKind(rule.kind) in READY_KINDS


def read(rule: Rule, regions: Regions) -> Detection:
    """The detection of a rule that matched this screen."""
    kind = ScreenKind(rule.kind)
    choices = _choices(rule, regions)
    options = _with_keys(choices, rule) if choices is not None else ()
    question, question_rows = _question(rule, kind, choices, regions)
    region = regions.region(rule.region)
    subject = find_subject(rule.subjects, region, regions) if rule.subjects and region is not None else None
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
        source=EvidenceSource.TTY if _rests_on_tty(rule) else EvidenceSource.SCREEN,
        certainty=rule.certainty,
        subject=subject,
        multi_select=choices is not None and choices.multi,
        multi_line=rule.multi_line,
        draft=box.draft if box is not None else "",
        note=rule.note,
        columns=regions.snapshot.columns,
    )
    return replace(detection, identity=identity_of(detection, regions))


def _rests_on_tty(rule: Rule) -> bool:
    return any(clause.tty and "?" not in clause.tty for clause in rule.all)


def _choices(rule: Rule, regions: Regions) -> Choices | None:
    for name in rule.options.split("|") if rule.options else ():
        choices = regions.choices if name == "any" else regions.form(name)
        if choices is not None:
            return choices
    return None


def _with_keys(choices: Choices, rule: Rule) -> tuple[Option, ...]:
    words = rule.option_keys
    options = choices.options
    if not words or words == "arrows":
        return options
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
    elif choices is not None and choices.form in DIALOG_FORMS:
        asked = questions.dialog_question(regions, choices)
    else:
        line = regions.region("prompt_line")
        asked = (
            questions.Question(questions.line_question(line.text), line.rows) if line is not None else None
        )
    return (asked.text, asked.rows) if asked is not None else (None, ())


def identity_of(detection: Detection, regions: Regions) -> str:
    """The fingerprint of what is asked: without spinners, clocks, counters, and where the pointer stands."""
    if not detection.waiting:
        return ""
    # whether a row is the label's continuation or a description may change with the width: both count
    labels = tuple(option.label + (option.description or "") for option in detection.options)
    question = "" if detection.kind is ScreenKind.PAGER else _steady(detection.question or "")
    return fingerprint(detection.kind, question, labels, _above(detection, detection.subject, regions))


def _steady(text: str) -> str:
    return str(_COUNTERS.sub("#", text))


def _above(detection: Detection, subject: Subject | None, regions: Regions) -> str:
    """What tells this prompt from the same one asked about something else."""
    if subject is not None:
        return "" if subject.cut else subject.text
    certain_idle = detection.kind is ScreenKind.IDLE and detection.certainty == 1.0
    if certain_idle or detection.kind in (ScreenKind.PAGER, ScreenKind.EDITOR):
        return ""
    rows = regions.rows
    if regions.composer is not None and (regions.choices is None or not detection.options):
        end, _ = regions.message_end
        return _steady("\n".join(rows.texts[row] for row in rows.text_between(max(end - 3, 0), end)))
    if detection.options and detection.kind is not ScreenKind.YES_NO:
        return ""
    first = min(detection.evidence, default=0)
    above = [row for row in rows.text_rows if row < first][-_ROWS_ABOVE:]
    return _steady("\n".join(rows.texts[row] for row in above))
