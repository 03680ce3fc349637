"""The simulated CLI on a scripted model: `copilot.demo.agent`, started as a real one would be."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from copilot.lab.clis import extras
from copilot.lab.clis.base import Recipe, write
from copilot.lab.mock_tools import SERVER

SIMULATED = "simulated"
_SPEED = "40"


def recipe(folder: Path, project: Path, url: str) -> tuple[Recipe, Path]:
    """How it is started, and the file in which it notes what it was typed."""
    home, journal = folder / "home", folder / "journal.jsonl"
    home.mkdir()
    environment = {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_STATE_HOME": str(home / ".state"),
        "TERM": "xterm-256color",
        "PYTHONDONTWRITEBYTECODE": "1",
        "ANTHROPIC_BASE_URL": url,
    }
    arguments = ("-P", "-m", "copilot.demo.agent", "--speed", _SPEED, "--journal", str(journal))
    return Recipe(sys.executable, home, project, environment, arguments), journal


def tool_name(name: str) -> str:
    """A mock tool as its model calls it."""
    return f"mcp__{SERVER}__{name}"


def _mcp_servers(made: Recipe, servers: Mapping[str, extras.McpServer]) -> Recipe:
    file = made.home / "mcp.json"
    extras.change_json(file, {"mcpServers": {name: server.as_json for name, server in servers.items()}})
    wanted = ("--mcp-config", str(file))
    return made if wanted[1] in made.arguments else extras.with_arguments(made, *wanted)


def _tools(made: Recipe, tools: extras.OfferedTools) -> Recipe:
    return _mcp_servers(made, {SERVER: extras.McpServer(url=tools.url)})


def _settings(made: Recipe, settings: Mapping[str, Any]) -> Recipe:
    return extras.with_arguments(made, "--settings", str(write(made.home / "settings.json", settings)))


EXTRAS: Mapping[str, extras.Extra] = {
    "tools": _tools,
    "mcp_servers": _mcp_servers,
    "plugins": extras.paths_option("--plugin", "plugins"),
    "skills": extras.paths_option("--skill", "skills", "SKILL.md"),
    "system_prompt": extras.option("--system-prompt"),
    "cli_settings": _settings,
}
