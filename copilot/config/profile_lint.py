"""What is wrong with a profile file beyond its faults: what does nothing, and examples that fail."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from copilot.config.profile_examples import ExampleVerdict, differences, read_example
from copilot.config.profile_faults import KINDS, faults, patterns_of_profile
from copilot.config.profile_files import assemble, read_toml, type_faults
from copilot.core.profile import Profile
from copilot.core.reply_keys import matches_any
from copilot.core.screen_kinds import SCREEN_KINDS
from copilot.core.screen_rules import Clause, Rule, SubjectRule
from copilot.detection import Examiner
from copilot.detection.examiner import patterns_of
from copilot.detection.patterns import compiled
from copilot.detection.readings import COMPOSER_REGIONS
from copilot.errors import InputError
from copilot.screen.keys import KEY_NAMES


@dataclass(frozen=True, slots=True)
class Finding:
    """`check` names the lint rule, `key` the place in the file; `says` what is wrong and what to do."""

    check: str
    key: str
    says: str

    def __str__(self) -> str:
        return f"{self.key}: {self.says}" if self.key else self.says


def rule_key(rule_id: str) -> str:
    """How a rule is named as a place in the file."""
    return f"screen.rules[{rule_id}]"


_NEVER_BOTH = (("hidden", "visible"), ("hidden", "after"), ("start", "end"), ("start", "gap"))
_NEVER_BOTH_TTY = (("reading", "idle"), ("silent", "echo"), ("canonical", "raw"))
_PARTS = tuple(field.name for field in fields(Clause) if field.name != "region")


def dead_rules(profile: Profile, rules: Sequence[Rule]) -> Iterator[Finding]:
    """Each of these rules that can match no screen, with the reason."""
    composer = profile.screen.composer
    has_composer = bool(composer.prompt) or composer.between_rules
    ends_turns = bool(profile.screen.form.turn_end)
    for rule in rules:
        why = next(_why_dead(rule, has_composer, ends_turns), None)
        if why is not None:
            yield Finding("dead-rule", rule_key(rule.id), f"can never match: {why}")


def _why_dead(rule: Rule, has_composer: bool, ends_turns: bool) -> Iterator[str]:
    if rule.region in COMPOSER_REGIONS and not has_composer:
        yield f"region {rule.region!r} needs a composer, and screen.composer describes none"
    yield from _versions_dead(rule.versions)
    yield from _together(rule, rule.all, has_composer, ends_turns)
    if rule.any:
        reasons = [
            next(_together(rule, (*rule.all, one), has_composer, ends_turns), None) for one in rule.any
        ]
        if all(reasons):
            yield f"no clause of `any` can hold: {reasons[0]}"


def _together(rule: Rule, clauses: tuple[Clause, ...], has_composer: bool, ends_turns: bool) -> Iterator[str]:
    """Why these clauses, with the rule's region and its `not`, cannot all hold."""
    composer = {clause.composer for clause in clauses} - {None}
    regions = {rule.region} | {clause.region for clause in clauses if clause.region and clause.pattern}
    within = sorted(regions & COMPOSER_REGIONS)
    if composer == {True, False}:
        yield "`composer` must be both true and false"
    if False in composer and within:
        yield f"`composer = false`, but region {within[0]!r} needs a composer"
    if True in composer and not has_composer:
        yield "`composer = true`, but screen.composer describes none"
    if within and not has_composer:
        yield f"region {within[0]!r} needs a composer, and screen.composer describes none"
    if {clause.alternate_screen for clause in clauses} >= {True, False}:
        yield "`alternate_screen` must be both on and off"
    yield from _words_dead("cursor", clauses, _NEVER_BOTH)
    yield from _words_dead("tty", clauses, _NEVER_BOTH_TTY)
    if not ends_turns and any(clause.form == "turn_ended" for clause in clauses):
        yield "form 'turn_ended' needs screen.form.turn_end, which is empty"
    for number, wrong in enumerate(rule.not_):
        if any(implies(clause, wrong, rule.region) for clause in clauses):
            yield f"`not[{number}]` forbids what another clause asks for"


def _words_dead(part: str, clauses: tuple[Clause, ...], pairs: tuple[tuple[str, str], ...]) -> Iterator[str]:
    words = {word for clause in clauses for word in str(getattr(clause, part)).split()}
    for one, other in pairs:
        # with `?` both hold where the platform does not report the fact
        for first, second in ((one, other), (one, f"{other}?"), (f"{one}?", other)):
            if first in words and second in words:
                yield f"`{part}` must be both {first!r} and {second!r}"


