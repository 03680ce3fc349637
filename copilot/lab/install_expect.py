"""What somebody expects of an installed package: a YAML file for `copilot verify-install --expect`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from copilot.lab.model_server import Playbook, Turn
from copilot.lab.model_server.playbook_file import playbook_of
from copilot.strict_yaml import Node, fields, read_yaml, texts

_LOOKED = Playbook((Turn("Ready.", name="ready"),), min_tools=0)


@dataclass(frozen=True, slots=True)
class Expected:
    """Names that must be found, by step; `errors` are parts of faults that must come up, and no others may.

    `mcp_server` is the package's program (with arguments) that speaks MCP. `prompt` and `playbook` are a
    session that is played with the package in it.
    """

    extensions: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    mcp_server: tuple[str, ...] = ()
    prompt: str = "Look around."
    playbook: Playbook = _LOOKED

    def missing(self, found: Mapping[str, Collection[str]]) -> list[str]:
        """What is expected and was not found, a line for each kind."""
        wanted = {"extensions": self.extensions, "tools": self.tools, "programs": self.programs}
        lines = []
        for kind, names in wanted.items():
            here = found.get(kind, ())
            if gone := [name for name in names if name not in here]:
                lines.append(f"no {kind} {', '.join(gone)} (found: {', '.join(sorted(here)) or 'none'})")
        return lines


def read_expected(path: Path) -> Expected:
    """Raises InputError with file, line, key and fix."""
    readers = {kind: texts for kind in ("extensions", "tools", "programs", "errors", "mcp_server")}
    return Expected(**fields(read_yaml(path), {**readers, "prompt": Node.text, "playbook": playbook_of}))
