"""Claude Code offline: two JSON files and a few variables. Walk measured on 2.1.329."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from copilot.lab.clis import base, extras
from copilot.lab.clis.base import Recipe, base_environment, write
from copilot.lab.mock_tools import SERVER
from copilot.lab.model_server import ToolCall

_KEY = "sk-ant-fake-00000000000000000000"
_LATEST_ONBOARDING = "999.0.0"
"""Claims that the onboarding of every version was seen, so that none comes up."""


def recipe(folder: Path, project: Path, programs: Path, url: str, asks: Collection[str], /) -> Recipe:
    home = folder / "claude-home"
    state: dict[str, object] = {
        "hasCompletedOnboarding": True,
        "lastOnboardingVersion": _LATEST_ONBOARDING,
        "theme": "dark",
        "hasSeenAutoDefaultNudge": True,
    }
    if "api_key" not in asks:
        state["customApiKeyResponses"] = {"approved": [_KEY[-20:]], "rejected": []}
    if "trust" not in asks:
        trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        state["projects"] = {str(project): trusted}
    write(home / ".claude.json", state)
    write(home / ".claude" / "settings.json", {"permissions": {"defaultMode": "manual"}})
    environment = {
        **base_environment(home, programs),
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": _KEY,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }
    return Recipe("claude", home, project, environment)


def tool_name(name: str) -> str:
    """A mock tool as its model calls it."""
    return f"mcp__{SERVER}__{name}"


def _mcp_servers(recipe: Recipe, servers: Mapping[str, extras.McpServer]) -> Recipe:
    entries = {name: server.as_json for name, server in servers.items()}
    extras.change_json(recipe.home / ".claude.json", {"mcpServers": entries})
    return recipe


def _tools(recipe: Recipe, tools: extras.OfferedTools) -> Recipe:
    """They go unasked, since they do nothing."""
    allowed = {"permissions": {"allow": [f"mcp__{SERVER}"]}}
    extras.change_json(recipe.home / ".claude" / "settings.json", allowed)
    return _mcp_servers(recipe, {SERVER: extras.McpServer(url=tools.url)})


EXTRAS = {
    "tools": _tools,
    "mcp_servers": _mcp_servers,
    "plugins": extras.paths_option("--plugin-dir", "plugins", ".claude-plugin/plugin.json"),
    "skills": extras.copied_skills(".claude/skills"),
    "system_prompt": extras.option("--system-prompt"),
    "cli_settings": extras.json_settings(".claude/settings.json"),
}

_TRUST = "Yes, I trust this folder"
_SWITCH = "Yes, and switch to accept edits * for this session*"
_ALWAYS = "Yes, and don’t ask again for: python3 *"
_FOLDER = "Yes, and always allow access to * from this project"
_AUTO = "Yes, and switch to auto mode"
_YES = base.Choose("Yes")

WALK = base.standard_walk(
    base.standard_playbook(
        ToolCall("Write", {"file_path": "{{cwd}}/hello.py", "content": base.HELLO}),
        ToolCall("Bash", {"command": base.COMMAND, "description": "Run the tests"}),
        ToolCall("AskUserQuestion", base.questions(("a server", "a file"), multiSelect=False)),
        ToolCall("Bash", {"command": base.DELETE, "description": "Remove the build"}),
    ),
    base.permission("write", ("Yes", _SWITCH, "No"), _YES, subject="write: *hello.py", widening=(_SWITCH,)),
    base.permission("command", ("Yes", _ALWAYS, _AUTO, "No"), _YES, widening=(_ALWAYS, _AUTO)),
    base.menu((*base.LABELS, "Type something.", "Chat about this")),
    *base.deletion(("Yes", _FOLDER, _AUTO, "No"), widening=(_FOLDER, _AUTO), stops=True),
    trust=base.Station(
        "trust",
        base.Expected("trust", True, ("No, exit", _TRUST), "read: *project", (_TRUST,)),
        (base.Choose("Yes, I trust*"),),
    ),
)
