"""What a session may be given besides its task, and how each CLI takes it: MCP servers, plug-ins, skills …

A CLI's module has `EXTRAS`: for each extra that the CLI has, what writes it into its HOME or puts it on its
command line. An extra that it does not have is an error that says so.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import tomli_w

from copilot.documents import read_json, read_toml
from copilot.errors import InputError
from copilot.lab.clis.base import Recipe, write
from copilot.plain_files import MIB

KINDS = ("tools", "mcp_servers", "plugins", "skills", "system_prompt", "cli_settings")
"""In the order in which they are put in; settings last, so that they may change what the others wrote."""

Extra = Callable[[Recipe, Any], Recipe]


@dataclass(frozen=True, slots=True)
class McpServer:
    """An MCP server: a `command` that the CLI starts, with `environment`, or the `url` of one over HTTP."""

    command: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    url: str = ""

    @property
    def as_json(self) -> dict[str, Any]:
        """The entry as Claude Code and others write it."""
        if self.url:
            return {"type": "http", "url": self.url}
        program, *arguments = self.command
        return {"type": "stdio", "command": program, "args": arguments, "env": dict(self.environment)}


@dataclass(frozen=True, slots=True)
class OfferedTools:
    """The mock tools: where they are served, and as MCP lists them."""

    url: str
    listed: Sequence[Mapping[str, Any]]


def extended(cli: str, recipe: Recipe, extras: Mapping[str, Extra], given: Mapping[str, Any]) -> Recipe:
    """The recipe with all that is given. Raises InputError for an extra that the CLI does not have."""
    for kind in KINDS:
        if not given.get(kind):
            continue
        if kind not in extras:
            has = ", ".join(sorted(extras)) or "none of them"
            raise InputError(f"{cli} has no {kind} that could be set here (it has {has}); leave {kind!r} out")
        recipe = extras[kind](recipe, given[kind])
    return recipe


def checked(paths: Sequence[Path], kind: str, file: str = "") -> list[Path]:
    """The paths, absolute. Raises InputError for one that is not there, or lacks `file`."""
    found = [Path(path).resolve() for path in paths]
    for path in found:
        if not (path / file if file else path).exists():
            raise InputError(f"{kind}: {path}: {f'has no {file}' if path.exists() else 'is not there'}")
    return found


def read_manifest(path: Path) -> dict[str, Any]:
    """The manifest of a plug-in. Raises InputError for one that is no JSON object."""
    found = read_json(path, MIB)
    if not isinstance(found, dict):
        raise InputError(f"{path}: is no JSON object; a manifest has `name` and `version`")
    return found


def with_arguments(recipe: Recipe, *arguments: str) -> Recipe:
    return replace(recipe, arguments=(*recipe.arguments, *arguments))


def option(name: str) -> Extra:
    """A text that goes behind an option."""
    return lambda recipe, text: with_arguments(recipe, name, text)


def paths_option(name: str, kind: str, file: str = "") -> Extra:
    """Each path goes behind an option of its own."""

    def put(recipe: Recipe, paths: Sequence[Path]) -> Recipe:
        for path in checked(paths, kind, file):
            recipe = with_arguments(recipe, name, str(path))
        return recipe

    return put


def copied_skills(folder: str) -> Extra:
    """Each skill is copied into this folder of the HOME."""

    def put(recipe: Recipe, paths: Sequence[Path]) -> Recipe:
        for path in checked(paths, "skills", "SKILL.md"):
            shutil.copytree(path, recipe.home / folder / path.name)
        return recipe

    return put


def merged(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """`new` over `old`; tables are merged, everything else is replaced."""
    result = dict(old)
    for key, value in new.items():
        before = result.get(key)
        if isinstance(before, Mapping) and isinstance(value, Mapping):
            value = merged(before, value)
        result[key] = value
    return result


def change_json(path: Path, changes: Mapping[str, Any]) -> None:
    old = read_json(path, MIB) if path.exists() else {}
    write(path, merged(old, changes))


def change_toml(path: Path, changes: Mapping[str, Any]) -> None:
    old = read_toml(path, MIB) if path.exists() else {}
    write(path, tomli_w.dumps(merged(old, changes)))


def json_settings(file: str) -> Extra:
    """Settings that are merged into a JSON file of the HOME."""

    def put(recipe: Recipe, settings: Mapping[str, Any]) -> Recipe:
        change_json(recipe.home / file, settings)
        return recipe

    return put
