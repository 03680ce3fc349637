"""Plan files: YAML with a name and steps. `docs/plans.md` documents the format.

All faults are reported at once, with file, line and key: a plan runs unattended.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import re2

from copilot.config.multi_line_hint import MULTILINE
from copilot.config.values import parse_duration
from copilot.core.plan import DEFAULT_RETURNS, Plan, PlanCommand, PlanEnd, PlanPrompt, PlanStep
from copilot.core.reply_keys import UnsafeReply, clean_reply
from copilot.core.screen_kinds import ScreenKind
from copilot.errors import InputError
from copilot.plain_files import MissingFile, read_text
from copilot.strict_yaml import MOST_BYTES, Node, PlacedError, UnquotedColon, parse_yaml

_PLAN_KEYS = ("version", "name", "shell", "steps")
_STEP_KEYS = (
    "name", "run", "send", "cursor", "verify", "returns", "timeout", "multi_line", "ends", "repeatable"
)  # fmt: skip
_SHELLS = ("sh", "bash")
_ENDS = ("completed", "idle", "question")
_WRONG_END = f"must be one of {', '.join(_ENDS)}, or shows: REGEX for a text to wait for"
_MOST_RETURNS = 20
_MOST_PARTS = 200
_MOST_MENDED = 20
"""The file is parsed again after each."""
_NO_NODES: list[Node] = []
_NO_STEP: PlanStep | None = None
_NO_LIMIT: float | None = None
_Value = TypeVar("_Value")
_Default = TypeVar("_Default")


class PlanError(InputError):
    """A plan with faults. The message is the first one; `problems` are all, a line each."""

    def __init__(self, problems: list[str]) -> None:
        more = len(problems) - 1
        hint = f" (and {more} more: copilot plan check FILE)" if more else ""
        super().__init__(problems[0] + hint)
        self.problems = tuple(problems)


def load_plan(path: Path, say: Callable[[str], None]) -> Plan:
    """The plan in `path`; `say` gets a note for each value that is read as if it were in quotes.

    Raises PlanError with every fault in it.
    """
    try:
        return _Reader().plan(_document(path, say))
    except PlanError:
        raise
    except MissingFile:
        raise PlanError([f"{path}: no such file; give the path of a plan"]) from None
    except InputError as problem:
        raise PlanError([str(problem)]) from None


def _document(path: Path, say: Callable[[str], None]) -> Node:
    """The YAML of a plan. `name: Cursor: add tests` has one meaning only, so it is read and noted."""
    text = read_text(path, MOST_BYTES)
    for _ in range(_MOST_MENDED):
        try:
            return parse_yaml(text, path)
        except UnquotedColon as fault:
            text = fault.mended(text)
            say(f'{path}, line {fault.line}: {fault.key}: read as "{fault.value}"; put it in quotes')
    return parse_yaml(text, path)


class _Reader:
    """Reads one plan and collects what is wrong with it."""

    def __init__(self) -> None:
        self.problems: list[PlacedError] = []
        self.shell = "sh"

    def plan(self, document: Node) -> Plan:
        if document.value is None:
            raise document.wrong(
                "is empty; a plan has a name: and steps: (copilot plan check --help shows one)"
            )
        entries, meant = self._entries(document, _PLAN_KEYS)
        if "version" in entries and entries["version"].value != 1:
            self.problems.append(entries["version"].wrong("only version 1 is known"))
        self.shell = self._get(entries.get("shell"), lambda node: node.one_of(_SHELLS), "sh")
        name = self._get(entries.get("name"), _words, "")
        if "name" not in meant:
            self.problems.append(document.wrong("has no name; add: name: what the plan is for"))
        steps: list[PlanStep] = []
        nodes = self._get(entries.get("steps"), lambda node: node.items(), _NO_NODES)
        if "steps" not in meant or ("steps" in entries and entries["steps"].value == []):
            self.problems.append(document.wrong("has no steps; add them below: steps:"))
        for node in nodes:
            step = self._get(node, self._step, _NO_STEP)
            if step is not None:
                steps.append(step)
        parts = sum(len(step.tasks) + len(step.checks) for step in steps)
        if parts > _MOST_PARTS:
            self.problems.append(document.wrong(f"has {parts} parts; at most {_MOST_PARTS}: divide it"))
        if self.problems:
            in_order = sorted(self.problems, key=lambda problem: problem.line)
            raise PlanError([str(problem) for problem in in_order])
        return Plan(name, tuple(steps))

    def _entries(self, node: Node, known: tuple[str, ...]) -> tuple[dict[str, Node], set[str]]:
        """The entries with known keys, and these keys with those that misspelt ones were meant to be."""
        entries, unknown = node.entries(known)
        self.problems += [one.problem for one in unknown]
        return entries, {*entries, *(one.meant for one in unknown)}

    def _get(self, node: Node | None, read: Callable[[Node], _Value], default: _Default) -> _Value | _Default:
        """What `read` makes of the node; a fault is kept, and the default is used instead."""
        if node is None:
            return default
        try:
            return read(node)
        except PlacedError as problem:
            self.problems.append(problem)
            return default

    def _step(self, node: Node) -> PlanStep:
        entries, meant = self._entries(node, _STEP_KEYS)
        self._check_keys(node, entries, meant)
        keep = (
            self._get(entries.get("multi_line"), lambda one: one.one_of(("join", "keep")), "join") == "keep"
        )
        said = entries.get("send", entries.get("cursor"))
        prompts = self._each(said, lambda one: _prompt(one, keep), "prompt")
        commands = self._each(entries.get("run"), self._command, "command")
        checks = self._each(entries.get("verify"), self._command, "command")
        return PlanStep(
            name=self._get(entries.get("name"), _words, ""),
            tasks=(*commands, *prompts),
            checks=checks,
            returns=self._get(entries.get("returns"), _returns, DEFAULT_RETURNS),
            timeout_seconds=self._get(entries.get("timeout"), _seconds, _NO_LIMIT),
            end=self._get(entries.get("ends"), lambda one: _end(one, prompts), PlanEnd()),
            repeatable=self._get(entries.get("repeatable"), lambda one: one.flag(), False),
        )

    def _check_keys(self, node: Node, entries: dict[str, Node], meant: set[str]) -> None:
        """Which keys a step needs, and which go together."""
        wrong: list[PlacedError] = []
        says = bool(meant & {"send", "cursor"})
        if "name" not in meant:
            wrong.append(node.wrong("has no name; add: name: what this step is for"))
        if "send" in entries and "cursor" in entries:
            wrong.append(entries["cursor"].wrong("is another word for send; write all prompts below send"))
        if not says and not meant & {"run", "verify"}:
            wrong.append(
                node.wrong("does nothing; give it run (shell commands), send (prompts) or verify (checks)")
            )
        if "returns" in entries and "verify" not in meant:
            wrong.append(entries["returns"].wrong("goes with verify, which this step has not"))
        if "ends" in entries and not says:
            wrong.append(entries["ends"].wrong("goes with send: only a prompt has a turn that ends"))
        self.problems += wrong

    def _each(self, node: Node | None, read: Callable[[Node], _Value], word: str) -> tuple[_Value, ...]:
        """What `read` makes of one value, or of each of a list."""
        if node is None:
            return ()
        nodes = node.items() if isinstance(node.value, list) else [node]
        if not nodes:
            self.problems.append(node.wrong(f"is empty; give at least one {word}"))
        values = [self._get(one, read, None) for one in nodes]
        return tuple(value for value in values if value is not None)

    def _command(self, node: Node) -> PlanCommand:
        """A text is a line for the plan's shell, a list is a program with its arguments."""
        if isinstance(node.value, list):
            argv = tuple(one.text() for one in node.items())
            if not argv or not argv[0]:
                raise node.wrong("is empty; give a program and its arguments")
            return PlanCommand(shlex.join(argv), argv)
        text = node.text().strip()
        if not text or "\0" in text:
            raise node.wrong("is empty; give a command")
        return PlanCommand(text, (self.shell, "-c", text))


