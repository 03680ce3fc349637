"""What a session of the simulated CLI is given besides its task: MCP servers, plug-ins, skills and settings.

A plug-in is a Python file. It may have `TOOLS` (functions of the arguments, by name; their docstrings are the
descriptions) and `before_tool(name, arguments)`, a hook that blocks a call by giving a reason.
"""

from __future__ import annotations

import argparse
import json
import os
import runpy
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from copilot.demo.mcp_client import JsonObject, McpFault, McpServer

_SERVER_SECONDS = 30.0
_TIMEOUT_VARIABLE = "MCP_TIMEOUT"
"""Milliseconds that a server may take to start, as in Claude Code."""
_ANY: JsonObject = {"type": "object", "properties": {}, "additionalProperties": True}
Hook = Callable[[str, JsonObject], str | None]


@dataclass(frozen=True, slots=True)
class AddedTool:
    """A tool of a plug-in or server (`owner`). `use` gives a text, and whether it is an error."""

    schema: JsonObject
    owner: str
    use: Callable[[JsonObject], tuple[str, bool]]


class AgentExtras:
    """What was loaded, and in `faults` what could not be."""

    def __init__(self, taken: frozenset[str]) -> None:
        self.tools: dict[str, AddedTool] = {}
        self.faults: list[str] = []
        self.notes: list[str] = []
        self.asked: frozenset[str] = frozenset()
        self._taken = taken
        self._hooks: list[tuple[str, Hook]] = []
        self._servers: list[McpServer] = []

    @property
    def schemas(self) -> list[JsonObject]:
        return [tool.schema for tool in self.tools.values()]

    def load(self, options: argparse.Namespace) -> None:
        """Load everything that the command line names; faults are kept, not raised."""
        for path in options.plugin:
            self._guarded(f"plug-in {path.name}", self._plugin, path)
        for path in options.skill:
            self._guarded(f"skill {path.name}", self._skill, path)
        if options.settings:
            self._guarded("settings", self._settings, options.settings)
        if options.mcp_config:
            self._guarded("MCP servers", self._all_servers, options.mcp_config)

    def blocked(self, name: str, given: JsonObject) -> str:
        """Why a hook blocks this call, or nothing. A hook that fails blocks."""
        for owner, hook in self._hooks:
            try:
                why = hook(name, given)
            except Exception as error:
                why = f"its hook failed: {type(error).__name__}: {error}"
            if why:
                return f"blocked by {owner}: {why}"
        return ""

    def close(self) -> None:
        for server in self._servers:
            server.close()

    def _guarded(self, what: str, work: Callable[..., None], *given: object) -> None:
        try:
            work(*given)
        except McpFault as fault:
            self.faults.append(f"{what}: {fault}")
        except (Exception, SystemExit) as error:
            self.faults.append(f"{what}: {type(error).__name__}: {error}")

    def _plugin(self, path: Path) -> None:
        found = runpy.run_path(str(path))
        if callable(hook := found.get("before_tool")):
            self._hooks.append((path.name, hook))
        for name, function in found.get("TOOLS", {}).items():
            about = (function.__doc__ or "A tool of a plug-in.").strip()
            self._add(name, about, _ANY, f"plug-in {path.name}", _used(function))

    def _all_servers(self, file: Path) -> None:
        for name, entry in json.loads(file.read_text(encoding="utf-8"))["mcpServers"].items():
            self._guarded(f"MCP server {name}", self._server, name, entry)

    def _server(self, name: str, entry: JsonObject) -> None:
        seconds = float(os.environ.get(_TIMEOUT_VARIABLE, _SERVER_SECONDS * 1000)) / 1000
        server = McpServer(name, entry, seconds)
        self._servers.append(server)
        for tool in server.tools:
            called, about = str(tool["name"]), str(tool.get("description", ""))
            use = partial(server.call, called)
            self._add(
                f"mcp__{name}__{called}", about, tool.get("inputSchema", _ANY), f"MCP server {name}", use
            )

    def _add(
        self,
        name: str,
        about: str,
        schema: JsonObject,
        owner: str,
        use: Callable[[JsonObject], tuple[str, bool]],
    ) -> None:
        if name in self._taken or name in self.tools:
            of = self.tools[name].owner if name in self.tools else "the CLI itself"
            raise ValueError(f"tool {name!r} is already that of {of}")
        self.tools[name] = AddedTool({"name": name, "description": about, "input_schema": schema}, owner, use)

    def _skill(self, path: Path) -> None:
        about = (path / "SKILL.md").read_text(encoding="utf-8").strip()
        self.notes.append(f"Skill {path.name}:\n{about}")

    def _settings(self, path: Path) -> None:
        """`ask`: the added tools that are asked for."""
        given = json.loads(path.read_text(encoding="utf-8"))
        if unknown := sorted(set(given) - {"ask"}):
            raise ValueError(f"unknown key {', '.join(unknown)}; known is ask")
        self.asked = frozenset(given.get("ask", []))


def _used(function: Callable[[JsonObject], Any]) -> Callable[[JsonObject], tuple[str, bool]]:
    def use(given: JsonObject) -> tuple[str, bool]:
        try:
            return str(function(given)), False
        except Exception as error:
            return f"{type(error).__name__}: {error}", True

    return use


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--system-prompt", help="instructions in place of its own")
    parser.add_argument("--mcp-config", type=Path, help="a JSON file with mcpServers")
    parser.add_argument("--plugin", type=Path, action="append", default=[], help="a Python file (repeatable)")
    parser.add_argument(
        "--skill", type=Path, action="append", default=[], help="a folder with SKILL.md (repeatable)"
    )
    parser.add_argument("--settings", type=Path, help="a JSON file")
