"""Every runnable real CLI under the harness, on a scripted model; one recorded by the proxy, and replayed."""

from __future__ import annotations

from pathlib import Path

import pytest

from copilot.lab.launch import launch
from copilot.lab.model_server.relay import RecordingProxy, Replay
from copilot.testing import Drop, Harness, HttpError, ModelServer, Playbook, Turn
from tests.real.conftest import programs_of
from tests.real.run import COPILOT, run_to_the_end
from tests.real.scenes import NAMES, PACE
from tests.real.tools import TOOLS, WRITTEN

pytestmark = [pytest.mark.real_cli, pytest.mark.timeout(300)]
YES = [
    {
        "kind": "permission",
        "choice": {"matches": "^(Yes($|, proceed|, allow once)|Allow once)"},
        "times": "any",
    }
]
AIDER = [
    Turn(f"hello.py\n```python\n<<<<<<< SEARCH\n=======\n{WRITTEN}>>>>>>> REPLACE\n```\n"),
    Turn("feat: say hello", optional=True),
]


def playbook(name: str, *more: Turn) -> Playbook:
    if name == "aider":
        return Playbook((*AIDER, *more), min_tools=0, pace=PACE)
    write = Turn("I'll write it.", (TOOLS[name].write("{{cwd}}/hello.py"),))
    # Some take a cut answer for a whole one, and ask no more.
    return Playbook((write, *more, Turn("Done.", optional=bool(more))), pace=PACE)


@pytest.mark.row("PH-1", "PH-47", "PH-12")
@pytest.mark.parametrize("name", NAMES)
def test_every_cli_writes_a_file(name: str) -> None:
    replies = [*YES, {"kind": "yes_no", "choice": {"matches": "(?i)^y"}, "times": "any", "optional": True}]
    with Harness(
        playbook(name), cli=name, programs=programs_of(name), replies=replies, deadline_seconds=200
    ) as harness:
        run = harness.run("Create hello.py")
    assert run.exit_code == 0, run.screen
    assert (name == "aider") or run.tools[0].result
    assert "hello.py" in run.files.created
    assert run.decisions and not run.blocked


@pytest.mark.parametrize("name", ["claude", "codex", "gemini"])
@pytest.mark.parametrize("fault", ["overloaded", "cut"])
def test_faults_of_the_model_are_survived(name: str, fault: str) -> None:
    faults: dict[str, Turn] = {
        "overloaded": Turn(error=HttpError(503, "overloaded", retry_after_seconds=0.2)),
        "cut": Turn("I was about to say something longer", drop=Drop.MIDDLE, optional=True),
    }
    with Harness(
        playbook(name, faults[fault]), cli=name, programs=programs_of(name), replies=YES, deadline_seconds=200
    ) as harness:
        run = harness.run("Create hello.py")
    # Gemini CLI does not retry a cut answer: it says so and waits, and the run stops for want of a person.
    assert run.exit_code in ((0,) if fault == "overloaded" else (0, 3)), run.screen
    assert not run.timed_out and run.files.created == ("hello.py",)


@pytest.mark.row("PH-40")
@pytest.mark.parametrize("name", ["claude"])
def test_a_recorded_session_is_replayed_with_the_same_requests(name: str, tmp_path: Path) -> None:
    def session(url: str, which: str) -> int:
        folder, project = tmp_path / which, tmp_path / which / "project"
        project.mkdir(parents=True)
        launched = launch(name, folder / "cli", project, url, programs_of(name))
        replies = folder / "replies.yaml"
        replies.write_text('replies: [{kind: permission, choice: {matches: "^Yes$"}, times: any}]')
        command = [str(COPILOT), "--headless", "--cwd", str(project), "--log", str(folder / "runs")]
        command += ["--autonomy", "full", "--provider", "playbook", "--playbook", str(replies)]
        command += ["--timeout", "200s", "--", *launched.recipe.with_task("Create hello.py")]
        home = launched.recipe.home
        run = run_to_the_end(command, project, launched.environment, home, folder / "runs", 240)
        assert (project / "hello.py").is_file()
        return run.exit_code

    record = tmp_path / "record"
    with ModelServer(playbook(name), cwd=tmp_path / "one" / "project") as model:
        proxy = RecordingProxy(record, model.url, cwd=tmp_path / "one" / "project")
        with proxy:
            assert session(proxy.url, "one") == 0
    kept = "".join(path.read_text() for path in record.iterdir())
    assert "sk-ant-fake" not in kept and "hello.py" in kept
    with Replay(record, cwd=tmp_path / "two" / "project") as replay:
        assert session(replay.url, "two") == 0
        print(*replay.failures, sep="\n")
        assert replay.failures == []
