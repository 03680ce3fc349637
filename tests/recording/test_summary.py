"""The numbers of a run."""

from __future__ import annotations

from copilot.core.decision import Decision, Verdict
from copilot.core.effects import RecordDecision
from copilot.recording.summary import Summary


def test_held_counts_prompts_and_not_how_often_each_was_held() -> None:
    summary = Summary()
    decided = [
        (Verdict.HOLD, "p-1"),
        (Verdict.ESCALATE, "p-1"),
        (Verdict.SEND, "p-2"),
        (Verdict.REFUSE, "p-3"),
        (Verdict.HOLD, ""),
        (Verdict.HOLD, ""),
    ]
    for number, (verdict, identity) in enumerate(decided, 1):
        summary.count(RecordDecision(Decision(number, verdict, identity, None, "why", "rule")), 1.0)
    assert summary.held == 4, "two prompts, and two screens that nobody can tell apart"
