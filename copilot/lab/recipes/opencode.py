"""opencode offline: a provider of our own in its configuration, and permissions that ask.

Without a provider it preselects a hosted model and looks just as ready.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from copilot.lab.recipes.base import Recipe, base_environment


def opencode(folder: Path, project: Path, programs: Path, url: str, asks: Collection[str], /) -> Recipe:
    """opencode. It has no start-up dialog that `asks` could name."""
    home = folder / "opencode-home"
    config = home / ".config" / "opencode"
    config.mkdir(parents=True)
    (config / "opencode.json").write_text(json.dumps(_config(url)))
    environment = {
        **base_environment(home, programs),
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
        "OPENCODE_DISABLE_EMBEDDED_WEB_UI": "1",
        "OPENCODE_EXPERIMENTAL_DISABLE_FILEWATCHER": "1",
        "npm_config_offline": "true",
    }
    return Recipe("opencode", home, project, environment, task_option=("--prompt",))


def _config(url: str) -> dict[str, Any]:
    local = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "Local",
        "options": {"baseURL": f"{url}/v1", "apiKey": "sk-fake"},
        "models": {"fake-model": {"name": "Fake Model", "tool_call": True}},
    }
    return {
        "autoupdate": False,
        "share": "disabled",
        "snapshot": False,
        "model": "local/fake-model",
        "small_model": "local/fake-model",
        "provider": {"local": local},
        "permission": {"edit": "ask", "bash": "ask", "webfetch": "ask"},
    }
