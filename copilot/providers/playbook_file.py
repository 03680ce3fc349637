"""Playbooks: replies scripted in YAML, for deterministic runs. `docs/providers.md` documents the format.

YAML 1.2, so `no` and `yes` stay texts. Every fault is an InputError with file and line: a playbook that is
misread would type the wrong thing.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copilot.core.screen_kinds import ScreenKind
from copilot.errors import InputError
from copilot.prompting.patterns import Pattern, pattern

_LARGEST_FILE = 1_000_000
_TOP_KEYS = ("version", "order", "replies")
_ENTRY_KEYS = (
    "kind",
    "question",
    "choice",
    "text",
    "reason",
    "confidence",
    "needs_human",
    "clarification",
    "times",
    "delay_seconds",
    "optional",
    "error",
)
_MATCH_KEYS = ("exact", "contains", "matches")
_SENDS = ("choice", "text", "needs_human", "clarification", "error")
ANY_TIMES = 0


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
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise InputError(f"{path}: a playbook of more than {_LARGEST_FILE} bytes is not read")
        return read_playbook(path.read_text("utf-8"), str(path))
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8 text") from None
    except OSError as problem:
        raise InputError(f"{path}: cannot be read: {problem.strerror}") from None


def read_playbook(text: str, name: str) -> Playbook:
    """The playbook in `text`. Raises InputError naming `name` and the line."""
    data = _parse(text, name)
    if not isinstance(data, Mapping):
        raise InputError(f"{name}: a playbook is a mapping with the key 'replies'")
    _check_keys(data, _TOP_KEYS, name)
    order = data.get("order", "strict")
    if order not in ("strict", "any"):
        raise InputError(f"{_at(data, 'order', name)}: order is 'strict' or 'any', not {order!r}")
    if data.get("version", 1) != 1:
        raise InputError(f"{_at(data, 'version', name)}: only version 1 is known")
    entries = data.get("replies")
    if not isinstance(entries, list) or not entries:
        raise InputError(f"{name}: 'replies' is a list with at least one reply")
    replies = tuple(_entry(entry, index, entries, name) for index, entry in enumerate(entries))
    return Playbook(name, order == "strict", replies)


def _parse(text: str, name: str) -> Any:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        return YAML(typ="rt").load(text)
    except MarkedYAMLError as problem:
        line = problem.problem_mark.line + 1 if problem.problem_mark else 1
        fault = " ".join(str(problem.problem or "not valid YAML").split())
        raise InputError(f"{name}, line {line}: {fault}") from None
    except (YAMLError, ValueError, RecursionError) as problem:
        raise InputError(f"{name}: not valid YAML ({type(problem).__name__})") from None


def _entry(entry: Any, index: int, entries: Any, name: str) -> ScriptedReply:
    line = entries.lc.item(index)[0] + 1
    if not isinstance(entry, Mapping):
        raise InputError(f"{name}, line {line}: a reply is a mapping such as 'choice: \"Yes\"'")
    _check_keys(entry, _ENTRY_KEYS, name)
    if not any(key in entry for key in _SENDS):
        raise InputError(f"{name}, line {line}: a reply needs one of {', '.join(_SENDS)}")
    field = _Fields(entry, name)
    return ScriptedReply(
        line=line,
        kind=field.kind(),
        question=field.matcher("question"),
        choice=field.matcher("choice"),
        text=field.text("text"),
        reason=field.text("reason") or "",
        confidence=field.number("confidence", 1.0, 1.0),
        needs_human=field.flag("needs_human"),
        clarification=field.text("clarification"),
        times=field.times(),
        delay_seconds=field.number("delay_seconds", 0.0, 3600.0),
        optional=field.flag("optional"),
        error=field.text("error"),
    )


class _Fields:
    """The fields of one entry, each checked for its type."""

    def __init__(self, entry: Any, name: str) -> None:
        self._entry = entry
        self._name = name

    def text(self, key: str) -> str | None:
        value = self._entry.get(key)
        if value is None or isinstance(value, str):
            return None if value is None else str(value)
        raise self._error(key, f'is a text: write it in quotes, {key}: "{value}"')

    def flag(self, key: str) -> bool:
        value = self._entry.get(key, False)
        if isinstance(value, bool):
            return value
        raise self._error(key, "is true or false")

    def number(self, key: str, default: float, most: float) -> float:
        value = self._entry.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
            raise self._error(key, f"is a number from 0 to {most:g}")
        return float(value)

    def times(self) -> int:
        value = self._entry.get("times", 1)
        if value == "any":
            return ANY_TIMES
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise self._error("times", "is a number from 1, or any")
        return int(value)

    def kind(self) -> str | None:
        value = self.text("kind")
        known = [kind.value for kind in ScreenKind]
        if value is not None and value not in known:
            raise self._error("kind", f"{value!r} is unknown{_nearest(value, known)}")
        return value

    def matcher(self, key: str) -> Matcher | None:
        value = self._entry.get(key)
        if value is None:
            return None
        if isinstance(value, str):
            return Matcher("exact", str(value))
        if not isinstance(value, Mapping) or len(value) != 1:
            raise self._error(key, f"is a text in quotes, or one of {', '.join(_MATCH_KEYS)}")
        _check_keys(value, _MATCH_KEYS, self._name)
        how, words = next(iter(value.items()))
        if not isinstance(words, str):
            raise self._error(key, f"{how} is a text: write it in quotes")
        return Matcher(str(how), str(words), self._regex(key, str(words)) if how == "matches" else None)

    def _regex(self, key: str, words: str) -> Pattern:
        try:
            return pattern(words)
        except ValueError as fault:
            raise self._error(key, f"bad regular expression {words!r}: {fault}") from None

    def _error(self, key: str, problem: str) -> InputError:
        return InputError(f"{_at(self._entry, key, self._name)}: {key}: {problem}")


def _check_keys(mapping: Any, known: tuple[str, ...], name: str) -> None:
    for key in mapping:
        if key not in known:
            raise InputError(
                f"{_at(mapping, key, name)}: unknown key {key!r}{_nearest(str(key), list(known))}"
            )


def _nearest(word: str, known: list[str]) -> str:
    close = difflib.get_close_matches(word, known, 1)
    return f"; did you mean {close[0]!r}?" if close else f"; known are {', '.join(known)}"


def _at(mapping: Any, key: str, name: str) -> str:
    try:
        return f"{name}, line {mapping.lc.key(key)[0] + 1}"
    except (AttributeError, KeyError):
        return name
