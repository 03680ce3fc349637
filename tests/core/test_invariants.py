"""Whatever happens, in whatever order: the invariants of typing hold. Random runs of events."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from copilot.core import events as ev
from copilot.core.detection import Detection
from copilot.core.effects import EndRun, RecordDecision, WriteKeys
from copilot.core.reply import Autonomy, Decision, Reply, Verdict
from copilot.core.risk import NO_RISK, Risk
from copilot.core.screen_kinds import ScreenKind
from tests.core.builders import (
    BUSY,
    COMPLETED,
    FORBIDDEN,
    HIGH,
    IDLE,
    LOW,
    Trial,
    permission,
    propose,
    question,
    trust_dialog,
)
from tests.examples import ALL

PASSWORD = Detection(ScreenKind.PASSWORD, question="Password:", identity="w.1")
UNKNOWN = Detection(ScreenKind.UNKNOWN, identity="u.1")
SCREENS = [
    BUSY,
    IDLE,
    COMPLETED,
    permission("p.1"),
    permission("p.2", command="rm -rf build"),
    question(),
    question(draft="MIT"),
    trust_dialog(),
    PASSWORD,
    UNKNOWN,
]
REPLIES = [
    propose("Yes"),
    propose("No"),
    propose("No", "because"),
    propose("Yes, and don't ask again"),
    propose("Yes, I trust this folder"),
    propose(text="MIT"),
    propose(text="y\nrm -rf /"),
    propose(text="/exit"),
    propose("Yes", needs_human=True),
    propose("Yes", confidence=0.1),
    propose("nonsense"),
    propose(),
]
DANGERS = [NO_RISK, LOW, HIGH, FORBIDDEN]

STEPS = st.one_of(
    st.tuples(st.just("settle"), st.sampled_from(SCREENS), st.sampled_from(DANGERS)),
    st.tuples(st.just("look"), st.sampled_from(SCREENS), st.floats(0, 4)),
    st.tuples(st.just("answer"), st.sampled_from(REPLIES), st.integers(0, 3)),
    st.tuples(st.just("fire"), st.sampled_from(["countdown", "typing", "grace"]), st.floats(0, 5)),
    st.tuples(st.just("typed"), st.none(), st.none()),
    st.tuples(st.just("level"), st.sampled_from(list(Autonomy)), st.none()),
    st.tuples(st.just("dismiss"), st.sampled_from(["p.1", "q.1"]), st.booleans()),
)


def _apply(trial: Trial, step: tuple[str, Any, Any]) -> None:
    name, first, second = step
    match name:
        case "settle":
            trial.settle(first, second)
        case "look":
            trial.look(first, seconds=second)
        case "answer":
            trial.answer(first, request=second or None)
        case "fire":
            trial.fire(first, second)
        case "typed":
            trial.feed(ev.PersonTyped)
        case "level":
            trial.feed(ev.AutonomyChanged, level=first)
        case "dismiss":
            trial.feed(ev.PersonDismissed, identity=first, keep=second)


def _check(trial: Trial) -> None:
    decided: dict[int, Decision] = {}
    for effect in trial.effects:
        if isinstance(effect, RecordDecision):
            decided[effect.decision.number] = effect.decision
        elif isinstance(effect, WriteKeys):
            _check_write(effect, decided[effect.decision])


def _check_write(write: WriteKeys, decision: Decision) -> None:
    """`decision` was recorded before the write, or looking it up has failed already."""
    assert decision.verdict in (Verdict.SEND, Verdict.SEND_AFTER_COUNTDOWN, Verdict.REFUSE)
    assert decision.by == "policy"
    assert "\n" not in write.text and "\x1b" not in write.text
    reply = decision.reply or Reply()
    assert reply.choice != "Yes, and don't ask again"
    assert reply.choice != "Yes, I trust this folder"
    assert decision.identity not in ("w.1", "u.1")
    risk: Risk = decision.risk
    assert risk is not FORBIDDEN or decision.verdict is Verdict.REFUSE
    assert risk is not HIGH or decision.verdict is Verdict.REFUSE


@pytest.mark.invariant(1)
@pytest.mark.invariant(4)
@given(steps=st.lists(STEPS, max_size=40), level=st.sampled_from(list(Autonomy)), headless=st.booleans())
@pytest.mark.examples
@settings(max_examples=300 if ALL else 60, deadline=None)
def test_every_key_rests_on_a_recorded_decision_that_allows_it(
    steps: list[tuple[str, Any, Any]], level: Autonomy, headless: bool
) -> None:
    trial = Trial(level, headless=headless)
    for step in steps:
        _apply(trial, step)
        if trial.run.ended:
            break
    _check(trial)


@given(steps=st.lists(STEPS, max_size=40), headless=st.booleans())
@pytest.mark.examples
@settings(max_examples=150 if ALL else 60, deadline=None)
def test_in_a_dry_run_nothing_is_ever_typed(steps: list[tuple[str, Any, Any]], headless: bool) -> None:
    trial = Trial(Autonomy.FULL, headless=headless, dry_run=True)
    for step in steps:
        _apply(trial, step)
    assert not trial.writes


@given(steps=st.lists(STEPS, max_size=40))
@pytest.mark.examples
@settings(max_examples=150 if ALL else 60, deadline=None)
def test_at_watch_and_suggest_nothing_is_typed_but_what_the_person_sends(
    steps: list[tuple[str, Any, Any]],
) -> None:
    trial = Trial(Autonomy.SUGGEST)
    for step in steps:
        if step[0] != "level":
            _apply(trial, step)
    assert not trial.writes


def test_ending_comes_once() -> None:
    trial = Trial()
    trial.feed(ev.ChildExited, status=0)
    trial.feed(ev.ChildExited, status=0)
    assert sum(isinstance(effect, EndRun) for effect in trial.effects) == 1
