"""Playbooks: replies scripted in YAML, for deterministic runs. `docs/providers.md` documents the format.

YAML 1.2, so `no` and `yes` stay texts. Every fault is an InputError with file and line: a playbook that is
misread would type the wrong thing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from copilot.core.screen_kinds import ScreenKind
from copilot.prompting.patterns import Pattern, pattern
from copilot.strict_yaml import Node, Readers, fields, parse_yaml, read_yaml, times

_MATCH_KEYS = ("exact", "contains", "matches")
_SENDS = ("choice", "text", "needs_human", "clarification", "error")


@dataclass(frozen=True, slots=True)
class Matcher:
    """A text given exactly (but for white space), as a part of it, or as a regular expression (RE2)."""

    how: str
    words: str
    regex: Pattern | None = None

    def fits(self, text: str) -> bool:
        """Whether `text` is meant."""
        flat = " ".join(text.split())
        if self.how == "matches":
            return self.regex is not None and self.regex.search(flat) is not None
        wanted = " ".join(self.words.split())
        return wanted == flat if self.how == "exact" else wanted in flat

    def __str__(self) -> str:
        return f"{self.words!r}" if self.how == "exact" else f"{self.how} {self.words!r}"


@dataclass(frozen=True, slots=True)
class ScriptedReply:
    """One entry. `times` is how often it answers; 0 is any number of times, never included."""

    line: int
    kind: str | None = None
    question: Matcher | None = None
    choice: Matcher | None = None
    text: str | None = None
    reason: str = ""
    confidence: float = 1.0
    needs_human: bool = False
    clarification: str | None = None
    times: int = 1
    delay_seconds: float = 0.0
    optional: bool = False
    error: str | None = None

    def fits(self, kind: str, question: str) -> bool:
        """Whether this entry is meant for such a prompt."""
        return (self.kind is None or self.kind == kind) and (
            self.question is None or self.question.fits(question)
        )

    def describe(self) -> str:
        """What it waits for, with its line."""
        return f"line {self.line} (kind {self.kind or 'any'}, question {self.question or 'any'})"


@dataclass(frozen=True, slots=True)
class Playbook:
    """A whole file. `ordered` means that the next entry must fit; else the first unused one that fits."""

    name: str
    ordered: bool
    replies: tuple[ScriptedReply, ...]


def load_playbook(path: Path) -> Playbook:
    """The playbook of a file. Raises InputError."""
    return _playbook(read_yaml(path))


def read_playbook(text: str, name: str) -> Playbook:
    """The playbook in `text`. Raises InputError naming `name` and the line."""
    return _playbook(parse_yaml(text, Path(name)))


def _playbook(document: Node) -> Playbook:
    given = fields(document, _PLAYBOOK, "replies")
    return Playbook(str(document.path), given.get("order", "strict") == "strict", given["replies"])


def _version(node: Node) -> int:
    if node.value != 1:
        raise node.wrong("only version 1 is known")
    return 1


def _replies(node: Node) -> tuple[ScriptedReply, ...]:
    replies = tuple(map(_reply, node.items()))
    if not replies:
        raise node.wrong("needs at least one reply")
    return replies


def _reply(node: Node) -> ScriptedReply:
    given = fields(node, _REPLY)
    if not given.keys() & _SENDS:
        raise node.wrong(f"needs one of {', '.join(_SENDS)}")
    return ScriptedReply(line=node.line, **given)


def _number(node: Node, most: float) -> float:
    number = node.number()
    if number > most:
        raise node.wrong(f"must be a number from 0 to {most:g}")
    return number


def _matcher(node: Node) -> Matcher:
    if isinstance(node.value, str):
        return Matcher("exact", node.text())
    entries = node.mapping(_MATCH_KEYS) if isinstance(node.value, dict) else {}
    if len(entries) != 1:
        raise node.wrong(f"must be a text in quotes, or one of {', '.join(_MATCH_KEYS)}")
    how, inside = next(iter(entries.items()))
    words = inside.text()
    return Matcher(how, words, _regex(inside, words) if how == "matches" else None)


def _regex(node: Node, words: str) -> Pattern:
    try:
        return pattern(words)
    except ValueError as fault:
        raise node.wrong(f"bad regular expression {words!r}: {fault}") from None


_PLAYBOOK: Readers = {
    "version": _version,
    "order": lambda node: node.one_of(("strict", "any")),
    "replies": _replies,
}
_REPLY: Readers = {
    "kind": lambda node: node.one_of(kind.value for kind in ScreenKind),
    "question": _matcher,
    "choice": _matcher,
    "text": Node.text,
    "reason": Node.text,
    "confidence": lambda node: _number(node, 1.0),
    "needs_human": Node.flag,
    "clarification": Node.text,
    "times": times,
    "delay_seconds": lambda node: _number(node, 3600.0),
    "optional": Node.flag,
    "error": Node.text,
}
