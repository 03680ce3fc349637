"""Rules as data: what a command may do unasked (`[[rule]]`) and what is raised (`[[raise]]`).

A rule matches an argument list, never a string. Everything about it is an allow list: its words, its
options (or options that are known to be harmless except the denied ones), its operands. The examples in
each file are judged when `test_rule_files.py` runs, so that a rule cannot drift from what it says.
"""

from __future__ import annotations

import dataclasses
import functools
import posixpath
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import re2

from copilot.core.risk import RiskLevel
from copilot.errors import InputError
from copilot.guard.arguments import Arg
from copilot.guard.below import Reach, expand, refusal_below
from copilot.guard.budget import PLACE, Budget
from copilot.guard.families import is_plain_target
from copilot.guard.grammar import is_one_word, option_refusal, read_options
from copilot.guard.scope import Place, ProjectScope, locate
from copilot.guard.task_names import TASK

PATH_MODES = frozenset({"read", "write", "append", "names", "tests"})
_TEST_FOLDER = re2.compile(
    r"(?i)_*(?:tests?|specs?|e2e|unit|integration|testing|testdata|cypress|features)_*|.*[-_.](?:tests?|specs?)"
)
_TEST_FILE = re2.compile(
    r"(?i)tests?[_.-].*|.*[_.-](?:tests?|spec|e2e|cy)(?:\.[a-z0-9]+)?|.*Tests?\.[a-z]+|.*Spec\.[a-z]+|tests?|conftest\.py|.*\.feature"
)


