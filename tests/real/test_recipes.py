"""The recipes and the model server by themselves: a hand in tmux takes each CLI through the whole run.

When this fails the CLI, the recipe or the server changed; when only `test_headless.py` fails, we did.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.real.stage import Stage, stage
from tests.real.tmux import Tmux

pytestmark = [pytest.mark.real_cli, pytest.mark.timeout(180), pytest.mark.usefixtures("tmux_needed")]
TASK = "Create hello.py, then run the tests."
REASON = "build/ must stay: go on without deleting it."
WAIT = 30.0


def press(terminal: Tmux, *keys: str) -> None:
    """One key after the other, no faster than the CLIs take them."""
    for key in keys:
        time.sleep(0.3)
        terminal.keys(key)


def say(terminal: Tmux, text: str) -> None:
    time.sleep(0.3)
    terminal.type(text)
    press(terminal, "Enter")


def drive_claude(terminal: Tmux) -> None:
    terminal.screen_after(r"❯ No, exit\s+Yes, I trust this folder", WAIT)
    press(terminal, "Down", "Enter")
    terminal.screen_after(r"Do you want to use this API key\?", WAIT)
    press(terminal, "Up", "Enter")
    terminal.screen_after(r"\? for shortcuts", WAIT)
    say(terminal, TASK)
    terminal.screen_after(r"Do you want to create hello\.py\?", WAIT)
    press(terminal, "1")
    terminal.screen_after(r"(?s)python3 -m unittest.*Do you want to proceed\?", WAIT)
    press(terminal, "1")
    terminal.screen_after(r"(?s)rm -rf build/.*Do you want to proceed\?", WAIT)
    press(terminal, "Up", "Tab")
    terminal.screen_after("No, and tell Claude what to do differently", WAIT)
    say(terminal, REASON)
    terminal.screen_after(r"(?s)MIT or Apache-2\.0\?.*\? for shortcuts", WAIT)
    say(terminal, "MIT")
    terminal.screen_after(r"(?s)the license is MIT.*\? for shortcuts", WAIT)
    say(terminal, "/exit")


def drive_codex(terminal: Tmux) -> None:
    terminal.screen_after("Trust this folder", WAIT)
    press(terminal, "Enter")
    terminal.screen_after("Ask Codex to do anything", WAIT)
    say(terminal, TASK)
    terminal.screen_after("Would you like to make the following edits", WAIT)
    press(terminal, "1")
    terminal.screen_after(r"(?s)Would you like to run.*\$ python3 -m unittest", WAIT)
    press(terminal, "1")
    terminal.screen_after(r"(?s)Would you like to run.*\$ rm -rf build/", WAIT)
    press(terminal, "Escape")
    terminal.screen_after("Conversation interrupted", WAIT)
    say(terminal, REASON)
    terminal.screen_after(r"(?s)MIT or Apache-2\.0\?.*Worked for", WAIT)
    say(terminal, "MIT")
    terminal.screen_after(r"(?s)the license is MIT.*Worked for", WAIT)
    say(terminal, "/quit")


DRIVERS = {"claude": drive_claude, "codex": drive_codex}


@pytest.mark.row("PH-1", "PH-14")
@pytest.mark.parametrize("size", [(120, 40), (80, 24)], ids=["120x40", "80x24"])
@pytest.mark.parametrize("name", sorted(DRIVERS))
def test_a_hand_takes_it_through_the_whole_run(name: str, size: tuple[int, int], tmp_path: Path) -> None:
    with stage(name, tmp_path, asks=("trust", "api_key")) as on:
        terminal = Tmux(
            on.recipe.command,
            columns=size[0],
            lines=size[1],
            cwd=on.project,
            environment=on.recipe.environment,
        )
        with terminal:
            DRIVERS[name](terminal)
            assert terminal.exit_status(WAIT) == 0
        on.assert_files()
        assert_only_the_model_was_asked(on)


def assert_only_the_model_was_asked(on: Stage) -> None:
    turns = ["write a file", "run the tests", "delete the build", "ask in prose", "done"]
    assert [request.turn for request in on.model.main_requests] == turns
    assert on.model.main_requests[-1].prompt == "MIT"
