"""Everyday commands: what developers and coding CLIs run in such a project, none of which should be held at `full`.

Reads, searches, git without the network, tests, linters, type checks, builds, commits by here-document, pipes and small
loops. Left out is what a user may well want to be asked for: deleting, moving, the network, other branches, code given
on the command line, and all that reads secrets.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.guard_classes.grammar import Grammar, load
from tests.guard_classes.shape import is_whole

RULES = load("everyday").rules
KINDS = {"read": 3, "search": 4, "git": 5, "tests": 7, "checks": 2, "mixed": 4}
"""The rules that are kinds of commands, and how often each is drawn."""
JOINS = [
    *[
        "<one> && <one>",
        "<one>; <one>",
        "<one> 2>&1 | tail -<n>",
        "<one> 2>/dev/null",
        "<one> 2>&1",
        "<one> || true",
        "<one>; echo $?",
        "<one> && echo ok",
        "<one> || echo failed",
        "# <msg>\n<one>",
    ],
]


def _joins(text: str) -> bool:
    """Whether the template is one simple command, so that others may stand beside it."""
    return not any(mark in text for mark in ("<<", "&&", "||", ";", "|", "> ", "\n", "cd ", "export "))


SINGLE = [text for kind in KINDS for text in RULES[kind] if _joins(text)]


def everyday(number: int = 2000, seed: int = 1) -> Iterator[str]:
    """`number` different commands; a fifth of them two joined or with a usual end. The same for the same seed."""
    rng = Random(f"everyday/{seed}")
    kinds = [kind for kind, often in KINDS.items() for _ in range(often)]
    seen: set[str] = set()
    while len(seen) < number:
        start = rng.choice(JOINS) if rng.random() < 0.2 else rng.choice(RULES[rng.choice(kinds)])
        command = Grammar({**RULES, "one": SINGLE, "start": [start]}).expand(rng)
        if command not in seen and is_whole(command):
            seen.add(command)
            yield command
