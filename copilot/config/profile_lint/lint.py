"""All checks on one profile file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from copilot.config.profile_checks import faults, patterns_of_profile
from copilot.config.profile_files import assemble, read_toml, type_faults
from copilot.config.profile_lint import contradictions, expressions, keys, shadows
from copilot.config.profile_lint.finding import Finding
from copilot.core.profile import Profile
from copilot.errors import InputError


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
    return list(lint(profile, own))


def lint(profile: Profile, own: frozenset[str]) -> Iterator[Finding]:
    """What is wrong with a profile whose words and patterns are right; `own` are the rules of its file."""
    yield from expressions.costly_patterns(expressions.own_patterns(profile, own))
    yield from expressions.costly_patterns(patterns_of_profile(profile))
    yield from expressions.patterns_of_everything(profile, own)
    yield from expressions.wrong_groups(profile, own)
    dead = list(contradictions.dead_rules(profile, own))
    yield from dead
    yield from shadows.example_faults(profile, own)
    alive = own - {finding.key.removeprefix("screen.rules[").removesuffix("]") for finding in dead}
    yield from shadows.shadowed_rules(profile, alive)
    yield from keys.keys_without_kind(profile)
    yield from keys.unknown_keys(profile)
    yield from keys.unknown_widening(profile, own)
    yield from keys.idle_allowances(profile)


def _schema(fault: str) -> Finding:
    key, _, says = fault.partition(": ")
    return Finding("bad-pattern" if says.startswith("bad regular expression") else "schema", key, says)