def implies(strong: Clause, weak: Clause, strong_region: str, weak_region: str = "") -> bool:
    """Whether `weak` holds wherever `strong` does: each of its parts is a part of the other, word for word.

    The regions are those of their rules. False does not prove the opposite.
    """
    if weak == Clause():
        return False
    reads_same = (strong.region or strong_region) == (weak.region or weak_region or strong_region)
    for part in _PARTS:
        wanted, given = getattr(weak, part), getattr(strong, part)
        if wanted in ("", None):
            continue
        if part in ("cursor", "tty"):
            if not set(wanted.split()) <= set(given.split()):
                return False
        elif part == "form":
            if not given or not set(given.split("|")) <= set(wanted.split("|")):
                return False
        elif wanted != given or (part in ("pattern", "style") and not reads_same):
            return False
    return True


def _versions_dead(versions: str) -> Iterator[str]:
    lower: tuple[int, ...] = ()
    upper: tuple[int, ...] | None = None
    for part in versions.split(","):
        sign = part.strip().rstrip("0123456789. ").strip()
        limit = tuple(int(number) for number in part.strip().lstrip("<>= ").split(".") if number.isdigit())
        if sign in (">", ">="):
            lower = max(lower, limit)
        elif sign in ("<", "<=") and limit:
            upper = limit if upper is None else min(upper, limit)
    if upper is not None and lower and upper < lower:
        yield f"no version is in the range {versions!r}"


MOST_STATES = 5000
"""Instructions of a compiled pattern. The largest built-in one has under 2000, `{0,1000}` alone 9000."""
_CHOICE_OF_WORDS = re.compile(r"[\w ,.'-]+(?:\|[\w ,.'-]+)+")
_GROUP = re.compile(r"(?<!\\)\((?!\?(?!P<))(?:\?P<\w+>)?")


def patterns_of_rules(rules: Sequence[Rule]) -> Iterator[tuple[str, str]]:
    """The regular expressions of these rules, each with its place in the file."""
    for rule in rules:
        for key, pattern in patterns_of(rule):
            yield f"{rule_key(rule.id)}.{key}", pattern


def costly_patterns(patterns: Iterator[tuple[str, str]]) -> Iterator[Finding]:
    """Patterns whose counted repeats make them so large that every look at a screen is slow."""
    for key, pattern in patterns:
        size = compiled(pattern).programsize if pattern else 0
        if size > MOST_STATES:
            says = f"blows up to {size} states (most: {MOST_STATES}); use * or + for large counted repeats"
            yield Finding("costly-pattern", key, says)


def patterns_of_everything(rules: Sequence[Rule]) -> Iterator[Finding]:
    """Patterns of clauses that are found in every text, so that the clause says nothing."""
    for rule in rules:
        for name in ("all", "any", "not_"):
            for number, clause in enumerate(getattr(rule, name)):
                if clause.pattern and not clause.style and compiled(clause.pattern).search("") is not None:
                    key = f"{rule_key(rule.id)}.{name.rstrip('_')}[{number}].pattern"
                    yield Finding(
                        "empty-pattern", key, f"{clause.pattern!r} is found in every text, also in none"
                    )


def wrong_groups(profile: Profile, rules: Sequence[Rule]) -> Iterator[Finding]:
    """Patterns that must have exactly one group, or at most one, and have another number."""
    for key, pattern in (
        ("launch.version_pattern", profile.launch.version_pattern),
        ("screen.form.buttons", profile.screen.form.buttons),
    ):
        if pattern and compiled(pattern).groups != 1:
            yield _groups(key, pattern, "exactly one group")
    for rule in rules:
        for number, subject in enumerate(rule.subjects):
            yield from _subject_groups(rule, number, subject)


def _subject_groups(rule: Rule, number: int, subject: SubjectRule) -> Iterator[Finding]:
    key = f"{rule_key(rule.id)}.subjects[{number}]"
    if subject.start and compiled(subject.start).groups > 1:
        yield _groups(f"{key}.start", subject.start, "one group, the subject itself, or none")
    elif subject.start and (words := _captured_words(subject.start)):
        says = f"the subject would be one of the words {words!r}; write (?:{words}) unless that is meant"
        yield Finding("subject-group", f"{key}.start", says)
    if subject.message and compiled(subject.message).groups != 1:
        yield _groups(f"{key}.message", subject.message, "exactly one group, the subject")


