"""How a result came about, by rules of seed 002: look for an existing resource before making one.

A plan says what is meant, the proposals what was done; each has its rule, as either alone can lie.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import re2

from copilot.proposals.models import GenerateResource, SearchResource
from copilot.proposals.session import SessionResult

_SEARCHES = re2.compile(r"(?i)\b(?:search|look for|look up|find|check for|reuse|existing)\b")
_MAKES = re2.compile(r"(?i)\b(?:make|create|generate|build|model|draw|write)\b")
_NOT = re2.compile(r"(?i)\b(?:no need to|don't|do not|without|skip|never)\b")


@dataclass(frozen=True, slots=True)
class Finding:
    """What one rule found. `passed` is None where there is nothing that it speaks of."""

    rule: str
    passed: bool | None
    reason: str


def review(result: SessionResult) -> list[Finding]:
    """All rules, in their order."""
    return [_plan_names_search(result), _searched_first(result)]


def _plan_names_search(result: SessionResult) -> Finding:
    rule = "plan-names-search"
    if GenerateResource not in _operations(result):
        return Finding(rule, None, "no resource was generated")
    steps = [step.text for step in result.task_state.plan]
    if not steps:
        return Finding(rule, False, "a resource was generated without a plan")
    searching = _first(steps, lambda text: bool(_SEARCHES.search(text)) and not _NOT.search(text))
    making = _first(steps, lambda text: bool(_MAKES.search(text)) and not _SEARCHES.search(text))
    if searching is None:
        return Finding(rule, False, "no step of the plan looks for an existing resource")
    if making is not None and making < searching:
        return Finding(rule, False, f"step {making + 1} makes before step {searching + 1} searches")
    return Finding(rule, True, f"step {searching + 1} looks for an existing resource")


def _searched_first(result: SessionResult) -> Finding:
    rule = "search-before-making"
    words = _operations(result)
    if GenerateResource not in words:
        return Finding(rule, None, "no resource was generated")
    if SearchResource not in words[: words.index(GenerateResource)]:
        return Finding(rule, False, "a resource was generated and none was searched for before")
    return Finding(rule, True, "a search came before what was generated")


def _operations(result: SessionResult) -> list[type]:
    return [type(op) for one in result.proposals for op in getattr(one, "ops", ())]


def _first(steps: Sequence[str], fits: Callable[[str], bool]) -> int | None:
    return next((at for at, text in enumerate(steps) if fits(text)), None)
