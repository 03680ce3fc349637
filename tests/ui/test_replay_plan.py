"""A run with a plan in the review: how far it was at the moment, and its steps among the marks."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Static

from copilot.core.plan import Plan, PlanStep
from copilot.engine.review import Sort
from copilot.tui.replay.describe import mark_cells, mark_words
from tests.fakes.plan_world import World, copilot
from tests.recording.plan_runs import command, done, recorded
from tests.ui.replay_harness import replaying

COMMANDS = Plan("Build", (PlanStep(name="Look", tasks=(command("ls"), command("make"))),))


@pytest.mark.parametrize(("size", "where"), [((120, 40), "#replay-seen"), ((80, 24), "#replay-done")])
async def test_the_plan_is_shown_as_it_stood_then(tmp_path: Path, size: tuple[int, int], where: str) -> None:
    folder = recorded(done(), tmp_path / "run")
    async with replaying(folder, size) as (pilot, screen):

        def shown() -> str:
            return str(screen.query_one(where, Static).content)

        steps = list(screen.model.review.marks_of(Sort.PLAN))
        while screen.model.at < steps[2].at:
            await pilot.press("m")
        assert screen.model.at == steps[2].at and steps[2].label == "step 1/3: Look done"
        assert "✓ 1/3: Look" in shown() and "2/3" not in shown()
        await pilot.press("end")
        assert "✓ 2/3: Say" in shown() and "✓ send 1: Say farewell" in shown()


async def test_a_command_that_ran_is_not_called_unsent(tmp_path: Path) -> None:
    run = copilot(COMMANDS, World(fails={"make": 1}))
    run.live()
    folder = recorded(run, tmp_path / "run")
    async with replaying(folder, (120, 40)) as (pilot, screen):
        for end in ("exit code 0", "exited with 1"):
            await pilot.press("d")
            assert f"▶ copilot ran it ({end})" in str(screen.query_one("#replay-done", Static).content)
            assert f"▶ copilot ran it ({end})" in str(screen.query_one("#replay-strip", Static).content)
        review = screen.model.review
        words = [mark_words(review, mark) for mark in review.marks_of(Sort.DECISION)][:2]
        assert [one.partition(": ")[0] for one in words] == [
            "copilot ran it (exit code 0)",
            "copilot ran it (exited with 1)",
        ]
        assert not any(sign is not None and sign.shape == "▷" for sign in mark_cells(review, 90))


async def test_every_prompt_that_is_counted_is_found(tmp_path: Path) -> None:
    """A ready composer is a prompt as soon as something is decided at it."""
    run = copilot(COMMANDS, World())
    run.live()
    async with replaying(recorded(run, tmp_path / "run"), (120, 40)) as (pilot, screen):
        assert screen.model.review.prompts
        for number, prompt in enumerate(screen.model.review.prompts, 1):
            await pilot.press("n")
            assert screen.model.at == prompt.at
            place = f"prompt {number}/{len(screen.model.review.prompts)}"
            assert place in str(screen.query_one("#replay-status", Static).content)
