"""Each option of a harness, on three real CLIs, in a project that is not ours: `copilot.testing` and its plugin.

The project's tests are run by a pytest of their own. Then what they test is broken, and they must fail.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from copilot.testing import Harness
from tests.real.conftest import programs_of

pytestmark = [pytest.mark.real_cli, pytest.mark.timeout(300)]
HOOK = """\
#!/bin/sh
if grep -q '"id": *13'; then echo "13 is bad luck" >&2; exit 2; fi
"""
EXTENSION = """\
export default function (pi: any) {
  pi.on("tool_call", async (event: any) =>
    event.input.id === 13 ? { block: true, reason: "13 is bad luck" } : undefined);
}
"""
SKILL = "---\nname: brewing\ndescription: How to brew tea the zebra way.\n---\nBoil first.\n"
TESTS = """\
import os
from pathlib import Path

from copilot.testing import ToolAnswer, ToolCall, Turn

HERE = Path(__file__).parent
NAME = os.environ["CODING_CLI"]
SETTINGS = {"claude": {"language": "zebraic"}, "codex": {"developer_instructions": "zebraic"}}


def test_orders(coding_cli):
    ids = (("computed", 12), ("whole", 1), ("computed", 13), ("constant", 2))
    turns = [*(Turn("", (ToolCall(name, {"id": one}),)) for name, one in ids), "Done."]
    harness = coding_cli(
        turns,
        cli=NAME,
        programs=Path(os.environ["PROGRAMS"]),
        tools={
            "constant": "always this",
            "computed": lambda given: f"order {given['id']} is late",
            "whole": ToolAnswer("closed", is_error=True),
        },
        plugins=[HERE / ("hook.ts" if NAME == "pi" else "plug")],
        skills=[HERE / "brewing"],
        system_prompt="You are a teapot.",
        cli_settings=SETTINGS.get(NAME, {"hideThinkingBlock": True}),
    )
    seen = []
    harness.subscribe(seen.append)
    run = harness.run("Look at the orders")
    assert run.exit_code == 0, run.screen
    assert tuple(seen) == run.events
    sent = str(harness.model.main_requests[0].body)
    assert "You are a teapot." in sent and "the zebra way" in sent
    assert NAME not in SETTINGS or "zebraic" in sent
    assert [use.name for use in run.tools] == [name for name, _ in ids]
    assert "order 12 is late" in run.tools[0].result and "always this" in run.tools[3].result
    assert run.tools[1].is_error and "closed" in run.tools[1].result
    (blocked,) = run.blocked
    assert "13 is bad luck" in blocked.reason
    assert [call.arguments["id"] for call in harness.tools.calls] == [12, 1, 2]
"""


def project(folder: Path) -> Path:
    """A project of somebody's: a plug-in for two CLIs, an extension for pi, a skill, and tests of them."""
    manifest = json.dumps(
        {"name": "plug", "version": "1.0.0", "description": "x", "hooks": "./hooks/hooks.json"}
    )
    script = folder / "plug" / "hook.sh"
    entry = {"matcher": "mcp__mock__.*", "hooks": [{"type": "command", "command": str(script)}]}
    texts = {
        "plug/.claude-plugin/plugin.json": json.dumps(
            {"name": "plug", "version": "1.0.0", "description": "x"}
        ),
        "plug/.codex-plugin/plugin.json": manifest,
        "plug/hooks/hooks.json": json.dumps({"hooks": {"PreToolUse": [entry]}}),
        "plug/hook.sh": HOOK,
        "hook.ts": EXTENSION,
        "brewing/SKILL.md": SKILL,
        "test_orders.py": TESTS,
    }
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    script.chmod(0o755)
    return folder


def run_tests(folder: Path, name: str, programs: Path) -> tuple[int, str]:
    environment = {**os.environ, "CODING_CLI": name, "PROGRAMS": str(programs)}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(folder),
        str(folder),
    ]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=240, check=False
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.row("PH-12", "PH-21", "PH-22", "PH-47", "PH-49")
@pytest.mark.parametrize("name", ["claude", "codex", "pi"])
def test_a_foreign_project_tests_its_plugin_and_its_tests_fail_when_it_is_broken(
    name: str, tmp_path: Path
) -> None:
    folder, programs = project(tmp_path), programs_of(name)
    status, said = run_tests(folder, name, programs)
    assert status == 0, said
    broken = folder / ("hook.ts" if name == "pi" else "plug/hook.sh")
    broken.write_text(broken.read_text().replace("13", "14"))
    status, said = run_tests(folder, name, programs)
    assert status == 1 and "(blocked,) = run.blocked" in said, said


@pytest.mark.row("PH-9")
@pytest.mark.parametrize("name", ["claude"])
def test_the_look_up_of_the_key_is_still_called_and_its_key_is_sent_nowhere_else(
    name: str, tmp_path: Path
) -> None:
    helper, counter = tmp_path / "key.sh", tmp_path / "count"
    helper.write_text(f"#!/bin/sh\necho once >> {counter}\necho sk-fake\n")
    helper.chmod(0o755)
    with Harness(
        ["Ready."],
        cli=name,
        programs=programs_of(name),
        cli_settings={"apiKeyHelper": str(helper)},
        unset=["ANTHROPIC_API_KEY"],
    ) as harness:
        run = harness.run("Say ready.")
    assert run.exit_code == 0, run.screen
    assert counter.read_text().splitlines() and "Ready." in run.said
