"""What a tool call does: looks or acts, where, and whether it destroys. Names of all known CLIs' tools."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from copilot.core.risk import RiskLevel
from copilot.guard.command_risk import judge_command
from copilot.guard.scope import ProjectScope
from copilot.guard.shell_parse import parse_shell
from copilot.guard.shell_tree import Group, ShellProblem, commands_of, redirects_of, sequences_of
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


def deletes(use: ToolUse) -> bool:
    """Whether the call's command names a program that deletes."""
    return _DESTRUCTIVE.search(command_of(use)) is not None


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


def deeds_in(use: ToolUse, project: Path) -> int:
    """How many things a call does: a pipeline is one, and whatever only looks is none of them; at least 1."""
    try:
        script = parse_shell(command_of(use))
    except (ShellProblem, RecursionError):
        return 1
    sources = [
        " | ".join(one.source for one in pipeline.commands)
        for part in sequences_of(script)
        for _, pipeline in part.items
        if not any(isinstance(one, Group) for one in pipeline.commands)
    ]
    acting = [text for text in sources if looks(ToolUse("Bash", {"command": text}), project) is False]
    return max(1, len(acting))


def written_paths(use: ToolUse) -> Iterator[str]:
    """The operands and targets of a call's commands that are paths, the programs themselves left out."""
    try:
        script = parse_shell(command_of(use))
    except (ShellProblem, RecursionError):
        return
    words = [word for one in commands_of(script) for word in one.words[1:]]
    words += [one.target for one in redirects_of(script) if ">" in one.operator]
    for word in words:
        text = "".join(part.text for part in word.parts)
        if (text.startswith(("/", "~", "..")) and not text.startswith("/dev/")) or "/../" in text:
            yield text.replace("~", "/~", 1) if text.startswith("~") else text
