"""Learn screen rules from the labelled unknown screens of a run, verify them, and add them to a profile."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import re2
import tomli_w

from copilot.config.profile_examples import read_example
from copilot.config.profile_faults import faults
from copilot.config.profile_files import MOST_BYTES, load_profile, profile_paths, read_profile
from copilot.config.profile_lint import lint_file
from copilot.core.profile import Profile
from copilot.core.screen_kinds import (
    PROMPT_KINDS,
    READY_KINDS,
    ScreenKind,
)
from copilot.core.screen_rules import Clause, Rule, RuleExample
from copilot.core.snapshot import ScreenSnapshot
from copilot.detection import Examiner
from copilot.detection.questions import dialog_question
from copilot.detection.regions import Regions
from copilot.errors import InputError
from copilot.plain_files import read_text
from copilot.private_files import open_private, write_all
from copilot.recording.artifacts import CAST_NAME
from copilot.recording.asciicast import Cast, read_cast
from copilot.recording.unknown_screens import Label, UnknownScreen, unknown_screens
from copilot.replay.detect import screen_at, settled_of

# A rule is made from one labelled screen. Its patterns leave open what varies between two showings of a
# dialog: numbers, paths, names in quotes.

_CURSOR = "▮"
_MAX_WORDS = 10
_MIN_WORDS = 2
_ABOVE_UNKNOWN = 5
_MIN_PRIORITY = 20
_VARIES = re2.compile(r"""[0-9/~\\"'`“”‘’<>\[\]{}=@]|^\S{25,}$""")
_LETTERS = re2.compile(r"\pL{2,}")
_YES_NO = re2.compile(r"(?i)\by(es)?\s?[/|]\s?n(o)?\b")
_INLINE = ("yes_no", "hugged", "letters", "letter_run", "words")
_LISTED = frozenset(
    {ScreenKind.MENU, ScreenKind.PERMISSION, ScreenKind.TRUST, ScreenKind.LOGIN, ScreenKind.YES_NO}
)
_AT_CURSOR = PROMPT_KINDS - {ScreenKind.QUESTION, ScreenKind.PAGER, ScreenKind.EDITOR}


def propose(snapshot: ScreenSnapshot, label: Label, profile: Profile, evidence: str) -> Rule:
    """An unverified rule that detects this screen as labelled.

    Raises InputError if the screen has no words to match.
    """
    regions = Regions(snapshot, profile.screen)
    region, form, texts = _place(regions, label.kind)
    anchors = [pattern for text in texts if (pattern := pattern_of(text))]
    if not anchors:
        raise InputError("the screen has no fixed words that a rule could match")
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
    """The region of the rule, the form of its options, and the texts to match."""
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
    """The form of options in the line. Any line can be read as `yes_no`, so that needs more evidence."""
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
    """A pattern of the fixed words of `text`, open where words vary. Empty if too few are fixed."""
    parts: list[str] = []
    fixed = 0
    for word in text.split()[:_MAX_WORDS]:
        varies = _VARIES.search(word) is not None
        fixed += not varies and _LETTERS.search(word) is not None
        if not varies:
            parts.append(re2.escape(word))
        elif not parts or parts[-1] != r"\S.*":
            parts.append(r"\S.*")
    while parts and parts[-1] == r"\S.*":
        parts.pop()
    while parts and parts[0] == r"\S.*":
        parts.pop(0)
    return r"\s+".join(parts) if fixed >= _MIN_WORDS else ""


def _priority(profile: Profile, snapshot: ScreenSnapshot) -> int:
    """Just above the rule that detected `unknown`, to overrule as few rules as possible."""
    unknown_rule = Examiner(profile).examine(snapshot).detection.rule
    found = next((rule.priority for rule in profile.screen.rules if rule.id == unknown_rule), 0)
    return max(found + _ABOVE_UNKNOWN, _MIN_PRIORITY)


def _free_id(profile: Profile, kind: ScreenKind) -> str:
    taken = {rule.id for rule in profile.screen.rules}
    number = 1
    while f"{profile.name}.learned.{kind.value}_{number}" in taken:
        number += 1
    return f"{profile.name}.learned.{kind.value}_{number}"


def example_of(snapshot: ScreenSnapshot, first_row: int = 0) -> RuleExample:
    """The screen from `first_row` on as the example of a rule, without styles."""
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


LabelledTime = tuple[float, ScreenKind]
KnownScreen = tuple[ScreenSnapshot, Label | None]


def with_rule(profile: Profile, rule: Rule) -> Profile:
    """The profile with one more rule."""
    return replace(profile, screen=replace(profile.screen, rules=(*profile.screen.rules, rule)))


