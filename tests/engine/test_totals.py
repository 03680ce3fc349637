"""The numbers of a run."""

from __future__ import annotations

from copilot.core.checkpoints import Author, CheckpointMoment
from copilot.core.effects import EndRun, RecordDecision
from copilot.core.events import CheckpointTaken
from copilot.core.reply import Decision, Verdict
from copilot.engine.totals import Totals


def test_held_counts_prompts_and_not_how_often_each_was_held() -> None:
    summary = Totals()
    decided = [
        (Verdict.HOLD, "p-1"),
        (Verdict.ESCALATE, "p-1"),
        (Verdict.SEND, "p-2"),
        (Verdict.REFUSE, "p-3"),
        (Verdict.HOLD, ""),
        (Verdict.HOLD, ""),
    ]
    for number, (verdict, identity) in enumerate(decided, 1):
        summary.receive(1.0, RecordDecision(Decision(number, verdict, identity, None, "why", "rule")))
    assert summary.held == 4, "two prompts, and two screens that nobody can tell apart"


def test_a_run_that_ended_held_held_something() -> None:
    """At a composer that waits for an instruction no reply is decided on."""
    waited, done = Totals(), Totals()
    waited.receive(20.0, EndRun("held", 3, "a person is needed: it waits for an instruction"))
    done.receive(20.0, EndRun("completed", 0, ""))
    assert (waited.held, done.held) == (1, 0)
    held = Totals()
    held.receive(1.0, RecordDecision(Decision(1, Verdict.HOLD, "p-1", None, "why", "rule")))
    held.receive(1.0, EndRun("held", 3, "a person is needed: why"))
    assert held.held == 1, "it is not counted again"


def test_files_are_counted_once_and_only_the_programs() -> None:
    counted = Totals()
    assert counted.as_object()["files"] is None, "without checkpoints nobody knows"
    for number, (author, created, changed, unlisted) in enumerate(
        [
            (Author.START, (), (), 0),
            (Author.PROGRAM, ("a", "b"), (), 0),
            (Author.PERSON, ("mine",), ("a",), 5),
            (Author.PROGRAM, (), ("a", "c"), 2),
        ]
    ):
        counted.receive(
            1.0,
            CheckpointTaken(
                at=1.0,
                number=number,
                moment=CheckpointMoment.TURN,
                author=author,
                before=number + 1,
                created=created,
                changed=changed,
                unlisted=unlisted,
            ),
        )
    assert counted.as_object()["files"] == 5
