"""Rules as data: what a command may do unasked (`[[rule]]`) and what is raised (`[[raise]]`).

A rule matches an argument list, never a string. Everything about it is an allow list: its words, its
options (or options that are known to be harmless except the denied ones), its operands. The examples in
each file are judged when `test_rule_files.py` runs, so that a rule cannot drift from what it says.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import re2

from copilot.core.risk import RiskLevel
from copilot.errors import InputError
from copilot.guard.scope import Place, ProjectScope, locate

PATH_MODES = frozenset({"read", "write", "names"})


@dataclass(frozen=True, slots=True)
class Arg:
    """An argument: its text (None if known only at run time), if it has wildcards, how it is written."""

    text: str | None
    wild: bool = False
    raw: str = ""

    @property
    def shown(self) -> str:
        """The text, or how it is written."""
        return self.text if self.text is not None else self.raw


CheckPath = Callable[[Arg, str], str]
"""Given an operand and `read`, `write` or `names` (only its name is shown): why it may not, or ""."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One entry of a rule file. See docs/safety.md for the meaning of the keys."""

    id: str
    risk: RiskLevel
    words: tuple[Any, ...]
    reason: str
    operands: str = "none"
    options: tuple[str, ...] | None = None
    deny: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    deny_text: tuple[Any, ...] = ()
    must_text: tuple[Any, ...] = ()
    text_first: int = 0
    text_first_for: tuple[str, ...] = ()
    text_first_unless: tuple[str, ...] = ()
    max_operands: int | None = None
    max_operands_for: Mapping[str, int] | None = None
    secret_values: tuple[str, ...] = ()
    """Options whose value is a pattern of file names, which must not be that of a secret."""
    tolerant: bool = False
    allow: tuple[str, ...] = ()
    hold: tuple[str, ...] = ()

    def names(self, args: list[Arg]) -> bool:
        """Whether the first words of the command are this rule's."""
        if len(args) < len(self.words):
            return False
        pairs = zip(self.words, args, strict=False)
        return all(
            arg.text is not None and not arg.wild and pattern.fullmatch(arg.text) for pattern, arg in pairs
        )

    def names_somewhere(self, args: list[Arg]) -> bool:
        """Whether the words occur in this order, whatever options are between them."""
        if not args or not self.words[0].fullmatch(args[0].shown):
            return False
        rest = iter(args[1:])
        return all(any(pattern.fullmatch(arg.shown) for arg in rest) for pattern in self.words[1:])

    def refusal(self, args: list[Arg], check_path: CheckPath) -> str:
        """Why the rest of the command goes beyond this rule, or ""."""
        program = " ".join(arg.shown for arg in args[:2])
        refusal = self._secret_value(args, check_path)
        if refusal:
            return refusal
        operands: list[Arg] = []
        rest = args[len(self.words) :]
        index = 0
        while index < len(rest):
            arg = rest[index]
            index += 1
            if arg.text is None or not arg.text.startswith("-") or arg.text == "-":
                operands.append(arg)
                continue
            if arg.text == "--":
                continue
            refusal, takes_value = self._option(arg.text, args[0].shown, program, check_path)
            if refusal:
                return refusal
            if takes_value and index < len(rest) and not rest[index].shown.startswith("-"):
                value = rest[index]
                index += 1
                if value.text is None or value.text.startswith(("/", "~", "..")):
                    return f"the value {value.shown!r} of {arg.text} cannot be judged"
        return self._operands(operands, args, check_path)

    def _secret_value(self, args: list[Arg], check_path: CheckPath) -> str:
        for arg, following in itertools.pairwise([*args, Arg("")]):
            name, equals, value = arg.shown.partition("=")
            if name[:2] in self.secret_values and not name.startswith("--"):
                name, equals, value = name[:2], name[2:] or equals, name[2:] + equals + value
            if name not in self.secret_values:
                continue
            pattern = value if equals else following.shown
            refusal = check_path(Arg(pattern.lstrip("!"), True), "read") if pattern[:1] != "!" else ""
            if refusal:
                return refusal
        return ""

    def _option(self, text: str, program: str, shown: str, check_path: CheckPath) -> tuple[str, bool]:
        """Why this option is refused, and whether it takes the next word as its value."""
        name, equals, value = text.partition("=")
        refused = f"the option {name} of {shown.split(' ')[0]} is not one that may run unasked"
        if self.options is not None:
            found = _allowed_option(text, self.options)
            if found == "":
                return refused, False
            takes_value = found == "value"
        else:
            if any(_denied_option(name, entry, program) for entry in self.deny):
                return refused, False
            takes_value = name in self.values and not equals
        path = value if equals else text[2:] if "/" in text else ""
        if path and ("/" in path or path.startswith(("~", ".."))):
            return check_path(Arg(path, any(char in path for char in "*?[")), "read"), takes_value
        return "", takes_value

    def _operands(self, operands: list[Arg], args: list[Arg], check_path: CheckPath) -> str:
        program = args[0].shown
        texts = [arg.text for arg in operands if arg.text is not None]
        limit = (self.max_operands_for or {}).get(program, self.max_operands)
        if self.operands == "none" and operands:
            return f"{operands[0].shown!r} is more than the rule {self.id} covers"
        if limit is not None and len(operands) > limit:
            return f"{program} with more than {limit} operands"
        for text in texts:
            if any(pattern.search(text) for pattern in self.deny_text):
                return f"{text!r} is more than the rule {self.id} covers"
        if self.must_text and not all(
            arg.text is not None and _any(self.must_text, arg.text) for arg in operands
        ):
            return f"operands that the rule {self.id} does not cover"
        if self.operands in PATH_MODES or self.operands == "names-if-wild":
            return self._paths(operands, args, check_path)
        opaque = next((arg for arg in operands if arg.text is None), None)
        strict = self.options is not None or self.deny_text or self.max_operands is not None
        return f"{opaque.raw!r} is known only when it runs" if opaque and strict else ""

    def _paths(self, operands: list[Arg], args: list[Arg], check_path: CheckPath) -> str:
        """Why an operand that is a path may not be touched, or ""."""
        if self.operands == "names-if-wild":
            wild = (arg for arg in operands if arg.wild or arg.shown.startswith("~"))
            return next((why for arg in wild if (why := check_path(arg, "names"))), "")
        first = self.text_first or (1 if self._first_is_text(args) else 0)
        if first and any(arg.text and arg.text.partition("=")[0] in self.text_first_unless for arg in args):
            first = 0
        return next((why for arg in operands[first:] if (why := check_path(arg, self.operands))), "")

    def _first_is_text(self, args: list[Arg]) -> bool:
        return any(arg.text in self.text_first_for for arg in args[: len(self.words)])


