"""Qwen Code offline: variables for the provider, and settings that make it ask and keep to the main talk.

Without `approvalMode` it starts in a mode where a model approves tool calls. Follow-up suggestions and the
memory send requests of their own that carry tools.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

from copilot.lab.recipes.base import Recipe, base_environment

_SETTINGS = {
    "security": {"auth": {"selectedType": "openai"}},
    "tools": {"approvalMode": "default", "useRipgrep": False},
    "general": {"disableAutoUpdate": True, "enableAutoUpdate": False},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "ui": {"enableFollowupSuggestions": False},
    "memory": {"enableManagedAutoMemory": False, "enableAutoSkill": False, "enableManagedAutoDream": False},
}


def qwen(folder: Path, project: Path, programs: Path, url: str, asks: Collection[str], /) -> Recipe:
    """Qwen Code. It has no start-up dialog that `asks` could name."""
    home = folder / "qwen-home"
    (home / ".qwen").mkdir(parents=True)
    (home / ".qwen" / "settings.json").write_text(json.dumps(_SETTINGS))
    environment = {
        **base_environment(home, programs),
        "OPENAI_API_KEY": "sk-fake",
        "OPENAI_BASE_URL": f"{url}/v1",
        "OPENAI_MODEL": "fake-model",
    }
    return Recipe("qwen", home, project, environment, task_option=("-i",))
