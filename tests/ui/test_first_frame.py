"""What is drawn, and what is loaded, before the session is: a start is as quick as what it imports is little."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from ptyprocess import PtyProcess

from copilot.screen import TerminalScreen
from copilot.tui.layout import layout_for
from copilot.tui.screens.opening import OpeningScreen
from tests.fakes.fake_session import FakeSession
from tests.test_imports import among
from tests.ui.harness import app_on

ROOT = Path(__file__).resolve().parents[2]
_PROBE = """
import json, pathlib, sys

class Watch:
    def find_spec(self, name, path=None, target=None):
        if name == "copilot.tui.bridge":
            pathlib.Path(sys.argv[1]).write_text(json.dumps(sorted(sys.modules)))
            from copilot.errors import InputError
            raise InputError("that was all to be seen")

sys.meta_path.insert(0, Watch())
from copilot.cli import main
sys.exit(main(["--provider", "rules", "--", *sys.argv[2:]]))
"""
LATER = (
    "anthropic",
    "copilot.prompting",
    "copilot.core.events",
    "copilot.core.profile",
    "copilot.core.screen_rules",
    "copilot.detection",
    "copilot.providers",
    "copilot.plans",
    "copilot.guard.command_risk",
    "copilot.screen",
    "copilot.session.front_end",
    "copilot.timebox",
    "copilot.widths",
    "httpx",
    "httpx2",
    "mcp",
    "openai",
    "ptyprocess",
    "pydantic_settings",
    "pyte",
    "re2",
    "ruamel",
    "tiktoken",
    "tree_sitter",
    "wcwidth",
)
"""Packages and rooms that nothing of the first frame needs."""


@pytest.mark.parametrize(
    "exported", [{}, {"COLUMNS": "80", "LINES": "24"}], ids=["", "a stale size exported"]
)
def test_the_first_frame_is_drawn_before_the_session_is_loaded(
    tmp_path: Path, exported: dict[str, str]
) -> None:
    # A program that loads readline exports the size of its own terminal: the workers of pytest do.
    seen = tmp_path / "modules"
    # Wherever the interpreter lies: the line is as long as the window is wide.
    folder = "/opt/" + "long-name/" * 10
    child = ("true", folder)
    environment = {**os.environ, "TERM": "xterm-256color", "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    environment = {key: value for key, value in environment.items() if key not in ("COLUMNS", "LINES")}
    environment |= exported
    environment["XDG_STATE_HOME"] = environment["XDG_CONFIG_HOME"] = str(tmp_path)
    process = PtyProcess.spawn(
        [sys.executable, "-c", _PROBE, str(seen), *child],
        cwd=str(tmp_path),
        env=environment,
        dimensions=(40, 120),
    )
    output = b""
    try:
        while True:
            output += process.read(65536)
    except EOFError:
        process.wait()
    drawn, told = output.rsplit(b"\x1b[?1049l", 1)
    screen = TerminalScreen(120, 40)
    screen.feed(drawn)
    status, keys = screen.snapshot().lines[-2:]
    assert keys.split() == ["STARTING"]
    assert f" │ starting true {folder}"[:80] in status and status.rstrip().endswith("…")
    assert b"copilot: error: that was all to be seen" in told
    assert process.exitstatus == 2
    assert among(set(json.loads(seen.read_text())), LATER) == set()


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_its_terminal_stands_where_that_of_the_session_will(size: tuple[int, int]) -> None:
    app = app_on(FakeSession())
    async with app.run_test(size=size) as pilot:
        opening = next(screen for screen in app.screen_stack if isinstance(screen, OpeningScreen))
        await pilot.pause()
        assert app.session_screen is not None
        for name, theirs in (("#work", "#terminal"), ("#status", "#status"), ("#keys", "#keys")):
            assert opening.query_one(name).region == app.session_screen.query_one(theirs).region
        assert opening.query_one("#timeline").display is layout_for(*size).timeline
