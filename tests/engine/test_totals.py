"""The numbers of a run."""

from __future__ import annotations

from copilot.core.effects import EndRun, RecordDecision
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
