"""A real coding CLI that no profile knows: cline, whose permission takes a bare `y` (invariant 12)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from copilot.lab.model_server import ModelServer, load_playbook
from tests.real.conftest import programs_of
from tests.real.processes import end, gone_within
from tests.real.recipes import Recipe, base_environment
from tests.real.run import HeadlessRun, copilot_command, run_to_the_end
from tests.real.stage import Stage

pytestmark = [pytest.mark.real_cli("cline"), pytest.mark.timeout(180), pytest.mark.invariant(12)]
PLAYBOOK = """turns:
  - name: tidy
    when: Look around
    text: I tidy up.
    tool_calls:
      - {name: run_commands, arguments: {commands: ["rm -rf out"]}}
  - {name: denied, text: Done.}
  - {name: more, text: Done.}
"""
PLAN = """version: 1
name: words
steps:
  - {name: say, send: "Say why, anyway; try only yellow", ends: idle}
"""
OFFLINE = {
    "CLINE_NO_AUTO_UPDATE": "1",
    "CLINE_TELEMETRY_DISABLED": "1",
    "DO_NOT_TRACK": "1",
    "OTEL_SDK_DISABLED": "true",
}


@pytest.mark.parametrize("level", ["full", "assist"])
@pytest.mark.parametrize("plan", [True, False], ids=["plan", "follow-up"])
def test_nothing_but_its_own_no_is_typed_at_its_permission(level: str, plan: bool, tmp_path: Path) -> None:
    programs = programs_of("cline")
    home, project = tmp_path / "home", tmp_path / "shop"
    (project / "out").mkdir(parents=True)
    home.mkdir()
    (tmp_path / "model.yaml").write_text(PLAYBOOK, encoding="utf-8")
    (tmp_path / "plan.yaml").write_text(PLAN, encoding="utf-8")
    with ModelServer(load_playbook(tmp_path / "model.yaml"), cwd=project, check_at_exit=False) as model:
        environment = {**base_environment(home, programs), **OFFLINE}
        model_words = ["-k", "sk-made-up", "-m", "fake-model", "-b", f"{model.url}/v1"]
        login = ["cline", "auth", "-p", "openai-compatible", *model_words]
        subprocess.run(login, env=environment, cwd=project, check=True, capture_output=True, timeout=60)
        arguments = ("-i", "--auto-approve", "false")
        stage = Stage(tmp_path, project, Recipe("cline", home, project, environment, arguments), model)
        try:
            run = driven(stage, level, plan)
        finally:
            end(gone_within(home, 5.0))
    assert (project / "out").is_dir()
    assert run.folder.kinds.count("permission") == 1
    asked_at = next(r.at for r in run.folder.records("event.ScreenSettled") if _asks(r.data))
    first = [key.what for key in run.folder.keys if key.at >= asked_at][:1]
    assert first == ["n"]
    assert run.exit_code in (0, 3)


def _asks(data: dict[str, object]) -> bool:
    detection = data["detection"]
    return isinstance(detection, dict) and detection["kind"] == "permission"


def driven(on: Stage, level: str, plan: bool) -> HeadlessRun:
    """cline on a task whose model wants to delete `out/`."""
    options = ["--headless", "--autonomy", level, "--provider", "rules", "--timeout", "60s"]
    options += ["--columns", "120", "--lines", "40"]
    options += ["--plan", str(on.folder / "plan.yaml")] if plan else []
    log = on.folder / "runs"
    command = copilot_command(
        on, *options, log=log, child=on.recipe.with_task("Look around, change nothing.")
    )
    return run_to_the_end(command, on.project, on.recipe.environment, on.recipe.home, log, 120.0)
