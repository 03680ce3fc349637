"""pi offline: a provider of our own, and an extension that asks, for pi itself never asks for permission.

The walk is measured on 0.73.1.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from copilot.lab.clis import base
from copilot.lab.clis.base import Recipe, base_environment, write
from copilot.lab.model_server import ToolCall

_EXTENSION = Path(__file__).with_name("pi_asks.ts")


def recipe(folder: Path, project: Path, programs: Path, url: str, asks: Collection[str], /) -> Recipe:
    home = folder / "pi-home"
    write(home / ".pi" / "agent" / "models.json", {"providers": {"local": _provider(url)}})
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


_YES = base.Choose("Yes", ("Enter",))

WALK = base.standard_walk(
    base.standard_playbook(
        ToolCall("write", {"path": "{{cwd}}/hello.py", "content": base.HELLO}),
        ToolCall("bash", {"command": base.COMMAND}),
        ToolCall("ask", {"question": base.CHOICE, "answers": list(base.LABELS)}),
    ),
    base.permission("write", ("Yes", "No"), _YES, subject="write: *hello.py"),
    base.permission("command", ("Yes", "Yes, always", "No"), _YES, widening=("Yes, always",)),
    base.menu(base.LABELS, "Down", "Enter"),
)
