"""Gemini CLI offline: variables, its settings, and the trusted folders. The walk is measured on 0.61.0."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from copilot.lab.clis import base
from copilot.lab.clis.base import Recipe, base_environment, write
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
_ONCE = base.Choose("Allow once")

WALK = base.standard_walk(
    base.standard_playbook(
        ToolCall("write_file", {"file_path": "{{cwd}}/hello.py", "content": base.HELLO}),
        ToolCall("run_shell_command", {"command": base.COMMAND, "description": "Run it"}),
        ToolCall("ask_user", base.questions(type="choice")),
        ToolCall("run_shell_command", {"command": base.DELETE, "description": "Remove the build"}),
    ),
    base.permission(
        "write",
        ("Allow once", _SESSION, _EDITOR, _REFUSAL),
        _ONCE,
        subject="write: *hello.py",
        widening=(_SESSION,),
    ),
    base.permission("command", ("Allow once", _SESSION, _REFUSAL), _ONCE, widening=(_SESSION,)),
    base.menu((*base.LABELS, "Enter a custom value")),
    *base.deletion(("Allow once", _SESSION, _REFUSAL), widening=(_SESSION,), stops=True),
    missing={"trust": "it restarts itself after the answer, and loses what is typed meanwhile"},
)
