"""Examples and shadows: an example that its rule no longer matches, a rule that another one always beats."""

from __future__ import annotations

from collections.abc import Iterator

from copilot.config.profile_examples import ExampleVerdict, differences, read_example
from copilot.config.profile_lint.contradictions import implies
from copilot.config.profile_lint.finding import Finding, rule_key
from copilot.core.profile import Profile
from copilot.core.screen_rules import Rule
from copilot.detectors import Examiner


def example_faults(profile: Profile, own: frozenset[str]) -> Iterator[Finding]:
    """Own rules whose examples they do not match, read otherwise, or never get to read."""
    examiner = Examiner(profile)
    for rule in profile.screen.rules:
        if rule.id not in own:
            continue
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


def shadowed_rules(profile: Profile, own: frozenset[str]) -> Iterator[Finding]:
    """Own rules without examples, where one rule before them provably matches all that they do."""
    ordered = sorted(profile.screen.rules, key=lambda rule: -rule.priority)
    for place, rule in enumerate(ordered):
        if rule.id not in own or rule.examples:
            continue
        for earlier in ordered[:place]:
            if covers(earlier, rule):
                yield _shadowed(rule, earlier.id, "wherever its own clauses hold")
                break


def _shadowed(rule: Rule, winner: str, where: str) -> Finding:
    says = f"is shadowed: {winner} stands before it and matches {where}; give it a higher priority"
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
