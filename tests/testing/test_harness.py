"""The harness: a whole session on a scripted model, in folders of its own, and the record that it gives."""

from __future__ import annotations

import ast
import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from copilot.core.detection import (
    Detection,
    Option,
)
from copilot.core.screen_kinds import ScreenKind
from copilot.errors import CopilotError, InputError
from copilot.lab.collector import as_reply
from copilot.lab.launch import MARK, base_variables, swapped_environment
from copilot.testing import (
    Blocked,
    Expectation,
    Harness,
    PlaybookError,
    Reply,
    TextMatch,
    ToolCall,
    ToolFailed,
    TrialRecord,
    Turn,
    answers,
    tool_turn,
)

WRITE = ToolCall("Write", {"file_path": "hello.py", "content": "print(1)\n"})
DELETE = ToolCall("Bash", {"command": "rm -rf build"})
KEPT = {"build/output.bin": "hours of work"}
Start = Callable[..., Harness]


@pytest.mark.row("PH-2")
def test_the_example_is_short() -> None:
    source = (Path(__file__).parent / "test_example.py").read_text()
    function = next(node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef))
    assert function.end_lineno is not None
    assert function.end_lineno - function.lineno + 1 <= 20


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> TrialRecord:
    """One run with everything in it, looked at by several tests."""
    turns = [
        Turn("I look first.", (ToolCall("Read", {"file_path": "README.md"}),), name="look"),
        Turn("I write it.", (WRITE,), name="write", expect=Expectation(tool_result=TextMatch("visitors"))),
        Turn("I clean up.", (DELETE,), name="clean"),
        Turn("A line of {{match:refused}}.", (ToolCall("Read", {"file_path": "nothing.txt"}),), name="fail"),
        Turn("Done.", name="done"),
    ]
    trap = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("HOME", str(trap))
        patched.setenv("OPENAI_API_KEY", "sk-not-for-trials")
        with Harness(turns, files={**KEPT, "README.md": "# For visitors\n"}) as harness:
            record = harness.run("Create hello.py")
            workspace = harness.workspace.path
    assert list(trap.iterdir()) == []
    assert not workspace.exists()
    return record


@pytest.mark.row("PH-1", "PH-3", "PH-4", "PH-13", "PH-14", "PH-23", "PH-31", "VR-1")
def test_a_session_runs_with_only_the_model_replaced(whole: TrialRecord) -> None:
    assert (whole.exit_code, whole.outcome) == (0, "completed")
    assert whole.files.lines() == ["created hello.py"]
    assert not whole.outside and whole.unexpected == ()


@pytest.mark.row("PH-15", "PH-17", "VR-5", "VR-18")
def test_what_happened_is_collected_in_order(whole: TrialRecord) -> None:
    assert [event.name for event in whole.of("request")] == ["look", "write", "clean", "fail", "done"]
    assert whole.tool_sequence == ["Read", "Write", "Bash", "Read"]
    assert [use.is_error for use in whole.tools] == [False, False, True, True]
    assert "A line of refused." in whole.said
    times = [event.at for event in whole.events]
    assert times == sorted(times)
    kinds = [event.kind for event in whole.events]
    assert kinds.index("tool_call") < kinds.index("decision") < kinds.index("keys")
    assert kinds[-1] == "end"


@pytest.mark.row("PH-16", "PH-18", "PH-27", "PH-32", "PH-26", "VR-13")
def test_a_refused_call_says_why(whole: TrialRecord) -> None:
    (bash,) = whole.tool_calls("Bash")
    assert bash.asked and bash.blocked and "destructive" in bash.reason
    assert [use.name for use in whole.blocked] == ["Bash"] and not whole.files.deleted
    with pytest.raises(Blocked, match=r"Bash .clean.: this looks destructive"):
        bash.require_done()
    with pytest.raises(ToolFailed, match=r"Read .fail.: Read failed"):
        whole.tools[-1].require_done()
    whole.tools[0].require_done()


