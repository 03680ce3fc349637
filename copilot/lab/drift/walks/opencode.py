"""The walk through opencode. Measured on 1.18.33."""

from __future__ import annotations

from copilot.lab.drift.walk import Choose, Expected, Say, Station, Walk
from copilot.lab.drift.walks.common import COMMAND, HELLO, TASK, questions, standard
from copilot.lab.model_server import HttpError, Playbook, ToolCall

_OPTIONS = ("Allow once", "Allow always", "Reject")


def _playbook() -> Playbook:
    return standard(
        ToolCall("write", {"filePath": "{{cwd}}/hello.py", "content": HELLO}),
        ToolCall("bash", {"command": COMMAND, "description": "Run it"}),
        ToolCall("question", questions()),
        HttpError(401, "Incorrect API key provided"),
    )


WALK = Walk(
    _playbook,
    (
        Station("ready", Expected("idle", question=False), (Say(TASK),)),
        Station(
            "write",
            Expected("permission", options=_OPTIONS, subject="edit: *hello.py", widening=("Allow always",)),
            (Choose("Allow once", ("Enter",)),),
        ),
        Station(
            "command",
            Expected("permission", options=_OPTIONS, subject=f"shell: {COMMAND}", widening=("Allow always",)),
            (Choose("Allow once", ("Enter",)),),
        ),
        Station(
            "menu",
            Expected("menu", options=("Postgres", "SQLite", "Type your own answer")),
            (Choose("SQLite", ("Down", "Enter")),),
        ),
        Station("question", Expected("question"), (Say("MIT"),)),
        Station("completed", Expected("completed", question=False), (Say("Now fail."),)),
        Station("error", Expected("error")),
    ),
)
