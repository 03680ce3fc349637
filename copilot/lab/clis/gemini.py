"""Gemini CLI offline: variables, its settings, and the trusted folders. The walk is measured on 0.61.0."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from copilot.lab.clis.base import (
    COMMAND,
    HELLO,
    LABELS,
    Choose,
    Recipe,
    base_environment,
    menu,
    permission,
    questions,
    standard_playbook,
    standard_walk,
    write,
)
from copilot.lab.model_server import ToolCall

_SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "ui": {"theme": "Default"},
}


def recipe(folder: Path, project: Path, programs: Path, url: str, asks: Collection[str], /) -> Recipe:
    home = folder / "gemini-home"
    write(home / ".gemini" / "settings.json", _SETTINGS)
    if "trust" not in asks:
        write(home / ".gemini" / "trustedFolders.json", {str(project): "TRUST_FOLDER"})
    environment = {
        **base_environment(home, programs),
        "GOOGLE_GEMINI_BASE_URL": url,
        "GEMINI_API_KEY": "sk-fake",
    }
    return Recipe("gemini", home, project, environment, task_option=("-i",))


_SESSION = "Allow for this session"
_EDITOR = "Modify with external editor"
_REFUSAL = "No, suggest changes (esc)"
_ONCE = Choose("Allow once", ("1",))

WALK = standard_walk(
    standard_playbook(
        ToolCall("write_file", {"file_path": "{{cwd}}/hello.py", "content": HELLO}),
        ToolCall("run_shell_command", {"command": COMMAND, "description": "Run it"}),
        ToolCall("ask_user", questions(type="choice")),
    ),
    permission(
        "write",
        ("Allow once", _SESSION, _EDITOR, _REFUSAL),
        _ONCE,
        subject="write: *hello.py",
        widening=(_SESSION,),
    ),
    permission("command", ("Allow once", _SESSION, _REFUSAL), _ONCE, widening=(_SESSION,)),
    menu((*LABELS, "Enter a custom value"), "2"),
    missing={"trust": "it restarts itself after the answer, and loses what is typed meanwhile"},
)
