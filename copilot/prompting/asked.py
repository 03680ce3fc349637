"""The question part of a model prompt: written here, and parsed here.

The model reads it; the offline providers and the check of the answer parse it, so that all three number the
options alike. Text from the screen is indented, so it cannot pass for a line of the layout.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from copilot.core.detection import Detection, Option
from copilot.core.reply import ReplyRequest
from copilot.core.reply_keys import offered_choices
from copilot.prompting.patterns import pattern

PART_NAME = "question"
_QUESTION, _SUBJECT, _OPTIONS = "Question:", "Subject", "Options:"
_OPTION_LINE = pattern(r"([> ]) (\d{1,3})\. (.*)")
_DETAIL = "     - "
_SUBJECT_LINE = pattern(r"Subject \(([a-z_ ]+), (whole|NOT SHOWN WHOLE)\):")


@dataclass(frozen=True, slots=True)
class ListedOption:
    """An option and its number in the list: that on the screen if every option has its own there."""

    number: int
    label: str
    highlighted: bool = False
    description: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """The content of the question part. `action` and `subject` are empty if the dialog shows no subject."""

    question: str = ""
    action: str = ""
    subject: str = ""
    subject_cut: bool = False
    options: tuple[ListedOption, ...] = ()


def asked_of(detection: Detection, clean: Callable[[str], str]) -> Asked:
    """The question of `detection`, with `clean` applied to every text."""
    subject = detection.subject
    return Asked(
        question=clean(detection.question or ""),
        action=subject.action if subject else "",
        subject=clean(subject.text) if subject else "",
        subject_cut=subject.cut if subject else False,
        options=_listed(detection, clean),
    )


def render_asked(asked: Asked) -> str:
    """The question part without its fence."""
    lines = [_QUESTION, *_indented(asked.question or "(none is shown)")]
    if asked.subject:
        whole = "NOT SHOWN WHOLE" if asked.subject_cut else "whole"
        lines += [f"{_SUBJECT} ({asked.action}, {whole}):", *_indented(asked.subject)]
    if asked.options:
        lines.append(_OPTIONS)
        for option in asked.options:
            lines.append(f"{'>' if option.highlighted else ' '} {option.number}. {option.label}")
            if option.description:
                lines.append(_DETAIL + option.description)
    return "\n".join(lines)


def read_asked(request: ReplyRequest) -> Asked:
    """Parse the question part of a request. Without that part, only question and choices are filled."""
    text = next((part.text for part in request.parts if part.name == PART_NAME), "")
    if not text:
        options = tuple(ListedOption(number, label) for number, label in enumerate(request.choices, 1))
        return Asked(request.question, options=options)
    section = ""
    found: dict[str, list[str]] = {_QUESTION: [], _SUBJECT: [], _OPTIONS: []}
    action, cut = "", False
    for line in text.split("\n"):
        subject = _SUBJECT_LINE.fullmatch(line)
        if line in (_QUESTION, _OPTIONS):
            section = line
        elif subject:
            section, action, cut = _SUBJECT, subject.group(1), subject.group(2) != "whole"
        elif section and line[:1] in (" ", ">"):
            found[section].append(line)
        else:
            section = ""
    return Asked(
        question="\n".join(line[2:] for line in found[_QUESTION]),
        action=action,
        subject="\n".join(line[2:] for line in found[_SUBJECT]),
        subject_cut=cut,
        options=_read_options(found[_OPTIONS]),
    )


def _read_options(lines: list[str]) -> tuple[ListedOption, ...]:
    options: list[ListedOption] = []
    for line in lines:
        if line.startswith(_DETAIL) and options:
            last = options.pop()
            detail = line.removeprefix(_DETAIL)
            options.append(ListedOption(last.number, last.label, last.highlighted, detail))
        elif match := _OPTION_LINE.fullmatch(line):
            options.append(ListedOption(int(match.group(2)), match.group(3), match.group(1) == ">"))
    return tuple(options)


def _listed(detection: Detection, clean: Callable[[str], str]) -> tuple[ListedOption, ...]:
    numbers = _numbers(detection.options)
    listed = [
        ListedOption(
            number, one_line(clean(option.label)), option.selected, one_line(clean(option.description or ""))
        )
        for number, option in zip(numbers, detection.options, strict=True)
    ]
    if listed:
        return tuple(listed)
    return tuple(ListedOption(number, label) for number, label in enumerate(offered_choices(detection), 1))


def _numbers(options: tuple[Option, ...]) -> list[int]:
    """The digits of the options on the screen if each has its own; else 1, 2, 3 …"""
    keys = [(option.key or "").split(" ")[0] for option in options]
    if all(key.isascii() and key.isdigit() and len(key) < 4 for key in keys) and len(
        set(map(int, keys))
    ) == len(keys):
        return [int(key) for key in keys]
    return list(range(1, len(options) + 1))


def one_line(text: str) -> str:
    """`text` with every run of white space as one blank."""
    return " ".join(text.split())


def _indented(text: str) -> list[str]:
    return ["  " + line for line in text.splitlines()] or ["  "]
