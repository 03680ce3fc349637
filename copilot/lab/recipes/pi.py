"""pi offline: a provider of our own, and an extension that asks, for pi itself never asks for permission."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from copilot.lab.recipes.base import Recipe, base_environment

_EXTENSION = Path(__file__).with_name("pi_asks.ts")


def pi(folder: Path, project: Path, programs: Path, url: str, asks: Collection[str], /) -> Recipe:
    """pi. It has no start-up dialog that `asks` could name."""
    home = folder / "pi-home"
    agent = home / ".pi" / "agent"
    agent.mkdir(parents=True)
    (agent / "models.json").write_text(json.dumps({"providers": {"local": _provider(url)}}))
    environment = {
        **base_environment(home, programs),
        "PI_OFFLINE": "1",
        "PI_SKIP_VERSION_CHECK": "1",
        "PI_TELEMETRY": "0",
    }
    arguments = ("--provider", "local", "--model", "fake-model", "-e", str(_EXTENSION))
    return Recipe("pi", home, project, environment, arguments)


def _provider(url: str) -> dict[str, Any]:
    model = {
        "id": "fake-model",
        "contextWindow": 128_000,
        "maxTokens": 8192,
        "input": ["text"],
        "reasoning": False,
        "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
    }
    return {"baseUrl": f"{url}/v1", "api": "openai-completions", "apiKey": "sk-fake", "models": [model]}
