"""A reply waits for the checkpoint of the project, and what an undo does to a run."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from copilot.core import events as ev
from copilot.core.checkpoints import Author, CheckpointMoment
from copilot.core.effects import AskProvider, EnterState, PlanMoved, RunCommand, StopCommand, TakeCheckpoint
from copilot.core.plan import Plan, PlanCommand, PlanPrompt, PlanStep
from copilot.core.plan_progress import PlanPhase, PlanProgress
from copilot.core.reply import Reply, Verdict
from copilot.core.states import RunState
from tests.core.builders import BUSY, COMPLETED, HIGH, IDLE, LOW, Trial, permission, propose

ASKED = permission()


def trial(**settings: Any) -> Trial:
    return Trial(checkpoints=True, **settings)


def saved(run: Trial, moment: CheckpointMoment = CheckpointMoment.REPLY) -> None:
    """The last checkpoint that was asked for is taken."""
    wanted = wishes(run)[-1]
    assert wanted.moment is moment
    run.feed(
        ev.CheckpointTaken,
        number=len(wishes(run)),
        moment=moment,
        author=moment.author,
        before=wanted.before,
    )


def failed(run: Trial, moment: CheckpointMoment = CheckpointMoment.REPLY) -> None:
    before = wishes(run)[-1].before if wishes(run) else 1
    run.feed(ev.CheckpointFailed, moment=moment, reason="the disk is full", before=before)


def wishes(run: Trial) -> list[TakeCheckpoint]:
    return [effect for effect in run.effects if isinstance(effect, TakeCheckpoint)]


def test_one_is_taken_when_the_program_begins_to_wait_and_before_the_reply() -> None:
    run = trial().reply(ASKED, propose("Yes"))
    assert [(one.moment, one.before) for one in wishes(run)] == [
        (CheckpointMoment.WAITS, 1),
        (CheckpointMoment.REPLY, 1),
    ]
    run = trial()
    run.settle(COMPLETED)
    assert [one.moment for one in wishes(run)] == [CheckpointMoment.TURN]


def test_nothing_is_typed_before_it_is_taken() -> None:
    run = trial().reply(ASKED, propose("Yes"))
    run.look(ASKED, seconds=0.3)
    assert run.writes == []
    saved(run)
    run.look(ASKED, seconds=0.3)
    assert run.writes[0].keys == ("1",)


def test_a_checkpoint_of_an_earlier_reply_lets_nothing_be_typed() -> None:
    run = trial().reply(ASKED, propose("Yes"))
    run.feed(ev.CheckpointTaken, number=0, moment=CheckpointMoment.START, author=Author.START, before=0)
    run.look(ASKED, seconds=0.3)
    assert run.run.saving and run.writes == []


def test_that_it_waits_is_said_and_after_two_seconds_it_is_held() -> None:
    run = trial().reply(ASKED, propose("Yes"))
    said = run.fire("checkpoint", 0.3)
    assert [one.reason for one in said if isinstance(one, EnterState)] == [
        "saving a checkpoint of the project first"
    ]
    run.fire("checkpoint", 1.7)
    assert run.run.state is RunState.HELD and run.writes == []
    decision = run.decisions[-1].decision
    assert (decision.verdict, decision.rule) == (Verdict.HOLD, "checkpoint.missing")
    assert run.run.limits.steps == 0, "nothing was typed"
    assert run.run.proposal is not None, "the person can still send it"


def test_a_checkpoint_that_comes_late_types_nothing_by_itself() -> None:
    run = trial().reply(ASKED, propose("Yes"))
    wanted = wishes(run)[-1].before
    run.fire("checkpoint", 0.3)
    run.fire("checkpoint", 1.7)
    run.feed(
        ev.CheckpointTaken,
        number=2,
        moment=CheckpointMoment.REPLY,
        author=Author.PERSON,
        before=wanted,
    )
    run.settle(ASKED, LOW)
    run.look(ASKED, seconds=0.3)
    assert run.writes == [] and run.run.state is RunState.HELD


def test_without_one_the_reply_is_held_and_not_asked_for_again() -> None:
    run = trial().reply(ASKED, propose("Yes"))
    failed(run)
    run.settle(ASKED, LOW)
    assert run.decisions[-1].decision.reason == "no checkpoint of the project: the disk is full"
    assert sum(isinstance(effect, AskProvider) for effect in run.effects) == 1
    assert run.writes == []


def test_what_a_person_sends_is_typed_without_one() -> None:
    run = trial().reply(ASKED, propose("Yes"))
    failed(run)
    run.feed(ev.PersonSent, identity=ASKED.identity, reply=Reply("Yes"))
    failed(run)
    run.look(ASKED, seconds=0.3)
    assert run.writes[0].keys == ("1",)


def test_an_unattended_run_ends_held_without_one() -> None:
    run = trial(headless=True).reply(ASKED, propose("Yes"))
    failed(run)
    ended = run.feed(ev.ChildExited, status=0)
    assert ended[-1].exit_code == 3  # type: ignore[attr-defined]


def test_a_refusal_waits_for_none() -> None:
    run = trial().reply(ASKED, propose("No"))
    assert [one.moment for one in wishes(run)] == [CheckpointMoment.WAITS]
    run.look(ASKED, seconds=0.3)
    assert run.writes[0].keys == ("3",)


def test_a_refusal_of_the_guard_waits_for_none() -> None:
    run = trial(headless=True).reply(ASKED, propose("Yes"), HIGH)
    run.look(ASKED, seconds=0.3)
    assert run.writes[0].keys == ("Esc",)


def test_a_project_that_cannot_be_saved_at_all_has_a_run_without() -> None:
    run = trial().reply(ASKED, propose("Yes"))
    failed(run, CheckpointMoment.START)
    run.look(ASKED, seconds=0.3)
    assert run.writes and not run.run.checkpoints


def test_a_prompt_that_goes_while_it_is_taken_takes_its_reply_with_it() -> None:
    run = trial().reply(ASKED, propose("Yes"))
    wanted = wishes(run)[-1]
    run.feed(ev.PersonTyped)
    run.settle(BUSY)
    run.feed(ev.CheckpointTaken, number=1, moment=wanted.moment, author=Author.PERSON, before=wanted.before)
    run.look(BUSY, seconds=0.3)
    assert run.writes == []


@pytest.mark.parametrize("settings", [{"dry_run": True}, {"checkpoints": False}])
def test_where_nothing_is_typed_or_wanted_none_is_taken(settings: dict[str, Any]) -> None:
    run = Trial(**{"checkpoints": True, **settings}).reply(ASKED, propose("Yes"))
    assert wishes(run) == []


# -- undo ----------------------------------------------------------------------------------------------


def restored(run: Trial, before: int = 1, *paths: str) -> None:
    run.feed(ev.FilesRestored, number=0, before=before, paths=paths or ("a.py", "b.py"))


def told(run: Trial) -> str:
    decision = run.decisions[-1].decision
    assert decision.rule == "undo.restored" and decision.by == "person"
    assert decision.reply is not None
    return decision.reply.text or ""


def test_the_cli_is_told_of_an_undo_at_once_where_it_is_ready() -> None:
    run = trial()
    run.settle(COMPLETED)
    restored(run)
    assert told(run).endswith("read them again before you go on: a.py, b.py")


def test_a_busy_cli_is_told_once_it_is_ready_and_only_once() -> None:
    run = trial()
    run.settle(BUSY)
    restored(run)
    assert run.decisions == []
    run.settle(COMPLETED)
    words = told(run)
    saved(run)
    run.look(COMPLETED, seconds=0.3)
    run.look(replace(COMPLETED, draft=words))
    run.take()
    assert run.run.restored == ""
    count = len(run.decisions)
    run.settle(BUSY)
    run.settle(replace(COMPLETED, identity="c.2"))
    assert len(run.decisions) == count


def test_only_a_few_of_many_files_are_named() -> None:
    run = trial()
    run.settle(COMPLETED)
    restored(run, 1, *(f"f{number}.py" for number in range(9)))
    assert told(run).endswith("f0.py, f1.py, f2.py, f3.py, f4.py and 4 more")


def test_an_undo_that_put_nothing_back_is_not_told() -> None:
    run = trial()
    run.settle(COMPLETED)
    run.feed(ev.FilesRestored, number=0, before=1)
    assert run.decisions == []


PLAN = Plan(
    "p",
    (
        PlanStep(name="one", tasks=(PlanCommand("make a", ("make", "a")),)),
        PlanStep(name="two", tasks=(PlanPrompt("do this"),)),
        PlanStep(name="three", tasks=(PlanPrompt("do that"),)),
    ),
)


def planned(**settings: Any) -> tuple[Trial, PlanProgress]:
    plan = PlanProgress(PLAN)
    return trial(plan=plan, **settings), plan


def test_a_command_of_the_plan_has_one_before_and_one_after() -> None:
    run, plan = planned()
    run.settle(IDLE)
    run.feed(ev.CommandJudged, ticket=plan.ticket, risk=LOW)
    kinds = [type(effect) for effect in run.effects if isinstance(effect, TakeCheckpoint | RunCommand)]
    assert kinds[-2:] == [TakeCheckpoint, RunCommand]
    run.feed(ev.CommandEnded, ticket=plan.ticket, passed=True, outcome="passed")
    assert CheckpointMoment.COMMAND in [one.moment for one in wishes(run)]


def test_a_prompt_of_the_plan_without_one_is_held_as_not_typed() -> None:
    run, plan = planned()
    plan.step = 1
    run.settle(IDLE)
    failed(run)
    assert plan.phase is PlanPhase.HELD and not plan.unclear


def test_the_plan_goes_back_to_the_first_part_that_the_files_do_not_show() -> None:
    run, plan = planned()
    run.settle(IDLE)
    run.feed(ev.CommandJudged, ticket=plan.ticket, risk=LOW)
    run.feed(ev.CommandEnded, ticket=plan.ticket, passed=True, outcome="passed")
    before = run.run.decisions
    assert plan.step == 1 and plan.phase is PlanPhase.TYPING
    restored(run, before)
    assert (plan.step, plan.phase) == (1, PlanPhase.DUE)
    undone = [
        (one.step, one.part) for one in run.effects if isinstance(one, PlanMoved) and one.state == "undone"
    ]
    assert undone == [(2, "send 1"), (2, "")]


def test_an_undo_ends_a_command_that_runs_and_runs_it_again() -> None:
    run, plan = planned()
    run.settle(IDLE)
    run.feed(ev.CommandJudged, ticket=plan.ticket, risk=LOW)
    restored(run, 1)
    assert any(isinstance(effect, StopCommand) for effect in run.effects)
    assert (plan.step, plan.task, plan.phase) == (0, 0, PlanPhase.DUE)


def test_an_undo_of_nothing_that_the_plan_began_leaves_it() -> None:
    run, plan = planned()
    run.settle(IDLE)
    run.feed(ev.CommandJudged, ticket=plan.ticket, risk=LOW)
    restored(run, run.run.decisions + 1)
    assert plan.phase is PlanPhase.RUNNING
