"""Commands that a sentence of the governing prompt names between backticks: "You may run `npm init -y`."

Only commands that start a project or run a named package tool count, as plain words and exactly as they are
written. Whatever else is named needs `--allow`.
"""

from __future__ import annotations

import shlex

import re2

from copilot.guard.grants import Grant

_WORD = r"[A-Za-z0-9@][A-Za-z0-9@._+=/-]*"
_OPTION = r"--?[A-Za-z][A-Za-z0-9-]*(?:=[A-Za-z0-9@._+/-]+)?"
_REST = rf"(?: (?:{_WORD}|{_OPTION}))*"
_TOOL = r"(?:@[a-z0-9._-]+/)?[a-z0-9][a-z0-9._-]*(?:@[A-Za-z0-9.^~-]+)?"
_NODE = "(?:npm|pnpm|yarn|bun)"
_STARTS = (
    r"git init(?: (?:-q|--quiet|\.))*(?: (?:-b |--initial-branch=)[A-Za-z0-9._/-]+)?",
    rf"{_NODE} init(?: (?:-y|--yes|-w [A-Za-z0-9._/-]+|--private))*",
    rf"{_NODE} install",
    rf"{_NODE} (?:init|create)(?: (?:-y|--yes))? {_TOOL}{_REST}",
    rf"(?:npx|bunx|pnpx|pnpm dlx|yarn dlx|npm exec|uvx)(?: (?:-y|--yes|--no-install|--))* {_TOOL}{_REST}",
    r"(?:uv|cargo) (?:init|new)(?: (?:--lib|--bin|--package|--app))*(?: [A-Za-z0-9_][A-Za-z0-9_-]*)?",
    r"go mod init [A-Za-z0-9._/-]+",
)
_STARTS_A_PROJECT = re2.compile("|".join(f"(?:{one})" for one in _STARTS))
_UPWARDS = re2.compile(r"(?:^|[ /=])\.\.(?:/| |$)|[ =]/")
_SPAN = re2.compile(r"`([^`\n]+)`")
_MENTION = re2.compile(r"zqcommand(\d+)qz")
_NAMED = re2.compile(r"(?:(?:run|use|execute|start|call) )?zqcommand(\d+)qz")
_NEEDS = re2.compile(r"\b(?:approv|confirm|permission|consent|by hand|manual|wait)")
_ANY = re2.compile(r"\b(?:commands?|anything|scaffold|initiali[sz]|download)")


class NamedCommands:
    """The commands of one prompt. In `text` a word replaces each, so that its sentences can be read."""

    def __init__(self, prompt: str) -> None:
        self._named: list[str] = []
        self._allowed: dict[int, int] = {}
        self._denied: set[int] = set()
        self.text: str = _SPAN.sub(self._word_for, prompt)

    def _word_for(self, span: re2._Match[str]) -> str:
        command = " ".join(span.group(1).split())
        if not _STARTS_A_PROJECT.fullmatch(command) or _UPWARDS.search(command):
            return str(span.group(0))
        self._named.append(command)
        return f"zqcommand{len(self._named) - 1}qz"

    def allow(self, part: str, line: int) -> None:
        """A part of what a sentence allows: a command counts if the part names nothing else."""
        match = _NAMED.fullmatch(part)
        if match is not None:
            self._allowed.setdefault(int(match.group(1)), line)

    def take_back(self, sentence: str, *, denies: bool, limits: bool) -> None:
        """A sentence that denies, or names commands under a condition."""
        mentioned = {int(number) for number in _MENTION.findall(sentence)}
        if denies or limits or _NEEDS.search(sentence):
            self._denied |= mentioned
        if denies:
            everything = _ANY.search(sentence) is not None
            words = set(sentence.replace(",", " ").split())
            self._denied |= {
                number for number, one in enumerate(self._named) if everything or one.split()[0] in words
            }

    def grants(self) -> tuple[Grant, ...]:
        """A grant for each command that is allowed, named after the line of the prompt."""
        denied = {self._named[number] for number in self._denied if number < len(self._named)}
        return tuple(
            Grant("shell", tuple(shlex.split(self._named[number])), f"your prompt, line {line}")
            for number, line in self._allowed.items()
            if number < len(self._named) and self._named[number] not in denied
        )
