"""A plan in a live session on the simulated CLI: the real driver, terminal, time box, guard and recorder."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from copilot.core import effects as fx
from copilot.core.reply import Autonomy, Reply
from copilot.core.screen_kinds import ScreenKind
from copilot.core.settings import RunSettings
from copilot.core.states import RunState
from copilot.demo.project import DemoProject
from copilot.errors import InputError
from copilot.recording.runs import summarise, why_kept
from copilot.session import headless
from copilot.session.start import prepare
from tests.session.live import Watched, demo_settings, ended, running

SLOWER = ("--only", "read", "--speed", "3")
"""A turn of a few hundredths of a second cannot be told from none."""
PLAN = """\
name: Greeting
steps:
  - {name: Look, run: ls}
  - {name: Say, send: Greet the visitors again, verify: test -f said.txt, returns: 1}
  - {name: Bye, send: Say farewell}
"""


def settings_of(project: DemoProject, tmp_path: Path, plan: str = PLAN, **changes: Any) -> RunSettings:
    path = tmp_path / "plan.yml"
    path.write_text(plan)
    return demo_settings(project, tmp_path / "run", *SLOWER, plan=str(path), **changes)


def received(project: DemoProject) -> list[str]:
    return [
        entry["value"]
        for entry in project.entries()
        if entry["event"] == "received" and entry["prompt"] == "composer"
    ]


def held_for(watched: Watched, identity: str) -> bool:
    """Whether a part of the plan is held for the person, other than at `identity`."""
    session = watched.live
    view = session.view
    return session.run.state is RunState.HELD and view.detection.identity != identity and bool(view.proposal)


@pytest.mark.row("CP-10", "CP-67", "CP-68")
def test_headless_at_full_a_plan_is_done_and_told(
    project: DemoProject, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The check fails once, and the CLI hears of it; then somebody makes the file."""
    plan = PLAN.replace("test -f said.txt", "mkdir said.txt")
    settings = settings_of(project, tmp_path, plan, headless=True, json_lines=True)
    (project.folder / "said.txt").mkdir()
    assert headless.run(settings) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert received(project)[0] == "Greet the visitors again"
    assert received(project)[1].startswith(
        "The check `mkdir said.txt` of this step exited with 1. Its output"
    )
    assert "said.txt" in received(project)[1]
    assert lines[-1]["event"] == "end" and "step 2/3: Say: the check `mkdir said.txt`" in lines[-1]["reason"]
    plan_lines = [(one["part"], one["state"]) for one in lines if one["event"] == "plan"]
    assert plan_lines[:4] == [("", "began"), ("run 1", "began"), ("run 1", "done"), ("", "done")]
    commands = [one["event"] for one in lines if one["event"] in ("runs", "ran")]
    assert commands == ["runs", "ran"] * (len(commands) // 2) and commands
    assert [one["outcome"] for one in lines if one["event"] == "ran"][:2] == ["passed", "exited with 1"]
    assert (tmp_path / "run" / "commands" / "001.log").is_file()
    assert why_kept(summarise(tmp_path / "run"), tmp_path) == "", "it can be pruned"


@pytest.mark.slow
def test_a_whole_plan_ends_the_run_with_0(project: DemoProject, tmp_path: Path) -> None:
    settings = settings_of(project, tmp_path, PLAN.replace("test -f", "test ! -e"), headless=True)
    assert headless.run(settings) == 0
    assert received(project) == ["Greet the visitors again", "Say farewell", "/exit"]


@pytest.mark.row("CP-69")
def test_a_held_command_ends_a_run_without_a_person(
    project: DemoProject, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = settings_of(project, tmp_path, PLAN.replace("run: ls", "run: rm -rf build"), headless=True)
    assert headless.run(settings) == 3
    assert "step 1/3: Look: a person is needed for `rm -rf build`" in capsys.readouterr().out
    assert (project.folder / "build").is_dir()
    assert received(project) == []


async def test_below_full_the_person_starts_each_part(project: DemoProject, tmp_path: Path) -> None:
    plan = "name: p\nsteps:\n  - {name: Make, run: mkdir made}\n  - {name: Say, send: Greet them}\n"
    settings = settings_of(project, tmp_path, plan, autonomy=Autonomy.ASSIST)
    async with running(settings) as watched:
        session = watched.live
        await watched.until(lambda: held_for(watched, ""), "the command to be held")
        shown = session.view
        assert shown.detection.kind is ScreenKind.PERMISSION and shown.plan_step == "1/2: Make"
        assert shown.detection.subject is not None and shown.detection.subject.text == "mkdir made"
        session.send(Reply(text="rm -rf build"), identity=shown.detection.identity)
        await asyncio.sleep(0)
        assert not watched.of(fx.RunCommand), "an edited command is not run"
        session.send(Reply(text="mkdir made"), identity=shown.detection.identity)
        await watched.until(lambda: held_for(watched, shown.detection.identity), "the prompt to be held")
        assert (project.folder / "made").is_dir()
        assert received(project) == []
        prompt = session.view
        assert prompt.proposal is not None and prompt.plan_step == "2/2: Say"
        session.send(prompt.proposal.reply, identity=prompt.detection.identity)
        await watched.until(lambda: "Greet them" in received(project), "the prompt to be typed")
        await watched.until(lambda: session.view.plan_step == "", "the plan to end")


async def test_a_run_that_ends_takes_its_command_along(project: DemoProject, tmp_path: Path) -> None:
    plan = "name: p\nsteps:\n  - {name: Wait, run: sleep 600}\n"
    settings = settings_of(project, tmp_path, plan)
    async with running(settings) as watched:
        session = watched.live
        await watched.until(lambda: bool(watched.of(fx.RunCommand) or held_for(watched, "")), "the command")
        if not watched.of(fx.RunCommand):
            session.send(Reply(text="sleep 600"), identity=session.view.detection.identity)
        await watched.until(lambda: bool(watched.of(fx.RunCommand)), "the command to run")
        session.interrupt()
        end = await ended(watched)
    assert end.exit_code == 130
    assert watched.of(fx.StopCommand)


def test_what_is_wrong_with_a_plan_is_told_before_anything_starts(
    project: DemoProject, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="line 3: rnu: unknown key"):
        prepare(settings_of(project, tmp_path, "name: n\nsteps:\n  - {name: s, rnu: ls}\n"))
    with pytest.raises(InputError, match="at level watch nothing is done"):
        prepare(settings_of(project, tmp_path, autonomy=Autonomy.WATCH))
    with pytest.raises(InputError, match="step 1/1: s: send: a text that begins with '/'"):
        prepare(settings_of(project, tmp_path, "name: n\nsteps:\n  - {name: s, send: /compact}\n"))
    assert not (tmp_path / "run").exists()


@pytest.mark.row("CP-64", "CP-65")
def test_a_run_goes_on_where_the_earlier_one_failed(
    project: DemoProject, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The check failed; somebody mends it, and the plan goes on without saying anything again."""
    first = settings_of(project, tmp_path, PLAN.replace("returns: 1", "returns: 0"), headless=True)
    assert headless.run(first) == 1
    (project.folder / "said.txt").touch()
    capsys.readouterr()
    path = Path(str(first.plan))
    second = demo_settings(
        project,
        tmp_path / "again",
        "--only",
        "read",
        plan=str(path),
        headless=True,
        resume=str(tmp_path / "run"),
    )
    assert headless.run(second) == 0
    assert received(project) == ["Greet the visitors again", "Say farewell", "/exit"]
    assert "demo cannot take up its conversation" in capsys.readouterr().out
    manifest = json.loads((tmp_path / "again" / "manifest.json").read_text())
    assert manifest["parent"] == str(tmp_path / "run")
