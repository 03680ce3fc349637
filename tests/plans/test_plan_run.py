"""A plan in the pure core: in order, one at a time, and whatever a killed run did is never done twice."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.detection import Detection
from copilot.core.plan import Plan, PlanCommand, PlanEnd, PlanPrompt, PlanStep
from copilot.core.planning import CONTINUE, check_failed, plain
from copilot.core.reply import Autonomy
from copilot.core.risk import Risk, RiskLevel
from copilot.core.screen_kinds import ScreenKind
from copilot.core.states import RunState
from copilot.engine.timeline import timeline_of
from copilot.session.resuming import Left, left_by
from tests.examples import ALL
from tests.fakes.plan_world import Copilot, World, copilot

FORBIDDEN = Risk(RiskLevel.FORBIDDEN, ("deletes your home",), "test.forbidden")
HIGH = Risk(RiskLevel.HIGH, ("deletes build/",), "test.high")


def command(text: str) -> PlanCommand:
    return PlanCommand(text, ("sh", "-c", text))


def step(name: str, *parts: str, **more: object) -> PlanStep:
    """`!x` is a command, anything else a prompt."""
    tasks = tuple(command(one[1:]) if one.startswith("!") else PlanPrompt(one) for one in parts)
    return PlanStep(name=name, tasks=tasks, **more)  # type: ignore[arg-type]


FIVE = Plan(
    "five",
    (
        step("look", "!ls"),
        step("first", "Write the greeting"),
        step("second", "Write the farewell", checks=(command("pytest"),)),
        step("build", "!make"),
        step("third", "Add the notes", "Sum it up"),
    ),
)
PROMPTS = ["Write the greeting", "Write the farewell", "Add the notes", "Sum it up"]


def said(records: list[ev.Event | fx.Effect]) -> list[tuple[int, str, str]]:
    return [(one.step, one.part, one.state) for one in records if isinstance(one, fx.PlanMoved)]


@pytest.mark.row("CP-67", "CP-68")
def test_a_plan_runs_in_order_and_ends_the_run() -> None:
    world = World()
    run = copilot(FIVE, world)
    end = run.live()
    assert end is not None and (end.outcome, end.exit_code) == ("completed", 0)
    assert world.submitted == PROMPTS
    assert world.ran == ["ls", "pytest", "make"]
    moves = said(run.records)
    assert moves.index((1, "", "done")) < moves.index((2, "send 1", "typing"))
    assert moves.index((2, "", "done")) < moves.index((3, "send 1", "typing"))
    assert moves[-1] == (0, "", "done")


@pytest.mark.row("CP-68")
def test_the_next_step_waits_for_the_end_of_the_turn() -> None:
    """Not for an idle composer, and not for the turn that ended before."""
    world = World()
    run = copilot(FIVE, world)
    run._feed(ev.Started(at=0.0))
    run._composer(ScreenKind.IDLE)
    while "Write the greeting" not in world.submitted:
        run._next()
    run.queue.clear()
    for _ in range(4):
        run._next()
    run._settle(Detection(ScreenKind.IDLE, identity="idle-between"))
    run.timers.pop("grace", None)
    while run.queue:
        run._next()
    assert world.submitted == ["Write the greeting"]
    run._composer(ScreenKind.COMPLETED)
    while run._next() and len(world.submitted) < 2:
        pass
    assert world.submitted[1] == "Write the farewell"


def test_a_turn_of_which_nothing_is_seen_ends_only_after_a_while() -> None:
    world = World()
    run = copilot(FIVE, world)
    run.sees_work = False
    assert run.live() is not None
    assert world.submitted == PROMPTS
    sent = [one for one in run.records if isinstance(one, fx.StartTimer) and one.timer == "plan turn"]
    assert len(sent) == len(PROMPTS)


@pytest.mark.parametrize(
    ("end", "says"),
    [
        (PlanEnd(), "add `ends: idle` to the step"),
        (PlanEnd(shows="READY$"), "`ends: shows: READY$` waits for did not come up"),
    ],
)
def test_a_turn_whose_end_is_read_otherwise_says_what_to_write(end: PlanEnd, says: str) -> None:
    """As a shell's prompt, which is idle and never completed."""
    run = copilot(Plan("one", (step("say", "echo hi", end=end),)), World())
    run.ready_kind, run.shows = ScreenKind.IDLE, False
    run.live()
    assert run.end is not None
    assert run.end.exit_code == 3 and run.end.reason.startswith("step 1/1: say: ")
    assert says in run.end.reason


