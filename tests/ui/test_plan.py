"""A plan in the cockpit: its step in the status line, a held part in the panel, and the keys that decide on it.

The session is a fake one, but what it shows and what the keys lead to are the core's own.
"""

from __future__ import annotations

import pytest
from textual.widgets import Static

from copilot.core.states import RunState
from copilot.tui.screens.session import SessionScreen
from copilot.tui.widgets.status_bar import StatusBar
from tests.ui.harness import LEADER, cockpit
from tests.ui.plan_scene import plan_session


def line_of(screen: SessionScreen) -> str:
    """The status line."""
    return str(screen.query_one(StatusBar).content)


def panel_of(screen: SessionScreen) -> str:
    """What is seen of the panels, or of the strip of a small window, each in one line."""
    seen = (one for one in screen.query(Static) if one.region and one.display)
    return "\n".join(" ".join(str(one.content).split()) for one in seen)


@pytest.mark.row("CP-69")
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_held_command_is_shown_with_its_step_and_run_by_one_key(size: tuple[int, int]) -> None:
    plan = plan_session()
    async with cockpit(plan, size) as (pilot, screen):
        assert "plan 1/2: Tidy up" in line_of(screen)
        assert "rm -rf build" in panel_of(screen) and "risk high" in panel_of(screen)
        assert ("deletes a folder" in panel_of(screen)) is (size == (120, 40))
        assert "HELD plan step" in panel_of(screen) and "permission" not in panel_of(screen)
        assert "s run" in panel_of(screen) and "s send" not in panel_of(screen)
        assert plan.view.state is RunState.HELD and plan.world.ran == []
        await pilot.press(LEADER, "s")
        await pilot.pause()
        assert plan.world.ran == ["rm -rf build"]
        assert "plan 2/2: Notes" in line_of(screen)
        assert "Write the release notes, short." in panel_of(screen) and plan.world.submitted == []
        assert "s send" in panel_of(screen)
        plan.now += 1.0
        await pilot.press(LEADER, "s")
        await pilot.pause()
        assert plan.world.submitted == ["Write the release notes, short."]
        assert "plan" not in line_of(screen), "the plan is over"


async def test_a_held_part_is_left_out_by_the_other_key() -> None:
    plan = plan_session()
    async with cockpit(plan, (120, 40)) as (pilot, screen):
        await pilot.press(LEADER, "d")
        await pilot.pause()
        assert plan.world.ran == [] and "plan 2/2: Notes" in line_of(screen)
        plan.now += 1.0
        await pilot.press(LEADER, "d")
        await pilot.pause()
        assert plan.world.submitted == [] and "plan" not in line_of(screen)
