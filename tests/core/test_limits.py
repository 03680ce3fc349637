"""Each limit ends a run at its number: not one reply early, not one late."""

from __future__ import annotations

from typing import Any

import pytest

from copilot.core import events as ev
from copilot.core.reply import Autonomy, Proposal, Reply, Usage
from copilot.core.settings import RunLimits
from tests.core.builders import BUSY, LOW, Trial, permission


def _replies_typed(limits: RunLimits, prompts: int = 6) -> tuple[int, str]:
    """How many of so many prompts, each another command at 25 cents, get a reply; and why no more."""
    trial = Trial(Autonomy.FULL, limits=limits)
    for number in range(prompts):
        prompt = permission(f"p.{number}", command=f"touch {number}")
        trial.settle(prompt, LOW)
        if trial.run.request is None:
            break
        trial.answer(Proposal(Reply("Yes"), usage=Usage(cost_usd=0.25)))
        trial.look(prompt, seconds=0.3)
        trial.take()
    return len(trial.writes), trial.run.ending.reason if trial.run.ending else ""


@pytest.mark.invariant(10)
@pytest.mark.row("CP-15")
@pytest.mark.parametrize("most", [1, 2, 5])
def test_as_many_replies_are_typed_as_allowed(most: int) -> None:
    assert _replies_typed(RunLimits(max_steps=most)) == (most, f"{most} replies were typed (--max-steps)")
    assert _replies_typed(RunLimits(max_steps=6)) == (6, "")


@pytest.mark.invariant(10)
@pytest.mark.parametrize(("dollars", "replies"), [(0.25, 1), (0.5, 2), (0.51, 3), (1.0, 4)])
def test_nothing_more_is_asked_once_the_money_is_spent(dollars: float, replies: int) -> None:
    typed, reason = _replies_typed(RunLimits(max_cost_usd=dollars))
    assert typed == replies
    assert reason == f"${replies * 0.25:.4f} of ${dollars:.2f} is spent (--max-cost)"


@pytest.mark.invariant(10)
@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (ev.RequestDropped, {}),
        (ev.ReplyFailed, {"request": 9, "reason": "nonsense"}),
        (ev.OpinionFailed, {"request": 9, "reason": "nonsense"}),
        (ev.OpinionGiven, {"request": 9, "agrees": False}),
    ],
)
def test_what_nobody_uses_is_paid_for_all_the_same(kind: type[ev.Event], fields: dict[str, Any]) -> None:
    """Cancelled, unusable, late, or a second opinion: --max-cost counts it."""
    trial = Trial(Autonomy.FULL, limits=RunLimits(max_cost_usd=0.5))
    trial.feed(kind, cost_usd=0.5, **fields)
    trial.settle(permission(), LOW)
    assert trial.run.request is None and trial.run.ending is not None
    assert "--max-cost" in trial.run.ending.reason


def _answered(works: bool, rounds: int = 4) -> tuple[int, str]:
    """How many of the permissions for an edit and a test run in turn get a yes, and the last rule."""
    trial = Trial(Autonomy.FULL)
    for number in range(rounds * 2):
        command = ("edit app.py", "pytest")[number % 2]
        prompt = permission(f"p.{number}", command=command)
        trial.type(prompt, Proposal(Reply("Yes")))
        trial.take()
        if works:
            trial.settle(BUSY)
    return len(trial.writes), trial.decisions[-1].decision.rule


@pytest.mark.invariant(10)
@pytest.mark.row("CP-61")
def test_an_agent_that_works_between_two_permissions_is_in_no_loop() -> None:
    """It edits and tests until the tests pass. The same two in turn without any work are a loop."""
    assert _answered(works=True) == (8, "policy.full")
    assert _answered(works=False) == (4, "limit.loop")
