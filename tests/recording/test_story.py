"""The story of a run: whose each step is, what a person did, and where one jumps to."""

from __future__ import annotations

from itertools import pairwise

from copilot.core.risk import RiskLevel
from copilot.core.states import RunState
from copilot.recording.report import story_in
from copilot.recording.runs import open_run
from copilot.recording.story import Sort, Story
from tests.replay.golden import GOLDEN


def story_of(name: str) -> Story:
    return story_in(open_run(GOLDEN / name))


def test_each_prompt_has_what_belongs_to_it() -> None:
    story = story_of("demo-full")
    kinds = [prompt.detection.kind.value for prompt in story.prompts]
    assert kinds[:5] == ["permission", "menu", "yes_no", "text_input", "permission"]
    for number, prompt in enumerate(story.prompts[:5], start=1):
        assert prompt.requests == [number] and len(prompt.proposals) == 1
        assert [decision.number for _, decision in prompt.decisions] == [number]
        assert {keys.decision for _, keys in prompt.keys} == {number} and prompt.outcome
        times = [one.at for one in prompt.history]
        assert times == sorted(times) and prompt.at <= times[0] and prompt.at < prompt.until


def test_spans_fill_the_time_without_gaps() -> None:
    for name in ("demo-full", "demo-person", "claude-rm-rf"):
        spans = story_of(name).spans
        assert all(one.end == other.start for one, other in pairwise(spans))
        assert spans[-1].end == story_of(name).duration


def test_what_a_person_did_is_marked() -> None:
    story = story_of("demo-person")
    labels = [mark.label for mark in story.marks_of(Sort.PERSON)]
    assert [label for label in labels if label.startswith("the person sent")] == [
        "the person sent Yes",
        "the person sent Formal",
        "the person sent Shop",
    ]
    assert "the person dismissed it" in labels and "took over typed in the terminal" in labels
    assert len(list(story.marks_of(Sort.HELD))) == 5
    assert any(one.word == "took over" for one in story.prompts[2].history)


def test_a_moment_tells_what_counted_then_and_nothing_later() -> None:
    story = story_of("demo-person")
    first = story.prompts[0]
    assert story.moment(0.0).prompt is None and story.moment(first.at).prompt is first
    asked = story.moment(first.at)
    assert asked.state is RunState.ASKING_QUESTION and first.decision_at(first.at) is None
    held = story.next_mark(first.at, Sort.HELD)
    assert held is not None and story.moment(held.at).state is RunState.HELD
    decision = first.decision_at(held.at)
    assert decision is not None and decision.by == "policy"
    assert first.decisions[-1][1].by == "person"
    assert story.moment(first.until + 0.01).prompt is not first
    assert story.previous_mark(held.at, Sort.PROMPT) == story.marks[0]


def test_a_held_destructive_prompt_shows_its_risk() -> None:
    story = story_of("claude-rm-rf")
    prompt = next(one for one in story.prompts if one.detection.subject is not None)
    assert prompt.danger.level >= RiskLevel.HIGH
    assert story.riskiest(0, story.duration) == prompt.danger.level
