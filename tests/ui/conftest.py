"""Snapshots go to the fixed top-level folder, and nothing of the machine shows in them."""

from __future__ import annotations

import asyncio

import pytest
import pytest_textual_snapshot as plugin  # type: ignore[import-untyped]
import textual.app
from textual._compositor import Compositor
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot

from tests.examples import ALL
from tests.ui.parsed import parsed_once
from tests.ui.picture_files import TopLevelSvg
from tests.ui.steady import drawn_if_whole, steady_pause, steady_wait, until_idle, watched_executor

plugin.SVGImageExtension = TopLevelSvg


def pytest_configure(config: pytest.Config) -> None:
    """Our folder is not beside the tests, and that is meant."""
    config.addinivalue_line("filterwarnings", "ignore:[\\s\\S]*Can not relate snapshot")


@pytest.fixture(autouse=True)
def _steady_pauses(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pilot, "pause", steady_pause)
    monkeypatch.setattr(Pilot, "_wait_for_screen", steady_wait)
    monkeypatch.setattr(Stylesheet, "_parse_rules", parsed_once)
    # Each widget of each app has all rules looked up; theirs is `id(self)` in Python.
    monkeypatch.setattr(RuleSet, "__hash__", object.__hash__)
    monkeypatch.setattr(textual.app, "wait_for_idle", until_idle)
    monkeypatch.setattr(asyncio.BaseEventLoop, "run_in_executor", watched_executor)
    if not (ALL or request.node.get_closest_marker("drawn")):
        monkeypatch.setattr(Compositor, "render_update", drawn_if_whole)


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "COPILOT_LEADER", "COPILOT_THEME", "COLORFGBG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLORTERM", "truecolor")
