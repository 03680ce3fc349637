"""nanocoder offline: its provider and its trusted folder. Tried with 1.30.0; no profile yet."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from copilot.lab.clis.base import Recipe, base_environment, write


def recipe(folder: Path, project: Path, programs: Path, url: str, asks: Collection[str], /) -> Recipe:
    home = folder / "nanocoder-home"
    settings = home / ".config" / "nanocoder"
    write(settings / "agents.config.json", _providers(url))
    trusted = [] if "trust" in asks else [str(project)]
    write(settings / "nanocoder-preferences.json", {"trustedDirectories": trusted})
    environment = {**base_environment(home, programs), "NANOCODER_LOG_DISABLE_FILE": "true"}
    return Recipe("nanocoder", home, project, environment)


def _providers(url: str) -> dict[str, Any]:
    provider = {"name": "local", "baseUrl": f"{url}/v1", "apiKey": "sk-fake", "models": ["fake-model"]}
    return {"nanocoder": {"providers": [provider], "autoUpdate": False}}
