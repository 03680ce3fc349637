"""The rules' own examples, judged when the tests load them."""

from __future__ import annotations

import posixpath

import pytest

from copilot.core.risk import RiskLevel
from copilot.errors import InputError
from copilot.guard.command_risk import judge_command
from copilot.guard.rule import Rule
from copilot.guard.rule_files import built_in, load_rules
from copilot.guard.scope import ProjectScope

SCOPE = ProjectScope(
    "/home/me/project", "/home/me", posixpath.normpath, lambda path: "/node_modules/.bin/" in path
)


@pytest.mark.parametrize("rule", built_in().allows, ids=lambda rule: rule.id)
def test_what_a_rule_allows_and_holds(rule: Rule) -> None:
    for command in rule.allow:
        risk = judge_command(command, SCOPE)
        assert risk.level <= rule.risk, (command, risk)
    for command in rule.hold:
        risk = judge_command(command, SCOPE)
        assert risk.level >= RiskLevel.HIGH, (command, risk)


@pytest.mark.parametrize("rule", built_in().raises, ids=lambda rule: rule.id)
def test_what_a_rule_raises(rule: Rule) -> None:
    assert rule.hold
    for command in rule.hold:
        risk = judge_command(command, SCOPE)
        assert risk.level >= rule.risk, (command, risk)


def test_rule_ids_are_unique() -> None:
    ids = [rule.id for rule in (*built_in().allows, *built_in().raises)]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    "text",
    [
        "[[rule]]\nid='a'\nrisk='mild'\nwords=['x']\nreason='r'",
        "[[rule]]\nid='a'\nrisk='low'\nword=['x']\nreason='r'",
        "[[rule]]\nid='a'\nrisk='low'\nwords=['(']\nreason='r'",
        "[[rule]\n",
    ],
)
def test_a_bad_pack_names_the_file_and_the_rule(text: str) -> None:
    with pytest.raises(InputError, match=r"own\.toml"):
        load_rules(text, "own.toml")
