"""The walk through Claude Code. Measured on 2.1.329."""

from __future__ import annotations

from copilot.lab.drift.walk import Choose, Expected, Say, Station, Walk
from copilot.lab.model_server import HttpError, Pace, Playbook, ToolCall, Turn

_DATABASE = {
    "question": "Which database should I use?",
    "header": "Database",
    "multiSelect": False,
    "options": [
        {"label": "Postgres", "description": "a server"},
        {"label": "SQLite", "description": "a file"},
    ],
}


def _playbook() -> Playbook:
    return Playbook(
        (
            Turn(
                "I'll create the file.",
                (ToolCall("Write", {"file_path": "{{cwd}}/hello.py", "content": "print('hello')\n"}),),
                "write",
            ),
            Turn(
                "Now the tests.",
                (ToolCall("Bash", {"command": "python3 -m unittest", "description": "Run the tests"}),),
                "run",
            ),
            Turn("One decision.", (ToolCall("AskUserQuestion", {"questions": [_DATABASE]}),), "choose"),
            Turn("The file is there.\n\nWhich license should I add, MIT or Apache-2.0?", name="ask"),
            Turn("Done. The license is MIT.", name="done"),
            Turn(error=HttpError(400, "scripted failure"), name="fail", times=0),
        ),
        pace=Pace(0.5, 12, 0.02),
    )


WALK = Walk(
    _playbook,
    (
        Station(
            "trust",
            Expected(
                "trust",
                options=("No, exit", "Yes, I trust this folder"),
                subject="read: *project",
                widening=("Yes, I trust this folder",),
            ),
            (Choose("Yes, I trust*", ("Down", "Enter")),),
        ),
        Station("ready", Expected("idle", question=False), (Say("Create hello.py, then run the tests."),)),
        Station(
            "write",
            Expected(
                "permission",
                options=("Yes", "Yes, and switch to accept edits * for this session*", "No"),
                subject="write: *hello.py",
                widening=("Yes, and switch to accept edits * for this session*",),
            ),
            (Choose("Yes", ("1",)),),
        ),
        Station(
            "command",
            Expected(
                "permission",
                options=(
                    "Yes",
                    "Yes, and don’t ask again for: python3 *",
                    "Yes, and switch to auto mode",
                    "No",
                ),
                subject="shell: python3 -m unittest",
                widening=("Yes, and don’t ask again for: python3 *", "Yes, and switch to auto mode"),
            ),
            (Choose("Yes", ("1",)),),
        ),
        Station(
            "menu",
            Expected("menu", options=("Postgres", "SQLite", "Type something.", "Chat about this")),
            (Choose("SQLite", ("2",)),),
        ),
        Station("question", Expected("question"), (Say("MIT"),)),
        Station("completed", Expected("completed", question=False), (Say("Now fail."),)),
        Station("error", Expected("error")),
    ),
    asks=("trust",),
)