def _any(patterns: tuple[Any, ...], text: str) -> bool:
    return any(pattern.search(text) for pattern in patterns)


def _denied_option(name: str, entry: str, program: str) -> bool:
    """Whether an option is the denied one: also abbreviated, also inside a cluster of short ones."""
    entry, _, only = entry.partition("/")
    if only and only != program:
        return False
    if entry.startswith("--"):
        return len(name) > 2 and name.startswith("--") and entry.startswith(name)
    if len(entry) > 2:
        return name == entry
    return not name.startswith("--") and entry[1] in name[1:]


def _allowed_option(text: str, allowed: tuple[str, ...]) -> str:
    """`flag`, or `value` if the next word belongs to it, or "" if the option is not allowed."""
    name, equals, _ = text.partition("=")
    if text in allowed or (equals and f"{name}=" in allowed) or (not equals and f"{name}=" in allowed):
        return "flag"
    if f"{name}:" in allowed:
        return "flag" if equals else "value"
    if text.startswith("--"):
        return ""
    letters = text[1:]
    for index, letter in enumerate(letters):
        if f"-{letter}:" in allowed:
            return "flag" if index + 1 < len(letters) else "value"
        if f"-{letter}" not in allowed:
            return ""
    return "flag"


# Reads rule files, and puts those of the program, the user and the project together.
#
# The user's own files may allow and raise. A file that lies in the repository under work may only raise:
# whoever wrote the repository wrote it. What the user or the project raises counts even where a built-in
# rule allows, and nothing lifts what is forbidden.


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

    def deeper(self, **changes: object) -> Scene:
        """The same scene one level of nesting further in."""
        return dataclasses.replace(self, depth=self.depth + 1, **changes)  # type: ignore[arg-type]

    def places(self, path: str) -> list[Place]:
        """Where `path` may be, seen from each possible folder."""
        return [locate(self.scope, path, folder) for folder in self.folders]

    def path_refusal(self, arg: Arg, mode: str) -> str:
        """Why this operand may not be read (or written), or ""."""
        if arg.text is None:
            return f"{arg.raw!r} is known only when it runs"
        if arg.text == "-":
            return ""
        text = repr(arg.text)
        for place in self.places(arg.text):
            if not place.inside:
                return f"{text} is outside the project"
            if place.secret and mode != "names":
                return f"{text} may hold secrets"
            refusal = self._write_refusal(place, text, arg.wild) if mode == "write" else ""
            if refusal:
                return refusal
        return ""

    def _write_refusal(self, place: Place, text: str, wild: bool) -> str:
        if place.protected or place.runs_later:
            return f"{text} changes what other tools trust"
        if self.scope.too_wide:
            return "the project folder is the home folder or above it"
        return f"{text} is a wildcard" if wild else ""


def high(reason: str, rule: str, *, grantable: bool = False) -> Finding:
    """A finding that holds."""
    return Finding(RiskLevel.HIGH, reason, rule, grantable)


def forbidden(reason: str, rule: str) -> Finding:
    """A finding that nothing lifts."""
    return Finding(RiskLevel.FORBIDDEN, reason, rule)