def with_example(profile: Profile, rule: Rule, snapshot: ScreenSnapshot) -> Rule:
    """The rule with this screen, cut as short as possible, as its example.

    Raises InputError if the rule does not detect the screen, or needs its styles.
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
        example = _with_detected(examiner, rule, example_of(snapshot, first_row))
        if example is not None:
            return replace(rule, examples=(example,))
    raise InputError("only colours or styles identify it, and an example holds none")


def _with_detected(examiner: Examiner, rule: Rule, example: RuleExample) -> RuleExample | None:
    """The example with the question and options detected in it; None if the rule does not match."""
    verdict = read_example(examiner, rule, example)
    if verdict.why_not or verdict.detection.rule != rule.id:
        return None
    options = tuple(option.label for option in verdict.detection.options)
    return replace(example, question=verdict.detection.question, options=options)


def false_matches(
    profile: Profile,
    rule: Rule,
    others: Iterable[KnownScreen],
    recording: Cast | None,
    said: Sequence[LabelledTime] = (),
) -> Iterator[str]:
    """A line for each screen that the rule wrongly takes over."""
    extended = with_rule(profile, rule)
    examiner = Examiner(extended)
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
        yield from _in_recording(profile, extended, rule, recording, said)


def _in_recording(
    profile: Profile, extended: Profile, rule: Rule, recording: Cast, said: Sequence[LabelledTime]
) -> Iterator[str]:
    """The first moment of the recording that another rule detected and that this one takes over."""
    before = [(settled.at, settled.detection.kind) for settled in settled_of(recording, profile)]
    for settled in settled_of(recording, extended):
        if settled.detection.rule != rule.id:
            continue
        known = [kind for at, kind in before if at <= settled.at]
        until = next((at for at, _ in before if at > settled.at), recording.duration)
        if any(settled.at <= at <= until and kind.value == rule.kind for at, kind in said):
            continue
        if known and known[-1] not in (ScreenKind.UNKNOWN, ScreenKind.BUSY, ScreenKind.STARTING):
            yield f"it takes over a {known[-1].value} of the run at {settled.at:.1f} s"
            return


def rule_toml(rule: Rule) -> str:
    """The rule as a table of `screen.rules`."""
    return tomli_w.dumps({"screen": {"rules": [rule_table(rule)]}}, multiline_strings=True)


def rule_table(rule: Rule) -> dict[str, Any]:
    """The same as plain data."""
    return {"id": rule.id, "kind": rule.kind, "region": rule.region} | _given(rule)


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
    """A labelled screen and the rule made from it. `note` is what was checked, or why there is no rule."""

    screen: UnknownScreen
    rule: Rule | None
    note: str


@dataclass(frozen=True, slots=True)
class Lesson:
    """The result for one run. `profile` is the profile before the rules are added."""

    profile: Profile
    learned: tuple[Learned, ...] = field(default=())

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that were verified."""
        return tuple(one.rule for one in self.learned if one.rule is not None)

    def toml(self) -> str:
        """The verified rules with examples and notes, as TOML to add to a profile."""
        parts = [f"# {one.note}\n{rule_toml(one.rule)}" for one in self.learned if one.rule is not None]
        return "\n".join(parts)


def learn(run: Path, profile_name: str | None = None) -> Lesson:
    """Propose rules from a run folder. Raises InputError if nothing is labelled or a file cannot be read."""
    kept = unknown_screens(run)
    labelled = [screen for screen in kept if screen.label is not None]
    if not labelled:
        found = f"{len(kept)} unknown screens, none labelled" if kept else "no unknown screens"
        raise InputError(f"{run}: has {found}; label them in the cockpit with the leader and l")
    profile = load_profile(profile_name or str(labelled[0].evidence.get("profile", "generic")))
    recording = read_cast(run / CAST_NAME) if os.path.lexists(run / CAST_NAME) else None
    snapshots = {screen.number: snapshot_of(screen) for screen in kept}
    extended = profile
    learned: list[Learned] = []
    for screen in labelled:
        one = _learned(extended, screen, kept, snapshots, recording, run)
        learned.append(one)
        if one.rule is not None:
            extended = with_rule(extended, one.rule)
    return Lesson(profile, tuple(learned))


def snapshot_of(screen: UnknownScreen) -> ScreenSnapshot:
    """The kept screen. Raises InputError."""
    cast = screen.cast()
    return screen_at(cast, cast.duration)


def _learned(
    profile: Profile,
    screen: UnknownScreen,
    kept: list[UnknownScreen],
    snapshots: dict[int, ScreenSnapshot],
    recording: Cast | None,
    run: Path,
) -> Learned:
    assert screen.label is not None
    name = f"unknown screen {screen.number} of {run.name}"
    others = [(snapshots[other.number], other.label) for other in kept if other.number != screen.number]
    evidence = f"{name}, labelled {screen.label.kind.value}"
    try:
        rule = rule_of(profile, snapshots[screen.number], screen.label, evidence, others, recording)
    except InputError as problem:
        return Learned(screen, None, f"{name}: no rule: {problem}")
    examples = sum(len(other.examples) for other in profile.screen.rules)
    note = f"{name}. Checked on its example, {examples} examples of other rules, {len(others)} other screens"
    return Learned(screen, rule, note + (" and the run's recording." if recording is not None else "."))


def rule_of(
    profile: Profile,
    snapshot: ScreenSnapshot,
    label: Label,
    evidence: str,
    others: Iterable[KnownScreen],
    recording: Cast | None,
    said: Sequence[LabelledTime] = (),
) -> Rule:
    """A verified rule with its example. Raises InputError: why there is none.

    What the person `said` was shown in the recording may be taken over, though it was read as another kind.
    """
    rule = with_example(profile, propose(snapshot, label, profile, evidence), snapshot)
    wrong = list(false_matches(profile, rule, others, recording, said))
    if wrong:
        raise InputError("; ".join(wrong))
    return rule


def write_profile(lesson: Lesson, target: Path) -> None:
    """Write the profile with the rules added to a new file, and check it. Raises InputError."""
    source = profile_paths()[lesson.profile.name]
    write_new(f"{read_text(source, MOST_BYTES).rstrip()}\n\n{lesson.toml()}", target)


def write_new(text: str, target: Path) -> None:
    """Write a profile to a new file. Raises InputError if it exists, or is not a valid profile."""
    try:
        descriptor = open_private(target, _NEW_FILE)
    except FileExistsError:
        raise InputError(f"--write {target}: exists; name a new file") from None
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