@dataclass(frozen=True, slots=True)
class Rule:
    """One entry of a rule file. See docs/safety.md for the meaning of the keys."""

    id: str
    risk: RiskLevel
    words: tuple[Any, ...]
    reason: str
    source: str = ""
    operands: str = "none"
    options: tuple[str, ...] = ()
    deny_text: tuple[Any, ...] = ()
    must_text: tuple[Any, ...] = ()
    text_first: int = 0
    text_first_for: tuple[str, ...] = ()
    text_first_unless: tuple[str, ...] = ()
    max_operands: int | None = None
    min_operands: int = 0
    max_operands_for: Mapping[str, int] | None = None
    wild: bool = False
    """No option of these programs does more than print: a name may look like one."""
    walks: str = ""
    """`always`, or `options`: with one of `walk_options` it reads whole folders."""
    walk_options: tuple[str, ...] = ()
    link_options: tuple[str, ...] = ()
    hidden_options: tuple[str, ...] = ()
    """If any: hidden files and those of `.gitignore` are left out without one of these."""
    include_options: tuple[str, ...] = ()
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

    def refusal(self, args: list[Arg], scene: Scene) -> str:
        """Why the rest of the command goes beyond this rule, or ""."""
        options = read_options(self.options)
        operands: list[Arg] = []
        given: list[tuple[str, str]] = []
        rest = args[len(self.words) :]
        closed = False
        index = 0
        while index < len(rest):
            arg = rest[index]
            index += 1
            free = closed or self.operands == "free"
            if free or not (arg.text or "").startswith("-") or arg.text == "-":
                refusal = "" if free else self._may_be_option(arg, scene)
                if refusal:
                    return refusal
                operands.append(arg)
                continue
            if arg.text == "--":
                closed = "--" not in self.options
                continue
            following = rest[index] if index < len(rest) else None
            why, takes_next = option_refusal(arg.shown, following, options, scene.path_refusal)
            if why:
                name = arg.shown.partition("=")[0]
                said = f"the option {name} of {args[0].shown} is not one that may run unasked"
                return said if why == "unknown" else f"{name}: {why}"
            given.append((arg.shown, following.shown if takes_next and following else ""))
            index += 1 if takes_next else 0
        return self._operands(operands, args, scene) or self._below(operands, given, args, scene)

    def _may_be_option(self, arg: Arg, scene: Scene) -> str:
        """Why a wildcard at the start of a word may become an option, or ""."""
        if arg.text is None:
            return "" if self.wild and is_one_word(arg) else f"{arg.raw!r} is known only when it runs"
        if not arg.wild or arg.text[:1] not in ("*", "?", "["):
            return ""
        if not self.wild:
            return f"a name that {arg.text!r} stands for may look like an option; write ./{arg.text}"
        for folder in scene.folders:
            found = [
                one for one in expand(scene.scope, arg.text, folder, scene.budget) if one.startswith("-")
            ]
            if found:
                return f"{arg.text!r} stands for {found[0]!r}, which is read as an option"
        return ""

    def _operands(self, operands: list[Arg], args: list[Arg], scene: Scene) -> str:
        program = args[0].shown
        limit = (self.max_operands_for or {}).get(program, self.max_operands)
        bad = next((arg.text for arg in operands if arg.text and _any(self.deny_text, arg.text)), None)
        opaque = next((arg for arg in operands if arg.text is None), None)
        refusal = ""
        if self.operands == "none" and operands:
            refusal = f"{operands[0].shown!r} is more than the rule {self.id} covers"
        elif limit is not None and sum(2 if arg.wild else 1 for arg in operands) > limit:
            refusal = f"{program} with more than {limit} operands"
        elif len(operands) < self.min_operands:
            refusal = f"{program} without a name does what its file says first"
        elif bad is not None:
            refusal = f"{bad!r} is more than the rule {self.id} covers"
        elif self.must_text and not all(arg.text and _any(self.must_text, arg.text) for arg in operands):
            refusal = f"operands that the rule {self.id} does not cover"
        elif self.operands in PATH_MODES or self.operands == "free":
            refusal = self._paths(operands, args, scene)
        elif opaque is not None:
            refusal = f"{opaque.raw!r} is known only when it runs"
        return refusal

    def _paths(self, operands: list[Arg], args: list[Arg], scene: Scene) -> str:
        """Why an operand that is a path may not be touched, or ""."""
        check = scene.path_refusal
        if self.operands == "free":
            wild = (arg for arg in operands if arg.wild or arg.shown.startswith("~"))
            return next((why for arg in wild if (why := check(arg, "names"))), "")
        for arg in self._path_operands(operands, args):
            text = arg.text or ""
            if text.startswith(("@", "=")):
                return f"{text!r} may name a file of options"
            if self.operands == "tests":
                arg = dataclasses.replace(arg, text=text.partition("::")[0] if arg.text else None)
                if arg.text and not _is_test(arg.text):
                    return f"{arg.text!r} is not named like a test"
            why = check(arg, "read" if self.operands == "tests" else self.operands)
            if not why and args[0].text == "git" and ":" in text:
                # REVISION:PATH names a file of another time.
                why = check(Arg(text.rpartition(":")[2] or "."), "read")
            if why:
                return why
        return ""

    def _path_operands(self, operands: list[Arg], args: list[Arg]) -> list[Arg]:
        first = self.text_first or (1 if self._first_is_text(args) else 0)
        if first and any(arg.text and _option_name(arg.text) in self.text_first_unless for arg in args):
            first = 0
        return operands[first:]

    def _first_is_text(self, args: list[Arg]) -> bool:
        return any(arg.text in self.text_first_for for arg in args[: len(self.words)])

    def _below(self, operands: list[Arg], given: list[tuple[str, str]], args: list[Arg], scene: Scene) -> str:
        """Why what lies below the operands may not be read, or ""."""
        words = [word for word, _ in given]
        if not self.walks or (self.walks == "options" and not _given(words, self.walk_options)):
            return ""
        starts = self._path_operands(operands, args)
        tracked = args[0].text == "git"
        if tracked:
            starts = [arg for arg in starts if self._is_there(arg, scene)]
        if not starts and scene.upstream and self.walks == "always" and not tracked:
            return ""
        shown = not self.hidden_options or _given(words, self.hidden_options)
        reach = Reach(
            links=_given(words, self.link_options),
            hidden=shown,
            ignored=shown and not tracked,
            content=self.operands != "names",
            only=tuple(self._includes(given)),
        )
        return scene.below_refusal([arg.text or "" for arg in starts] or ["."], reach)

    @staticmethod
    def _is_there(arg: Arg, scene: Scene) -> bool:
        """Whether an operand of git names a file or folder that is there, and no revision."""
        disk = scene.scope.disk
        return arg.wild or any(
            disk.size_of(place.path) is not None or disk.list_folder(place.path)
            for place in scene.places(arg.shown)
        )

    def _includes(self, given: list[tuple[str, str]]) -> list[str]:
        found: list[str] = []
        for word, following in given:
            name, equals, value = word.partition("=")
            if name in self.include_options:
                pattern = (value if equals else following).rpartition("/")[2]
                found += [pattern] if pattern and not pattern.startswith("!") else []
        return found


