"""What an undo cannot take back, from the records of a run."""

from __future__ import annotations

from copilot.checkpoints.checkpoint import Changes, Checkpoint, Moment, Uncovered
from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.checkpoints import Author
from copilot.core.detection import Detection
from copilot.core.effects import Effect
from copilot.core.events import Event
from copilot.core.plan import PlanCommand
from copilot.core.reply import Decision, Reply, Verdict
from copilot.core.risk import NO_RISK, Risk, RiskLevel
from copilot.engine.timeline import Timeline, timeline_of
from copilot.session.undo_outside import Act, acts_since, outside_lines
from tests.session.undo_runs import shell

HIGH = Risk(RiskLevel.HIGH, ("goes over the network",), "network.send")
LOW = Risk(RiskLevel.LOW, ("edits a file",), "files.edit")
ALLOWED = Risk(RiskLevel.LOW, ("allowed by you",), "network.send", grants=("shell:curl *",))


def checkpoint(decision: int = 1, at: float = 0.0) -> Checkpoint:
    return Checkpoint(0, "c", Author.START, Moment("start", at, decision), Changes(), 0.0)


def approved(
    number: int, text: str, risk: Risk, *, typed: bool = True, verdict: Verdict = Verdict.SEND
) -> list[Event | Effect]:
    asked = shell(text, f"p.{number}")
    decision = Decision(number, verdict, asked.identity, Reply(choice="Yes"), "so", "r", risk)
    steps: list[Event | Effect] = [
        ev.ScreenSettled(at=float(number), detection=asked, risk=risk),
        fx.RecordDecision(decision),
    ]
    return [*steps, fx.WriteKeys(number, ("1",)), fx.ReplyTaken(number, "taken")] if typed else steps


def history(*steps: Event | Effect) -> Timeline:
    return timeline_of((float(at), step) for at, step in enumerate(steps))


def texts(timeline: Timeline, target: Checkpoint | None = None) -> list[str]:
    return [act.text for act in acts_since(timeline, target or checkpoint())]


def test_what_was_approved_and_is_more_than_an_edit_counts() -> None:
    timeline = history(
        *approved(1, "curl a", HIGH),
        *approved(2, "touch b", LOW),
        *approved(3, "ls", NO_RISK),
        *approved(4, "curl allowed", ALLOWED),
        *approved(5, "curl held", HIGH, typed=False, verdict=Verdict.HOLD),
        *approved(6, "curl refused", HIGH, verdict=Verdict.REFUSE),
    )
    assert texts(timeline) == ["curl a", "curl allowed"]
    assert texts(timeline, checkpoint(2)) == ["curl allowed"]
    assert texts(timeline, checkpoint(0)) == ["curl a", "curl allowed"]


def test_keys_of_unknown_outcome_may_have_done_it() -> None:
    timeline = history(*approved(1, "curl a", HIGH)[:-1])
    assert texts(timeline) == ["curl a"]


def ran(number: int, text: str, risk: Risk, *, began: bool = True) -> list[Event | Effect]:
    asked = shell(text, f"plan:1:run {number}:1")
    decision = Decision(number, Verdict.SEND, asked.identity, Reply(text=text), "the plan", "plan.full", risk)
    command = PlanCommand(text, ("sh", "-c", text))
    steps: list[Event | Effect] = [fx.RecordDecision(decision)]
    return [*steps, fx.RunCommand(number, number, command, 60.0)] if began else steps


def test_commands_of_the_plan_that_ran_count_unless_they_were_judged_harmless() -> None:
    reads = Risk(RiskLevel.NONE, ("reads",), "files.read")
    timeline = history(
        *ran(1, "make deploy", HIGH),
        *ran(2, "test -f a", reads),
        *ran(3, "unjudged", NO_RISK),
        *ran(4, "held", HIGH, began=False),
    )
    acts = acts_since(timeline, checkpoint())
    assert [(act.text, act.by) for act in acts] == [("make deploy", "plan"), ("unjudged", "plan")]


def test_what_a_person_approved_in_the_terminal_counts() -> None:
    asked, other = shell("curl a", "p.1"), shell("curl b", "p.2")
    timeline = history(
        ev.ScreenSettled(at=0.0, detection=asked, risk=HIGH),
        ev.PersonTyped(at=1.0),
        ev.ScreenSettled(at=2.0, detection=other, risk=HIGH),
        ev.ScreenSettled(at=3.0, detection=Detection(asked.kind, identity="p.3")),
    )
    assert [(act.text, act.by) for act in acts_since(timeline, checkpoint())] == [("curl a", "terminal")]
    assert texts(timeline, checkpoint(at=2.5)) == []


def test_the_same_command_is_named_once_and_the_rest_is_counted() -> None:
    acts = [Act(float(at), f"curl {at % 12}", "network", "policy") for at in range(24)]
    lines = list(outside_lines(acts, [Uncovered(f"{at}\n", "a link") for at in range(9)]))
    assert lines[2] == "  0:00 and 1 times more  curl 0  (network)"
    assert lines.count("  … and 4 more") == 1 and lines.count("  … and 1 more") == 1
    assert "  0\u240a  (a link)" in lines
    assert list(outside_lines([], [])) == []
    assert len(next(iter(outside_lines([Act(0.0, "x" * 999, "y", "plan")], [])))) < 200
