"""What is allowed by the person counts for the prompt that stands there, and no more than policy lets it."""

from __future__ import annotations

from typing import Any

import pytest

from copilot.core import events as ev
from copilot.core.reply import Autonomy, Verdict
from copilot.core.risk import Risk
from copilot.core.states import RunState
from tests.core.builders import FORBIDDEN, HIGH, MEDIUM, Trial, permission, propose


def held(autonomy: Autonomy = Autonomy.FULL, **run: Any) -> Trial:
    """A reply that is held because it is risky."""
    trial = Trial(autonomy, **run).reply(permission(), propose("Yes"), HIGH)
    return trial


def change(trial: Trial, word: str, risk: Risk, identity: str = "p.1") -> None:
    trial.feed(ev.GrantChanged, rule="shell:rm -r build", change=word, identity=identity, risk=risk)


def verdict(trial: Trial) -> Verdict:
    return trial.decisions[-1].decision.verdict


def test_what_is_allowed_counts_down_before_it_is_sent_and_is_held_again_when_revoked() -> None:
    trial = held()
    assert verdict(trial) is Verdict.HOLD
    change(trial, "given", MEDIUM)
    assert verdict(trial) is Verdict.SEND_AFTER_COUNTDOWN and not trial.writes
    change(trial, "revoked", HIGH)
    assert verdict(trial) is Verdict.HOLD and trial.run.state is RunState.HELD
    trial.fire("countdown", 3.0)
    assert not trial.writes
    change(trial, "given", MEDIUM)
    trial.fire("countdown", 3.0)
    assert trial.run.typist is not None


@pytest.mark.parametrize("autonomy", [Autonomy.SUGGEST, Autonomy.ASSIST])
def test_a_grant_raises_no_level(autonomy: Autonomy) -> None:
    trial = held(autonomy)
    change(trial, "given", MEDIUM)
    assert verdict(trial) is Verdict.HOLD and not trial.writes


def test_nothing_that_is_forbidden_is_lifted() -> None:
    trial = held()
    change(trial, "given", FORBIDDEN)
    assert verdict(trial) is Verdict.HOLD and trial.decisions[-1].decision.rule == "policy.forbidden"


def test_one_for_another_prompt_or_for_one_that_is_the_persons_changes_nothing() -> None:
    trial = held()
    change(trial, "given", MEDIUM, identity="p.2")
    change(trial, "given", MEDIUM, identity="")
    assert trial.run.risk == HIGH and len(trial.decisions) == 1
    trial.feed(ev.PersonTyped)
    change(trial, "given", MEDIUM)
    assert len(trial.decisions) == 1 and not trial.writes


def test_a_use_is_only_written_down() -> None:
    trial = held()
    change(trial, "used", MEDIUM)
    assert len(trial.decisions) == 1


def test_it_is_asked_about_like_everything_that_is_sent() -> None:
    trial = held(second_opinion=True)
    change(trial, "given", MEDIUM)
    assert trial.run.opinion is not None and len(trial.decisions) == 1
