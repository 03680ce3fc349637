"""A run gathered: what belongs to each prompt, what a person did, and where one jumps to."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.detection import Detection
from copilot.core.reply import Autonomy, Proposal, Reply
from copilot.core.risk import RiskLevel
from copilot.core.screen_kinds import ScreenKind
from copilot.core.states import RunState
from copilot.engine.review import RunReview, Sort
from copilot.engine.timeline import timeline_of
from copilot.recording.runs import open_run
from copilot.session.headless import Narrator
from tests.recording.core_steps import CLASSES, anything_of
from tests.replay.golden import GOLDEN


def review_of(name: str) -> RunReview:
    return open_run(GOLDEN / name).review()


def test_each_prompt_has_what_belongs_to_it() -> None:
    review = review_of("demo-full")
    kinds = [prompt.detection.kind.value for prompt in review.prompts]
    assert kinds[:5] == ["permission", "menu", "yes_no", "text_input", "permission"]
    for number, prompt in enumerate(review.prompts[:5], start=1):
        assert prompt.requests == [number] and len(prompt.proposals) == 1
        assert [decision.number for _, decision in prompt.decisions] == [number]
        assert {keys.decision for _, keys in prompt.keys} == {number} and prompt.outcome
        times = [one.at for one in prompt.history]
        assert times == sorted(times) and prompt.at <= times[0] and prompt.at < prompt.until


def test_spans_fill_the_time_without_gaps() -> None:
    for name in ("demo-full", "demo-person", "claude-rm-rf"):
        spans = review_of(name).spans
        assert all(one.end == other.start for one, other in pairwise(spans))
        assert spans[-1].end == review_of(name).duration


def test_what_a_person_did_is_marked() -> None:
    review = review_of("demo-person")
    labels = [mark.label for mark in review.marks_of(Sort.PERSON)]
    assert [label for label in labels if label.startswith("the person sent")] == [
        "the person sent: Yes",
        "the person sent: Formal",
        "the person sent: Shop",
    ]
    assert "the person dismissed it" in labels and "the person took over: typed in the terminal" in labels
    assert len(list(review.marks_of(Sort.HELD))) == 5
    assert any(one.word == "the person took over" for one in review.prompts[2].history)


def test_a_moment_tells_what_counted_then_and_nothing_later() -> None:
    review = review_of("demo-person")
    first = review.prompts[0]
    assert review.moment(0.0).prompt is None and review.moment(first.at).prompt is first
    asked = review.moment(first.at)
    assert asked.state is RunState.ASKING_QUESTION and first.decision_at(first.at) is None
    held = review.next_mark(first.at, Sort.HELD)
    assert held is not None and review.moment(held.at).state is RunState.HELD
    decision = first.decision_at(held.at)
    assert decision is not None and decision.by == "policy"
    assert first.decisions[-1][1].by == "person"
    assert review.moment(first.until + 0.01).prompt is not first
    assert review.previous_mark(held.at, Sort.PROMPT) == review.marks[0]


def test_a_held_destructive_prompt_shows_its_risk() -> None:
    review = review_of("claude-rm-rf")
    prompt = next(one for one in review.prompts if one.detection.subject is not None)
    assert prompt.risk.level >= RiskLevel.HIGH


PROMPT = Detection(ScreenKind.PERMISSION, "Go on?", identity="p1")
PROPOSAL = Proposal(Reply(choice="Yes"))


def told(*steps: ev.Event | fx.Effect, duration: float = 9.0) -> RunReview:
    """The review of steps, a second each."""
    return timeline_of((float(number), step) for number, step in enumerate(steps)).review(duration)


def test_a_reply_that_died_is_offered_no_more_until_another_is_written() -> None:
    review = told(
        ev.ScreenSettled(at=0.0, detection=PROMPT),
        fx.AskProvider(1, PROMPT),
        ev.ReplyProposed(at=2.0, request=1, proposal=PROPOSAL),
        fx.ReplyExpired("p1", "the terminal is yours"),
        fx.AskProvider(2, PROMPT),
        ev.ReplyProposed(at=5.0, request=2, proposal=PROPOSAL),
    )
    (prompt,) = review.prompts
    assert [prompt.offered_at(at) is not None for at in (1.0, 2.0, 3.0, 4.0, 5.0)] == [
        *(False, True, False, False, True)
    ]
    assert prompt.proposal_at(3.0) is PROPOSAL
    assert [prompt.expired_at(at) for at in (2.0, 3.0, 5.0)] == ["", "the terminal is yours", ""]
    (mark,) = review.marks_of(Sort.EXPIRED)
    assert (mark.at, mark.label, mark.prompt) == (3.0, "the terminal is yours", 1)


def test_a_reply_that_the_person_dismissed_is_offered_no_more() -> None:
    review = told(
        ev.ScreenSettled(at=0.0, detection=PROMPT),
        fx.AskProvider(1, PROMPT),
        ev.ReplyProposed(at=2.0, request=1, proposal=PROPOSAL),
        ev.PersonDismissed(at=3.0, identity="p1", keep=True),
        ev.PersonDismissed(at=4.0, identity="p1"),
        fx.AskProvider(2, PROMPT),
        ev.ReplyProposed(at=6.0, request=2, proposal=PROPOSAL),
    )
    (prompt,) = review.prompts
    assert [prompt.offered_at(at) is not None for at in (2.0, 3.0, 4.0, 6.0)] == [True, True, False, True]


def test_a_prompt_that_took_its_reply_with_it_is_known_until_something_else_is_seen() -> None:
    busy = Detection(ScreenKind.BUSY)
    review = timeline_of(
        [
            (0.0, ev.ScreenSettled(at=0.0, detection=PROMPT)),
            (0.0, fx.AskProvider(1, PROMPT)),
            (1.0, ev.ReplyProposed(at=1.0, request=1, proposal=PROPOSAL)),
            (2.0, ev.ScreenSettled(at=2.0, detection=busy)),
            (2.0, fx.ReplyExpired("p1", "the prompt has gone")),
            (4.0, ev.ScreenSettled(at=4.0, detection=Detection(ScreenKind.IDLE))),
        ]
    ).review(9.0)
    gone = [review.moment(at).gone for at in (1.0, 2.0, 3.0, 4.0)]
    assert [one is not None for one in gone] == [False, True, True, False]


def test_what_stands_at_the_end_stands_there_to_the_last() -> None:
    review = told(ev.ScreenSettled(at=0.0, detection=PROMPT), duration=5.0)
    assert review.moment(5.0).prompt is review.prompts[0]


def test_the_level_of_a_moment() -> None:
    review = told(
        ev.AutonomyChanged(at=0.0, level=Autonomy.FULL), ev.AutonomyChanged(at=1.0, level=Autonomy.WATCH)
    )
    assert [review.level_at(at, Autonomy.SUGGEST) for at in (-1.0, 0.5, 1.0)] == [
        *(Autonomy.SUGGEST, Autonomy.FULL, Autonomy.WATCH)
    ]


@pytest.mark.row("CP-64")
def test_keys_without_an_outcome_are_unfinished() -> None:
    keys = [1, 1, 2, 3]
    timeline = timeline_of(
        [
            *((0.0, fx.WriteKeys(number, text="y")) for number in keys),
            *((1.0, fx.ReplyTaken(number, "taken")) for number in (1, 3)),
        ]
    )
    assert timeline.unfinished == (2,)


def test_a_review_may_be_taken_before_the_end() -> None:
    timeline = timeline_of(
        [(0.0, fx.EnterState(RunState.RUNNING)), (1.0, ev.ScreenSettled(at=1.0, detection=PROMPT))]
    )
    early = timeline.review(5.0)
    assert (early.spans[-1].end, early.prompts[-1].until) == (5.0, 5.0)
    timeline.receive(6.0, fx.EnterState(RunState.HELD))
    timeline.receive(7.0, ev.ScreenSettled(at=7.0, detection=Detection(ScreenKind.BUSY)))
    late = timeline.review(9.0)
    assert [span.end for span in late.spans] == [6.0, 9.0] and late.prompts[-1].until == 7.0


@given(st.lists(st.sampled_from(CLASSES).flatmap(anything_of), max_size=12))
@settings(max_examples=60, deadline=None)
def test_any_events_and_effects_make_a_timeline_that_can_be_reviewed(
    steps: list[ev.Event | fx.Effect],
) -> None:
    lines: list[str] = []
    narrator = Narrator(lines.append, lambda text: text, as_json=True)
    for step in steps:
        narrator.step(step, 1.0)
    review = told(*steps)
    assert all(json.loads(line)["event"] for line in lines)
    assert [prompt.number for prompt in review.prompts] == list(range(1, len(review.prompts) + 1))
