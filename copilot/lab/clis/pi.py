"""pi offline: a provider of our own, and an extension that asks, for pi itself never asks for permission.

The walk is measured on 0.73.1.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

from copilot.lab.clis import base, extras
from copilot.lab.clis.base import Recipe, base_environment, write
from copilot.lab.model_server import ToolCall

_COMPLAINTS = (r"(?i)(?:failed to load|error in|error loading) extension[^\n]*",)
_EXTENSION = Path(__file__).with_name("pi_asks.ts")
_MOCK_TOOLS = Path(__file__).with_name("pi_mock_tools.ts")


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
    return Recipe("pi", home, project, environment, arguments, complaints=_COMPLAINTS)


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


def tool_name(name: str) -> str:
    """A mock tool as its model calls it: it may take the place of a tool of pi's own."""
    return name


def _tools(recipe: Recipe, tools: extras.OfferedTools) -> Recipe:
    """pi has no MCP client: an extension registers them."""
    listed = write(recipe.home / "mock-tools.json", {"url": tools.url, "tools": list(tools.listed)})
    environment = {**recipe.environment, "CODING_CLI_MOCK_TOOLS": str(listed)}
    return extras.with_arguments(replace(recipe, environment=environment), "-e", str(_MOCK_TOOLS))


EXTRAS = {
    "tools": _tools,
    "plugins": extras.paths_option("-e", "plugins"),
    "skills": extras.paths_option("--skill", "skills", "SKILL.md"),
    "system_prompt": extras.option("--system-prompt"),
    "cli_settings": extras.json_settings(".pi/agent/settings.json"),
}

_YES = base.Choose("Yes")

WALK = base.standard_walk(
    base.standard_playbook(
        ToolCall("write", {"path": "{{cwd}}/hello.py", "content": base.HELLO}),
        ToolCall("bash", {"command": base.COMMAND}),
        ToolCall("ask", {"question": base.CHOICE, "answers": list(base.LABELS)}),
        ToolCall("bash", {"command": base.DELETE}),
    ),
    base.permission("write", ("Yes", "No"), _YES, subject="write: *hello.py"),
    base.permission("command", ("Yes", "Yes, always", "No"), _YES, widening=("Yes, always",)),
    base.menu(base.LABELS),
    *base.deletion(("Yes", "Yes, always", "No"), widening=("Yes, always",), stops=False),
)
