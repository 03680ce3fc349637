"""Gemini CLI offline: variables, its settings, and the list of trusted folders."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

from copilot.lab.recipes.base import Recipe, base_environment

_SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "ui": {"theme": "Default"},
}


def gemini(folder: Path, project: Path, programs: Path, url: str, asks: Collection[str], /) -> Recipe:
    """Gemini CLI. With `trust` in `asks` it asks for trust in the folder."""
    home = folder / "gemini-home"
    (home / ".gemini").mkdir(parents=True)
    (home / ".gemini" / "settings.json").write_text(json.dumps(_SETTINGS))
    if "trust" not in asks:
        (home / ".gemini" / "trustedFolders.json").write_text(json.dumps({str(project): "TRUST_FOLDER"}))
    environment = {
        **base_environment(home, programs),
        "GOOGLE_GEMINI_BASE_URL": url,
        "GEMINI_API_KEY": "sk-fake",
    }
    return Recipe("gemini", home, project, environment, task_option=("-i",))
