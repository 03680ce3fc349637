"""`CommandTool`: runs single allowed commands in a trial's folder, each under the supervisor.

What is allowed is decided on the parsed command: one simple command, plain words, its program on the list.
"""

from __future__ import annotations

import logging
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copilot.guard.shell_parse import parse_shell
from copilot.guard.shell_tree import ShellProblem, commands_of, redirects_of
from copilot.lab.checks.tool_effects import destroys
from copilot.lab.launch import MARK
from copilot.lab.record import ToolUse
from copilot.lab.supervised_command import run_supervised

SECONDS = 60.0
OWN_PROGRAM = "copilot"
SCHEMA: dict[str, Any] = {
    "name": "command",
    "description": "Run one command in the scenario's folder.",
    "input_schema": {
        "type": "object",
        "properties": {"command": {"type": "string"}},
        "required": ["command"],
    },
}
_log = logging.getLogger("copilot.lab")


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What a command gave. `error` is what it printed as such, or why it did not run."""

    success: bool
    output: str = ""
    error: str = ""

    def logged(self) -> str:
        lines = [f"output: {self.output.rstrip()}"] if self.output.strip() else []
        lines += [f"error: {self.error.rstrip()}"] if self.error.strip() else []
        return "\n".join([f"success: {str(self.success).lower()}", *lines])


class CommandTool:
    """Commands of one trial. `allowed` are the programs that may be run; ours is found from any folder."""

    def __init__(
        self,
        folder: Path,
        environment: Mapping[str, str],
        allowed: Sequence[str],
        *,
        seconds: float = SECONDS,
    ) -> None:
        self._folder = folder
        self._environment = {**environment, MARK: "1"}
        self._allowed = frozenset(allowed)
        self._seconds = seconds

    async def use(self, given: Any, folder: Path | None = None) -> ToolOutcome:
        """Run `given["command"]`, in the trial's folder or the one given. Bad input is an outcome too."""
        command = given.get("command") if isinstance(given, dict) else None
        if not isinstance(command, str) or not command.strip():
            return ToolOutcome(False, error="the tool takes one text: command")
        words, why = plain_words(command)
        if why := why or self._refusal(command, words):
            return ToolOutcome(False, error=f"{command!r} was not run: {why}")
        _log.debug("run %r in %s", command, folder or self._folder)
        outcome = await self._run(words, folder or self._folder)
        _log.debug("%s", outcome.logged())
        return outcome

    def _refusal(self, command: str, words: Sequence[str]) -> str:
        if words[0] not in self._allowed:
            return f"{words[0]!r} is not allowed ({', '.join(sorted(self._allowed)) or 'none'})"
        return "it deletes" if destroys(ToolUse("bash", {"command": command}), self._folder) else ""

    async def _run(self, words: list[str], folder: Path) -> ToolOutcome:
        argv = [sys.executable, "-P", "-m", "copilot", *words[1:]] if words[0] == OWN_PROGRAM else words
        program = shutil.which(argv[0], path=self._environment.get("PATH"))
        if program is None:
            return ToolOutcome(False, error=f"{argv[0]!r} was not run: there is no such program")
        try:
            ran = await run_supervised(program, argv, folder, self._environment, self._seconds)
        except Exception as error:
            return ToolOutcome(False, error=str(error))
        late = f"\nit took more than {self._seconds:g} s and was ended" if ran.status is None else ""
        return ToolOutcome(ran.status == 0, ran.output, ran.complaint + late)


def plain_words(command: str) -> tuple[list[str], str]:
    """The words of a single plain command, or why it is none."""
    try:
        tree = parse_shell(command)
    except (ShellProblem, RecursionError) as problem:
        return [], f"it could not be parsed ({problem})"
    commands = commands_of(tree)
    if len(commands) != 1 or redirects_of(tree) or tree.ends_in_background:
        return [], "only a single command without redirections is run"
    simple = commands[0]
    parts = [part for word in simple.words for part in word.parts]
    if not simple.words or simple.assignments or any(part.kind not in ("text", "quoted") for part in parts):
        return [], "only plain words are run: no variables, substitutions or patterns"
    return ["".join(part.text for part in word.parts) for word in simple.words], ""