@pytest.mark.row("CP-67")
def test_a_failed_command_stops_the_plan_and_names_the_step() -> None:
    world = World(fails={"make": 1})
    end = copilot(FIVE, world).live()
    assert end is not None and end.exit_code == 1
    assert end.reason == "step 4/5: build: `make` exited with 1"
    assert world.submitted == PROMPTS[:2]


def test_a_failed_check_goes_back_to_the_cli_at_most_so_often() -> None:
    world = World(fails={"pytest": 1})
    end = copilot(FIVE, world).live()
    assert end is not None and end.exit_code == 0
    assert world.submitted[2] == check_failed("pytest", "exited with 1", "E1")
    assert world.submitted[:2] + world.submitted[3:] == PROMPTS

    world = World(fails={"pytest": 9})
    end = copilot(FIVE, world).live()
    assert end is not None and end.exit_code == 1
    assert "after 2 returns" in end.reason and "second" in end.reason
    assert world.ran.count("pytest") == 3


@pytest.mark.row("CP-69")
@pytest.mark.parametrize(("risk", "word"), [(HIGH, "held"), (FORBIDDEN, "stopped")])
def test_a_risky_command_is_not_run_where_nobody_is_there(risk: Risk, word: str) -> None:
    world = World(risks={"make": risk})
    end = copilot(FIVE, world).live()
    assert end is not None and (end.outcome, end.exit_code) == (word, 3)
    assert "4/5: build" in end.reason
    assert "make" not in world.ran


@pytest.mark.row("CP-69")
def test_the_person_lets_a_held_command_run_but_never_a_forbidden_one() -> None:
    world = World(risks={"ls": HIGH})
    run = copilot(FIVE, world, headless=False)
    run.live()
    assert run.run.state is RunState.HELD and world.ran == []
    run.send_held()
    assert world.ran == ["ls"]

    world = World(risks={"ls": FORBIDDEN})
    run = copilot(FIVE, world, headless=False)
    run.live()
    assert run.run.state is RunState.HELD and run.run.proposal is None
    assert world.ran == []


@pytest.mark.parametrize("level", [Autonomy.SUGGEST, Autonomy.ASSIST])
def test_below_full_every_part_waits_for_the_person(level: Autonomy) -> None:
    world = World()
    run = copilot(FIVE, world, autonomy=level, headless=False)
    run.live()
    assert (world.ran, world.submitted) == ([], [])
    for _ in range(2):
        run.send_held()
        while run._next():
            pass
    assert (world.ran, world.submitted) == (["ls"], PROMPTS[:1])
    decisions = [one.decision for one in run.records if isinstance(one, fx.RecordDecision)]
    assert {one.by for one in decisions if one.verdict.value == "send"} == {"person"}


def test_what_the_person_dismisses_is_left_out() -> None:
    world = World()
    run = copilot(FIVE, world, autonomy=Autonomy.SUGGEST, headless=False)
    run.live()
    held = run.run.plan.held_command() if run.run.plan else None
    assert held is not None
    run._feed(ev.PersonDismissed(at=run.at, identity=held.identity))
    run._feed(ev.PersonDismissed(at=run.at, identity=run.run.detection.identity))
    assert (world.ran, world.submitted) == ([], [])
    assert said(run.records)[-1] == (3, "", "began")


def test_typing_by_hand_does_not_lose_what_is_held() -> None:
    world = World()
    run = copilot(FIVE, world, autonomy=Autonomy.SUGGEST, headless=False)
    run.live()
    run._feed(ev.PersonTyped(at=run.at))
    assert proposed(run), "a held command has nothing to do with the terminal"
    run.send_held()
    while run._next():
        pass
    held = run.screen
    run._feed(ev.PersonTyped(at=run.at))
    assert not proposed(run)
    for draft in ("my words", ""):
        run._settle(replace(held, draft=draft))
        while run._next():
            pass
    assert proposed(run) and world.submitted == []


def proposed(run: Copilot) -> bool:
    """Whether the person sees something that they may send."""
    return run.run.proposal is not None


def test_a_draft_of_the_person_is_never_typed_over() -> None:
    world = World()
    run = copilot(Plan("one", (step("only", "Write it"),)), world)
    run._feed(ev.Started(at=0.0))
    run._settle(Detection(ScreenKind.IDLE, identity="ready-1", draft="my own words"))
    while run._next():
        pass
    assert world.submitted == [] and run.end is not None and run.end.exit_code == 3
    assert "draft" in run.end.reason and "1/1: only" in run.end.reason


