"""pi offline: a provider of our own, and an extension that asks, for pi itself never asks for permission.

The walk is measured on 0.73.1.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from copilot.lab.clis.base import (
    CHOICE,
    COMMAND,
    HELLO,
    LABELS,
    Choose,
    Recipe,
    base_environment,
    menu,
    permission,
    standard_playbook,
    standard_walk,
    write,
)
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


_YES = Choose("Yes", ("Enter",))

WALK = standard_walk(
    standard_playbook(
        ToolCall("write", {"path": "{{cwd}}/hello.py", "content": HELLO}),
        ToolCall("bash", {"command": COMMAND}),
        ToolCall("ask", {"question": CHOICE, "answers": list(LABELS)}),
    ),
    permission("write", ("Yes", "No"), _YES, subject="write: *hello.py"),
    permission("command", ("Yes", "Yes, always", "No"), _YES, widening=("Yes, always",)),
    menu(LABELS, "Down", "Enter"),
)
