"""Codex offline: a `config.toml` with a provider of our own, and no daemon. Walk measured on 0.169.0."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from copilot.lab.clis.base import (
    ASKING,
    COMMAND,
    COMPLETED,
    DECIDING,
    DONE,
    ERROR,
    LABELS,
    PACE,
    QUESTION,
    READY,
    TESTING,
    WRITING,
    Choose,
    Expected,
    Press,
    Recipe,
    Say,
    Station,
    Walk,
    base_environment,
    failing,
    menu,
    permission,
    questions,
    write,
)
from copilot.lab.model_server import Playbook, ToolCall, Turn

_CONFIG = """\
model = "gpt-5.5"
model_provider = "local"
approval_policy = "on-request"
sandbox_mode = "read-only"
check_for_update_on_startup = false

[model_providers.local]
name = "local"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "LOCAL_KEY"
request_max_retries = 2
stream_max_retries = 3

[analytics]
enabled = false

[feedback]
enabled = false

[tui]
screen_reader_detection_done = true

[notice.model_migrations]
"gpt-5.5" = "gpt-6-sol"
"""


def recipe(folder: Path, project: Path, programs: Path, url: str, asks: Collection[str], /) -> Recipe:
    home = folder / "codex-home"
    config = _CONFIG.format(url=url)
    if "trust" not in asks:
        config += f'\n[projects."{project}"]\ntrust_level = "trusted"\n'
    write(home / ".codex" / "config.toml", config)
    environment = {**base_environment(home, programs), "LOCAL_KEY": "sk-fake"}
    return Recipe("codex", home, project, environment, ("--no-daemon",))


_PATCH = "*** Begin Patch\n*** Add File: hello.py\n+print('hello')\n*** End Patch\n"
_RUN = {
    "cmd": COMMAND,
    "sandbox_permissions": "require_escalated",
    "justification": "Do you want to run the tests?",
}
_TRUST = "Trust and continue"
_FILES = "Yes, and don't ask again for these files (a)"
_COMMANDS = "Yes, and don't ask again for commands that start with *"
_REFUSAL = "No, and tell Codex what to do differently (esc)"
_YES = Choose("Yes, proceed*", ("1",))
_PLAN_MODE = Press(("S-Tab",))

WALK = Walk(
    Playbook(
        (
            Turn(WRITING, (ToolCall("apply_patch", input=_PATCH),), "write"),
            Turn(TESTING, (ToolCall("exec_command", _RUN),), "run"),
            ASKING,
            DONE,
            Turn(
                DECIDING,
                (ToolCall("request_user_input", questions(("a server", "a file"), id="database")),),
                "choose",
            ),
            Turn("Noted: SQLite.", name="noted"),
            failing(),
        ),
        pace=PACE,
    ),
    (
        Station(
            "trust",
            Expected("trust", options=(_TRUST, "Back to Agent Command Center"), widening=(_TRUST,)),
            (Choose(_TRUST, ("Enter",)),),
        ),
        READY,
        permission(
            "write",
            ("Yes, proceed (y)", _FILES, _REFUSAL),
            _YES,
            subject="edit: *hello.py",
            widening=(_FILES,),
        ),
        permission("command", ("Yes, proceed (y)", _COMMANDS, _REFUSAL), _YES, widening=(_COMMANDS,)),
        QUESTION,
        replace(COMPLETED, answers=(_PLAN_MODE, Say("Plan the storage."))),
        menu((*LABELS, "None of the above"), "2"),
        replace(COMPLETED, name="completed again", answers=(_PLAN_MODE, *COMPLETED.answers)),
        ERROR,
    ),
    asks=("trust",),
)
