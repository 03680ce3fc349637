"""The model's side of a walk, the same for every CLI but for the names of its tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from copilot.lab.model_server import ANY_TIMES, HttpError, Pace, Playbook, ToolCall, Turn

TASK = "Create hello.py, then run the tests."
COMMAND = "python3 -m unittest"
CHOICE = "Which database should I use?"
LABELS = ("Postgres", "SQLite")
HELLO = "print('hello')\n"
PACE = Pace(0.5, 12, 0.02)


REFUSED = HttpError(400, "scripted failure")


def standard(write: ToolCall, run: ToolCall, ask: ToolCall | None, error: HttpError = REFUSED) -> Playbook:
    """Write a file, run a command, ask by a tool, ask in prose, end; then fail for good with `error`."""
    asks = (Turn("One decision.", (ask,), "choose"),) if ask is not None else ()
    return Playbook(
        (
            Turn("I'll create the file.", (write,), "write"),
            Turn("Now the tests.", (run,), "run"),
            *asks,
            Turn("The file is there.\n\nWhich license should I add, MIT or Apache-2.0?", name="ask"),
            Turn("Done. The license is MIT.", name="done"),
            Turn(error=error, name="fail", times=ANY_TIMES),
        ),
        pace=PACE,
    )


def questions(**more: Any) -> Mapping[str, Any]:
    """The arguments of a tool that asks, as most of them take it."""
    options = [{"label": label, "description": f"Use {label}"} for label in LABELS]
    return {"questions": [{"question": CHOICE, "header": "Database", "options": options, **more}]}
