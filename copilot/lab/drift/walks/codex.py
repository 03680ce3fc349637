"""The walk through Codex. Measured on 0.169.0."""

from __future__ import annotations

from copilot.lab.drift.walk import Choose, Expected, Press, Say, Station, Walk
from copilot.lab.model_server import HttpError, Pace, Playbook, ToolCall, Turn

_PATCH = "*** Begin Patch\n*** Add File: hello.py\n+print('hello')\n*** End Patch\n"
_RUN = {
    "cmd": "python3 -m unittest",
    "sandbox_permissions": "require_escalated",
    "justification": "Do you want to run the tests?",
}
_DATABASE = {
    "id": "database",
    "header": "Database",
    "question": "Which database should I use?",
    "options": [
        {"label": "Postgres", "description": "a server"},
        {"label": "SQLite", "description": "a file"},
    ],
}


def _playbook() -> Playbook:
    return Playbook(
        (
            Turn("I'll create the file.", (ToolCall("apply_patch", input=_PATCH),), "write"),
            Turn("Now the tests.", (ToolCall("exec_command", _RUN),), "run"),
            Turn("The file is there.\n\nWhich license should I add, MIT or Apache-2.0?", name="ask"),
            Turn("Done. The license is MIT.", name="done"),
            Turn("One decision.", (ToolCall("request_user_input", {"questions": [_DATABASE]}),), "choose"),
            Turn("Noted: SQLite.", name="noted"),
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
                options=("Trust and continue", "Back to Agent Command Center"),
                widening=("Trust and continue",),
            ),
            (Choose("Trust and continue", ("Enter",)),),
        ),
        Station("ready", Expected("idle", question=False), (Say("Create hello.py, then run the tests."),)),
        Station(
            "write",
            Expected(
                "permission",
                options=(
                    "Yes, proceed (y)",
                    "Yes, and don't ask again for these files (a)",
                    "No, and tell Codex what to do differently (esc)",
                ),
                subject="edit: *hello.py",
                widening=("Yes, and don't ask again for these files (a)",),
            ),
            (Choose("Yes, proceed*", ("1",)),),
        ),
        Station(
            "command",
            Expected(
                "permission",
                options=(
                    "Yes, proceed (y)",
                    "Yes, and don't ask again for commands that start with *",
                    "No, and tell Codex what to do differently (esc)",
                ),
                subject="shell: python3 -m unittest",
                widening=("Yes, and don't ask again for commands that start with *",),
            ),
            (Choose("Yes, proceed*", ("1",)),),
        ),
        Station("question", Expected("question"), (Say("MIT"),)),
        Station(
            "completed", Expected("completed", question=False), (Press(("S-Tab",)), Say("Plan the storage."))
        ),
        Station(
            "menu",
            Expected("menu", options=("Postgres", "SQLite", "None of the above")),
            (Choose("SQLite", ("2",)),),
        ),
        Station(
            "completed again", Expected("completed", question=False), (Press(("S-Tab",)), Say("Now fail."))
        ),
        Station("error", Expected("error")),
    ),
    asks=("trust",),
)
