"""Dead rules: what a rule asks for can never be true at once, or its region never exists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from copilot.config.profile_lint.finding import Finding, rule_key
from copilot.core.profile import Profile
from copilot.core.screen_rules import Clause, Composer, Rule
from copilot.detectors.readings import COMPOSER_REGIONS

_NEVER_BOTH = (("hidden", "visible"), ("hidden", "after"), ("start", "end"), ("start", "gap"))
_NEVER_BOTH_TTY = (("reading", "idle"), ("silent", "echo"), ("canonical", "raw"))
_PARTS = tuple(field.name for field in fields(Clause) if field.name != "region")


def dead_rules(profile: Profile, own: frozenset[str]) -> Iterator[Finding]:
    """Each of the profile's own rules that can match no screen, with the reason."""
    has_composer = profile.screen.composer != Composer() and _describes(profile.screen.composer)
    ends_turns = bool(profile.screen.form.turn_end)
    for rule in profile.screen.rules:
        if rule.id not in own:
            continue
        why = next(_why_dead(rule, has_composer, ends_turns), None)
        if why is not None:
            yield Finding("dead-rule", rule_key(rule.id), f"can never match: {why}")


def _describes(composer: Composer) -> bool:
    return bool(composer.prompt) or composer.between_rules


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
        # with `?` both hold where the platform does not tell
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
