"""What the guard saw on the disk is recorded: without the project, a replay judges and decides as the run did."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.profile import Profile
from copilot.core.reply import Autonomy, Proposal, Reply
from copilot.core.risk import Risk
from copilot.core.run import Run
from copilot.core.settings import RunSettings
from copilot.detection import Examiner
from copilot.engine.engine import Engine
from copilot.engine.prompt_risk import RiskAssessor
from copilot.engine.reader import ScreenReader
from copilot.recording.artifacts import looks_file
from copilot.recording.looks_files import looks_of
from copilot.recording.runs import open_run
from copilot.replay.driver import CastPlayer
from copilot.replay.judge_command import judge_command
from copilot.replay.old_run import Redone, redo
from copilot.replay.recorded import open_recorded
from copilot.screen import TerminalScreen
from tests.session.live import FakeProvider, ended, run_settings, running, yes

CHILD = """
import os, sys, tty
dots = "╌" * 100
tty.setraw(0)
for command in sys.argv[1:]:
    rows = ["● I go on.", "", "─" * 100, " Bash command", " Do it", dots, " " + command, dots, " Do you want to proceed?",
            " ❯ 1. Yes", "   2. No", "", " Esc to cancel · Tab to amend"]
    os.write(1, ("\\x1b[?25l\\x1b[2J\\x1b[H" + "\\r\\n".join(rows)).encode())
    os.read(0, 64)
    os.write(1, b"\\x1b[2J\\x1b[Hworking")
"""
COMMANDS = {
    "cat notes.txt": "none",
    "cat link.txt": "high",
    "make test": "medium",
    "make lint": "high",
    "npx eslint src": "medium",
    "npx tsc": "high",
    "grep -r todo src": "none",
}
MAKEFILE = "test:\n\tpython -m pytest\nlint:\n\tgit push origin main\n"


def make_project(folder: Path) -> Path:
    """Links out of it, targets, programs that git tracks and that it does not."""
    project, elsewhere = folder / "project", folder / "elsewhere"
    for place in (project / "node_modules/.bin", project / "src", elsewhere):
        place.mkdir(parents=True)
    (elsewhere / "plans.txt").write_text("somebody's\n", "utf-8")
    (project / "link.txt").symlink_to(elsewhere / "plans.txt")
    for name in ("notes.txt", "src/app.py", "node_modules/.bin/eslint", "node_modules/.bin/tsc"):
        (project / name).write_text("todo\n", "utf-8")
    (project / "Makefile").write_text(MAKEFILE, "utf-8")
    for words in (("init", "-q"), ("add", "notes.txt", "node_modules/.bin/tsc")):
        subprocess.run(["git", *words], cwd=project, check=True)
    return project


def settings_for(folder: Path, project: Path) -> RunSettings:
    return run_settings(
        folder,
        *(sys.executable, "-c", CHILD, *COMMANDS),
        profile="claude",
        cwd=str(project),
        columns=100,
        lines=30,
        headless=True,
    )


Judged = list[tuple[Risk, str, str]]


def judged(steps: list[ev.Event | fx.Effect]) -> Judged:
    """Each prompt's risk with what policy made of it."""
    found: Judged = []
    for step in steps:
        if isinstance(step, fx.RecordDecision) and step.decision.by == "policy":
            found.append((step.decision.risk, step.decision.verdict.value, step.decision.rule))
    return found


async def record(tmp_path: Path) -> tuple[Path, Judged, Profile]:
    """A run whose verdicts rest on the disk; then its project is gone."""
    project = make_project(tmp_path)
    async with running(settings_for(tmp_path, project), FakeProvider([yes()])) as watched:
        await ended(watched)
    settled = [one for one in watched.of(ev.ScreenSettled) if one.detection.asks]
    assert {one.detection.subject.text: one.risk.level.word for one in settled} == COMMANDS
    shutil.rmtree(project)
    shutil.rmtree(tmp_path / "elsewhere")
    return tmp_path / "run", judged(watched.steps), watched.live.run.profile


