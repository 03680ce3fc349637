"""The command corpus and its mutations."""

from __future__ import annotations

import posixpath
import random
import tomllib
from pathlib import Path

from copilot.core.decision import Autonomy
from copilot.safety.judge import judge_command
from copilot.safety.scope import ProjectScope
from copilot.safety.verdict import verdict_at

FOLDER = Path(__file__).parent / "commands"
SCOPE = ProjectScope("/home/me/project", "/home/me", posixpath.normpath)


def corpus(name: str) -> dict[str, list[str]]:
    """The commands of `harmless.toml` or `risky.toml`, by class."""
    data: dict[str, list[str]] = tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))
    return data


def fuzzable() -> list[str]:
    """The risky commands of which every mutation is risky (broken quoting can be mended by one)."""
    return [one for name, commands in corpus("risky").items() if name != "unreadable" for one in commands]


def verdict(command: str) -> str:
    """The verdict at `full` in a made-up project."""
    return verdict_at(judge_command(command, SCOPE), Autonomy.FULL)


def mutated(command: str, source: random.Random) -> str:
    """The command under one to three changes that keep or worsen what it does."""
    for _ in range(source.randint(1, 3) if command.strip() else 0):
        command = source.choice(_MUTATIONS)(command, source)
    return command


def _quoted(command: str) -> str:
    return "'" + command.replace("'", "'\\''") + "'"


def _first_word(command: str, source: random.Random) -> str:
    word, blank, rest = command.partition(" ")
    if not word.isalnum() or len(word) < 2:
        return command
    cut = source.randint(1, len(word) - 1)
    forms = [
        f"{word[:cut]}''{word[cut:]}",
        f'"{word}"',
        f"\\{word}",
        f"{word[:cut]}\\{word[cut:]}",
        f"'{word}'",
    ]
    forms += [f"/usr/bin/{word}", f'{word[:cut]}""{word[cut:]}', f"$'{word}'"]
    if "\\n" in word or any(f"\\{char}" in "\\n" for char in word[cut]):
        return command
    return source.choice(forms) + blank + rest


def _spread(command: str, source: random.Random) -> str:
    word, blank, rest = command.partition(" ")
    return word + source.choice(["  ", " \\\n ", "\t"]) + rest if blank else command


_WRAPS = (
    "sudo {}", "sudo -u x {}", "env {}", "env A=1 {}", "timeout 5 {}", "timeout -k 1 5 {}", "nice -n 3 {}", "nice {}", "nohup {}",
    "time {}", "command {}", "setsid {}", "stdbuf -oL {}", "exec {}",
)  # fmt: skip
_JOINS = (
    "ls && {}", "ls; {}", "ls\n{}", "ls | {}", "true || {}", "ls & {}", "cd src && {}", "{} && ls", "{} ; ls", "{} || true", "{} | cat",
    "git status && {}", "echo x; {}", "{} &", "if true; then {}\nfi", "for i in a; do {}\ndone", "( {}\n)", "{{ {}\n}}", "! {}", "while true; do {}\ndone",
    "echo \"$({}\n)\"", "cat <({}\n)", "npm test && {}", "x=1; {}", "{} 2>/dev/null", "{} >/dev/null 2>&1",
)  # fmt: skip
_NESTS = (
    "bash -c {}",
    "sh -c {}",
    "bash -lc {}",
    "eval {}",
    "sudo bash -c {}",
    "zsh -c {}",
    "env bash -c {}",
)


def _wrapped(command: str, source: random.Random) -> str:
    return source.choice(_WRAPS).format(command)


def _joined(command: str, source: random.Random) -> str:
    if ".." in command:  # behind `cd src` it would stay inside the project
        return command
    return source.choice(_JOINS).format(command)


def _nested(command: str, source: random.Random) -> str:
    return source.choice(_NESTS).format(_quoted(command))


_MUTATIONS = (_first_word, _spread, _wrapped, _joined, _nested)
