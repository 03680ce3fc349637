"""The walk through pi, with the extension that makes it ask. Measured on 0.73.1."""

from __future__ import annotations

from copilot.lab.drift.walk import Choose, Expected, Say, Station, Walk
from copilot.lab.drift.walks.common import CHOICE, COMMAND, HELLO, LABELS, TASK, standard
from copilot.lab.model_server import Playbook, ToolCall


def _playbook() -> Playbook:
    return standard(
        ToolCall("write", {"path": "{{cwd}}/hello.py", "content": HELLO}),
        ToolCall("bash", {"command": COMMAND}),
        ToolCall("ask", {"question": CHOICE, "answers": list(LABELS)}),
    )


WALK = Walk(
    _playbook,
    (
        Station("ready", Expected("idle", question=False), (Say(TASK),)),
        Station(
            "write",
            Expected("permission", options=("Yes", "No"), subject="write: *hello.py"),
            (Choose("Yes", ("Enter",)),),
        ),
        Station(
            "command",
            Expected(
                "permission",
                options=("Yes", "Yes, always", "No"),
                subject=f"shell: {COMMAND}",
                widening=("Yes, always",),
            ),
            (Choose("Yes", ("Enter",)),),
        ),
        Station("menu", Expected("menu", options=LABELS), (Choose("SQLite", ("Down", "Enter")),)),
        Station("question", Expected("question"), (Say("MIT"),)),
        Station("completed", Expected("completed", question=False), (Say("Now fail."),)),
        Station("error", Expected("error")),
    ),
)
