"""The walk through Gemini CLI. Measured on 0.61.0."""

from __future__ import annotations

from copilot.lab.drift.walk import Choose, Expected, Say, Station, Walk
from copilot.lab.drift.walks.common import COMMAND, HELLO, TASK, questions, standard
from copilot.lab.model_server import Playbook, ToolCall

_SESSION = "Allow for this session"
_REFUSAL = "No, suggest changes (esc)"


def _playbook() -> Playbook:
    return standard(
        ToolCall("write_file", {"file_path": "{{cwd}}/hello.py", "content": HELLO}),
        ToolCall("run_shell_command", {"command": COMMAND, "description": "Run it"}),
        ToolCall("ask_user", questions(type="choice")),
    )


WALK = Walk(
    _playbook,
    (
        Station("ready", Expected("idle", question=False), (Say(TASK),)),
        Station(
            "write",
            Expected(
                "permission",
                options=("Allow once", _SESSION, "Modify with external editor", _REFUSAL),
                subject="write: *hello.py",
                widening=(_SESSION,),
            ),
            (Choose("Allow once", ("1",)),),
        ),
        Station(
            "command",
            Expected(
                "permission",
                options=("Allow once", _SESSION, _REFUSAL),
                subject=f"shell: {COMMAND}",
                widening=(_SESSION,),
            ),
            (Choose("Allow once", ("1",)),),
        ),
        Station(
            "menu",
            Expected("menu", options=("Postgres", "SQLite", "Enter a custom value")),
            (Choose("SQLite", ("2",)),),
        ),
        Station("question", Expected("question"), (Say("MIT"),)),
        Station("completed", Expected("completed", question=False), (Say("Now fail."),)),
        Station("error", Expected("error")),
    ),
    missing={"trust": "it starts itself anew after the answer, and loses what is typed meanwhile"},
)
