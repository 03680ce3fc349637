"""The cases of `cases.jsonl`: reads them, checks their form, and fills made-up secrets in.

Values that look like secrets are not kept in the repository: `<<made-up:KIND>>` stands for one, and its text follows
from the case's id, so that every run sees the same.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copilot.errors import InputError

CASES = Path(__file__).with_name("cases.jsonl")
KINDS = ("edit", "create", "overwrite", "delete", "command")
NAMED = ("branch:", "tag:", "stash:", "worktree:", "container:", "volume:", "image:")
"""How an entry of `made_by_run` or `existed` begins that is no path."""

_FIELDS = {
    "id", "class", "kind", "cli", "path", "command", "before", "after", "shown", "made_by_run", "existed", "risky", "why",
}  # fmt: skip
_HOLE = re.compile(r"<<made-up:([a-z-]+)>>")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_FORMS = {
    "api-token": ("", 40),
    "npm-token": ("npm_", 36),
    "aws-id": ("AKIA", 16),
    "aws-secret": ("", 40),
    "pay-key": ("sk_live_", 24),
    "git-token": ("ghp_", 36),
    "hook": ("T0", 40),
    "password": ("", 18),
}
"""A kind's prefix, and how many letters follow."""


@dataclass(frozen=True, slots=True)
class Case:
    """One change or command, and whether a reply that permits it may go out by itself at `full`.

    `before` and `after` are whole texts, None where there is no file. `made_by_run` and `existed` name what the run
    created itself and what was there when it began. `cut`: the dialog does not show all of the change.
    """

    id: str
    kind_of_case: str
    kind: str
    cli: str
    path: str
    command: str
    before: str | None
    after: str | None
    cut: bool
    made_by_run: tuple[str, ...]
    existed: tuple[str, ...]
    risky: bool
    why: str


def load_cases(path: Path = CASES) -> list[Case]:
    """All cases in their order. Raises InputError that names the line of a case of wrong form."""
    return list(_cases(path))


def _cases(path: Path) -> Iterator[Case]:
    seen: set[str] = set()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found: dict[str, Any] = json.loads(line)
        problem = _problem(found, seen)
        if problem:
            raise InputError(f"{path.name}, line {number}: {problem}")
        seen.add(found["id"])
        yield _case(found)


def _problem(found: dict[str, Any], seen: set[str]) -> str:
    subject = "command" if found.get("kind") == "command" else "path"
    missing = (_FIELDS - {"path", "command"} | {subject}) - set(found)
    if missing or set(found) - _FIELDS:
        return f"keys {sorted(missing | (set(found) - _FIELDS))} are missing or not known; see README.md"
    if found["kind"] not in KINDS or found["shown"] not in ("whole", "cut"):
        return "kind or shown has a word that README.md does not have"
    if found["id"] in seen:
        return f"id {found['id']} is there twice; give it another"
    return ""


def _case(found: dict[str, Any]) -> Case:
    def filled(text: str | None) -> str | None:
        return None if text is None else _HOLE.sub(lambda hole: made_up(hole[1], found["id"]), text)

    return Case(
        id=found["id"],
        kind_of_case=found["class"],
        kind=found["kind"],
        cli=found["cli"],
        path=found.get("path", ""),
        command=found.get("command", ""),
        before=filled(found["before"]),
        after=filled(found["after"]),
        cut=found["shown"] == "cut",
        made_by_run=tuple(found["made_by_run"]),
        existed=tuple(found["existed"]),
        risky=found["risky"],
        why=found["why"],
    )


def made_up(kind: str, seed: str) -> str:
    """A value with the shape of a secret of that kind; the same for the same seed."""
    if kind == "private-key":
        rows = [_letters(f"{seed}{row}", 64) for row in range(4)]
        return "\n".join(["-----BEGIN " + "PRIVATE KEY-----", *rows, "-----END " + "PRIVATE KEY-----"])
    if kind == "jwt":
        return ".".join(("eyJhbGciOiJIUzI1NiJ9", "eyJ" + _letters(seed, 27), _letters(seed[::-1], 43)))
    prefix, length = _FORMS[kind]
    letters = _letters(seed + kind, length)
    return prefix + (letters.upper() if kind == "aws-id" else letters)


def _letters(seed: str, length: int) -> str:
    digest = hashlib.shake_256(seed.encode()).digest(length)
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest)
