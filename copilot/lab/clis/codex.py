"""Codex offline: a `config.toml` with a provider of our own, and no daemon. Walk measured on 0.169.0."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from copilot.lab.clis import base, extras
from copilot.lab.clis.base import Recipe, base_environment, takes, write
from copilot.lab.mock_tools import SERVER
from copilot.lab.model_server import Playbook, ToolCall, Turn

_MANIFEST = ".codex-plugin/plugin.json"
_MARKET = "trial"
_TRUSTED = "--dangerously-bypass-hook-trust"
_CONFIG = """\
model = "gpt-5.5"
model_provider = "local"
approval_policy = "on-request"
sandbox_mode = "read-only"
check_for_update_on_startup = false

[model_providers.local]
name = "local"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "LOCAL_KEY"
request_max_retries = 2
stream_max_retries = 3

[analytics]
enabled = false

[feedback]
enabled = false

[tui]
screen_reader_detection_done = true

[notice.model_migrations]
"gpt-5.5" = "gpt-6-sol"
"""


_ALONE = "--no-daemon"
"""Since 0.166, before which there was no daemon."""


def recipe(folder: Path, project: Path, programs: Path, url: str, asks: Collection[str], /) -> Recipe:
    home = folder / "codex-home"
    config = _CONFIG.format(url=url)
    if "trust" not in asks:
        config += f'\n[projects."{project}"]\ntrust_level = "trusted"\n'
    write(home / ".codex" / "config.toml", config)
    environment = {**base_environment(home, programs), "LOCAL_KEY": "sk-fake"}
    arguments = (_ALONE,) if takes(programs / "codex", _ALONE, environment) else ()
    return Recipe("codex", home, project, environment, arguments)


def tool_name(name: str) -> str:
    """A mock tool as its model calls it."""
    return f"mcp__{SERVER}__{name}"


def _change(recipe: Recipe, changes: Mapping[str, Any]) -> Recipe:
    extras.change_toml(recipe.home / ".codex" / "config.toml", changes)
    return recipe


def _mcp_servers(recipe: Recipe, servers: Mapping[str, extras.McpServer]) -> Recipe:
    return _change(recipe, {"mcp_servers": {name: _entry(server) for name, server in servers.items()}})


def _entry(server: extras.McpServer) -> dict[str, Any]:
    if server.url:
        return {"url": server.url}
    program, *arguments = server.command
    return {"command": program, "args": arguments, "env": dict(server.environment)}


def _tools(recipe: Recipe, tools: extras.OfferedTools) -> Recipe:
    """They go unasked, since they do nothing."""
    entry = {"url": tools.url, "default_tools_approval_mode": "approve"}
    return _change(recipe, {"mcp_servers": {SERVER: entry}})


def _system_prompt(recipe: Recipe, text: str) -> Recipe:
    file = base.write(recipe.home / ".codex" / "instructions.md", text)
    return _change(recipe, {"model_instructions_file": str(file)})


def _plugins(recipe: Recipe, paths: Sequence[Path]) -> Recipe:
    """As `codex plugin add` leaves them behind, from a marketplace of the trial."""
    entries = {}
    for path in extras.checked(paths, "plugins", _MANIFEST):
        about = extras.read_manifest(path / _MANIFEST)
        name, version = about.get("name", path.name), about.get("version", "local")
        shutil.copytree(path, recipe.home / ".codex" / "plugins" / "cache" / _MARKET / name / version)
        entries[f"{name}@{_MARKET}"] = {"enabled": True}
    market = {"source_type": "local", "source": str(recipe.home)}
    changed = _change(recipe, {"marketplaces": {_MARKET: market}, "plugins": entries})
    return _with_trusted_hooks(changed)


def _with_trusted_hooks(recipe: Recipe) -> Recipe:
    """Hooks of a test are trusted: Codex would ask, and leave them out until it is answered."""
    return recipe if _TRUSTED in recipe.arguments else extras.with_arguments(recipe, _TRUSTED)


def _settings(recipe: Recipe, settings: Mapping[str, Any]) -> Recipe:
    changed = _change(recipe, settings)
    return _with_trusted_hooks(changed) if "hooks" in settings else changed


EXTRAS = {
    "tools": _tools,
    "mcp_servers": _mcp_servers,
    "plugins": _plugins,
    "skills": extras.copied_skills(".codex/skills"),
    "system_prompt": _system_prompt,
    "cli_settings": _settings,
}

_PATCH = "*** Begin Patch\n*** Add File: hello.py\n+print('hello')\n*** End Patch\n"
_RUN = {
    "cmd": base.COMMAND,
    "sandbox_permissions": "require_escalated",
    "justification": "Do you want to run the tests?",
}
_TRUST = "Trust and continue"
_CONTINUE = "Yes, continue"
_FILES = "Yes, and don't ask again for these files (a)"
_COMMANDS = "Yes, and don't ask again for commands that start with *"
_REFUSAL = "No, and tell Codex what to do differently (esc)"
_YES = base.Choose("Yes, proceed*")
_PLAN_MODE = base.Press(("S-Tab",))

WALK = base.Walk(
    Playbook(
        (
            Turn(base.WRITING, (ToolCall("apply_patch", input=_PATCH),), "write"),
            Turn(base.TESTING, (ToolCall("exec_command", _RUN),), "run"),
            Turn(base.DELETING, (ToolCall("exec_command", {**_RUN, "cmd": base.DELETE}),), "delete"),
            base.ASKING,
            base.DONE,
            Turn(
                base.DECIDING,
                (ToolCall("request_user_input", base.questions(("a server", "a file"), id="database")),),
                "choose",
            ),
            Turn("Noted: SQLite.", name="noted"),
            base.LONG,
            base.failing(),
        ),
        pace=base.PACE,
    ),
    (
        base.Station(
            "trust",
            base.Expected("trust", options=(_TRUST, "Back to Agent Command Center"), widening=(_TRUST,)),
            (base.Choose(f"{_TRUST}|{_CONTINUE}"),),
            (base.Expected("trust", options=(_CONTINUE, "No, quit"), widening=(_CONTINUE,)),),
        ),
        base.READY,
        base.permission(
            "write",
            ("Yes, proceed (y)", _FILES, _REFUSAL),
            _YES,
            subject="edit: *hello.py",
            widening=(_FILES,),
        ),
        base.permission("command", ("Yes, proceed (y)", _COMMANDS, _REFUSAL), _YES, widening=(_COMMANDS,)),
        *base.deletion(("Yes, proceed (y)", _COMMANDS, _REFUSAL), widening=(_COMMANDS,), stops=True),
        base.QUESTION,
        replace(base.COMPLETED, answers=(_PLAN_MODE, base.Say("Plan the storage."))),
        base.menu((*base.LABELS, "None of the above")),
        replace(base.COMPLETED, name="completed again", answers=(_PLAN_MODE, *base.COMPLETED.answers)),
        base.LONG_TURN,
        base.ERROR,
        base.EXITED,
    ),
    asks=("trust",),
)
