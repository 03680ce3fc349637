"""Regular expressions: what RE2 takes but pays dearly for, and groups that give wrong words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from copilot.config.profile_lint.finding import Finding, rule_key
from copilot.core.profile import Profile
from copilot.core.screen_rules import Rule, SubjectRule
from copilot.detectors.examiner import patterns_of
from copilot.detectors.patterns import compiled

MOST_STATES = 5000
"""Instructions of a compiled pattern. The largest built-in one has under 2000, `{0,1000}` alone 9000."""
_CHOICE_OF_WORDS = re.compile(r"[\w ,.'-]+(?:\|[\w ,.'-]+)+")
_GROUP = re.compile(r"(?<!\\)\((?!\?(?!P<))(?:\?P<\w+>)?")


def own_patterns(profile: Profile, own: frozenset[str]) -> Iterator[tuple[str, str]]:
    """The regular expressions of the profile's own rules, each with its place in the file."""
    for rule in profile.screen.rules:
        if rule.id in own:
            for key, pattern in patterns_of(rule):
                yield f"{rule_key(rule.id)}.{key}", pattern


def costly_patterns(patterns: Iterator[tuple[str, str]]) -> Iterator[Finding]:
    """Patterns whose counted repeats make them so large that every look at a screen is slow."""
    for key, pattern in patterns:
        size = compiled(pattern).programsize if pattern else 0
        if size > MOST_STATES:
            says = f"blows up to {size} states (most: {MOST_STATES}); use * or + for large counted repeats"
            yield Finding("costly-pattern", key, says)


def patterns_of_everything(profile: Profile, own: frozenset[str]) -> Iterator[Finding]:
    """Patterns of clauses that are found in every text, so that the clause says nothing."""
    for rule in profile.screen.rules:
        if rule.id not in own:
            continue
        for name in ("all", "any", "not_"):
            for number, clause in enumerate(getattr(rule, name)):
                if clause.pattern and not clause.style and compiled(clause.pattern).search("") is not None:
                    key = f"{rule_key(rule.id)}.{name.rstrip('_')}[{number}].pattern"
                    yield Finding(
                        "empty-pattern", key, f"{clause.pattern!r} is found in every text, also in none"
                    )


def wrong_groups(profile: Profile, own: frozenset[str]) -> Iterator[Finding]:
    """Patterns that must have exactly one group, or at most one, and have another number."""
    for key, pattern in (
        ("launch.version_pattern", profile.launch.version_pattern),
        ("screen.form.buttons", profile.screen.form.buttons),
    ):
        if pattern and compiled(pattern).groups != 1:
            yield _groups(key, pattern, "exactly one group")
    for rule in profile.screen.rules:
        if rule.id in own:
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
