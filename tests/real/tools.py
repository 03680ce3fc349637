"""What a scripted model must say to make each CLI write, run and ask: the names of its tools.

Facts: README-A.md and README-B.md of the recordings, for the versions in `install.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from copilot.lab.model_server import ToolCall

WRITTEN = "print('hello')\n"


@dataclass(frozen=True, slots=True)
class Tools:
    """The calls of one CLI: a new file (by its whole path), a command, a choice (None: it has no such tool).

    `reason_reaches_model`: a refusal goes back to the model as the tool's result; else it ends the turn.
    """

    write: Callable[[str], ToolCall]
    run: Callable[[str], ToolCall]
    ask: Callable[[str, Sequence[str]], ToolCall] | None = None
    refusal_ends_turn: bool = True


def _listed(question: str, labels: Sequence[str], **more: Any) -> dict[str, Any]:
    options = [{"label": label, "description": f"Use {label}"} for label in labels]
    return {"questions": [{"question": question, "header": "Database", "options": options, **more}]}


def _codex_patch(path: str) -> ToolCall:
    added = "".join(f"+{line}\n" for line in WRITTEN.splitlines())
    name = path.rsplit("/", 1)[-1]
    return ToolCall("apply_patch", input=f"*** Begin Patch\n*** Add File: {name}\n{added}*** End Patch\n")


def _codex_run(command: str) -> ToolCall:
    why = {"sandbox_permissions": "require_escalated", "justification": "Do you want to go on with this?"}
    return ToolCall("exec_command", {"cmd": command, **why})


def _copilot_ask(question: str, labels: Sequence[str]) -> ToolCall:
    answer = {"type": "string", "title": "Answer", "enum": list(labels)}
    schema = {"properties": {"answer": answer}, "required": ["answer"]}
    return ToolCall("ask_user", {"message": question, "requestedSchema": schema})


TOOLS = {
    "claude": Tools(
        write=lambda path: ToolCall("Write", {"file_path": path, "content": WRITTEN}),
        run=lambda command: ToolCall("Bash", {"command": command, "description": "Run a command"}),
        ask=lambda question, labels: ToolCall(
            "AskUserQuestion", _listed(question, labels, multiSelect=False)
        ),
    ),
    "codex": Tools(write=_codex_patch, run=_codex_run),
    "gemini": Tools(
        write=lambda path: ToolCall("write_file", {"file_path": path, "content": WRITTEN}),
        run=lambda command: ToolCall("run_shell_command", {"command": command, "description": "Run it"}),
        ask=lambda question, labels: ToolCall("ask_user", _listed(question, labels, type="choice")),
    ),
    "qwen": Tools(
        write=lambda path: ToolCall("write_file", {"file_path": path, "content": WRITTEN}),
        run=lambda command: ToolCall(
            "run_shell_command", {"command": command, "description": "Run it", "is_background": False}
        ),
        ask=lambda question, labels: ToolCall(
            "ask_user_question", _listed(question, labels, multiSelect=False)
        ),
    ),
    "opencode": Tools(
        write=lambda path: ToolCall("write", {"filePath": path, "content": WRITTEN}),
        run=lambda command: ToolCall("bash", {"command": command, "description": "Run a command"}),
        ask=lambda question, labels: ToolCall("question", _listed(question, labels)),
    ),
    "pi": Tools(
        write=lambda path: ToolCall("write", {"path": path, "content": WRITTEN}),
        run=lambda command: ToolCall("bash", {"command": command}),
        ask=lambda question, labels: ToolCall("ask", {"question": question, "answers": list(labels)}),
        refusal_ends_turn=False,
    ),
    "copilot": Tools(
        write=lambda path: ToolCall("create", {"path": path, "file_text": WRITTEN}),
        run=lambda command: ToolCall(
            "bash", {"command": command, "description": "Run it", "mode": "sync", "initial_wait": 30}
        ),
        ask=_copilot_ask,
    ),
}
"""aider is not here: it has no tools, but reads edits and commands from the model's text."""