@pytest.mark.row("CP-41")
def test_a_question_inside_a_step_is_asked_in_its_light() -> None:
    asked = Detection(ScreenKind.QUESTION, question="Which license?", identity="q.1")
    world = World(asks_after={"Write the greeting": asked})
    run = copilot(FIVE, world, headless=False)
    run.live()
    requests = [one for one in run.records if isinstance(one, fx.AskProvider)]
    assert [one.plan_step for one in requests] == ["2/5: first"]
    assert world.submitted == ["Write the greeting"]


@pytest.mark.row("CP-70")
def test_a_step_may_end_at_a_question() -> None:
    asked = Detection(ScreenKind.QUESTION, question="Shall I go on?", identity="q.1")
    world = World(asks_after={"Ask me": asked})
    plan = Plan("asks", (step("ask", "Ask me", end=PlanEnd(ScreenKind.QUESTION)), step("on", "Yes, go on")))
    run = copilot(plan, world)
    end = run.live()
    assert world.submitted == ["Ask me", "Yes, go on"]
    assert end is not None and end.exit_code == 0


@pytest.mark.row("CP-70")
def test_a_step_may_end_at_a_text() -> None:
    world = World()
    plan = Plan("shows", (step("one", "Do it", end=PlanEnd(shows="READY")), step("two", "And this")))
    run = copilot(plan, world)
    end = run.live()
    assert end is not None and end.exit_code == 0
    searches = [one for one in run.records if isinstance(one, fx.SearchScreen)]
    assert [(one.pattern, one.mark) for one in searches] == [("READY", True), ("READY", False)]
    first = run.records.index(searches[0])
    enter = next(one for one in run.records[first:] if isinstance(one, fx.WriteKeys))
    assert enter.keys == ("Enter",), "what a fast program shows before the reply is taken counts"


@pytest.mark.row("CP-70")
def test_a_step_has_its_own_time() -> None:
    world = World(asks_after={"Slow": Detection(ScreenKind.BUSY)})
    plan = Plan("slow", (step("slow", "Slow", timeout_seconds=90.0),))
    run = copilot(plan, world)
    end = run.live()
    assert end is not None and (end.exit_code, end.reason) == (1, "step 1/1: slow: took longer than 90 s")
    assert run.at == 90.0


def test_a_dry_run_walks_the_plan_and_does_nothing() -> None:
    world = World()
    run = copilot(FIVE, world, dry_run=True)
    end = run.live()
    assert (world.ran, world.submitted) == ([], [])
    assert end is not None and end.exit_code == 0
    decisions = [one.decision for one in run.records if isinstance(one, fx.RecordDecision)]
    assert [str(one.reply) for one in decisions] == [
        "ls", "Write the greeting", "Write the farewell", "pytest", "make", "Add the notes", "Sum it up"
    ]  # fmt: skip


def test_the_longest_plan_is_walked_at_once() -> None:
    plan = Plan("long", tuple(step(f"s{number}", f"say {number}") for number in range(200)))
    end = copilot(plan, World(), dry_run=True).live()
    assert end is not None and end.exit_code == 0


def test_a_cli_that_ends_before_the_plan_fails_the_run() -> None:
    run = copilot(FIVE, World())
    run._feed(ev.Started(at=0.0))
    run._feed(ev.ChildExited(at=1.0, status=0))
    assert run.end is not None and run.end.exit_code == 1
    assert "1/5: look" in run.end.reason


# -- killed and resumed --------------------------------------------------------------------------------


def all_records(plan: Plan, world: World) -> int:
    run = copilot(plan, world)
    run.live()
    return len(run.records)


def remains(run: Copilot) -> Left:
    return left_by(timeline_of((0.0, one) for one in run.records))


def resumed(dead: Copilot, plan: Plan, *, continues: bool = True, headless: bool = True) -> Copilot:
    left = remains(dead)
    assert left.changed_step(plan) == 0
    return copilot(plan, dead.world, carried=left.carried(continues=continues), headless=headless)


def own(submitted: list[str]) -> list[str]:
    """Without what the co-pilot says by itself."""
    return [one for one in submitted if one != CONTINUE and not one.startswith("The check")]


@pytest.mark.row("CP-64")
@pytest.mark.invariant(11)
@pytest.mark.parametrize("before", [True, False])
def test_killed_at_every_record_and_resumed_nothing_happens_twice(before: bool) -> None:
    total = all_records(FIVE, World(fails={"pytest": 1}))
    finished = 0
    for cut in range(1, total):
        world = World(fails={"pytest": 1})
        dead = copilot(FIVE, world, cut_at=cut, cut_before=before)
        dead.live()
        again = resumed(dead, FIVE)
        end = again.live()
        assert end is not None, cut
        told = own(world.submitted)
        assert told == [one for one in PROMPTS if one in told], (cut, world.submitted)
        assert all(world.ran.count(one) <= 1 for one in ("ls", "make")), (cut, world.ran)
        assert end.exit_code in (0, 3), (cut, end)
        if end.exit_code == 0:
            finished += 1
            assert told == PROMPTS, (cut, world.submitted)
        else:
            assert "earlier run" in end.reason, (cut, end)
    assert finished > total * 0.8, (finished, total)


