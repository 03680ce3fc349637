"""grok-cli offline: a file with its provider. Tried with 0.0.34; no profile yet."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from copilot.lab.clis.base import Recipe, base_environment, write


def recipe(folder: Path, project: Path, programs: Path, url: str, asks: Collection[str], /) -> Recipe:
    home = folder / "grok-home"
    settings = {"apiKey": "sk-fake", "baseURL": f"{url}/v1", "defaultModel": "fake-model"}
    write(home / ".grok" / "user-settings.json", settings)
    return Recipe("grok", home, project, base_environment(home, programs), ("--model", "fake-model"))