def redone(run: Path, environment: dict[str, str] | None = None) -> Redone:
    return redo(open_recorded(run), profile=None, autonomy=None, provider=None, environment=environment or {})


async def test_without_its_project_a_run_is_judged_and_decided_as_it_was(tmp_path: Path) -> None:
    run, live, profile = await record(tmp_path)
    found = redone(run).found
    assert (found.changes, found.left_out, found.compared) == ((), (), len(COMMANDS))

    recorded = open_run(run)
    cast, looks = recorded.cast(), looks_of(recorded, "", "", slack=0.3)
    screen = TerminalScreen(cast.header.columns, cast.header.lines)
    engine = Engine(
        Run(profile=profile, autonomy=Autonomy.FULL, headless=True),
        ScreenReader(screen, Examiner(profile)),
        RiskAssessor(looks.scope()),
    )
    player = CastPlayer(cast, engine, propose=lambda asked: Proposal(Reply(choice="Yes")), looks=looks)
    steps = [step for step in player.outputs() if isinstance(step, ev.Event | fx.Effect)]
    assert judged(steps) == live
    seen = [one for one in steps if isinstance(one, ev.DiskLooked)]
    assert [one.looks for one in seen] == [one.looks for one in looks.looked]


async def test_what_is_on_the_disk_today_does_not_count(tmp_path: Path) -> None:
    run, _, _ = await record(tmp_path)
    other = make_project(tmp_path)
    (other / "Makefile").write_text("lint:\n\tpython -m pytest\ntest:\n\tcurl https://example.org\n", "utf-8")
    (other / "link.txt").unlink()
    (other / "link.txt").write_text("the project's own\n", "utf-8")
    assert redone(run).found.changes == ()


async def test_judge_gives_the_verdicts_of_the_run(tmp_path: Path) -> None:
    run, _, _ = await record(tmp_path)
    asked = [*COMMANDS, "cat never-seen.txt"]
    given = "".join(f"{json.dumps(command)}\n" for command in asked)
    done = CliRunner().invoke(judge_command, ["--run", str(run)], input=given)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["risk"] for answer in answers] == [*COMMANDS.values(), "high"], done.output
    assert answers[-1]["reason"] == "never-seen.txt: the run did not record what is there"
    both = CliRunner().invoke(judge_command, ["--run", str(run), "--cwd", str(tmp_path)], input=given)
    assert both.exit_code == 2 and "leave one out" in both.output


async def test_a_run_without_its_looks_is_read_with_the_risk_of_then(tmp_path: Path) -> None:
    run, _, _ = await record(tmp_path)
    shutil.rmtree(run / "looks")
    found = redone(run).found
    assert (found.changes, len(found.left_out)) == ((), len(COMMANDS))
    assert found.left_out[0].startswith("the risk of prompt 1 rests on what is not recorded: ")


async def test_looks_are_redacted_numbered_and_new_ones_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "kq7-hidden-value-91x"
    monkeypatch.setenv("SHOP_API_KEY", secret)
    monkeypatch.setattr(f"{__name__}.MAKEFILE", MAKEFILE + f"# {secret}\n")
    run, _, _ = await record(tmp_path)
    numbers = [step.number for _, step in open_run(run).steps() if isinstance(step, ev.DiskLooked)]
    assert numbers == list(range(1, len(numbers) + 1)) and len(numbers) >= len(COMMANDS) - 1
    files = [(run / looks_file(number)).read_text("utf-8") for number in numbers]
    asked = [(look["question"], look["path"]) for text in files for look in json.loads(text)["looks"]]
    assert len(asked) == len(set(asked)), "nothing is kept twice while it stays the same"
    assert any("git push" in text for text in files)
    assert not any(secret in path.read_text("utf-8", "replace") for path in run.rglob("*") if path.is_file())
