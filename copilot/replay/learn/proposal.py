"""One rule from one labelled screen: its region, the words to go by, how its options are read.

What differs from time to time (numbers, paths, names in quotes) is left open, so that the rule fits the
dialog and not this one showing of it.
"""

from __future__ import annotations

import re2

from copilot.core.detection import PROMPT_KINDS, READY_KINDS, ScreenKind
from copilot.core.profile import Profile
from copilot.core.screen_rules import Clause, Rule, RuleExample
from copilot.core.snapshot import ScreenSnapshot
from copilot.detectors import Examiner
from copilot.detectors.questions import dialog_question
from copilot.detectors.regions import Regions
from copilot.errors import InputError
from copilot.recording.unknown_screens import Label

_CURSOR = "▮"
_MOST_WORDS = 10
_LEAST_WORDS = 2
_ABOVE_UNKNOWN = 5
_LOWEST = 20
_VARIES = re2.compile(r"""[0-9/~\\"'`“”‘’<>\[\]{}=@]|^\S{25,}$""")
_LETTERS = re2.compile(r"\pL{2,}")
_YES_NO = re2.compile(r"(?i)\by(es)?\s?[/|]\s?n(o)?\b")
_INLINE = ("yes_no", "hugged", "letters", "letter_run", "words")
_LISTED = frozenset(
    {ScreenKind.MENU, ScreenKind.PERMISSION, ScreenKind.TRUST, ScreenKind.LOGIN, ScreenKind.YES_NO}
)
_AT_CURSOR = PROMPT_KINDS - {ScreenKind.QUESTION, ScreenKind.PAGER, ScreenKind.EDITOR}


def propose(snapshot: ScreenSnapshot, label: Label, profile: Profile, evidence: str) -> Rule:
    """A rule that should read this screen as labelled; not verified.

    Raises InputError if there are no words on it to go by.
    """
    regions = Regions(snapshot, profile.screen)
    region, form, texts = _place(regions, label.kind)
    anchors = [pattern for text in texts if (pattern := pattern_of(text))]
    if not anchors:
        raise InputError("there are no steady words on the screen that a rule could go by")
    clauses = [Clause(pattern=anchor) for anchor in dict.fromkeys(anchors)]
    at_cursor = region == "prompt_line"
    first = Clause(form=form, composer=False if regions.composer is None and form else None)
    if at_cursor:
        first = Clause(form=form, cursor="end")
    question = f"({pattern_of(label.question)})" if label.question and pattern_of(label.question) else ""
    return Rule(
        id=_free_id(profile, label.kind),
        kind=label.kind.value,
        region=region,
        priority=_priority(profile, snapshot),
        all=((first,) if first != Clause() else ()) + tuple(clauses),
        question=question,
        options=form,
        evidence=evidence,
    )


def _place(regions: Regions, kind: ScreenKind) -> tuple[str, str, list[str]]:
    """The region of the rule, the form of its options, and the texts to go by."""
    choices = regions.choices
    if choices is not None and kind in _LISTED:
        asked = dialog_question(regions, choices)
        below = regions.region("below_options")
        texts = [asked.text] if asked is not None else []
        return "dialog", choices.form, [*texts, *_first_line(below.text if below is not None else "")]
    line = regions.region("prompt_line")
    if line is not None and kind in _AT_CURSOR:
        return "prompt_line", _inline_form(regions, line.text, kind), [line.text]
    if regions.composer is not None and kind in READY_KINDS | {ScreenKind.QUESTION, ScreenKind.ERROR}:
        name = "message" if kind is ScreenKind.QUESTION and regions.region("message") else "above_composer"
        region = regions.region(name)
        return name, "", _last_lines(region.text if region is not None else "", 2)
    name = "dialog" if kind in PROMPT_KINDS and regions.region("dialog") is not None else "last 6"
    region = regions.region(name)
    lines = _last_lines(region.text if region is not None else "", 60)
    return name, "", [*lines[:1], *lines[-1:]]


def _inline_form(regions: Regions, line: str, kind: ScreenKind) -> str:
    """The form of the options within the line. Any line can be read as yes or no: that takes more."""
    if kind not in _LISTED:
        return ""
    for name in _INLINE:
        asks = name != "yes_no" or kind is ScreenKind.YES_NO or _YES_NO.search(line)
        if asks and regions.form(name) is not None:
            return name
    return ""


def _first_line(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()][:1]


def _last_lines(text: str, count: int) -> list[str]:
    return [line for line in text.split("\n") if line.strip()][-count:]


def pattern_of(text: str) -> str:
    """A regular expression for words that stay; what varies is left open. Empty if too few words stay."""
    parts: list[str] = []
    steady = 0
    for word in text.split()[:_MOST_WORDS]:
        varies = _VARIES.search(word) is not None
        steady += not varies and _LETTERS.search(word) is not None
        if not varies:
            parts.append(re2.escape(word))
        elif not parts or parts[-1] != r"\S.*":
            parts.append(r"\S.*")
    while parts and parts[-1] == r"\S.*":
        parts.pop()
    while parts and parts[0] == r"\S.*":
        parts.pop(0)
    return r"\s+".join(parts) if steady >= _LEAST_WORDS else ""


def _priority(profile: Profile, snapshot: ScreenSnapshot) -> int:
    """Just above the rule that held the screen as not understood: the less it overrules the better."""
    holding = Examiner(profile).examine(snapshot).detection.rule
    found = next((rule.priority for rule in profile.screen.rules if rule.id == holding), 0)
    return max(found + _ABOVE_UNKNOWN, _LOWEST)


def _free_id(profile: Profile, kind: ScreenKind) -> str:
    taken = {rule.id for rule in profile.screen.rules}
    number = 1
    while f"{profile.name}.learned.{kind.value}_{number}" in taken:
        number += 1
    return f"{profile.name}.learned.{kind.value}_{number}"


def example_of(snapshot: ScreenSnapshot, first_row: int = 0) -> RuleExample:
    """The screen from a row on as the example of a rule, without its styles."""
    rows = [line.rstrip() for line in snapshot.lines]
    row, column, visible = snapshot.cursor
    rows[row] = rows[row][:column].ljust(column) + _CURSOR + rows[row][column:]
    while rows and not rows[-1]:
        rows.pop()
    status = snapshot.program_status
    told = ":".join((status.state, status.kind, status.message)).rstrip(":") if status is not None else ""
    return RuleExample(
        screen="\n".join(rows[min(first_row, row) :]),
        title=snapshot.title,
        status=told,
        alternate_screen=snapshot.alternate_screen,
        cursor_hidden=not visible,
    )
