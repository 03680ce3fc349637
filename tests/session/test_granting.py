"""The grants of a run are counted when a reply that rests on them was typed, and the person is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import pytest

from copilot.config.profile_files import load_profile
from copilot.core.detection import Detection, ScreenKind, Subject
from copilot.core.effects import Effect, RecordDecision, ReplyTaken
from copilot.core.events import Event, GrantChanged
from copilot.core.reply import Autonomy, Decision, Verdict
from copilot.core.risk import Risk, RiskLevel
from copilot.core.run import Run
from copilot.guard.grants import Grant
from copilot.guard.grants_book import GrantLine
from copilot.guard.prompts import assess
from copilot.guard.scope import ProjectScope
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


SCOPE = ProjectScope(cwd="/p", home="/home/me")
DETECTION = Detection(
    ScreenKind.PERMISSION, question="Run it?", subject=Subject("shell", "rm -r build"), identity="p.1"
)


class _Session:
    """The part of a live session that the keeper works with."""

    def __init__(self, keeper: GrantKeeper, detection: Detection = DETECTION) -> None:
        self.run = Run(profile=load_profile("claude"), autonomy=Autonomy.FULL, detection=detection)
        self.reader = SimpleNamespace(danger=lambda seen: assess(seen, SCOPE, keeper.open_now()))
        self.events: list[GrantChanged] = []
        self.shown: tuple[GrantLine, ...] = ()
        keeper.attach(self, SCOPE)  # type: ignore[arg-type]

    def clock(self) -> float:
        return 7.0

    def feed(self, event: GrantChanged) -> None:
        self.events.append(event)

    def show_grants(self, lines: tuple[GrantLine, ...]) -> None:
        self.shown = lines

    @property
    def told(self) -> list[tuple[str, str, str]]:
        return [(event.rule, event.change, event.by) for event in self.events]


def kept(*rules: str, clock: Callable[[], float] = lambda: 5.0) -> tuple[GrantKeeper, _Front, _Session]:
    front = _Front()
    keeper = GrantKeeper([Grant.parse(rule) for rule in rules], front, clock)
    return keeper, front, _Session(keeper)


async def test_what_a_person_allows_counts_from_now_on_and_is_told() -> None:
    keeper, front, session = kept()
    offer = keeper.offer()
    assert offer.rules == ("shell:rm -r build",) and not session.events, "offering allows nothing"
    assert keeper.open_now() == ()
    keeper.allow(offer.rules, "times=1", identity="p.1")
    assert session.told == [(RULE, "given", "you")]
    event = session.events[0]
    assert (event.identity, event.danger.level, event.left) == ("p.1", RiskLevel.MEDIUM, 1)
    assert front.notes == [f"allowed by you: {RULE}"] and session.shown[0].by == "you"
    keeper.on_step(decision(1, "policy"), 0.0)
    keeper.on_step(ReplyTaken(1, "taken"), 1.0)
    assert session.told[-1] == (RULE, "used up", "") and session.events[-1].danger.level is RiskLevel.HIGH


async def test_what_is_taken_back_counts_no_more() -> None:
    keeper, _, session = kept("shell:rm -r build")
    assert session.told == [("shell:rm -r build", "given", "settings")]
    keeper.revoke("shell:rm -r build")
    assert keeper.open_now() == () and session.told[-1] == ("shell:rm -r build", "revoked", "you")
    assert session.events[-1].danger.level is RiskLevel.HIGH and session.shown[0].state == "revoked"
    keeper.revoke("shell:rm -r build")
    keeper.revoke("shell:another")
    assert len(session.events) == 2


@pytest.mark.parametrize(
    ("identity", "rules"), [("p.2", ("shell:rm -r build",)), ("p.1", ("shell:rm -r *",)), ("p.1", ())]
)
async def test_what_was_not_offered_for_this_prompt_is_not_allowed(
    identity: str, rules: tuple[str, ...]
) -> None:
    keeper, front, session = kept()
    keeper.allow(rules, "", identity=identity)
    assert keeper.open_now() == () and not session.events
    assert front.notes == ["what is asked has changed: nothing was allowed"]


async def test_the_forbidden_is_not_offered() -> None:
    keeper, _, session = kept()
    session.run.detection = replace(DETECTION, subject=Subject("shell", "rm -rf ~"))
    assert "forbidden" in keeper.offer().refusal
    keeper.allow(("shell:rm -rf ~",), "", identity="p.1")
    assert keeper.open_now() == ()


async def test_the_end_of_its_time_is_told_once() -> None:
    now = [5.0]
    keeper, front, session = kept("shell[for=30m]:rm -r build", clock=lambda: now[0])
    keeper.tell_ended()
    assert len(session.events) == 1
    now[0] = 5.0 + 1800
    keeper.tell_ended()
    keeper.tell_ended()
    assert [word for _, word, _ in session.told] == ["given", "over"]
    assert session.events[-1].danger.level is RiskLevel.HIGH and len(front.notes) == 1
