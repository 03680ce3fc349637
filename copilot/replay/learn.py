"""Rules from the labelled unknown screens of one run, each verified, and the profile with them in it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import re2
import tomli_w

from copilot.config.profile_files import load_profile, profile_paths, read_profile
from copilot.config.profile_lint import faults, lint_file, read_example
from copilot.core.detection import PROMPT_KINDS, READY_KINDS, ScreenKind
from copilot.core.profile import Profile
from copilot.core.screen_rules import Clause, Rule, RuleExample
from copilot.core.snapshot import ScreenSnapshot
from copilot.detection import Examiner
from copilot.detection.questions import dialog_question
from copilot.detection.regions import Regions
from copilot.errors import InputError
from copilot.private_files import open_private, write_all
from copilot.recording.asciicast import Cast, read_cast
from copilot.recording.run_place import CAST_NAME
from copilot.recording.unknown_screens import Label, UnknownScreen, unknown_screens
from copilot.replay.detect import screen_at, settled_of

# One rule from one labelled screen: its region, the words to go by, how its options are read.
#
# What differs from time to time (numbers, paths, names in quotes) is left open, so that the rule fits the
# dialog and not this one showing of it.


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
    words = ":".join((status.state, status.kind, status.message)).rstrip(":") if status is not None else ""
    return RuleExample(
        screen="\n".join(rows[min(first_row, row) :]),
        title=snapshot.title,
        status=words,
        alternate_screen=snapshot.alternate_screen,
        cursor_hidden=not visible,
    )


KnownScreen = tuple[ScreenSnapshot, Label | None]


def with_rule(profile: Profile, rule: Rule) -> Profile:
    """The profile with one more rule."""
    return replace(profile, screen=replace(profile.screen, rules=(*profile.screen.rules, rule)))


def with_example(profile: Profile, rule: Rule, snapshot: ScreenSnapshot) -> Rule:
    """The rule with this screen as its example, as short as it can be.

    Raises InputError if the rule does not read the screen, or not without its styles.
    """
    fault = next(faults(with_rule(profile, rule)), None)
    if fault is not None:
        raise InputError(f"the rule would be wrong: {fault}")
    examiner = Examiner(with_rule(profile, rule))
    detection = examiner.examine(snapshot).detection
    if detection.rule != rule.id:
        note = f" ({detection.note})" if detection.note else ""
        raise InputError(f"{detection.rule} overrules it on its own screen{note}")
    region = Regions(snapshot, profile.screen).region(rule.region)
    top = region.rows[0] if region is not None and region.rows else 0
    for first_row in (top, 0):
        example = _filled(examiner, rule, example_of(snapshot, first_row))
        if example is not None:
            return replace(rule, examples=(example,))
    raise InputError("it can only be told by its colours or styles, which an example does not hold")


def _filled(examiner: Examiner, rule: Rule, example: RuleExample) -> RuleExample | None:
    """The example with question and options as they are read; None if the rule does not read it."""
    verdict = read_example(examiner, rule, example)
    if verdict.why_not or verdict.detection.rule != rule.id:
        return None
    options = tuple(option.label for option in verdict.detection.options)
    return replace(example, question=verdict.detection.question, options=options)


def false_matches(
    profile: Profile, rule: Rule, others: Iterable[KnownScreen], recording: Cast | None
) -> Iterator[str]:
    """Every screen that the rule would take over though it is something else, in words."""
    richer = with_rule(profile, rule)
    examiner = Examiner(richer)
    for other in profile.screen.rules:
        for number, example in enumerate(other.examples):
            if read_example(examiner, other, example).detection.rule == rule.id:
                yield f"it takes over example {number} of {other.id}"
    for snapshot, label in others:
        if label is None or label.kind.value == rule.kind:
            continue
        if examiner.examine(snapshot).detection.rule == rule.id:
            yield f"it matches another screen of the run, which is labelled {label.kind.value}"
    if recording is not None:
        yield from _in_recording(profile, richer, rule, recording)


def _in_recording(profile: Profile, richer: Profile, rule: Rule, recording: Cast) -> Iterator[str]:
    """Moments of the run that were understood without the rule and are read by it now."""
    before = [(settled.at, settled.detection.kind) for settled in settled_of(recording, profile)]
    for settled in settled_of(recording, richer):
        if settled.detection.rule != rule.id:
            continue
        known = [kind for at, kind in before if at <= settled.at]
        if known and known[-1] not in (ScreenKind.UNKNOWN, ScreenKind.BUSY, ScreenKind.STARTING):
            yield f"it takes over a {known[-1].value} of the run at {settled.at:.1f} s"
            return


def rule_toml(rule: Rule) -> str:
    """The rule as a table of `screen.rules`."""
    table = {"id": rule.id, "kind": rule.kind, "region": rule.region} | _given(rule)
    return tomli_w.dumps({"screen": {"rules": [table]}}, multiline_strings=True)


def _given(part: Any) -> dict[str, Any]:
    """The fields that differ from their defaults, by their keys in a profile."""
    values = ((one, getattr(part, one.name)) for one in fields(part))
    return {one.name.rstrip("_"): _plain(value) for one, value in values if value != one.default}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return _given(value) if is_dataclass(value) else value


_NEW_FILE = os.O_WRONLY | os.O_EXCL


@dataclass(frozen=True, slots=True)
class Learned:
    """One labelled screen: the rule made of it, or why there is none."""

    screen: UnknownScreen
    rule: Rule | None
    says: str


@dataclass(frozen=True, slots=True)
class Lesson:
    """What one run teaches. `profile` is the one that the rules are for, as it is now."""

    profile: Profile
    learned: tuple[Learned, ...] = field(default=())

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that were verified."""
        return tuple(one.rule for one in self.learned if one.rule is not None)

    def toml(self) -> str:
        """The rules with their examples and what was checked, to be read and put into a profile."""
        parts = [f"# {one.says}\n{rule_toml(one.rule)}" for one in self.learned if one.rule is not None]
        return "\n".join(parts)


