"""The command corpus and its mutations."""

from __future__ import annotations

import functools
import json
import posixpath
import random
import re
from dataclasses import dataclass
from pathlib import Path

from copilot.core.reply import Autonomy
from copilot.core.risk import Risk
from copilot.guard.command_risk import judge_command, verdict_at
from copilot.guard.scope import ProjectScope

FOLDER = Path(__file__).parent / "commands"
SCOPE = ProjectScope(
    "/home/me/project", "/home/me", posixpath.normpath, lambda path: "/node_modules/.bin/" in path
)


@dataclass(frozen=True)
class Labelled:
    """A command with its class and the risk that it should be given."""

    command: str
    kind: str
    risk: str


@functools.cache
def corpus(name: str) -> tuple[Labelled, ...]:
    """The commands of `harmless.jsonl` or `risky.jsonl`."""
    lines = (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()
    entries = [json.loads(line) for line in lines]
    return tuple(Labelled(one["command"], one["class"], one["risk"]) for one in entries)


def commands(name: str, kind: str) -> list[str]:
    return [one.command for one in corpus(name) if one.kind == kind]


def fuzzable() -> list[str]:
    """The risky commands of which every mutation is risky (broken quoting can be mended by one)."""
    return [one.command for one in corpus("risky") if one.kind != "unreadable"]


@functools.cache
def judged(command: str) -> Risk:
    return judge_command(command, SCOPE)


def verdict(command: str) -> str:
    """The verdict at `full` in a made-up project."""
    return verdict_at(judged(command), Autonomy.FULL)


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
    "bash --norc -c {}",
    "bash -euo pipefail -c {}",
    "/bin/bash -lc {}",
    "su -c {}",
    "watch {}",
    "ssh h {}",
    "timeout 9 sh -c {}",
    "bash <<< {}",
    "xargs -I% sh -c {}",
    "find . -exec sh -c {} \\;",
    "python3 -c {}",
    "trap {} EXIT",
)


def _wrapped(command: str, source: random.Random) -> str:
    return source.choice(_WRAPS).format(command)


def _joined(command: str, source: random.Random) -> str:
    if ".." in command:  # behind `cd src` it would stay inside the project
        return command
    return source.choice(_JOINS).format(command)


def _nested(command: str, source: random.Random) -> str:
    return source.choice(_NESTS).format(_quoted(command))


def _any_word(command: str, source: random.Random) -> str:
    """Another word of a plain command in other quotes."""
    if not _PLAIN.fullmatch(command):
        return command
    words = command.split(" ")
    at = source.randrange(len(words))
    word = words[at]
    if not word or "~" in word or len(word) < 2:
        return command
    cut = source.randint(1, len(word) - 1)
    words[at] = source.choice(
        [f"'{word}'", f'"{word}"', f"{word[:cut]}''{word[cut:]}", f"{word[:cut]}\\{word[cut:]}"]
    )
    return " ".join(words)


def _reordered(command: str, source: random.Random) -> str:
    """Options of `rm`, `git push` and the like apart, or in another place."""
    words = command.split(" ")
    fixed = 2 if words[0] == "git" else 1
    if not _PLAIN.fullmatch(command) or words[0] not in _FREE_ORDER or (fixed == 2 and words[1] != "push"):
        return command
    rest: list[str] = []
    for word in words[fixed:]:
        apart = re.fullmatch("-[a-zA-Z]{2,4}", word) and words[0] == "rm" and source.random() < 0.5
        rest += [f"-{letter}" for letter in word[1:]] if apart else [word]
    options = [word for word in rest if word.startswith("-") and word != "--"]
    if "--" in rest or not options:
        return command
    moved = source.choice(options)
    rest.remove(moved)
    rest.insert(source.randint(0, len(rest)), moved)
    return " ".join([*words[:fixed], *rest])


def _in_document(command: str, source: random.Random) -> str:
    """Fed to a shell by a here-document, or held in a variable or function first."""
    if "\n" in command or "EOF" in command:
        return command
    forms = [
        "bash <<EOF\n{}\nEOF",
        "sh <<'EOF'\n{}\nEOF",
        "cat <<'EOF' | sh\n{}\nEOF",
        "f() {{ {}\n}}; f",
        "x=$({}\n)",
    ]
    forms += ["cat <<EOF\n$({})\nEOF"] if ")" not in command and "(" not in command else []
    return source.choice(forms).format(command)


_PLAIN = re.compile(r"[A-Za-z0-9_./~+:@= -]+")
_FREE_ORDER = ("rm", "git", "chmod", "chown", "shred", "cp", "mv")
_MUTATIONS = (_first_word, _any_word, _spread, _wrapped, _joined, _nested, _reordered, _in_document)
