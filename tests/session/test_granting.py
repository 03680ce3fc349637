"""The grants of a run are counted when a reply that rests on them was typed, and the person is told."""

from __future__ import annotations

from copilot.core.decision import Decision, Verdict
from copilot.core.effects import Effect, RecordDecision, ReplyTaken
from copilot.core.events import Event
from copilot.core.risk import Risk, RiskLevel
from copilot.safety.grants import Grant
from copilot.session.granting import GrantKeeper
from copilot.session.view import SessionView

RULE = "shell[times=1]:rm -r build"


class _Front:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.steps: list[Event | Effect] = []

    def on_screen(self) -> None: ...

    def on_view(self, view: SessionView) -> None: ...

    def on_reply_text(self, text: str) -> None: ...

    def on_note(self, text: str) -> None:
        self.notes.append(text)

    def on_step(self, step: Event | Effect, at: float) -> None:
        self.steps.append(step)


def decision(number: int, by: str) -> RecordDecision:
    risk = Risk(RiskLevel.MEDIUM, ("allowed",), "files.delete", grants=(RULE,))
    return RecordDecision(Decision(number, Verdict.SEND, "p", None, "r", "policy.full", risk, by))


def test_a_use_counts_when_the_reply_was_typed() -> None:
    front = _Front()
    keeper = GrantKeeper([Grant.parse(RULE)], front, clock=lambda: 5.0)
    keeper.on_step(decision(1, "policy"), 0.0)
    assert len(keeper.open_now()) == 1 and not front.notes
    keeper.on_step(ReplyTaken(1, "taken"), 1.0)
    assert keeper.open_now() == () and front.notes == [f"Allowed by {RULE} (used 1 times, 0 left)"]
    assert len(front.steps) == 2


def test_what_a_person_sends_uses_up_nothing() -> None:
    keeper = GrantKeeper([Grant.parse(RULE)], _Front(), clock=lambda: 5.0)
    keeper.on_step(decision(1, "person"), 0.0)
    keeper.on_step(ReplyTaken(1, "taken"), 1.0)
    assert len(keeper.open_now()) == 1