def learn(run: Path, profile_name: str | None = None) -> Lesson:
    """Propose rules from a run folder. Raises InputError if nothing is labelled or a file cannot be read."""
    kept = unknown_screens(run)
    labelled = [screen for screen in kept if screen.label is not None]
    if not labelled:
        found = f"{len(kept)} unknown screens, none labelled" if kept else "no unknown screens"
        raise InputError(f"{run}: has {found}; in the cockpit the leader and l says what a screen is")
    profile = load_profile(profile_name or str(labelled[0].evidence.get("profile", "generic")))
    recording = read_cast(run / CAST_NAME) if (run / CAST_NAME).is_file() else None
    pictures = {screen.number: _picture(screen) for screen in kept}
    richer = profile
    learned: list[Learned] = []
    for screen in labelled:
        one = _learned(richer, screen, kept, pictures, recording, run)
        learned.append(one)
        if one.rule is not None:
            richer = with_rule(richer, one.rule)
    return Lesson(profile, tuple(learned))


def _picture(screen: UnknownScreen) -> ScreenSnapshot:
    cast = screen.cast()
    return screen_at(cast, cast.duration)


def _learned(
    profile: Profile,
    screen: UnknownScreen,
    kept: list[UnknownScreen],
    pictures: dict[int, ScreenSnapshot],
    recording: Cast | None,
    run: Path,
) -> Learned:
    assert screen.label is not None
    snapshot = pictures[screen.number]
    name = f"unknown screen {screen.number} of {run.name}"
    others = [(pictures[other.number], other.label) for other in kept if other.number != screen.number]
    try:
        proposed = propose(snapshot, screen.label, profile, f"{name}, labelled {screen.label.kind.value}")
        rule = with_example(profile, proposed, snapshot)
    except InputError as problem:
        return Learned(screen, None, f"{name}: no rule: {problem}")
    wrong = list(false_matches(profile, rule, others, recording))
    if wrong:
        return Learned(screen, None, f"{name}: no rule: {'; '.join(wrong)}")
    examples = sum(len(other.examples) for other in profile.screen.rules)
    said = f"{name}. Checked on its example, {examples} examples of other rules, {len(others)} other screens"
    return Learned(screen, rule, said + (" and the run's recording." if recording is not None else "."))


def write_profile(lesson: Lesson, target: Path) -> None:
    """Write the profile with the rules added as a new file, and check it.

    Raises InputError if the file is there already, cannot be written, or would not be a right profile.
    """
    source = profile_paths()[lesson.profile.name]
    text = f"{source.read_text('utf-8').rstrip()}\n\n{lesson.toml()}"
    try:
        descriptor = open_private(target, _NEW_FILE)
    except FileExistsError:
        raise InputError(f"--write {target}: is there already; name a new file") from None
    except OSError as error:
        raise InputError(f"--write {target}: cannot be written ({error.strerror})") from None
    try:
        write_all(descriptor, text.encode())
    finally:
        os.close(descriptor)
    try:
        read_profile(target)
        findings = lint_file(target)
    except InputError:
        target.unlink()
        raise
    if findings:
        raise InputError(f"{target}: was written, but {findings[0].check}: {findings[0]}")
