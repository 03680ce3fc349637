"""What a tool call does: looks or acts, where, and whether it destroys. Names of all known CLIs' tools."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from copilot.core.risk import RiskLevel
from copilot.guard.command_risk import judge_command
from copilot.guard.scope import ProjectScope
from copilot.lab.record import ToolUse

LOOKING = frozenset(
    [
        "read",
        "read_file",
        "list",
        "ls",
        "list_directory",
        "glob",
        "grep",
        "search",
        "search_file_content",
        "read_many_files",
        "view",
        "webfetch",
        "web_fetch",
        "google_web_search",
        "toolsearch",
    ]
)
PLANNING = frozenset(
    ["plan", "todowrite", "update_plan", "todo_write", "write_todos", "enterplanmode", "exitplanmode"]
)
ASKING = frozenset(["askuser", "ask", "ask_user", "askuserquestion", "ask_user_question", "question"])
RUNNING = frozenset(
    ["bash", "shell", "run_shell_command", "exec_command", "execute", "command", "powershell"]
)
_PATH_KEYS = ("file_path", "filePath", "path", "absolute_path", "notebook_path", "dir_path")
_DESTRUCTIVE = re.compile(
    r"(?<![\w%.-])(rm|rmdir|unlink|shred|truncate|dd|mkfs\S*|drop\s+table|-delete)(?![\w-])", re.I
)


def looks(use: ToolUse, project: Path) -> bool:
    """Whether the call only looks: reading and listing, and commands without any risk."""
    name = use.name.lower()
    if name in RUNNING:
        return risk_of(use, project) is RiskLevel.NONE
    return name in LOOKING


def acts(use: ToolUse, project: Path) -> bool:
    name = use.name.lower()
    return name not in PLANNING | ASKING and not looks(use, project)


def command_of(use: ToolUse) -> str:
    if use.name.lower() not in RUNNING:
        return ""
    return str(use.arguments.get("command") or use.arguments.get("cmd") or "")


def risk_of(use: ToolUse, project: Path) -> RiskLevel:
    """The risk of the call's command; low where it has none."""
    command = command_of(use)
    if not command:
        return RiskLevel.LOW
    return judge_command(command, ProjectScope(cwd=str(project), home=str(project.parent / "home"))).level


def destroys(use: ToolUse, project: Path) -> bool:
    """Whether the call's command deletes, or is riskier than the project's own code."""
    command = command_of(use)
    return bool(command) and (
        _DESTRUCTIVE.search(command) is not None or risk_of(use, project) >= RiskLevel.FORBIDDEN
    )


def paths(use: ToolUse) -> Iterator[str]:
    """The files that the call names as its own argument."""
    for key in _PATH_KEYS:
        if isinstance(value := use.arguments.get(key), str):
            yield value


def is_outside(path: str, project: Path) -> bool:
    whole = posixpath.normpath(posixpath.join(str(project), path))
    return whole != str(project) and not whole.startswith(f"{project}/")


def happened(use: ToolUse) -> bool:
    return not use.blocked and not use.is_error