@pytest.mark.row("CP-64")
@given(cuts=st.lists(st.integers(1, 160), min_size=2, max_size=4), before=st.booleans())
@pytest.mark.examples
@settings(max_examples=150 if ALL else 60, deadline=None)
def test_killed_again_and_again_nothing_happens_twice(cuts: list[int], before: bool) -> None:
    world = World(fails={"pytest": 1})
    run = copilot(FIVE, world, cut_at=cuts[0], cut_before=before)
    run.live()
    left = remains(run)
    for cut in [*cuts[1:], -1]:
        if run.end is not None:
            break
        newest = remains(run)
        left = newest if newest.began else left
        run = copilot(FIVE, world, carried=left.carried(continues=True), cut_at=cut, cut_before=before)
        run.live()
    told = own(world.submitted)
    assert told == [one for one in PROMPTS if one in told], world.submitted
    assert all(world.ran.count(one) <= 1 for one in ("ls", "make")), world.ran


@pytest.mark.row("CP-65")
def test_without_its_conversation_a_sent_prompt_is_shown_and_not_typed() -> None:
    world = World(asks_after={"Write the greeting": Detection(ScreenKind.BUSY)})
    dead = copilot(FIVE, world)
    dead.live()
    again = resumed(dead, FIVE, continues=False)
    end = again.live()
    assert end is not None and end.exit_code == 3
    assert "cannot take up that conversation" in end.reason
    assert world.submitted == ["Write the greeting"]

    held = resumed(dead, FIVE, continues=False, headless=False)
    held.live()
    assert held.run.state is RunState.HELD and world.submitted == ["Write the greeting"]
    assert held.run.proposal is not None and held.run.proposal.reply.text == "Write the greeting"


def test_a_step_that_was_cut_off_is_checked_before_anything_is_said() -> None:
    world = World(asks_after={"Write the farewell": Detection(ScreenKind.BUSY)})
    dead = copilot(FIVE, world)
    dead.live()
    assert world.submitted == PROMPTS[:2]
    end = resumed(dead, FIVE).live()
    assert end is not None and end.exit_code == 0
    assert world.submitted == PROMPTS


def test_a_step_without_a_check_is_told_to_go_on() -> None:
    world = World(asks_after={"Write the greeting": Detection(ScreenKind.BUSY)})
    dead = copilot(FIVE, world)
    dead.live()
    end = resumed(dead, FIVE).live()
    assert end is not None and end.exit_code == 0
    assert world.submitted == [PROMPTS[0], CONTINUE, *PROMPTS[1:]]


def test_a_command_whose_end_was_not_seen_is_run_again_only_if_the_plan_says_so() -> None:
    cut = next(
        number
        for number in range(1, 60)
        if isinstance((dead := _cut_at(number)).records[-1], fx.RunCommand) and dead.world.ran == ["ls"]
    )
    for repeatable, expected in ((False, (3, ["ls"])), (True, (0, ["ls", "ls"]))):
        first = step("look", "!ls", repeatable=repeatable)
        plan = Plan("five", (first, *FIVE.steps[1:2]))
        world = World()
        dead = copilot(plan, world, cut_at=cut)
        dead.live()
        end = resumed(dead, plan).live()
        assert end is not None and (end.exit_code, world.ran) == expected


def _cut_at(number: int) -> Copilot:
    run = copilot(FIVE, World(), cut_at=number)
    run.live()
    return run


def test_a_plan_that_was_changed_is_noticed() -> None:
    world = World()
    dead = copilot(FIVE, world, cut_at=60)
    dead.live()
    changed = Plan("five", (FIVE.steps[0], step("first", "Write something else"), *FIVE.steps[2:]))
    assert remains(dead).changed_step(changed) == 2
    later = Plan("five", (*FIVE.steps[:4], step("other", "Something else")))
    assert remains(dead).changed_step(later) == 0


def test_words_of_a_check_are_one_line_that_may_be_typed() -> None:
    said = check_failed("pytest -q", "exited with 1", "\x1b[31mE   assert 1 == 2\n\tat äx\u202e" + "x" * 900)
    assert "\n" not in said and "\x1b" not in said and "\u202e" not in said
    assert len(said) <= 500 and said.startswith("The check `pytest -q`")
    assert plain("a\tb\x00c") == "a b c"
