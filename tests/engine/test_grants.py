"""What is allowed lifts what it names, is counted when a reply that rests on it was typed, and ends."""

from __future__ import annotations

import pytest

from copilot.core.events import GrantChanged
from copilot.core.reply import Decision, Verdict
from copilot.core.risk import Risk, RiskLevel
from copilot.engine.engine import Note
from copilot.engine.grants import RunGrants
from copilot.engine.inputs import GrantRevoked, GrantsGiven
from copilot.guard.grants import Grant
from tests.detection.screens import claude_permission
from tests.engine.engines import Driven

RULE = "shell[times=1]:rm -r build"
ASKED = claude_permission("rm -r build")


def decision(number: int, by: str = "policy") -> Decision:
    risk = Risk(RiskLevel.MEDIUM, ("allowed",), "files.delete", grants=(RULE,))
    return Decision(number, Verdict.SEND, "p", None, "r", "policy.full", risk, by)


def told(driven: Driven) -> list[tuple[str, str, str]]:
    return [(event.rule, event.change, event.by) for event in driven.of(GrantChanged)]


def notes(driven: Driven) -> list[str]:
    return [note.text for note in driven.of(Note)]


def allow(driven: Driven, *rules: str, limits: str = "", identity: str = "") -> None:
    identity = identity or driven.engine.run.detection.identity
    driven.give(GrantsGiven(at=driven.at, epoch=driven.at, rules=rules, limits=limits, identity=identity))


def test_a_use_counts_when_the_reply_was_typed() -> None:
    grants = RunGrants([Grant.parse(RULE)])
    grants.decided(decision(1))
    assert [grant.rule for grant in grants.open] == [RULE]
    (change,) = grants.use(1)
    assert [grant.rule for grant in grants.open] == [] and change.what == "used up"
    assert change.note == f"Allowed by {RULE} (used 1 times, 0 left)"


def test_what_a_person_sends_uses_up_nothing() -> None:
    grants = RunGrants([Grant.parse(RULE)])
    grants.decided(decision(1, by="person"))
    assert grants.use(1) == [] and len(grants.open) == 1


def test_what_a_person_allows_counts_from_now_on_and_is_recorded() -> None:
    driven = Driven()
    driven.shows(ASKED)
    offer = driven.engine.offer(driven.at)
    assert offer.rules == ("shell:rm -r build",) and not driven.of(GrantChanged), "offering allows nothing"
    assert driven.engine.grants.open == ()
    allow(driven, *offer.rules, limits="times=1")
    assert told(driven) == [(RULE, "given", "you")] and notes(driven) == [f"allowed by you: {RULE}"]
    event = driven.of(GrantChanged)[0]
    assert (event.identity, event.risk.level, event.left) == (
        driven.engine.run.detection.identity,
        RiskLevel.MEDIUM,
        1,
    )
    assert driven.engine.grants.lines[0].by == "you"


def test_what_is_taken_back_counts_no_more() -> None:
    driven = Driven("shell:rm -r build")
    assert told(driven) == [("shell:rm -r build", "given", "settings")]
    driven.shows(ASKED)
    for rule in ("shell:rm -r build", "shell:rm -r build", "shell:another"):
        driven.give(GrantRevoked(at=driven.at, epoch=driven.at, rule=rule))
    assert told(driven)[1:] == [("shell:rm -r build", "revoked", "you")]
    assert driven.engine.grants.open == () and driven.engine.grants.lines[0].state == "revoked"
    assert driven.of(GrantChanged)[-1].risk.level is RiskLevel.HIGH


@pytest.mark.parametrize(
    ("identity", "rules"), [("p.2", ("shell:rm -r build",)), ("", ("shell:rm -r *",)), ("", ())]
)
def test_what_was_not_offered_for_this_prompt_is_not_allowed(identity: str, rules: tuple[str, ...]) -> None:
    driven = Driven()
    driven.shows(ASKED)
    allow(driven, *rules, identity=identity)
    assert driven.engine.grants.open == () and not driven.of(GrantChanged)
    assert notes(driven) == ["what is asked has changed: nothing was allowed"]


def test_the_forbidden_is_not_offered() -> None:
    driven = Driven()
    driven.shows(claude_permission("rm -rf ~"))
    assert "forbidden" in driven.engine.offer(driven.at).refusal
    allow(driven, "shell:rm -rf ~")
    assert driven.engine.grants.open == ()


def test_the_end_of_its_time_is_recorded_once() -> None:
    driven = Driven("shell[for=30m]:rm -r build")
    driven.shows(ASKED)
    assert driven.engine.grants.next_end == 1800.0
    driven.passes(1800)
    driven.passes(1)
    assert [change for _, change, _ in told(driven)] == ["given", "over"] and len(notes(driven)) == 1
    assert driven.of(GrantChanged)[-1].risk.level is RiskLevel.HIGH
    assert driven.engine.grants.next_end is None
