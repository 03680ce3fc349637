"""The second opinion can hold what policy would send, hands over when it says no too often, and sends nothing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from copilot.core import events as ev
from copilot.core import policy
from copilot.core.effects import AskSecondOpinion, CancelOpinion, EndRun, RecordDecision, WriteKeys
from copilot.core.profile_outline import Limits
from copilot.core.reply import Autonomy, Reply, Verdict
from copilot.core.risk import Risk
from copilot.core.states import RunState
from tests.core.builders import (
    BUSY,
    FORBIDDEN,
    HIGH,
    LOW,
    MEDIUM,
    PROFILE,
    Trial,
    permission,
    propose,
    question,
)
from tests.examples import ALL

SENDS = (Verdict.SEND, Verdict.SEND_AFTER_COUNTDOWN)


def asked(trial: Trial) -> list[AskSecondOpinion]:
    return [effect for effect in trial.effects if isinstance(effect, AskSecondOpinion)]


def opinion(trial: Trial, agrees: bool, **fields: Any) -> None:
    number = fields.pop("request", trial.run.opinions.asked)
    trial.feed(ev.OpinionGiven, request=number, agrees=agrees, reason="because", **fields)


def at_opinion(autonomy: Autonomy = Autonomy.FULL, risk: Risk = MEDIUM, **run: Any) -> Trial:
    """A run whose reply would be sent, waiting for the second opinion."""
    trial = Trial(autonomy, second_opinion=True, **run)
    trial.settle(permission(), risk)
    trial.answer(propose("Yes"))
    return trial


@pytest.mark.parametrize("autonomy", [Autonomy.FULL, Autonomy.ASSIST])
def test_nothing_is_decided_nor_typed_before_it_agrees(autonomy: Autonomy) -> None:
    trial = at_opinion(autonomy, LOW)
    (question_,) = asked(trial)
    assert question_.reply == Reply(choice="Yes") and question_.risk == LOW
    assert not trial.decisions and not trial.writes and trial.run.state is RunState.ASKING_QUESTION
    opinion(trial, agrees=True)
    expected = Verdict.SEND if autonomy is Autonomy.FULL else Verdict.SEND_AFTER_COUNTDOWN
    assert [one.decision.verdict for one in trial.decisions] == [expected]


def test_where_it_says_no_the_reply_is_held_and_the_person_may_send_it() -> None:
    trial = at_opinion()
    opinion(trial, agrees=False)
    decision = trial.decisions[-1].decision
    assert (decision.verdict, decision.rule) == (Verdict.HOLD, "opinion.denied")
    assert decision.reason == "the second opinion says no: because" and decision.reply == Reply(choice="Yes")
    assert trial.run.state is RunState.HELD and not trial.writes
    trial.feed(ev.PersonSent, identity="p.1", reply=Reply(choice="Yes"))
    trial.look(permission(), seconds=0.5)
    assert trial.writes, "the person has the last word"


def test_without_an_opinion_it_is_held_and_said() -> None:
    trial = at_opinion()
    trial.feed(ev.OpinionFailed, request=1, reason="no whole answer within 20 s")
    decision = trial.decisions[-1].decision
    assert (decision.verdict, decision.rule) == (Verdict.HOLD, "opinion.failed")
    assert decision.reason == "no second opinion: no whole answer within 20 s"
    assert trial.run.state is RunState.HELD and not trial.writes


@pytest.mark.parametrize("risk", [HIGH, FORBIDDEN])
def test_what_policy_holds_is_not_even_asked_about_and_stays_held(risk: Risk) -> None:
    trial = at_opinion(risk=risk)
    opinion(trial, agrees=True, request=1)
    assert not asked(trial) and not trial.writes and trial.run.state is RunState.HELD


def test_a_refusal_needs_no_second_opinion() -> None:
    trial = Trial(second_opinion=True).reply(permission(), propose("No"), HIGH)
    assert not asked(trial) and trial.decisions[-1].decision.verdict is Verdict.SEND


def test_an_opinion_on_another_prompt_or_that_nobody_waits_for_does_nothing() -> None:
    trial = at_opinion()
    opinion(trial, agrees=True, request=7)
    assert not trial.decisions
    trial.settle(permission("p.2", command="touch b"), MEDIUM)
    assert any(isinstance(effect, CancelOpinion) for effect in trial.effects)
    opinion(trial, agrees=True, request=1)
    assert not trial.decisions and not trial.writes


@pytest.mark.parametrize(
    ("event", "fields"),
    [
        (ev.PersonTyped, {}),
        (ev.PersonDismissed, {"identity": "p.1"}),
        (ev.PersonDismissed, {"identity": "p.1", "keep": True}),
        (ev.AutonomyChanged, {"level": Autonomy.SUGGEST}),
        (ev.RecordingFailed, {"reason": "the disk is full"}),
        (ev.Interrupted, {}),
    ],
)
def test_what_the_person_does_meanwhile_counts(event: type[ev.Event], fields: dict[str, Any]) -> None:
    trial = at_opinion()
    trial.feed(event, **fields)
    opinion(trial, agrees=True, request=1)
    assert not trial.writes and not any(one.decision.verdict in SENDS for one in trial.decisions)


def test_a_risk_that_rose_meanwhile_is_held_though_it_agrees() -> None:
    trial = at_opinion()
    trial.settle(permission(), HIGH)
    opinion(trial, agrees=True)
    assert trial.decisions[-1].decision.rule == "policy.ceiling" and not trial.writes


def test_a_level_chosen_while_it_is_waited_for_asks_anew_and_counts_down() -> None:
    trial = at_opinion(Autonomy.ASSIST, LOW)
    trial.feed(ev.AutonomyChanged, level=Autonomy.FULL)
    assert [one.request for one in asked(trial)] == [1, 2]
    opinion(trial, agrees=True)
    assert trial.decisions[-1].decision.verdict is Verdict.SEND_AFTER_COUNTDOWN


def test_its_price_counts() -> None:
    trial = at_opinion()
    opinion(trial, agrees=False, cost_usd=0.02)
    assert trial.run.limits.cost_usd == pytest.approx(0.03)
    trial.feed(ev.OpinionFailed, request=9, reason="late", cost_usd=0.01)
    assert trial.run.limits.cost_usd == pytest.approx(0.04)


def _prompts(trial: Trial, verdicts: str, begin: int = 0) -> None:
    """A prompt for each letter: `y` it agrees, `n` it says no, `f` it fails; a person sends what is held."""
    for number, letter in enumerate(verdicts, begin):
        identity = f"p.{number}"
        trial.at += 1.0
        trial.reply(permission(identity, command=f"touch {number}"), propose("Yes"))
        if letter == "f":
            trial.feed(ev.OpinionFailed, request=trial.run.opinions.asked, reason="down")
        else:
            opinion(trial, agrees=letter == "y")
        if trial.run.typist is not None:
            trial.look(permission(identity, command=f"touch {number}"), seconds=0.5)
            _taken(trial)
        trial.settle(BUSY)


def _taken(trial: Trial) -> None:
    while trial.run.typist is not None:
        trial.look(BUSY, seconds=0.5)


def _rules(trial: Trial) -> list[str]:
    return [one.decision.rule for one in trial.decisions]


def test_three_denials_in_a_row_hand_over_and_no_model_is_asked_any_more() -> None:
    trial = Trial(second_opinion=True)
    _prompts(trial, "nn")
    assert _rules(trial) == ["opinion.denied"] * 2
    _prompts(trial, "n", 2)
    last = trial.decisions[-1].decision
    assert last.rule == "opinion.breaker" and "3 times in a row" in last.reason
    assert last.reply == Reply(choice="Yes") and trial.run.state is not RunState.ANSWERING
    trial.reply(permission("p.9", command="touch z"), propose("Yes"))
    assert len(asked(trial)) == 3 and trial.decisions[-1].decision.rule == "opinion.breaker"
    assert not trial.writes


@pytest.mark.parametrize("said", ["nnyn", "nnfyn"])
def test_an_agreement_ends_the_row(said: str) -> None:
    trial = Trial(second_opinion=True)
    _prompts(trial, said)
    assert _rules(trial)[-1] == "opinion.denied"


def test_a_failure_is_no_denial_and_ends_no_row() -> None:
    trial = Trial(second_opinion=True)
    _prompts(trial, "ffff")
    assert _rules(trial) == ["opinion.failed"] * 4
    _prompts(trial, "nfnfn", 4)
    assert _rules(trial)[-1] == "opinion.breaker"


def test_ten_denials_of_the_last_fifty_hand_over() -> None:
    trial = Trial(second_opinion=True)
    trial.run.limits.max_steps = 500
    _prompts(trial, "nny" * 4 + "n")
    assert _rules(trial)[-1] == "opinion.denied" and sum("denied" in rule for rule in _rules(trial)) == 9
    _prompts(trial, "yn", 13)
    last = trial.decisions[-1].decision
    assert last.rule == "opinion.breaker" and "10 of the last 15" in last.reason


def test_denials_long_ago_are_forgotten() -> None:
    trial = Trial(second_opinion=True)
    trial.run.limits.max_steps = 500
    _prompts(trial, "nny" * 4 + "n" + "y" * 49 + "n")
    assert _rules(trial)[-1] == "opinion.denied"


@pytest.mark.parametrize(
    ("event", "fields"),
    [
        (ev.PersonSent, {"identity": "p.9", "reply": Reply(choice="Yes")}),
        (ev.PersonDismissed, {"identity": "p.9"}),
        (ev.PersonTyped, {}),
    ],
)
def test_a_person_who_takes_it_over_brings_the_second_opinion_back(
    event: type[ev.Event], fields: dict[str, Any]
) -> None:
    trial = Trial(second_opinion=True)
    _prompts(trial, "nnn")
    trial.reply(permission("p.9", command="touch z"), propose("Yes"))
    trial.feed(event, **fields)
    if trial.run.typist is not None:
        trial.look(permission("p.9", command="touch z"), seconds=0.5)
        assert trial.writes, "what was handed over can be sent by hand"
        _taken(trial)
    trial.settle(BUSY)
    _prompts(trial, "n", 20)
    assert len(asked(trial)) == 4 and _rules(trial)[-1] == "opinion.denied"


def test_where_nobody_is_there_a_hand_over_ends_the_run_and_one_denial_refuses() -> None:
    trial = Trial(second_opinion=True, headless=True)
    _prompts(trial, "n")
    assert trial.decisions[-1].decision.verdict is Verdict.REFUSE
    trial = Trial(second_opinion=True, headless=True)
    trial.run.opinions._in_a_row = 2
    _prompts(trial, "n")
    trial.feed(ev.ChildExited, status=-1)
    assert trial.end is not None and trial.end.exit_code == 3 and "3 times in a row" in trial.end.reason


STEPS = st.one_of(
    st.tuples(
        st.just("settle"),
        st.sampled_from([permission("p.1"), permission("p.2", command="x"), question(), BUSY]),
        st.sampled_from([LOW, MEDIUM, HIGH, FORBIDDEN]),
    ),
    st.tuples(
        st.just("answer"),
        st.sampled_from([propose("Yes"), propose("No"), propose(text="MIT"), propose("Yes", confidence=0.1)]),
        st.none(),
    ),
    st.tuples(st.just("opinion"), st.booleans(), st.sampled_from([0, 0, 0, 1])),
    st.tuples(st.just("failed"), st.none(), st.sampled_from([0, 0, 0, 1])),
    st.tuples(st.just("level"), st.sampled_from(list(Autonomy)), st.none()),
    st.tuples(st.just("look"), st.sampled_from([permission("p.1"), question(), BUSY]), st.none()),
    st.tuples(st.just("countdown"), st.none(), st.none()),
)


def _apply(trial: Trial, step: tuple[str, Any, Any]) -> None:
    name, first, second = step
    match name:
        case "settle":
            trial.settle(first, second)
        case "answer":
            trial.answer(first)
        case "opinion":
            trial.feed(ev.OpinionGiven, request=second or trial.run.opinions.asked, agrees=first)
        case "failed":
            trial.feed(ev.OpinionFailed, request=second or trial.run.opinions.asked, reason="down")
        case "level":
            trial.feed(ev.AutonomyChanged, level=first)
        case "look":
            trial.look(first, seconds=0.5)
        case "countdown":
            trial.fire("countdown", 3.0)


@pytest.mark.invariant(9)
@pytest.mark.examples
@settings(max_examples=300 if ALL else 60, deadline=None)
@given(
    steps=st.lists(STEPS, min_size=1, max_size=10),
    autonomy=st.sampled_from([Autonomy.FULL, Autonomy.ASSIST]),
    ceiling=st.sampled_from(["medium", "low", "none"]),
    risk=st.sampled_from([LOW, MEDIUM, HIGH]),
)
def test_at_no_setting_is_anything_sent_that_policy_alone_would_not_send(
    steps: list[tuple[str, Any, Any]], autonomy: Autonomy, ceiling: str, risk: Risk
) -> None:
    """And nothing but a harmless refusal is sent without a second opinion that agrees, of this very reply."""
    profile = type(PROFILE)(
        name="test",
        launch=PROFILE.launch,
        limits=Limits(level=Autonomy.FULL, risk_ceiling=ceiling),
        reply_keys=PROFILE.reply_keys,
    )
    trial = Trial(autonomy, profile, second_opinion=True)
    begin = [("settle", permission("p.1"), risk), ("answer", propose("Yes"), None)]
    for step in (*begin, *steps):
        run, before = trial.run, len(trial.effects)
        proposal = step[1] if step[0] == "answer" else run.proposal
        pending, agreed = run.opinion, step[0] == "opinion" and step[1]
        was = (run.detection, run.risks, run.situation)
        _apply(trial, step)
        for effect in trial.effects[before:]:
            if not isinstance(effect, RecordDecision) or effect.decision.verdict not in SENDS:
                continue
            decision = effect.decision
            assert proposal is not None
            alone = policy.rule_on(was[0], proposal, was[1], was[2])
            assert alone.verdict in SENDS, decision
            refusal = decision.reply is not None and policy.refuses(decision.reply, profile.reply_keys)
            assert refusal or (agreed and pending is not None), decision
    sent = [effect for effect in trial.effects if isinstance(effect, WriteKeys)]
    allowed = {one.decision.number for one in trial.decisions if one.decision.verdict in SENDS}
    assert all(write.decision in allowed for write in sent) and not isinstance(trial.end, EndRun)