def _groups(key: str, pattern: str, wanted: str) -> Finding:
    says = f"has {compiled(pattern).groups} groups, but takes {wanted}; (?:…) groups without reading"
    return Finding("subject-group" if ".subjects[" in key else "groups", key, says)


def _captured_words(pattern: str) -> str:
    """The alternatives of the one group, if it is a mere choice of words."""
    for match in _GROUP.finditer(pattern):
        end = pattern.find(")", match.end())
        inner = pattern[match.end() : end] if end >= 0 else ""
        if _CHOICE_OF_WORDS.fullmatch(inner):
            return inner
    return ""


_CONTINUED = tuple(kind.value for kind, entry in SCREEN_KINDS.items() if entry.goes_on)
_SOUNDS_WIDENING = (
    r"(?i)\b(don.?t|do not|never) ask( me)?( again)?\b",
    r"(?i)\balways\b",
    r"(?i)\ball future\b",
    r"(?i)\bfor (this|the rest of the|the whole|all) ?sessions?\b",
    r"(?i)\bremember (this|my|the)\b",
    r"(?i)\b(auto|yolo|bypass)[- ]?(mode|approve|accept|permissions?)\b",
    r"(?i)\baccept (all )?edits\b",
)
_REFUSES = (r"(?i)^(no|deny|reject|cancel|never)\b",)


def keys_without_kind(profile: Profile) -> Iterator[Finding]:
    """Keys for a kind that is none, that no rule gives, or to which such keys do not apply."""
    given = {rule.kind for rule in profile.screen.rules}
    for name in ("refuse", "continue_keys"):
        for kind in getattr(profile.reply_keys, name):
            key = f"reply_keys.{name}.{kind}"
            if kind not in KINDS:
                yield Finding("key-without-kind", key, f"{kind!r} is no kind of screen{_near(kind, KINDS)}")
            elif name == "continue_keys" and kind not in _CONTINUED:
                yield Finding("key-without-kind", key, f"it takes {', '.join(_CONTINUED)}")
            elif kind not in given:
                yield Finding("key-without-kind", key, f"no rule of the profile gives {kind!r}: never typed")


def unknown_keys(profile: Profile) -> Iterator[Finding]:
    """Words that are nearly the name of a key: they would be typed letter by letter."""
    keys, launch = profile.reply_keys, profile.launch
    named = [("launch.interrupt", launch.interrupt), ("reply_keys.clear_composer", keys.clear_composer)]
    for name in ("refuse", "continue_keys"):
        named += [(f"reply_keys.{name}.{kind}", typed) for kind, typed in getattr(keys, name).items()]
    for key, typed in named:
        for word in typed:
            name = word.split("-")[-1]
            near = _near(name, KEY_NAMES)
            if len(name) > 1 and name not in KEY_NAMES and near:
                yield Finding("unknown-key", key, f"{word!r} is no key and would be typed as text{near}")


def _near(word: str, right: tuple[str, ...] | list[str]) -> str:
    close = difflib.get_close_matches(word, right, 1)
    return f"; did you mean {close[0]!r}?" if close else ""


def unknown_widening(profile: Profile, rules: Sequence[Rule]) -> Iterator[Finding]:
    """Options in examples that sound as if they widened what the CLI may do, and are not listed as such."""
    keys = profile.reply_keys
    known = (*keys.widening_options, *keys.trust_options)
    for rule in rules:
        labels = dict.fromkeys(label for example in rule.examples for label in example.options)
        for label in labels:
            sounds = matches_any(label, _SOUNDS_WIDENING) and not matches_any(label, _REFUSES)
            if sounds and not matches_any(label, known):
                says = f"option {label!r} sounds as if it widened: add it to reply_keys.widening_options"
                yield Finding("unknown-widening", f"{rule_key(rule.id)}.examples", says)


def idle_allowances(profile: Profile) -> Iterator[Finding]:
    """Entries of `limits.allow_widening` that allow none of the widening options that the examples show."""
    shown = {
        label
        for rule in profile.screen.rules
        for example in rule.examples
        for label in example.options
        if matches_any(label, profile.reply_keys.widening_options)
    }
    for number, pattern in enumerate(profile.limits.allow_widening):
        if shown and not any(matches_any(label, (pattern,)) for label in shown):
            says = f"{pattern!r} is no widening option that an example shows: {', '.join(sorted(shown))}"
            yield Finding("unknown-widening", f"limits.allow_widening[{number}]", says)


