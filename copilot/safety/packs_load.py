"""Reads packs of rules, and puts those of the program, the user and the project together.

The user's own packs may allow and raise. A pack that lies in the repository under work may only raise:
whoever wrote the repository wrote it. What the user or the project raises counts even where a built-in rule
allows, and nothing lifts what is forbidden.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import re2

from copilot.core.risk import RiskLevel
from copilot.errors import InputError
from copilot.safety.packs import Rule

_OPERANDS = ("none", "text", "read", "write", "names", "names-if-wild")
_TEXTS = ("id", "reason", "operands")
_LISTS = (
    *("words", "options", "deny", "values", "deny_text", "must_text", "text_first_for", "text_first_unless"),
    *("max_operands_for", "secret_values", "allow", "hold", "examples"),
)
_NUMBERS = ("text_first", "max_operands")
_KEYS = frozenset({*_TEXTS, *_LISTS, *_NUMBERS, "risk", "tolerant"})


@dataclass(frozen=True, slots=True)
class RuleBook:
    """The rules that a command is judged by.

    `allows` are tried in order; `raises` are the built-in ones, which name why something is held, and forbid;
    `strict` are raises of the user and the project, which count whatever allows.
    """

    allows: tuple[Rule, ...]
    raises: tuple[Rule, ...]
    strict: tuple[Rule, ...] = ()

    def with_pack(self, allows: Sequence[Rule], strict: Sequence[Rule]) -> RuleBook:
        """This book and one more pack."""
        return RuleBook((*self.allows, *allows), self.raises, (*self.strict, *strict))


@functools.cache
def built_in() -> RuleBook:
    """The rules that come with the program, in the order of their files."""
    loaded = [load_pack(path.read_text("utf-8"), path.name) for path in _files()]
    return RuleBook(
        tuple(rule for allows, _ in loaded for rule in allows),
        tuple(rule for _, raises in loaded for rule in raises),
    )


def load_pack(text: str, name: str) -> tuple[list[Rule], list[Rule]]:
    """The allowing and the raising rules of a pack. Raises InputError that names file, rule, key and fix."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{name}: not TOML: {error}") from error
    for key, value in data.items():
        if key not in ("rule", "raise"):
            raise InputError(f"{name}: the key {key!r} is not known; write [[rule]] or [[raise]]")
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise InputError(f"{name}: {key}: write it as [[{key}]], once for each rule")
    return (
        [_rule(entry, f"{name}: rule", _ALLOWS) for entry in data.get("rule", [])],
        [_rule({"operands": "text", **entry}, f"{name}: raise", _RAISES) for entry in data.get("raise", [])],
    )


_ALLOWS = (RiskLevel.NONE, RiskLevel.LOW, RiskLevel.MEDIUM)
_RAISES = (RiskLevel.HIGH, RiskLevel.FORBIDDEN)


def _rule(entry: Mapping[str, Any], kind: str, levels: tuple[RiskLevel, ...]) -> Rule:
    where = f"{kind} {entry.get('id', '(without id)')}"
    for key in ("id", "risk", "words", "reason"):
        if not entry.get(key):
            raise InputError(f"{where}: {key} is missing; every rule has id, risk, words and reason")
    for key, value in entry.items():
        problem = _problem(key, value)
        if problem:
            raise InputError(f"{where}: {key}: {problem}")
    words = [level.word for level in levels]
    if entry["risk"] not in words:
        raise InputError(f"{where}: risk: {entry['risk']!r} is not one of {', '.join(words)}")
    data = dict(entry)
    data["hold"] = data.pop("examples", data.get("hold", ()))
    for key in ("words", "deny_text", "must_text"):
        data[key] = _patterns(data.get(key, ()), whole=key == "words", where=f"{where}: {key}")
    try:
        limits = [one.split(":") for one in data.get("max_operands_for", ())]
        data["max_operands_for"] = {program: int(count) for program, count in limits}
    except ValueError as error:
        raise InputError(f"{where}: max_operands_for: write PROGRAM:COUNT") from error
    data["risk"] = RiskLevel.from_word(data["risk"])
    lists = {key: tuple(value) for key, value in data.items() if isinstance(value, list)}
    return Rule(**{**data, **lists})


def _problem(key: str, value: Any) -> str:
    """What is wrong with the value of a key, and the fix; "" if nothing is."""
    strings = isinstance(value, list) and all(isinstance(one, str) for one in value)
    number = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    problem = ""
    if key not in _KEYS:
        problem = f"this key is not known; the keys are {', '.join(sorted(_KEYS))}"
    elif key in _LISTS and not strings:
        problem = 'write a list of strings, such as ["a", "b"]'
    elif key in _NUMBERS and not number:
        problem = "write a whole number from 0"
    elif key == "tolerant" and not isinstance(value, bool):
        problem = "write true or false"
    elif key in (*_TEXTS, "risk") and not isinstance(value, str):
        problem = "write a string"
    elif key == "operands" and value not in _OPERANDS:
        problem = f"{value!r} is not one of {', '.join(_OPERANDS)}"
    return problem


def _patterns(values: Sequence[str], *, whole: bool, where: str) -> tuple[Any, ...]:
    found = []
    for value in values:
        try:
            found.append(re2.compile(f"(?:{value})" if whole else value))
        except re2.error as error:
            raise InputError(f"{where}: {value!r} is no pattern of RE2: {error}") from error
    return tuple(found)


def _files() -> list[Path]:
    folder = Path(__file__).parent / "packs"
    return sorted(path for path in folder.glob("*.toml") if path.name != "secrets.toml")
