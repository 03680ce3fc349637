"""GitHub's Copilot CLI offline: all of it is in documented variables; no login is needed."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

from copilot.lab.recipes.base import Recipe, base_environment


def copilot_cli(folder: Path, project: Path, programs: Path, url: str, asks: Collection[str], /) -> Recipe:
    """Copilot CLI. With `trust` in `asks` it asks for trust in the folder."""
    home = folder / "copilot-home"
    (home / ".copilot").mkdir(parents=True)
    config: dict[str, object] = {"banner": "never"}
    if "trust" not in asks:
        config["trustedFolders"] = [str(project)]
    (home / ".copilot" / "config.json").write_text(json.dumps(config))
    environment = {
        **base_environment(home, programs),
        "COPILOT_OFFLINE": "true",
        "COPILOT_AUTO_UPDATE": "false",
        "COPILOT_PROVIDER_BASE_URL": f"{url}/v1",
        "COPILOT_PROVIDER_API_KEY": "sk-fake",
        "COPILOT_MODEL": "fake-model",
        "COPILOT_PROVIDER_MAX_PROMPT_TOKENS": "100000",
        "COPILOT_PROVIDER_MAX_OUTPUT_TOKENS": "8000",
    }
    return Recipe("copilot", home, project, environment, task_option=("-i",))