def example_faults(profile: Profile, rules: Sequence[Rule]) -> Iterator[Finding]:
    """Rules whose examples they do not match, read otherwise, or never get to read."""
    examiner = Examiner(profile)
    for rule in rules:
        verdicts = [read_example(examiner, rule, example) for example in rule.examples]
        winners = {"" if verdict.why_not else verdict.detection.rule for verdict in verdicts}
        if len(winners) == 1 and not winners & {"", rule.id} and _is_rule(profile, *winners):
            yield _shadowed(rule, winners.pop(), "on every example of its own")
            continue
        for number, verdict in enumerate(verdicts):
            key = f"{rule_key(rule.id)}.examples[{number}]"
            yield from _faults_of(rule, number, verdict, key)


def _is_rule(profile: Profile, rule_id: str) -> bool:
    """The engine may also overrule all rules, by what the CLI reports."""
    return any(rule.id == rule_id for rule in profile.screen.rules)


def _faults_of(rule: Rule, number: int, verdict: ExampleVerdict, key: str) -> Iterator[Finding]:
    winner, kind = verdict.detection.rule, verdict.detection.kind.value
    if verdict.why_not:
        yield Finding("example", key, f"the rule no longer matches it: {verdict.why_not}")
    elif winner != rule.id:
        yield Finding("example", key, f"is read by {winner} ({kind})")
    else:
        for said in differences(rule.examples[number], verdict.detection):
            yield Finding("example", key, said)


def shadowed_rules(profile: Profile, rules: Sequence[Rule]) -> Iterator[Finding]:
    """Rules without examples, where one rule before them provably matches all that they do."""
    ordered = sorted(profile.screen.rules, key=lambda rule: -rule.priority)
    for place, rule in enumerate(ordered):
        if rule not in rules or rule.examples:
            continue
        for earlier in ordered[:place]:
            if covers(earlier, rule):
                yield _shadowed(rule, earlier.id, "wherever its own clauses hold")
                break


def _shadowed(rule: Rule, winner: str, where: str) -> Finding:
    says = f"is shadowed: {winner} comes before it and matches {where}; give it a higher priority"
    return Finding("shadowed-rule", rule_key(rule.id), says)


def covers(earlier: Rule, later: Rule) -> bool:
    """Whether `earlier` matches every screen that `later` does, proven clause by clause."""
    if earlier.region != later.region or (earlier.versions and earlier.versions != later.versions):
        return False
    needed = all(any(implies(have, want, later.region) for have in later.all) for want in earlier.all)
    some = not earlier.any or any(
        implies(have, want, later.region) for want in earlier.any for have in later.all
    )
    some = some or (
        bool(later.any)
        and all(any(implies(have, want, later.region) for want in earlier.any) for have in later.any)
    )
    forbidden = all(any(implies(wrong, no, later.region) for no in later.not_) for wrong in earlier.not_)
    return needed and some and forbidden


def lint_file(path: Path) -> list[Finding]:
    """Everything that is wrong with a profile file; empty if it is right.

    What cannot be read at all is one finding. Rules taken over from another profile are that one's business.
    """
    try:
        data = read_toml(path)
        data.pop("extends", None)
        data.pop("extends_rules", None)
        if wrong := type_faults(data):
            return [_schema(fault) for fault in wrong]
        profile, own = assemble(path)
    except InputError as error:
        return [Finding("file", "", str(error).removeprefix(f"{path}: "))]
    if wrong := list(faults(profile)):
        return [_schema(fault) for fault in wrong]
    return list(lint(profile, [rule for rule in profile.screen.rules if rule.id in own]))


def lint(profile: Profile, rules: Sequence[Rule]) -> Iterator[Finding]:
    """What is wrong with a profile whose words and patterns are right; `rules` are those of its own file."""
    yield from costly_patterns(patterns_of_rules(rules))
    yield from costly_patterns(patterns_of_profile(profile))
    yield from patterns_of_everything(rules)
    yield from wrong_groups(profile, rules)
    dead = list(dead_rules(profile, rules))
    yield from dead
    yield from example_faults(profile, rules)
    dead_keys = {finding.key for finding in dead}
    yield from shadowed_rules(profile, [rule for rule in rules if rule_key(rule.id) not in dead_keys])
    yield from keys_without_kind(profile)
    yield from unknown_keys(profile)
    yield from unknown_widening(profile, rules)
    yield from idle_allowances(profile)


def _schema(fault: str) -> Finding:
    key, _, says = fault.partition(": ")
    return Finding("bad-pattern" if says.startswith("bad regular expression") else "schema", key, says)
