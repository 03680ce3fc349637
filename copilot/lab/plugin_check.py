"""Do plug-ins of a coding CLI load, alone and together? Each is given to it, and what comes of it is seen."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import re2

from copilot.documents import read_json
from copilot.errors import CopilotError, InputError
from copilot.lab.harness import Harness
from copilot.lab.install_expect import Expected
from copilot.lab.record import TrialRecord
from copilot.plain_files import MIB

_SECONDS = 90.0
_MCP_NAME = re2.compile(r"\bmcp__[A-Za-z0-9_-]+__[A-Za-z0-9_-]+")
_FAULTS = re2.compile(
    r"(?m)^(?:⚠ (?:plug-in|MCP server|skill) .*|Error: Failed to load extension .*|.*Extension .* error: .*"
    r"|.*[Tt]ool \"?[\w-]+\"? (?:conflicts|is already).*)$"
)
"""What the simulated CLI and pi say of what does not load."""
_LAST_ROWS = 6
_LEAST_WIDTH = 79


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a CLI made of some plug-ins: the tools that its model was offered, and what it complained of."""

    tools: frozenset[str]
    faults: tuple[str, ...]
    record: TrialRecord


@dataclass(frozen=True, slots=True)
class PluginReport:
    """`tools` by the plug-in that brought them, `faults` by who has them (`together` for all)."""

    tools: Mapping[str, tuple[str, ...]]
    faults: tuple[tuple[str, str], ...]


def check_plugins(
    plugins: Sequence[Path],
    cli: str,
    programs: Path | None,
    expected: Expected,
    on_plugin: Callable[[str, str, str], None],
) -> PluginReport:
    """Load each alone and all together. `on_plugin` gets a name, the fault or nothing, and what was found."""
    own = _load([], cli, programs, Expected()).tools
    tools: dict[str, tuple[str, ...]] = {}
    faults: list[tuple[str, str]] = []
    for plugin in plugins:
        said = files_wrong(plugin)
        found = frozenset[str]()
        if not said:
            loaded = _load([plugin], cli, programs, Expected())
            said, found = "; ".join(loaded.faults), loaded.tools - own
        tools[plugin.name] = tuple(sorted(found))
        faults += [(plugin.name, said)] if said else []
        on_plugin(plugin.name, said, ", ".join(sorted(found)) or "no tool")
    if not faults:
        said = "; ".join([*_same_tools(tools), *_load(plugins, cli, programs, expected).faults])
        faults += [("together", said)] if said else []
        on_plugin("together", said, f"{len(plugins)} loaded")
    return PluginReport(tools, tuple(faults))


def _same_tools(tools: Mapping[str, Sequence[str]]) -> list[str]:
    first: dict[str, str] = {}
    lines = []
    for plugin, names in tools.items():
        for name in names:
            if first.setdefault(name, plugin) != plugin:
                lines.append(f"tool {name!r} is that of {first[name]} and of {plugin}; rename one")
    return lines


def files_wrong(plugin: Path) -> str:
    """What is wrong with the files of a plug-in that is a folder: JSON, skills, programs of hooks."""
    if not plugin.exists():
        return "is not there"
    for path in sorted(plugin.rglob("*.json")) if plugin.is_dir() else []:
        if "node_modules" in path.parts:
            continue
        try:
            read_json(path, MIB)
        except InputError as error:
            return str(error)
    bare = [one.name for one in plugin.glob("skills/*") if one.is_dir() and not (one / "SKILL.md").is_file()]
    return f"skills without SKILL.md: {', '.join(bare)}" if bare else ""


def _load(plugins: Sequence[Path], cli: str, programs: Path | None, expected: Expected) -> Loaded:
    with Harness(
        expected.playbook,
        cli=cli,
        programs=programs,
        plugins=plugins,
        check_playbook=False,
        deadline_seconds=_SECONDS,
        name="plugins",
    ) as harness:
        try:
            record = harness.run(expected.prompt)
        except CopilotError as error:
            return Loaded(frozenset(), (str(error),), _nothing(str(error)))
        problems = [*harness.model.problems(), *harness.model.unused()]
        requests = harness.model.main_requests
    screen = _unwrapped(record.screen)
    faults = [one.strip() for one in _FAULTS.findall(screen)]
    if not requests and not faults:
        faults = ["; ".join(screen.splitlines()[-_LAST_ROWS:]) or record.reason]
    tools = {name for request in requests for name in request.tools}
    tools |= {name for request in requests for name in _MCP_NAME.findall(json.dumps(request.body))}
    return Loaded(frozenset(tools), tuple(faults or problems), record)


def _unwrapped(screen: str) -> str:
    """The rows, those that go on at the edge of the screen joined."""
    text, width = "", max(map(len, screen.splitlines()), default=0)
    for row in screen.splitlines():
        text += row.strip() if len(row) >= width > _LEAST_WIDTH else f"{row.strip()}\n"
    return text


def _nothing(reason: str) -> TrialRecord:
    return TrialRecord(task="", exit_code=1, outcome="error", reason=reason, seconds=0.0)
