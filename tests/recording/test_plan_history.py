"""The plan in a run's review, its report and its replay: what each step did, and how it ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.reply import Autonomy
from copilot.core.risk import Risk, RiskLevel
from copilot.engine.plan_history import PlanHistory, end_words
from copilot.engine.review import RunReview, Sort
from copilot.engine.timeline import timeline_of
from copilot.recording.report import report_html
from copilot.recording.report_markdown import report_markdown
from copilot.recording.runs import open_run
from copilot.tui.replay.panel import plan_content
from tests.fakes.plan_world import Copilot, World, copilot
from tests.recording.plan_runs import CHECK, PLAN, done, recorded

HIGH = Risk(RiskLevel.HIGH, ("deletes build/",), "test.high")


def told(run: Copilot) -> RunReview:
    """Its review; each record is a second after the one before."""
    steps = [(float(at), step) for at, step in enumerate(run.records)]
    return timeline_of(steps).review(float(len(steps)))


def plan_of(review: RunReview) -> PlanHistory:
    assert review.plan is not None
    return review.plan


def parts(plan: PlanHistory, step: int) -> list[tuple[str, str, str]]:
    return [(part.name, part.text, end_words(part.moves)) for part in plan.steps[step].parts]


@pytest.mark.row("CP-67")
def test_each_step_has_its_parts_and_how_they_ended() -> None:
    plan = plan_of(told(done()))
    assert plan.name == PLAN.name and end_words(plan.moves) == f"done: {PLAN.name}"
    assert [step.label for step in plan.steps.values()] == ["1/3: Look", "2/3: Say", "3/3: Bye"]
    assert parts(plan, 1) == [("run 1", "ls", "done: passed")]
    say = parts(plan, 2)
    assert [name for name, _, _ in say] == ["send 1", "verify 1", "return 1", "verify 1"]
    assert say[0] == ("send 1", "Greet them", "done")
    assert say[1] == ("verify 1", CHECK, f"failed: {CHECK}: exited with 1")
    assert say[2][1].startswith(f"The check `{CHECK}` of this step exited with 1")
    assert say[3] == ("verify 1", CHECK, "done: passed")
    assert [part.ran.ticket for step in plan.steps.values() for part in step.parts if part.ran] == [1, 2, 3]


def test_steps_are_marks_and_each_move_stands_in_the_history() -> None:
    review = told(done(fails=5))
    assert end_words(plan_of(review).moves) == "failed: step 2/3: Say"
    labels = [mark.label for mark in review.marks_of(Sort.PLAN)]
    assert labels[:3] == ["the plan began", "step 1/3: Look began", "step 1/3: Look done"]
    assert labels[-1].startswith("step 2/3: Say failed: the check")
    lines = [one.text for prompt in review.prompts for one in prompt.history if one.word == "plan"]
    assert f"step 2/3: Say, verify 1 failed: {CHECK}: exited with 1" in lines


def test_a_held_command_and_a_run_cut_off_are_told() -> None:
    world = World(risks={"ls": HIGH})
    held = copilot(PLAN, world, autonomy=Autonomy.FULL, headless=False)
    held.live()
    before = plan_of(told(held))
    assert [(name, text) for name, text, _ in parts(before, 1)] == [("run 1", "ls")]
    assert before.steps[1].parts[0].moves[-1].state == "held"
    assert end_words(before.steps[1].parts[0].moves).endswith("; no end on record")
    held.send_held()
    after = plan_of(told(held))
    assert [move.state for move in after.steps[1].parts[0].moves] == ["held", "began"]
    cut = done()
    at = next(index for index, step in enumerate(cut.records) if isinstance(step, fx.RunCommand))
    cut.records = cut.records[: at + 1]
    assert end_words(plan_of(told(cut)).steps[1].parts[0].moves) == "began; no end on record"


def test_a_plan_that_the_run_left_in_order_has_its_end_on_record(tmp_path: Path) -> None:
    run = copilot(PLAN, World(risks={"ls": HIGH}), autonomy=Autonomy.FULL)
    end = run.live()
    assert end is not None and end.outcome == "held"
    folder = recorded(run, tmp_path / "run")
    plan = plan_of(told(run))
    assert end_words(plan.moves, plan.run_end) == "began; the run ended there (held)"
    for page in (report_html(open_run(folder)), report_markdown(open_run(folder))):
        assert "no end on record" not in page
        assert page.count("; the run ended there (held)") == 3, "the plan, its step and the held command"


def test_a_held_prompt_is_a_part_until_it_is_sent_or_left_out() -> None:
    run = copilot(PLAN, World(), autonomy=Autonomy.ASSIST, headless=False)
    run.live()
    run.send_held()
    run.hear(ev.AutonomyChanged(at=run.at, level=Autonomy.ASSIST))
    held = plan_of(told(run))
    assert [(name, text) for name, text, _ in parts(held, 2)] == [("send", "Greet them")]
    assert held.steps[2].parts[0].moves[-1].state == "held"
    run.hear(ev.PersonDismissed(at=run.at, identity=run.run.detection.identity))
    after = plan_of(told(run)).steps[2].parts
    assert (after[0].name, after[0].text) == ("send 1", "Greet them")
    assert [move.state for move in after[0].moves] == ["held", "skipped"]
    assert [part.name for part in after] == ["send 1", "verify 1"]


def test_the_panel_tells_what_counted_then() -> None:
    run = done()
    review = told(run)
    failed = next(
        at for at, step in enumerate(run.records) if isinstance(step, fx.PlanMoved) and step.state == "failed"
    )
    then = plan_content(review.plan, float(failed)).plain.splitlines()
    assert then[:2] == [f"the plan {PLAN.name}", "✓ 1/3: Look"]
    assert then[2] == "» 2/3: Say" and then[3].startswith("  ✓ send 1: Greet them")
    assert then[4].startswith(f"  ✗ verify 1: {CHECK}  failed: ") and len(then) == 5
    last = plan_content(review.plan, review.duration).plain
    assert "✓ 2/3: Say" in last and "verify 1" not in last
    assert plan_content(review.plan, -1.0).plain == "" and plan_content(None, 1.0).plain == ""


def test_the_report_has_the_plan_and_the_output_of_its_commands(tmp_path: Path) -> None:
    folder = recorded(done(), tmp_path / "run")
    (folder / "commands").mkdir()
    (folder / "commands" / "002.log").write_text("x" * 30_000 + "\n[t] [stdout] <script>out</script>\n")
    page = report_html(open_run(folder))
    assert "The plan: Greeting &lt;b&gt;" in page and "2/3: Say" in page
    assert "[t] [stdout] &lt;script&gt;out&lt;/script&gt;" in page and "x" * 100 not in page
    assert '<code>test -f `a` &lt;i&gt;</code> — <span class="bad">failed' in page
    markdown = report_markdown(open_run(folder))
    assert "- `2/3: Say`: `done`" in markdown
    assert "`verify 1`: ``test -f `a` <i>``" in markdown
