"""The example of `docs/proving-ground.md`: what a user's first test looks like."""

from __future__ import annotations

from copilot.testing import Harness, ToolCall, Turn


def test_the_agent_writes_and_may_not_delete() -> None:
    turns = [
        Turn("I'll write it.", (ToolCall("Write", {"file_path": "hello.py", "content": "print(1)\n"}),)),
        Turn("Now I clean up.", (ToolCall("Bash", {"command": "rm -rf build"}),)),
        Turn("Done."),
    ]
    with Harness(turns, files={"build/output.bin": "hours of work"}) as harness:
        run = harness.run("Create hello.py")
    assert run.exit_code == 0
    assert run.files.created == ("hello.py",) and not run.files.deleted
    assert [use.name for use in run.blocked] == ["Bash"]