def _given(words: list[str], options: tuple[str, ...]) -> bool:
    """Whether one of the options was given, also in a cluster of short ones."""
    for word in words:
        name = word.partition("=")[0]
        if name in options:
            return True
        if not name.startswith("--") and any(len(one) == 2 and one[1] in name[1:] for one in options):
            return True
    return False


def _option_name(text: str) -> str:
    name = text.partition("=")[0]
    return name if name.startswith("--") else name[:2]


def _is_test(path: str) -> bool:
    """Whether a path names tests: a file called so, anything below a folder of tests, or a folder."""
    names = [name for name in path.split("/") if name not in ("", ".")]
    if not names or _TEST_FILE.fullmatch(names[-1]):
        return True
    if any(char in path for char in "*?["):
        return any(_TEST_FOLDER.fullmatch(name) for name in names[:-1])
    return "." not in names[-1] or any(_TEST_FOLDER.fullmatch(name) for name in names[:-1])


def _any(patterns: tuple[Any, ...], text: str) -> bool:
    return any(pattern.search(text) for pattern in patterns)


# Reads rule files, and puts those of the program, the user and the project together.
#
# The user's own files may allow and raise. A file that lies in the repository under work may only raise:
# whoever wrote the repository wrote it. What the user or the project raises counts even where a built-in
# rule allows, and nothing lifts what is forbidden.


_OPERANDS = ("none", "text", "free", "read", "write", "append", "names", "tests")
_TEXTS = ("id", "reason", "operands", "source", "walks")
_LISTS = (
    *("words", "options", "deny_text", "must_text", "text_first_for", "text_first_unless"),
    *("max_operands_for", "walk_options", "link_options", "hidden_options", "include_options"),
    *("allow", "hold", "examples"),
)
_NUMBERS = ("text_first", "max_operands", "min_operands")
_KEYS = frozenset({*_TEXTS, *_LISTS, *_NUMBERS, "risk", "wild"})
_GONE = {
    "deny": "list what is allowed in options",
    "values": "write -x:TYPE in options",
    "secret_values": "write -x:glob in options",
    "tolerant": "it is not needed any more",
}


_MAX_PROGRAMS = 500


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
    elif key == "wild" and not isinstance(value, bool):
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
    in_loop: bool = False
    """The command runs more than once."""
    unbounded: bool = False
    """It runs nobody knows how often."""
    forgotten: frozenset[str] = frozenset()
    """Variables that something in the script may set; `*` stands for all."""

    def deeper(self, **changes: object) -> Scene:
        """The same scene one level of nesting further in."""
        return dataclasses.replace(self, depth=self.depth + 1, **changes)  # type: ignore[arg-type]

    def places(self, path: str) -> list[Place]:
        """Where `path` may be, seen from each possible folder."""
        found: list[Place] = []
        for folder in self.folders:
            place = self.memo.get((path, folder))
            if place is None:
                self.budget.spend(PLACE)
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
            return f"{text} may be loaded by a tool"
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
                if any(char in start for char in "*?["):
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
        if self.scope.too_wide:
            return "the project folder is the home folder or above it"
        return f"{text} is a wildcard" if wild else ""


def high(reason: str, rule: str, *, grantable: bool = False) -> Finding:
    """A finding that holds."""
    return Finding(RiskLevel.HIGH, reason, rule, grantable)


def forbidden(reason: str, rule: str) -> Finding:
    """A finding that nothing lifts."""
    return Finding(RiskLevel.FORBIDDEN, reason, rule)
