"""Reads rule files, and what a command is judged in: the book of rules and the scene.

The user's own files may allow and raise. A file that lies in the repository under work may only raise:
whoever wrote the repository wrote it. What the user or the project raises counts even where a built-in rule
allows, and nothing lifts what is forbidden. The examples in each file are judged when `test_rule_files.py`
runs, so that a rule cannot drift from what it says.
"""

from __future__ import annotations

import dataclasses
import functools
import posixpath
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import re2

from copilot.core.risk import RiskLevel
from copilot.documents import parse_toml
from copilot.errors import InputError
from copilot.guard.arguments import Arg
from copilot.guard.below import Reach, expand, refusal_below
from copilot.guard.budget import (
    LONGEST_NAME,
    LONGEST_PATH,
    PLACE,
    WILD_CHARACTER,
    WILDCARD,
    Budget,
    TooMuch,
)
from copilot.guard.families import has_wildcard, is_plain_target
from copilot.guard.grammar import read_options
from copilot.guard.index import own_settings
from copilot.guard.rule import Rule
from copilot.guard.scope import Place, ProjectScope, locate
from copilot.guard.task_names import TASK

_OPERANDS = ("none", "text", "free", "read", "write", "append", "names", "tests")
_TEXTS = ("id", "reason", "operands", "source", "walks")
_LISTS = (
    *("words", "options", "deny_text", "must_text", "text_first_for", "text_first_unless"),
    *("max_operands_for", "walk_options", "link_options", "hidden_options", "include_options", "needs"),
    *("allow", "hold", "examples"),
)
_NUMBERS = ("text_first", "max_operands", "min_operands")
_SWITCHES = ("wild", "alike")
_KEYS = frozenset({*_TEXTS, *_LISTS, *_NUMBERS, *_SWITCHES, "risk"})
_GONE = {
    "deny": "list what is allowed in options",
    "values": "write -x:TYPE in options",
    "secret_values": "write -x:glob in options",
    "tolerant": "it is not needed any more",
}


_MAX_PROGRAMS = 500
_ODD_NAME = re2.compile(r"[$;|&<>`\"'(){}!\\\x00-\x1f]")


@dataclass(frozen=True, slots=True)
class RuleBook:
    """The rules that a command is judged by.

    `allows` are tried in order; `raises` are the built-in ones, which name why something is held, and forbid;
    `strict` are raises of the user and the project, which count whatever allows.
    """

    allows: tuple[Rule, ...]
    raises: tuple[Rule, ...]
    strict: tuple[Rule, ...] = ()
    _found: dict[tuple[str, bool], tuple[Rule, ...]] = field(default_factory=dict, compare=False, repr=False)

    def allowing(self, program: str) -> tuple[Rule, ...]:
        """The rules that allow something of a program, in order."""
        return self._of(program, self.allows, raising=False)

    def raising(self, program: str) -> tuple[Rule, ...]:
        """The built-in rules that raise something of a program, in order."""
        return self._of(program, self.raises, raising=True)

    def _of(self, program: str, rules: tuple[Rule, ...], *, raising: bool) -> tuple[Rule, ...]:
        found = self._found.get((program, raising))
        if found is None:
            found = tuple(rule for rule in rules if rule.words[0].fullmatch(program))
            if len(self._found) > _MAX_PROGRAMS:
                self._found.clear()
            self._found[(program, raising)] = found
        return found

    def with_file(self, allows: Sequence[Rule], strict: Sequence[Rule]) -> RuleBook:
        """This book and the rules of one more file."""
        return RuleBook((*self.allows, *allows), self.raises, (*self.strict, *strict))


@functools.cache
def built_in() -> RuleBook:
    """The rules that come with the program, in the order of their files."""
    loaded = [load_rules(path.read_text("utf-8"), path.name) for path in _files()]
    return RuleBook(
        tuple(rule for allows, _ in loaded for rule in allows),
        tuple(rule for _, raises in loaded for rule in raises),
    )


def load_rules(text: str, name: str) -> tuple[list[Rule], list[Rule]]:
    """The allowing and the raising rules of a file. Raises InputError that names file, rule, key and fix."""
    data = parse_toml(text, name)
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
    try:
        read_options(tuple(data.get("options", ())))
    except ValueError as error:
        raise InputError(f"{where}: options: {error} is no option; write -x, -x:TYPE or --x=TYPE") from error
    data["risk"] = RiskLevel.from_word(data["risk"])
    lists = {key: tuple(value) for key, value in data.items() if isinstance(value, list)}
    return Rule(**{**data, **lists})


def _problem(key: str, value: Any) -> str:
    """What is wrong with the value of a key, and the fix; "" if nothing is."""
    strings = isinstance(value, list) and all(isinstance(one, str) for one in value)
    number = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    problem = ""
    if key in _GONE:
        problem = f"this key is gone: {_GONE[key]}"
    elif key not in _KEYS:
        problem = f"this key is not known; the keys are {', '.join(sorted(_KEYS))}"
    elif key in _LISTS and not strings:
        problem = 'write a list of strings, such as ["a", "b"]'
    elif key in _NUMBERS and not number:
        problem = "write a whole number from 0"
    elif key in _SWITCHES and not isinstance(value, bool):
        problem = "write true or false"
    elif key in (*_TEXTS, "risk") and not isinstance(value, str):
        problem = "write a string"
    elif key == "operands" and value not in _OPERANDS:
        problem = f"{value!r} is not one of {', '.join(_OPERANDS)}"
    return problem


def _patterns(values: Sequence[str], *, whole: bool, where: str) -> tuple[Any, ...]:
    found = []
    for value in (one.replace("@task", TASK) for one in values):
        try:
            found.append(re2.compile(f"(?:{value})" if whole else value))
        except re2.error as error:
            raise InputError(f"{where}: {value!r} is no pattern of RE2: {error}") from error
    return tuple(found)


