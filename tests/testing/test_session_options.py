"""What a session is given besides its task: mock tools, plug-ins, MCP servers, skills, instructions, settings.

Here on the simulated CLI; `tests/real/test_session_options.py` shows the same on real ones.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from copilot.errors import InputError
from copilot.testing import (
    Harness,
    McpServer,
    MockTool,
    PlaybookError,
    ToolAnswer,
    ToolCall,
    TrialEvent,
    Turn,
    answers,
)

SMALL_SERVER = Path(__file__).parents[1] / "lab" / "small_mcp_server.py"
BLOCKING = """\
calls = []
def before_tool(name, arguments):
    calls.append(name)
    if arguments.get("id") == 13:
        return "13 is bad luck"
def seen(arguments):
    "What the hook saw."
    return ",".join(calls)
TOOLS = {"seen": seen}
"""


def calls(*given: ToolCall) -> list[Turn | str]:
    return [*(Turn("", (one,)) for one in given), "Done."]


@pytest.mark.row("PH-21", "PH-22", "PH-12")
def test_mock_tools_of_three_kinds_whose_hooks_fire_and_block(tmp_path: Path) -> None:
    hook = tmp_path / "hook.py"
    hook.write_text(BLOCKING)
    tools = {
        "constant": "always this",
        "computed": lambda given: f"order {given['id']} is late",
        "whole": MockTool(ToolAnswer(["it is", "closed"], is_error=True)),
    }
    script = calls(
        ToolCall("constant"),
        ToolCall("computed", {"id": 12}),
        ToolCall("computed", {"id": 13}),
        ToolCall("whole"),
        ToolCall("seen"),
    )
    with Harness(script, tools=tools, plugins=[hook]) as harness:
        run = harness.run("Look at the orders")
    assert [use.name for use in run.tools] == ["constant", "computed", "computed", "whole", "seen"]
    results = [use.result for use in run.tools]
    assert results[:2] == ["always this", "order 12 is late"] and results[3] == "it is\nclosed"
    assert [use.is_error for use in run.tools] == [False, False, True, True, False]
    # The hook fired for every call, and what it blocked never reached the tool.
    assert (results[4] or "").split(",") == [
        "mcp__mock__constant",
        "mcp__mock__computed",
        "mcp__mock__computed",
        "mcp__mock__whole",
        "seen",
    ]
    (blocked,) = run.blocked
    assert blocked.mocked and blocked.reason == "blocked by hook.py: 13 is bad luck"
    assert [one.name for one in harness.tools.calls] == ["constant", "computed", "whole"]


@pytest.mark.row("PH-24", "PH-21")
def test_what_a_mock_tool_raises_fails_the_test() -> None:
    tools: dict[str, Any] = {"divide": lambda given: str(1 // given["by"])}
    with (
        pytest.raises(PlaybookError, match=r"mock tool 'divide' failed: ZeroDivisionError"),
        Harness(calls(ToolCall("divide", {"by": 0})), tools=tools) as harness,
    ):
        assert harness.run("Divide").tools[0].is_error
    with (
        pytest.raises(PlaybookError, match="must give a text or a ToolAnswer, not int"),
        Harness(calls(ToolCall("divide")), tools={"divide": lambda given: 3}) as harness,
    ):
        harness.run("Divide")


@pytest.mark.row("PH-12")
def test_each_option_is_seen_by_the_model_or_on_the_screen(tmp_path: Path) -> None:
    skill = tmp_path / "brewing"
    skill.mkdir()
    (skill / "SKILL.md").write_text("---\nname: brewing\n---\nBoil first.")
    options: dict[str, Any] = {
        "system_prompt": "You brew tea.",
        "skills": [skill],
        "cli_settings": {"ask": ["mcp__mock__pour"]},
        "tools": {"pour": "poured"},
        "cwd": tmp_path,
    }
    with Harness(calls(ToolCall("pour")), autonomy="suggest", person=answers({}), **options) as harness:
        run = harness.run("Brew")
    system = harness.model.requests[0].system
    assert system.startswith("You brew tea.") and "Boil first." in system
    assert "mcp__mock__pour" in harness.model.requests[0].tools
    (pour,) = run.tools
    assert pour.asked and pour.blocked and harness.tools.calls == []
    assert run.project == str(tmp_path)


@pytest.mark.row("PH-12")
def test_what_a_cli_does_not_have_is_an_error_that_says_so(tmp_path: Path) -> None:
    with (
        pytest.raises(InputError, match="pi has no mcp_servers that could be set here"),
        Harness(["x"], cli="pi", programs=tmp_path, mcp_servers={"a": McpServer(("x",))}) as harness,
    ):
        harness.run("x")
    with (
        pytest.raises(InputError, match=r"skills: .*brew: has no SKILL\.md"),
        Harness(["x"], skills=[tmp_path / "brew"], check_playbook=False) as harness,
    ):
        (tmp_path / "brew").mkdir()
        harness.run("x")
    with pytest.raises(InputError, match="'a b' is no name of a tool"):
        Harness(["x"], tools={"a b": "x"}, root=tmp_path / "trials")
    assert not (tmp_path / "trials").exists()


@pytest.mark.row("SI-42")
def test_servers_are_started_in_the_isolated_home_and_ended_also_one_that_hangs(tmp_path: Path) -> None:
    files = [tmp_path / "good.pid", tmp_path / "hangs.pid"]
    command = (sys.executable, str(SMALL_SERVER))
    servers = {
        "good": McpServer(command, {"PID_FILE": str(files[0])}),
        "hangs": McpServer((*command, "--hang"), {"PID_FILE": str(files[1])}),
    }
    with Harness(
        calls(ToolCall("mcp__good__where")), mcp_servers=servers, environment={"MCP_TIMEOUT": "1500"}
    ) as harness:
        run = harness.run("Where are you?")
    assert run.tools[0].result == "project home"
    assert "MCP server hangs: no answer to initialize within 1.5 s" in run.said + run.screen
    for file in files:
        with pytest.raises(ProcessLookupError):
            os.kill(int(file.read_text()), 0)


@pytest.mark.row("PH-49", "PH-15")
async def test_a_live_session_hands_on_every_event_in_order_and_takes_more_prompts() -> None:
    early: list[TrialEvent] = []
    late: list[TrialEvent] = []
    script: list[Turn | str] = [
        Turn("I write it.", (ToolCall("Write", {"file_path": "a.txt", "content": "a"}),)),
        "Written.",
        "Nothing else to do.",
    ]
    person = answers({"permission": "Yes"})
    with Harness(script, autonomy="suggest", person=person) as harness:
        harness.subscribe(early.append)
        async with harness.session("Write a.txt") as trial:
            await trial.ready()
            assert (harness.project / "a.txt").is_file()
            unsubscribe = trial.subscribe(lambda event: None)
            unsubscribe()
            await trial.prompt("Anything else?")
            trial.subscribe(late.append)
            assert late == early
    record = trial.record
    assert tuple(early) == record.events == tuple(late)
    assert [event.at for event in early] == sorted(event.at for event in early)
    kinds = [event.kind for event in early]
    assert kinds[-1] == "end" and record.exit_code == 0
    prompts = [event.text for event in record.of("request")]
    assert prompts == ["Write a.txt", "Write a.txt", "Anything else?"]
    assert kinds.index("request") < kinds.index("says") < kinds.index("tool_call") < kinds.index("asked")
    assert kinds.index("asked") < kinds.index("tool_result")


@pytest.mark.row("PH-49")
def test_what_a_subscriber_raises_ends_the_run_and_fails_the_test() -> None:
    def fails(event: TrialEvent) -> None:
        raise ZeroDivisionError(event.kind)

    with Harness([Turn("x", hang_seconds=600)], check_playbook=False) as harness:
        harness.subscribe(fails)
        with pytest.raises(ZeroDivisionError):
            harness.run("Think")
