"""`kill -9` of copilot in mid-run: the run folder can be read, the child is gone, the terminal works."""

from __future__ import annotations

import os
import re
import signal
import time
from pathlib import Path

import pytest

from copilot.lab.model_server import Playbook, Turn
from copilot.recording.asciicast import read_cast
from tests.real.processes import gone_within, with_home
from tests.real.run import copilot_command, read_run
from tests.real.stage import Stage, stage
from tests.real.tmux import Tmux

pytestmark = [pytest.mark.real_cli, pytest.mark.timeout(180), pytest.mark.usefixtures("tmux_needed")]
HANGS = Playbook((Turn("Let me think", name="hang", hang_seconds=600.0, keep_alive=True),))
START_SECONDS = 60.0
GONE_SECONDS = 2.0
PROMPT = r"ready>\s*\Z"


def start_in_shell(terminal: Tmux, on: Stage, *options: str) -> None:
    """Start copilot from a shell that stays, as a person would."""
    child = on.recipe.with_task("Think about it.")
    command = copilot_command(on, "--trust", *options, log=on.folder / "runs", child=child)
    script = on.folder / "start.sh"
    script.write_text("exec " + " ".join(f"'{part}'" for part in command) + "\n")
    terminal.screen_after(PROMPT, 10)
    terminal.type(f"bash {script}")
    terminal.keys("Enter")


def wait_for_the_model(shell: Tmux, on: Stage) -> None:
    """Wait until the CLI is busy with a turn that never ends. Raises AssertionError with the screen."""
    deadline = time.monotonic() + START_SECONDS
    while not any(request.turn == "hang" for request in on.model.requests):
        screen = shell.screen()
        ended = re.search(f"start.sh[\\s\\S]*{PROMPT}", screen)
        assert not ended and time.monotonic() < deadline, f"the CLI did not get that far:\n{screen}"
        time.sleep(0.05)


def wait_for_the_recording(folder: Path) -> None:
    """Wait until some output stands in the cast: it is held back a moment for redaction."""
    deadline = time.monotonic() + START_SECONDS
    while not read_cast(folder / "session.cast").events:
        assert time.monotonic() < deadline, "nothing was recorded"
        time.sleep(0.05)


def pid_of_copilot(on: Stage) -> int:
    """The process that the person started: the one whose command is `copilot`, and the oldest of them."""
    own = [process.pid for process in with_home(on.recipe.home) if "bin/copilot" in process.command]
    assert own, with_home(on.recipe.home)
    return min(own)


@pytest.mark.invariant(11)
@pytest.mark.parametrize("form", ["headless", "cockpit"])
@pytest.mark.parametrize("name", ["claude", "codex"])
def test_a_killed_copilot_leaves_order(name: str, form: str, tmp_path: Path) -> None:
    with stage(name, tmp_path, playbook=HANGS) as on:
        shell = Tmux(
            ["bash", "--norc", "--noprofile"],
            cwd=on.project,
            environment={**on.recipe.environment, "HOME": str(tmp_path), "PS1": "ready> "},
        )
        with shell:
            home = f"HOME={on.recipe.home}"
            shell.screen_after(PROMPT, 10)
            shell.type(f"export {home}")
            shell.keys("Enter")
            start_in_shell(shell, on, "--provider", "rules", *(["--headless"] if form == "headless" else []))
            wait_for_the_model(shell, on)
            wait_for_the_recording(tmp_path / "runs")
            os.kill(pid_of_copilot(on), signal.SIGKILL)
            alive = gone_within(on.recipe.home, GONE_SECONDS)
            assert not alive, alive
            assert_usable(shell, form)
    folder = read_run(tmp_path / "runs")
    assert folder.records("event.Started")
    assert folder.cast.events


def assert_usable(shell: Tmux, form: str) -> None:
    """The shell is back, it echoes what is typed, and runs it."""
    if form == "cockpit":
        shell.screen_after("the terminal is restored; press Enter", 10)
        shell.keys("Enter")
    shell.screen_after(PROMPT, 10)
    shell.type("stty -a | tr ' ' '\\n' | grep -x -e -echo -e -icanon || echo us'able'")
    shell.keys("Enter")
    screen = shell.screen_after(r"^usable$", 10)
    assert "stty -a" in screen, "what is typed is not echoed"
    if form == "cockpit":
        assert not shell.alternate_screen
        assert shell.mode("mouse_any_flag") == "0"
        assert shell.mode("cursor_flag") == "1"
