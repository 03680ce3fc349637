"""How each coding CLI is told of an MCP server in the project's own configuration: file, place and form.

Seen in the versions of `tests/real/install.py`. Limits are set above the longest test run, since some CLIs
give a tool a minute.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from copilot.timebox.request import MOST_MILLISECONDS

SERVER = "copilot_timebox"
_LIMIT_MILLISECONDS = MOST_MILLISECONDS + 60_000
_START_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Entry:
    """The entry of one CLI: in `file`, under `key`, with the value that `form` makes of a command.

    `note` is what a person should know besides.
    """

    file: str
    key: str
    form: Callable[[Sequence[str]], dict[str, Any]]
    note: str = ""

    @property
    def is_toml(self) -> bool:
        """Whether the file is TOML; else it is JSON."""
        return self.file.endswith(".toml")


def _claude(command: Sequence[str]) -> dict[str, Any]:
    return {"type": "stdio", "command": command[0], "args": list(command[1:])}


def _codex(command: Sequence[str]) -> dict[str, Any]:
    return {
        "command": command[0],
        "args": list(command[1:]),
        "startup_timeout_sec": _START_SECONDS,
        "tool_timeout_sec": _LIMIT_MILLISECONDS // 1000,
    }


def _gemini(command: Sequence[str]) -> dict[str, Any]:
    return {"command": command[0], "args": list(command[1:]), "timeout": _LIMIT_MILLISECONDS}


def _opencode(command: Sequence[str]) -> dict[str, Any]:
    return {"type": "local", "command": list(command), "enabled": True, "timeout": _LIMIT_MILLISECONDS}


def _copilot(command: Sequence[str]) -> dict[str, Any]:
    return {"type": "local", "command": command[0], "args": list(command[1:]), "tools": ["*"]}


ENTRIES = {
    "claude": Entry(
        ".mcp.json", "mcpServers", _claude, "Claude Code asks once whether servers of this file may be used."
    ),
    "codex": Entry(
        ".codex/config.toml", "mcp_servers", _codex, "Codex reads this file in folders that it trusts."
    ),
    "gemini": Entry(
        ".gemini/settings.json",
        "mcpServers",
        _gemini,
        "Gemini CLI reads this file in folders that it trusts.",
    ),
    "qwen": Entry(
        ".qwen/settings.json",
        "mcpServers",
        _gemini,
        f"Qwen Code wants it approved once: qwen mcp approve {SERVER}",
    ),
    "opencode": Entry("opencode.json", "mcp", _opencode),
    "copilot": Entry(
        ".github/mcp.json",
        "mcpServers",
        _copilot,
        "Copilot CLI reads this file in folders that it trusts.",
    ),
}
