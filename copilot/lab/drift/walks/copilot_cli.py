"""The walk through GitHub's Copilot CLI. Measured on 1.0.102."""

from __future__ import annotations

from copilot.lab.drift.walk import Choose, Expected, Say, Station, Walk
from copilot.lab.drift.walks.common import CHOICE, COMMAND, HELLO, LABELS, TASK, standard
from copilot.lab.model_server import Playbook, ToolCall

_ANSWER = {"type": "string", "title": "Answer", "enum": list(LABELS)}
_REFUSAL = "No, and tell Copilot what to do differently (Esc to stop)"


def _playbook() -> Playbook:
    run = {"command": COMMAND, "description": "Run it", "mode": "sync", "initial_wait": 30}
    schema = {"properties": {"answer": _ANSWER}, "required": ["answer"]}
    return standard(
        ToolCall("create", {"path": "{{cwd}}/hello.py", "file_text": HELLO}),
        ToolCall("bash", run),
        ToolCall("ask_user", {"message": CHOICE, "requestedSchema": schema}),
    )


WALK = Walk(
    _playbook,
    (
        Station(
            "trust",
            Expected(
                "trust",
                options=("Yes", "Yes, and remember this folder for future sessions", "No (Esc)"),
                subject="read: *project",
                widening=("Yes", "Yes, and remember this folder for future sessions"),
            ),
            (Choose("Yes", ("1",)),),
        ),
        Station("ready", Expected("idle", question=False), (Say(TASK),)),
        Station(
            "write",
            Expected(
                "permission",
                options=("Yes", "Yes, and don't ask again for file operations when in this repo *", _REFUSAL),
                subject="write: *hello.py",
                widening=("Yes, and don't ask again for file operations when in this repo *",),
            ),
            (Choose("Yes", ("1",)),),
        ),
        Station(
            "command",
            Expected("permission", options=("Yes", _REFUSAL), subject=f"shell: {COMMAND}"),
            (Choose("Yes", ("1",)),),
        ),
        Station(
            "menu",
            Expected("menu", options=(*LABELS, "Other (type your answer)")),
            (Choose("SQLite", ("2",)),),
        ),
        Station("question", Expected("question"), (Say("MIT"),)),
        Station("completed", Expected("completed", question=False), (Say("Now fail."),)),
        Station("error", Expected("error")),
    ),
    asks=("trust",),
)
