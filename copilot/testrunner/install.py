"""Putting the server's entry into a project's own configuration of a coding CLI, never a user-wide one.

What is in the file stays. An entry of our name that differs is left as it is and reported.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomli_w

from copilot.documents import parse_json, parse_toml
from copilot.errors import InputError
from copilot.plain_files import MIB, not_read, read_plain, real_path
from copilot.timebox.request import MAX_MILLISECONDS

# How each coding CLI registers an MCP server in the project's own configuration: file, place and form.
#
# Seen in the versions of `tests/real/install.py`. Limits are set above the longest test run, since some
# CLIs give a tool a minute.


SERVER = "copilot_timebox"
_LIMIT_MILLISECONDS = MAX_MILLISECONDS + 60_000
_START_SECONDS = 60
_MOST_BYTES = 4 * MIB
"""Claude Code keeps more than its servers in such a file."""


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
        ".github/mcp.json", "mcpServers", _copilot, "Copilot CLI reads this file in folders that it trusts."
    ),
}


SCRIPT = "copilot-terminal"
"""Our second name: `copilot` may be another program."""
NOTE = (
    f"the entry names a path of this machine; where others share the file, write {SCRIPT} in its place and "
    "have it on the PATH that the CLI is started with"
)


def server_command(python: str = sys.executable) -> tuple[str, ...]:
    """The command that starts the server of this very installation, by its whole path.

    A CLI may be started with another PATH than this shell's, and reports late a server that did not start
    or never.
    """
    beside = Path(python).absolute().with_name(SCRIPT)
    return (str(beside), "mcp") if beside.is_file() else (python, "-m", "copilot", "mcp")


def entry_of(cli: str) -> Entry:
    """The entry of this CLI. Raises InputError."""
    entry = ENTRIES.get(cli)
    if entry is None:
        raise InputError(f"{cli}: no known CLI; give one of: {', '.join(ENTRIES)}")
    return entry


def entry_text(entry: Entry, command: tuple[str, ...]) -> str:
    """The entry as it is in a file that has nothing else."""
    whole = {entry.key: {SERVER: entry.form(command)}}
    return tomli_w.dumps(whole) if entry.is_toml else json.dumps(whole, indent=2) + "\n"


def write_entry(project: Path, entry: Entry, command: tuple[str, ...]) -> bool:
    """Put the entry into the project's file. False if it was there already. Raises InputError."""
    path = project / entry.file
    real = real_path(path)
    if not real.is_relative_to(real_path(project)):
        raise InputError(f"{entry.file}: leads out of the project; add the entry by hand")
    try:
        text = _text(path)
        new = _with_toml(text, entry, command) if entry.is_toml else _with_json(text, entry, command)
        if new is None:
            return False
        _replace(real, new)
    except OSError as error:
        raise InputError(f"{path}: cannot be changed: {error}; add the entry by hand") from None
    return True


def _text(path: Path) -> str:
    """What the file holds as it is, since it is written again; empty if there is none."""
    try:
        return read_plain(path, _MOST_BYTES).decode()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise not_read(path, error) from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8 text; add the entry by hand") from None


def _with_json(text: str, entry: Entry, command: tuple[str, ...]) -> str | None:
    try:
        whole = parse_json(text) if text.strip() else {}
    except ValueError:
        raise InputError(
            f"{entry.file}: is not plain JSON (comments?); add the entry by hand, as printed without --write"
        ) from None
    servers = whole.setdefault(entry.key, {}) if isinstance(whole, dict) else None
    if not isinstance(servers, dict):
        raise InputError(f"{entry.file}: {entry.key}: is not a table; mend the file first")
    if not _is_new(servers, entry, command):
        return None
    servers[SERVER] = entry.form(command)
    indent = _indent(text)
    return json.dumps(whole, indent=indent, ensure_ascii=False) + "\n"


def _with_toml(text: str, entry: Entry, command: tuple[str, ...]) -> str | None:
    whole = parse_toml(text, entry.file)
    servers = whole.get(entry.key, {})
    if not isinstance(servers, dict):
        raise InputError(f"{entry.file}: {entry.key}: is not a table; mend the file first")
    if not _is_new(servers, entry, command):
        return None
    kept = text if not text or text.endswith("\n") else text + "\n"
    new = kept + ("\n" if kept else "") + entry_text(entry, command)
    try:
        parse_toml(new, entry.file)
    except InputError:
        raise InputError(
            f"{entry.file}: {entry.key} is written as one value; add the entry to it by hand"
        ) from None
    return new


def _is_new(servers: dict[str, Any], entry: Entry, command: tuple[str, ...]) -> bool:
    """False if the very entry is there. Raises InputError if another one of its name is."""
    if SERVER not in servers:
        return True
    if servers[SERVER] == entry.form(command):
        return False
    raise InputError(
        f"{entry.file}: {entry.key}.{SERVER}: is there already and differs; remove it first, or leave it"
    )


def _indent(text: str) -> int | str:
    """The indentation that the file uses."""
    for line in text.splitlines():
        stripped = line.lstrip()
        if stripped and stripped != line:
            blank = line[: len(line) - len(stripped)]
            return "\t" if blank.startswith("\t") else len(blank)
    return 2


def _replace(path: Path, text: str) -> None:
    """Replace the file with one of the same permissions, whole or not at all. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists():
        mode = stat.S_IMODE(path.stat().st_mode)
    else:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as file:
        file.write(text)
    temporary = Path(file.name)
    try:
        temporary.chmod(mode)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
