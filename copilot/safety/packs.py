"""Rules as data: what a command may do unasked (`[[rule]]`) and what is raised (`[[raise]]`).

A rule matches an argument list, never a string. Everything about it is an allow list: its words, its
options (or options that are known to be harmless except the denied ones), its operands. The examples in
each file are judged when the packs are tested, so that a rule cannot drift from what it says.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from copilot.core.risk import RiskLevel

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
    """One entry of a pack. See docs/safety.md for the meaning of the keys."""

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
        """Whether the words occur in this order, whatever options stand between them."""
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