def _files() -> list[Path]:
    folder = Path(__file__).parent / "rules"
    return sorted(folder.glob("*.toml"))


@dataclass(frozen=True, slots=True)
class Finding:
    """One reason with its level. `grantable`: a grant that names the command may lift it.

    `part` is set where the reason lies in a script inside the command.
    """

    level: RiskLevel
    reason: str
    rule: str
    grantable: bool = False
    part: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """The context of a simple command. `folders` are the working folders it may have (`cd a; …`: two).

    `upstream` are the commands before it in its pipe, `input_text` what is certainly its standard input,
    `names` the variables whose value is certain, `script` judges a nested script.
    """

    scope: ProjectScope
    folders: tuple[str, ...]
    script: Callable[[str, Scene], list[Finding]]
    names: Mapping[str, Arg]
    upstream: tuple[tuple[Arg, ...], ...] = ()
    input_text: str | None = None
    fetched: bool = False
    """A word of the command is made from what a network program printed."""
    depth: int = 0
    book: RuleBook = field(default_factory=built_in)
    budget: Budget = field(default_factory=Budget)
    memo: dict[tuple[str, str], Place] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    recipes: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    in_loop: bool = False
    """The command runs more than once."""
    unbounded: bool = False
    """It is not known how often it runs."""
    rounds: int = 1
    """How often it runs, where that is known."""
    forgotten: frozenset[str] = frozenset()
    """Variables that something in the script may set; `*` stands for all."""

    def deeper(self, **changes: object) -> Scene:
        """The same scene one level of nesting further in."""
        return dataclasses.replace(self, depth=self.depth + 1, **changes)  # type: ignore[arg-type]

    def own_settings(self, folder: str) -> str:
        """Why git there takes its settings from a repository inside the project, or ""; looked up once."""
        found = self.settings.get(folder)
        if found is None:
            found = self.settings[folder] = own_settings(self.scope, folder, self.budget)
        return found

    def places(self, path: str) -> list[Place]:
        """Where `path` may be, seen from each possible folder."""
        if len(path) > LONGEST_PATH or max(map(len, path.split("/"))) > LONGEST_NAME:
            raise TooMuch  # no file has such a name, and patterns over it are costly
        found: list[Place] = []
        for folder in self.folders:
            place = self.memo.get((path, folder))
            if place is None:
                wild = WILDCARD + WILD_CHARACTER * len(path) if has_wildcard(path) else 0
                self.budget.spend(PLACE + wild)
                place = self.memo[(path, folder)] = locate(self.scope, path, folder)
            found.append(place)
        return found

    def path_refusal(self, arg: Arg, mode: str) -> str:
        """Why this operand may not be read (or written), or ""."""
        if arg.text is None:
            return f"{arg.raw!r} is known only when it runs"
        if arg.text == "-":
            return ""
        for place in self.places(arg.text):
            refusal = self._place_refusal(place, repr(arg.text), arg.wild, mode)
            if refusal:
                return refusal
        if arg.pattern:
            return self._expanded_refusal(Arg(arg.pattern), mode)
        return (
            self._expanded_refusal(arg, mode)
            if arg.wild and mode not in ("write", "append", "pattern")
            else ""
        )

    def _place_refusal(self, place: Place, text: str, wild: bool, mode: str) -> str:
        if not place.inside:
            return f"{text} is outside the project"
        if place.secret and mode != "names":
            return f"{text} may hold secrets"
        if mode == "append" and not is_plain_target((place.relative or "").split("/")):
            return f"{text} is no text or log: a tool may load it"
        return self._write_refusal(place, text, wild) if mode in ("write", "append") else ""

    def _expanded_refusal(self, arg: Arg, mode: str) -> str:
        """Why something that a wildcard stands for now may not be read, or ""."""
        for folder in self.folders:
            for name in expand(self.scope, arg.shown, folder, self.budget):
                self.budget.spend(PLACE)
                place = locate(self.scope, name, folder)
                refusal = self._place_refusal(place, repr(name), False, mode)
                if refusal:
                    return refusal
        return ""

    def below_refusal(self, starts: Sequence[str], reach: Reach) -> str:
        """Why what lies below these paths now may not be read, or ""."""
        for start in starts:
            for place in self.places(start):
                paths = [place.path]
                if has_wildcard(start):
                    paths = [
                        posixpath.join(folder, one)
                        for folder in self.folders
                        for one in expand(self.scope, start, folder, self.budget)
                    ]
                for path in paths:
                    refusal = refusal_below(self.scope, path, reach, self.budget)
                    if refusal:
                        return refusal
        return ""

    def _write_refusal(self, place: Place, text: str, wild: bool) -> str:
        if place.protected or place.runs_later or place.autoload:
            return f"{text} changes what other tools trust"
        if place.relative is not None and _ODD_NAME.search(place.relative):
            return f"{text} is a name that a shell may read as a command"
        if place.relative is not None and "/-" in f"/{place.relative}":
            return f"{text} is a name that looks like an option"
        own = self.own_settings(posixpath.dirname(place.path)) if place.relative != "." else ""
        if own:
            return f"{text} is in a repository of its own"
        if self.scope.too_wide:
            return "the project folder is the home folder or above it"
        return f"{text} is a wildcard" if wild else ""


def high(reason: str, rule: str, *, grantable: bool = False) -> Finding:
    """A finding that holds."""
    return Finding(RiskLevel.HIGH, reason, rule, grantable)


def forbidden(reason: str, rule: str) -> Finding:
    """A finding that nothing lifts."""
    return Finding(RiskLevel.FORBIDDEN, reason, rule)
