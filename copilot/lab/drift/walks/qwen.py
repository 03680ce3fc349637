"""The walk through Qwen Code. Measured on 0.24.4."""

from __future__ import annotations

from copilot.lab.drift.walk import Choose, Expected, Say, Station, Walk
from copilot.lab.drift.walks.common import COMMAND, HELLO, TASK, questions, standard
from copilot.lab.model_server import Playbook, ToolCall


def _playbook() -> Playbook:
    return standard(
        ToolCall("write_file", {"file_path": "{{cwd}}/hello.py", "content": HELLO}),
        ToolCall("run_shell_command", {"command": COMMAND, "description": "Run it", "is_background": False}),
        ToolCall("ask_user_question", questions(multiSelect=False)),
    )


WALK = Walk(
    _playbook,
    (
        Station("ready", Expected("idle", question=False), (Say(TASK),)),
        Station(
            "write",
            Expected(
                "permission",
                options=("Yes, allow once", "Yes, allow always", "No, suggest changes (esc)"),
                subject="write: *hello.py",
                widening=("Yes, allow always",),
            ),
            (Choose("Yes, allow once", ("1",)),),
        ),
        Station(
            "command",
            Expected(
                "permission",
                options=(
                    "Yes, allow once",
                    "Always allow run 'python3 *' commands in this project",
                    "Always allow run 'python3 *' commands for this user",
                    "No, suggest changes (esc)",
                ),
                subject=f"shell: {COMMAND}",
                widening=("Always allow run * in this project", "Always allow run * for this user"),
            ),
            (Choose("Yes, allow once", ("1",)),),
        ),
        Station(
            "menu",
            Expected("menu", options=("Postgres", "SQLite", "Type something...")),
            (Choose("SQLite", ("2",)),),
        ),
        Station("question", Expected("question"), (Say("MIT"),)),
        Station("completed", Expected("completed", question=False), (Say("Now fail."),)),
        Station("error", Expected("error")),
    ),
)
