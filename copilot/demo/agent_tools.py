"""The simulated CLI's tools: reading is free, writing and running are asked for, and all of it is real."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copilot.demo.agent_extras import AddedTool, AgentExtras
from copilot.demo.mcp_client import McpFault
from copilot.demo.stage import Stage
from copilot.demo.story import PERMISSION_OPTIONS, Dialog, choose

_COMMAND_SECONDS = 60.0
_MOST_CHARACTERS = 20_000
_MOST_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Done:
    """What a tool gave back."""

    text: str
    failed: bool = False


def _schema(name: str, about: str, *fields: str) -> dict[str, Any]:
    properties = {field: {"type": "string"} for field in fields}
    shape = {"type": "object", "properties": properties, "required": list(fields)}
    return {"name": name, "description": about, "input_schema": shape}


TOOL_SCHEMAS = (
    _schema("Read", "Read a file.", "file_path"),
    _schema("List", "List the files below a folder.", "path"),
    _schema("Search", "Lines of files that contain a text.", "text"),
    _schema("Write", "Write a whole file.", "file_path", "content"),
    _schema("Edit", "Replace a text in a file.", "file_path", "old", "new"),
    _schema("Bash", "Run a shell command.", "command"),
    _schema("Plan", "Note the plan: one step a line.", "steps"),
    _schema("AskUser", "Have the user choose: options one a line.", "question", "options"),
)


class Desk:
    """Uses tools in one folder, and asks before whatever changes something."""

    def __init__(self, stage: Stage, folder: Path, extras: AgentExtras) -> None:
        self._stage = stage
        self._extras = extras
        self._folder = folder
        self._tools: dict[str, Callable[[dict[str, str]], Done]] = {
            "Read": self._read,
            "List": self._list,
            "Search": self._search,
            "Write": self._write,
            "Edit": self._edit,
            "Bash": self._bash,
            "Plan": self._plan,
            "AskUser": self._ask_user,
        }
        self._always: set[str] = set()

    def use(self, name: str, given: Any) -> Done:
        """Use one tool; an invalid call is reported to the model, not raised. Hooks come first."""
        if isinstance(given, dict) and (why := self._extras.blocked(name, given)):
            return Done(why, failed=True)
        if isinstance(given, dict) and name in self._extras.tools:
            return self._shown(self._added(self._extras.tools[name], given))
        schema = next((one for one in TOOL_SCHEMAS if one["name"] == name), None)
        if schema is None or not isinstance(given, dict):
            return Done(f"there is no tool {name!r}", failed=True)
        missing = [key for key in schema["input_schema"]["required"] if not isinstance(given.get(key), str)]
        if missing:
            return Done(f"{name}: {', '.join(missing)} must be a text", failed=True)
        try:
            done = self._tools[name](given)
        except (OSError, UnicodeDecodeError) as error:
            done = Done(f"{name} failed: {error}", failed=True)
        return self._shown(done)

    def _added(self, tool: AddedTool, given: dict[str, Any]) -> Done:
        name = str(tool.schema["name"])
        if name in self._extras.asked:
            rows = [f"{key}: {value}" for key, value in given.items()]
            refused = self._refused(name, "Tool use", rows or [name], f"use {name}")
            if refused is not None:
                return refused
        try:
            return Done(*tool.use(given))
        except McpFault as fault:
            return Done(f"{tool.owner}: {fault}", failed=True)

    def _shown(self, done: Done) -> Done:
        for row in done.text.splitlines()[:_MOST_SHOWN]:
            self._stage.say(f"  ⎿ {row}", "red" if done.failed else "dim")
        return done

    def _path(self, name: str) -> Path:
        return self._folder / name

    def _read(self, given: dict[str, str]) -> Done:
        return Done(self._path(given["file_path"]).read_text(encoding="utf-8")[:_MOST_CHARACTERS])

    def _list(self, given: dict[str, str]) -> Done:
        found = sorted(path for path in self._path(given["path"]).rglob("*") if path.is_file())
        return Done("\n".join(str(path.relative_to(self._folder)) for path in found) or "(nothing)")

    def _search(self, given: dict[str, str]) -> Done:
        hits = []
        for path in sorted(path for path in self._folder.rglob("*") if path.is_file()):
            for number, row in enumerate(path.read_text("utf-8", "replace").splitlines(), start=1):
                if given["text"] in row:
                    hits.append(f"{path.relative_to(self._folder)}:{number}: {row}")
        return Done("\n".join(hits)[:_MOST_CHARACTERS] or "(no hit)")

    def _write(self, given: dict[str, str]) -> Done:
        path, text = self._path(given["file_path"]), given["content"]
        shown = [f"{number} +{row}" for number, row in enumerate(text.splitlines()[:_MOST_SHOWN], start=1)]
        refused = self._refused(
            "Write", "Create file", [given["file_path"], "", *shown], f"create {path.name}"
        )
        if refused is not None:
            return refused
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return Done(f"File written: {given['file_path']}")

    def _edit(self, given: dict[str, str]) -> Done:
        path = self._path(given["file_path"])
        text = path.read_text(encoding="utf-8")
        if text.count(given["old"]) != 1:
            return Done(
                f"Edit failed: the old text stands {text.count(given['old'])} times there", failed=True
            )
        shown = [f"-{given['old']}", f"+{given['new']}"]
        refused = self._refused("Write", "Create file", [given["file_path"], "", *shown], f"edit {path.name}")
        if refused is not None:
            return refused
        path.write_text(text.replace(given["old"], given["new"]), encoding="utf-8")
        return Done(f"File edited: {given['file_path']}")

    def _bash(self, given: dict[str, str]) -> Done:
        refused = self._refused("Bash", "Bash command", given["command"].splitlines(), "proceed")
        if refused is not None:
            return refused
        return self._stage.busy_with("Running", lambda: self._run(given["command"]))

    def _run(self, command: str) -> Done:
        try:
            done = subprocess.run(
                command,
                shell=True,
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_COMMAND_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Done(f"the command took more than {_COMMAND_SECONDS:g} s", failed=True)
        said = (done.stdout + done.stderr)[-_MOST_CHARACTERS:]
        if done.returncode:
            return Done(f"{said}\nexit status {done.returncode}".strip(), failed=True)
        return Done(said or "(no output)")

    def _plan(self, given: dict[str, str]) -> Done:
        for row in given["steps"].splitlines():
            self._stage.say(f"  ☐ {row}")
        return Done("Noted.")

    def _ask_user(self, given: dict[str, str]) -> Done:
        options = tuple(given["options"].splitlines())
        question = given["question"]
        asked = Dialog("ask", "A choice", ("The agent asks.",), question, options)
        return Done(f"The user chose: {choose(self._stage, asked)}")

    def _refused(self, tool: str, title: str, body: list[str], question: str) -> Done | None:
        """None if the user allows it, else the message for the model."""
        if tool in self._always:
            return None
        asked = Dialog(tool, title, tuple(body), f"Do you want to {question}?", PERMISSION_OPTIONS)
        answer = choose(self._stage, asked)
        if answer == PERMISSION_OPTIONS[1]:
            self._always.add(tool)
        if answer.startswith("Yes"):
            return None
        return Done("The user refused this and wants something else done.", failed=True)
