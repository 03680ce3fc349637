"""The narrowest grants that would allow what a prompt asks, as an offer to the person.

An offer has no wildcards, one rule for each command that needs one, and only rules that the judge accepts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from copilot.core.detection import SAID_ABOVE, Detection, Subject
from copilot.core.risk import Risk, RiskLevel
from copilot.errors import InputError
from copilot.guard.budget import TOO_MUCH
from copilot.guard.families import has_wildcard
from copilot.guard.grants import Grant
from copilot.guard.question_risk import question_with_context
from copilot.guard.scope import ProjectScope, locate
from copilot.guard.shell_parse import parse_shell
from copilot.guard.shell_tree import ShellProblem, commands_of

MAX_RULES = 5
MAX_TRIED = 10
"""So many rules are tried: each is a verdict of its own."""
LONGEST_RULE = 300
_WILD = "*?["
_FILE_ACTIONS = ("write", "edit", "delete", "read")

Judge = Callable[[Sequence[Grant]], Risk]
"""The risk of the prompt with these grants added to the open ones."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Rules that together allow what is asked; without rules, `refusal` says why."""

    rules: tuple[str, ...] = ()
    refusal: str = ""
    by_level: bool = False
    """Whether the autonomy level holds the reply, so that a higher level would send it."""


def offer_for(detection: Detection, scope: ProjectScope, judge: Judge) -> Offer:
    """The rules that lower the risk of approving `detection` to medium."""
    risk = judge(())
    if risk.level is RiskLevel.FORBIDDEN:
        return Offer(refusal=f"forbidden, and nothing lifts that: {risk.reason}")
    if risk.level < RiskLevel.HIGH:
        return Offer(refusal="nothing here needs to be allowed")
    if risk.rule == TOO_MUCH:
        return Offer(refusal="too much to judge: yours to send")
    grants: list[Grant] = []
    while risk.level is RiskLevel.HIGH and len(grants) < MAX_RULES:
        grant = _next_grant(detection, scope, risk, grants, judge)
        if grant is None:
            return Offer(refusal="no grant names exactly this: yours to send")
        grants.append(grant)
        risk = judge(grants)
    if risk.level >= RiskLevel.HIGH:
        return Offer(refusal="this would need too many grants; it is yours to send")
    return Offer(tuple(grant.rule for grant in grants))


def limited(rule: str, limits: str) -> str:
    """`rule` with `limits` (`times=1`, `for=30m`); empty limits leave it as it is."""
    action, _, pattern = rule.partition(":")
    return f"{action}[{limits}]:{pattern}" if limits else rule


def _next_grant(
    detection: Detection, scope: ProjectScope, risk: Risk, grants: Sequence[Grant], judge: Judge
) -> Grant | None:
    """The first exact grant that lowers the risk or lifts one more part of it."""
    for rule in islice(_candidates(detection, scope, risk), MAX_TRIED):
        grant = _exact_grant(rule)
        if grant is None or grant in grants:
            continue
        after = judge([*grants, grant])
        if after.level < RiskLevel.HIGH or len(after.grants) > len(risk.grants):
            return grant
    return None


def _exact_grant(rule: str) -> Grant | None:
    """The grant of a rule without wildcards; None for any other rule."""
    if len(rule) > LONGEST_RULE or not rule.isprintable():
        return None
    try:
        grant = Grant.parse(rule)
    except InputError:
        return None
    wild = "*" if grant.action in ("shell", "prompt") else _WILD
    named = all(mark not in word for word in grant.pattern for mark in wild)
    return grant if named else None


def _candidates(detection: Detection, scope: ProjectScope, risk: Risk) -> Iterator[str]:
    subject = detection.subject
    if subject is None or subject.action == SAID_ABOVE:
        yield f"prompt:{' '.join(question_with_context(detection).split())}"
    elif subject.action == "shell":
        yield f"shell:{risk.part}"
        yield from _redirect_rules(risk.part)
    elif subject.action in _FILE_ACTIONS:
        lines = [line.strip() for line in subject.text.splitlines() if line.strip()]
        places = (locate(scope, line) for line in lines if not has_wildcard(line))
        yield from (f"{subject.action}:{place.relative}" for place in places if place.relative)
    else:
        yield from _tool_rules(subject)


def _redirect_rules(command: str) -> Iterator[str]:
    """Rules for the files that a command's redirections write."""
    try:
        tree = parse_shell(command)
    except (ShellProblem, RecursionError):
        return
    for one in commands_of(tree):
        yield from (f"write:{redirect.target.raw}" for redirect in one.redirects)


def _tool_rules(subject: Subject) -> Iterator[str]:
    if subject.action == "tool":
        yield f"tool:{subject.text}"
    elif subject.action == "fetch":
        host = subject.text.strip().partition("://")[2] or subject.text.strip()
        yield f"fetch:{host.split('/')[0]}"