@pytest.mark.row("PH-25", "PH-28")
def test_a_mock_person_answers_and_each_run_counts_its_own(coding_cli: Start) -> None:
    replies = iter((None, "Yes"))
    turns = [Turn("I clean up.", (DELETE,)), Turn("Then not."), Turn("I clean up.", (DELETE,)), Turn("Gone.")]
    person = answers({"permission": lambda detection: next(replies)})
    harness = coding_cli(turns, files=KEPT, person=person, autonomy="suggest")
    first, second = harness.run("Clean up"), harness.run("Clean up, really")
    assert [run.files.deleted for run in (first, second)] == [(), ("build/output.bin",)]
    assert [run.tool_sequence for run in (first, second)] == [["Bash"], ["Bash"]]
    asked = [(event.name, event.data["denied"]) for run in (first, second) for event in run.of("asked")]
    assert asked == [("permission", True), ("permission", False)]
    assert [use.blocked for run in (first, second) for use in run.tools] == [True, False]
    assert (first.exit_code, second.exit_code) == (0, 0)


@pytest.mark.row("PH-25")
def test_a_person_without_an_answer_says_no() -> None:
    permission = Detection(ScreenKind.PERMISSION, options=(Option("Yes"), Option("No")))
    assert answers({"menu": "Plain"})(permission) is None
    assert as_reply(None, permission) is None
    assert as_reply("yes", permission) == Reply(choice="Yes")
    assert as_reply("words", permission) == Reply(text="words")


@pytest.mark.row("PH-7", "PH-8")
def test_left_over_turns_fail_by_name_and_only_once_the_rest_is_well() -> None:
    with pytest.raises(PlaybookError, match="never: never asked for"), Harness([Turn("x", name="never")]):
        pass
    with pytest.raises(ZeroDivisionError), Harness([Turn("x", name="never")]) as harness:
        raise ZeroDivisionError
    assert not harness.workspace.path.exists()


@pytest.mark.row("PH-20", "PH-13")
def test_closing_twice_is_harmless_and_a_given_folder_stays(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with Harness(["x"], cwd=tmp_path, check_playbook=False) as harness:
        harness.close()
        harness.close()
    assert (tmp_path / "mine.txt").read_text() == "mine"
    assert not harness.workspace.path.exists()


@pytest.mark.row("PH-19")
def test_what_hangs_ends_at_the_deadline() -> None:
    turns = [Turn("Let me think", hang_seconds=600)]
    with Harness(turns, deadline_seconds=2.5, check_playbook=False) as harness:
        record = harness.run("Think")
    assert record.timed_out and record.exit_code != 0


def test_bad_options_are_told() -> None:
    harness = Harness(["x"], cli="no-such-cli", check_playbook=False)
    with harness, pytest.raises(InputError, match="known are simulated, aider"):
        harness.run("x")
    with pytest.raises(TypeError, match="no_such_option"):
        Harness(["x"], no_such_option=1)


@pytest.mark.row("SI-22", "SI-23")
def test_the_environment_of_the_process_is_swapped_and_given_back() -> None:
    before = dict(os.environ)
    host = {"PATH": "/bin", "ANTHROPIC_API_KEY": "sk-secret", "HOME": "/home/me"}
    assert base_variables(host) == {"PATH": "/bin", MARK: "1"}
    with pytest.raises(ZeroDivisionError), swapped_environment({"ONLY": "this"}):
        assert dict(os.environ) == {"ONLY": "this"}
        with pytest.raises(CopilotError, match="one harness runs at a time"), swapped_environment({}):
            pass
        raise ZeroDivisionError
    assert dict(os.environ) == before


@pytest.mark.row("PH-38")
def test_the_core_needs_no_pytest_and_the_plugin_loads_nothing_of_ours() -> None:
    probe = "import sys, {}; print(*sorted(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", probe.format("copilot.testing")], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "copilot.lab.harness" in loaded and "pytest" not in loaded
    loaded = subprocess.run(
        [sys.executable, "-c", probe.format("copilot.pytest_plugin")],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert [name for name in loaded if name.startswith("copilot")] == ["copilot", "copilot.pytest_plugin"]


async def test_it_runs_inside_a_loop_too() -> None:
    with Harness(["Nothing to do."]) as harness:
        record = await asyncio.wait_for(harness.arun("Look"), 60)
    assert record.exit_code == 0


@pytest.mark.row("PH-2")
def test_the_example_of_the_docs_is_the_one_that_is_run() -> None:
    here = Path(__file__)
    function = (here.parent / "test_example.py").read_text().split("\n\n\n")[1].strip()
    assert function in (here.parents[2] / "docs" / "proving-ground.md").read_text()


@pytest.mark.row("PH-10")
def test_a_tool_and_what_is_said_after_it_are_two_turns() -> None:
    first, second = tool_turn("I write.", WRITE, then="Written.", name="write")
    assert (first.tool_calls, second.text, second.name) == ((WRITE,), "Written.", "write, then")
