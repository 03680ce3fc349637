"""A run with a plan in the review: how far it was at the moment, and its steps among the marks."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Static

from copilot.recording.story import Sort
from tests.recording.plan_runs import done, recorded
from tests.ui.replay_harness import replaying


@pytest.mark.parametrize(("size", "where"), [((120, 40), "#replay-seen"), ((80, 24), "#replay-done")])
async def test_the_plan_is_shown_as_it_stood_then(tmp_path: Path, size: tuple[int, int], where: str) -> None:
    folder = recorded(done(), tmp_path / "run")
    async with replaying(folder, size) as (pilot, screen):

        def shown() -> str:
            return str(screen.query_one(where, Static).content)

        steps = list(screen.model.story.marks_of(Sort.PLAN))
        while screen.model.at < steps[2].at:
            await pilot.press("m")
        assert screen.model.at == steps[2].at and steps[2].label == "step 1/3: Look done"
        assert "✓ 1/3: Look" in shown() and "2/3" not in shown()
        await pilot.press("end")
        assert "✓ 2/3: Say" in shown() and "✓ send 1: Say farewell" in shown()
