"""Continue's `cn` offline: its configuration file, and no telemetry. Tried with 1.5.47; no profile yet."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from copilot.lab.clis.base import Recipe, base_environment, write

_CONFIG = """\
name: local
version: 1.0.0
schema: v1
models:
  - name: fake-model
    provider: openai
    model: fake-model
    apiKey: sk-fake
    apiBase: URL/v1
    roles: [chat]
"""


def recipe(folder: Path, project: Path, programs: Path, url: str, asks: Collection[str], /) -> Recipe:
    home = folder / "cn-home"
    config = write(home / ".continue" / "config.yaml", _CONFIG.replace("URL", url))
    environment = {
        **base_environment(home, programs),
        "CONTINUE_CLI_ENABLE_TELEMETRY": "0",
        "CONTINUE_METRICS_ENABLED": "0",
        "CONTINUE_CLI_AUTO_UPDATED": "true",
    }
    return Recipe("cn", home, project, environment, ("--config", str(config)))
