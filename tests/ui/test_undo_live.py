"""Undo in the cockpit over a real session: the simulated CLI, a real store, and what the CLI is told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from copilot.core.settings import RunSettings
from copilot.demo.project import DemoProject
from copilot.session.front_end import SessionListener
from copilot.session.start import finish, prepare, start
from copilot.tui.app import CopilotApp
from copilot.tui.bridge import OpenedSession
from copilot.tui.screens.session import SessionScreen
from copilot.tui.screens.undo import UndoScreen
from tests.session.live import FakeProvider, demo_settings, yes
from tests.ui.harness import LEADER
from tests.ui.replay_harness import until


@pytest.fixture
def project() -> Iterator[DemoProject]:
    made = DemoProject.make()
    yield made
    made.remove()


async def _open(settings: RunSettings, listener: SessionListener) -> OpenedSession:
    session = await start(replace(prepare(settings), provider=FakeProvider([yes()])), listener)

    async def end() -> int:
        return (await finish(session)).exit_code

    return OpenedSession(session, end)


def _head(pilot: Pilot[Any]) -> str:
    return str(pilot.app.screen.query_one("#undo-head", Static).content)


def _screen(app: CopilotApp) -> SessionScreen:
    assert app.session_screen is not None
    return app.session_screen


def _program_shows(app: CopilotApp, text: str) -> bool:
    return any(text in row for row in _screen(app).session.screen.display)


async def test_what_the_program_made_is_taken_back_and_it_is_told(
    project: DemoProject, tmp_path: Path
) -> None:
    made = project.folder / "greeting.py"
    settings = demo_settings(project, tmp_path / "run", "--only", "permission", checkpoints=True)
    app = CopilotApp(settings, _open)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: app.session_screen is not None, "the session")
        marks = _screen(app).line
        await until(pilot, lambda: any(mark.shape == "±" for mark in marks.marks()), "what it changed")
        assert made.exists() and _program_shows(app, "Wrote greeting.py")
        await pilot.press(LEADER, "b")
        await until(pilot, lambda: _head(pilot).startswith("back to 2: "), "the preview")
        assert _head(pilot) == "back to 2: 1 removed"
        await pilot.press("enter", "enter")
        await until(pilot, lambda: not isinstance(pilot.app.screen, UndoScreen), "the undo")
        assert not made.exists()
        assert any("1 file put back" in note for note in _screen(app).model.notes)
        await until(pilot, lambda: _program_shows(app, "I have undone changes to these files"), "the words")
        assert "↶" in [mark.shape for mark in marks.marks()]
        _screen(app).session.interrupt()
        _screen(app).session.interrupt()
        await until(pilot, lambda: _screen(app).exit_code is not None, "the end")
        await pilot.press(LEADER, "b")
        await until(pilot, lambda: "back to" in _head(pilot), "the list after the end")
        assert "before an undo" in "\n".join(
            strip.text for strip in pilot.app.screen._compositor.render_strips()
        )
