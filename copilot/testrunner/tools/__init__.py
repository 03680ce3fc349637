"""The tools that `copilot mcp` serves: every module of this folder defines one, as `TOOL`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from copilot.redaction.redact import Redactor
from copilot.timebox.testing import Progress


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call. `redactor_for` makes the redactor of a root; `progress` is what the client is shown."""

    arguments: Mapping[str, Any]
    roots: Sequence[Path]
    redactor_for: Callable[[Path], Redactor]
    progress: Progress = field(default_factory=Progress)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call returns, as JSON data."""

    data: dict[str, Any]
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. The schemas are JSON schemas; that of the input is made for the roots of the server."""

    name: str
    title: str
    description: str
    input_schema: Callable[[Sequence[Path]], dict[str, Any]]
    output_schema: Callable[[], dict[str, Any]]
    run: Callable[[ToolCall], Awaitable[ToolResult]]
    read_only: bool


def all_tools() -> dict[str, Tool]:
    """Every tool by its name."""
    names = [found.name for found in pkgutil.iter_modules(__path__)]
    modules = [importlib.import_module(f"{__name__}.{name}") for name in names]
    return {module.TOOL.name: module.TOOL for module in modules}