def _words(node: Node) -> str:
    """A text of one line."""
    text = " ".join(node.text().split())
    if not text:
        raise node.wrong("is empty")
    return text


def _prompt(node: Node, keep: bool) -> PlanPrompt:
    block = MULTILINE.fullmatch(node.text().strip())
    text, ends_input = (block[1], bool(block[2])) if block else (node.text().strip(), False)
    keep = keep or block is not None
    if not keep:
        text = " ".join(text.split())
    if not text:
        raise node.wrong("is empty; give a prompt")
    try:
        clean_reply(text, multi_line=keep)
    except UnsafeReply as problem:
        raise node.wrong(f"cannot be typed: {problem.reason}") from None
    return PlanPrompt(text, keep and "\n" in text, ends_input)


def _returns(node: Node) -> int:
    number = node.whole()
    if number > _MOST_RETURNS:
        raise node.wrong(f"must be at most {_MOST_RETURNS}")
    return number


def _seconds(node: Node) -> float:
    if isinstance(node.value, bool) or not isinstance(node.value, int | float | str):
        raise node.wrong("write a duration like 45m, 30s, 1h30m or 90 (seconds)")
    try:
        return parse_duration(str(node.value))
    except ValueError as problem:
        raise node.wrong(str(problem)) from None


def _end(node: Node, prompts: tuple[PlanPrompt, ...]) -> PlanEnd:
    if not isinstance(node.value, dict):
        if node.value not in _ENDS:
            raise node.wrong(_WRONG_END)
        return PlanEnd(ScreenKind(node.value))
    entries = node.mapping(("shows",))
    if "shows" not in entries:
        raise node.wrong(_WRONG_END)
    shows = entries["shows"]
    try:
        pattern = re2.compile(shows.text())
    except re2.error as problem:
        raise shows.wrong(f"is no regular expression: {problem}") from None
    if pattern.search("") or any(pattern.search(one.text) for one in prompts):
        raise shows.wrong("would be found in the prompt itself; wait for a text that only the CLI says")
    return PlanEnd(shows=shows.text())
