"""Qwen Code offline: variables for the provider, and settings that make it ask and keep to the main talk.

Without `approvalMode` it starts in a mode where a model approves tool calls. Follow-up suggestions and the
memory send requests of their own that carry tools. The walk is measured on 0.24.4.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from copilot.lab.clis import base
from copilot.lab.clis.base import Recipe, base_environment, write
from copilot.lab.model_server import ToolCall

_SETTINGS = {
    "security": {"auth": {"selectedType": "openai"}},
    "tools": {"approvalMode": "default", "useRipgrep": False},
    "general": {"disableAutoUpdate": True, "enableAutoUpdate": False},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "ui": {"enableFollowupSuggestions": False},
    "memory": {"enableManagedAutoMemory": False, "enableAutoSkill": False, "enableManagedAutoDream": False},
}


def recipe(folder: Path, project: Path, programs: Path, url: str, asks: Collection[str], /) -> Recipe:
    home = folder / "qwen-home"
    write(home / ".qwen" / "settings.json", _SETTINGS)
    environment = {
        **base_environment(home, programs),
        "OPENAI_API_KEY": "sk-fake",
        "OPENAI_BASE_URL": f"{url}/v1",
        "OPENAI_MODEL": "fake-model",
    }
    return Recipe("qwen", home, project, environment, task_option=("-i",))


_ONCE = "Yes, allow once"
_RUN = {"command": base.COMMAND, "description": "Run it", "is_background": False}
_HERE = "Always allow run 'python3 *' commands in this project"
_EVERYWHERE = "Always allow run 'python3 *' commands for this user"
_REFUSAL = "No, suggest changes (esc)"
_YES = base.Choose(_ONCE)

WALK = base.standard_walk(
    base.standard_playbook(
        ToolCall("write_file", {"file_path": "{{cwd}}/hello.py", "content": base.HELLO}),
        ToolCall("run_shell_command", _RUN),
        ToolCall("ask_user_question", base.questions(multiSelect=False)),
        ToolCall("run_shell_command", {**_RUN, "command": base.DELETE}),
    ),
    base.permission(
        "write",
        (_ONCE, "Yes, allow always", _REFUSAL),
        _YES,
        subject="write: *hello.py",
        widening=("Yes, allow always",),
    ),
    base.permission(
        "command",
        (_ONCE, _HERE, _EVERYWHERE, _REFUSAL),
        _YES,
        widening=("Always allow run * in this project", "Always allow run * for this user"),
    ),
    base.menu((*base.LABELS, "Type something...")),
    *base.deletion(
        (_ONCE, "Always allow*project", "Always allow*user", _REFUSAL),
        widening=("Always*", "Always*"),
        stops=True,
    ),
)
