"""YAML 1.2 read strictly: every wrong key or value is named with its file and line."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import re2
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.scanner import RoundTripScanner, ScannerError

from copilot.documents import DEEPEST, TOO_DEEP, check_shape
from copilot.errors import InputError
from copilot.plain_files import KIB, read_text

MOST_BYTES = 256 * KIB
_MOST_TOKENS = 30_000
"""The parser takes a second for so many; a scenario has about thirty, a reply of a playbook ten."""
ANY_TIMES = 0
_MOST_VALUES = 50_000
_COMMENT = re2.compile(r"\s#.*$")
_ENTRY = re2.compile(r"\s*(?:- +)*([A-Za-z_][\w-]*): +([^\"'|>\[{#].*)$")


@dataclass(frozen=True, slots=True)
class UnknownKey:
    """An unknown key, the known one that is nearest (`meant`, may be empty), and the message."""

    meant: str
    problem: PlacedError


class PlacedError(InputError):
    """A fault of a document, and its line."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


class UnquotedColon(PlacedError):
    """An entry whose value holds a colon and no quotes, the commonest slip."""

    def __init__(self, message: str, line: int, key: str, value: str) -> None:
        super().__init__(message, line)
        self.key = key
        self.value = value

    def mended(self, text: str) -> str:
        """`text` with the value in quotes."""
        lines = text.split("\n")
        quoted = "'" + self.value.replace("'", "''") + "'"
        at = lines[self.line - 1].index(f"{self.key}:") + len(self.key) + 1
        lines[self.line - 1] = f"{lines[self.line - 1][:at]} {quoted}"
        return "\n".join(lines)


class Node:
    """A value of a YAML document with its position."""

    def __init__(self, value: Any, path: Path, line: int, what: str) -> None:
        self.value = value
        self.path = path
        self.line = line
        self.what = what

    def wrong(self, message: str) -> PlacedError:
        """The error that names this place."""
        return PlacedError(f"{self.path}, line {self.line}: {self.what}: {message}", self.line)

    def mapping(self, known: Iterable[str]) -> dict[str, Node]:
        """The entries of a mapping whose keys are all `known`. Raises InputError."""
        entries, unknown = self.entries(known)
        if unknown:
            raise unknown[0].problem
        return entries

    def entries(self, known: Iterable[str]) -> tuple[dict[str, Node], list[UnknownKey]]:
        """The entries with `known` keys, and all other keys. Raises InputError if it is no mapping."""
        if not isinstance(self.value, dict):
            raise self.wrong(f"must be a mapping of {', '.join(known)}")
        names = tuple(known)
        entries: dict[str, Node] = {}
        unknown: list[UnknownKey] = []
        for key, value in self.value.items():
            node = Node(value, self.path, _line(self.value, key, self.line), str(key))
            if key in names:
                entries[str(key)] = node
                continue
            near = difflib.get_close_matches(str(key), names, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(names)}"
            unknown.append(UnknownKey(near[0] if near else "", node.wrong(f"unknown key; {hint}")))
        return entries, unknown

    def free_mapping(self) -> dict[str, Any]:
        """A mapping with any keys, as plain data. Raises InputError."""
        if not isinstance(self.value, dict):
            raise self.wrong("must be a mapping")
        plain = _plain(self.value)
        assert isinstance(plain, dict)
        return plain

    def plain(self) -> Any:
        """The value as plain data, whatever it is."""
        return _plain(self.value)

    def items(self) -> list[Node]:
        """The items of a list. Raises InputError."""
        if not isinstance(self.value, list):
            raise self.wrong("must be a list")
        return [
            Node(value, self.path, _line(self.value, index, self.line), f"{self.what}[{index + 1}]")
            for index, value in enumerate(self.value)
        ]

    def text(self) -> str:
        """A string. Raises InputError."""
        if not isinstance(self.value, str):
            raise self.wrong("must be a text (put it in quotes)")
        return str(self.value)

    def number(self, least: float = 0.0) -> float:
        """A number, at least so much. Raises InputError."""
        value = self.value
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value < least:
            raise self.wrong(f"must be a number of at least {least:g}")
        return float(value)

    def whole(self, least: int = 0) -> int:
        """A whole number, at least so much. Raises InputError."""
        if isinstance(self.value, bool) or not isinstance(self.value, int) or self.value < least:
            raise self.wrong(f"must be a whole number of at least {least}")
        return int(self.value)

    def flag(self) -> bool:
        """true or false. Raises InputError."""
        if not isinstance(self.value, bool):
            raise self.wrong("must be true or false")
        return self.value

    def one_of(self, words: Iterable[str]) -> str:
        """One of these words. Raises InputError."""
        known = tuple(words)
        if self.value not in known:
            near = difflib.get_close_matches(str(self.value), known, 1)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            raise self.wrong(f"must be one of {', '.join(known)}{hint}")
        return str(self.value)


Readers = Mapping[str, Callable[[Node], Any]]


def fields(node: Node, readers: Readers, *needed: str) -> dict[str, Any]:
    """The values of a mapping by key. Raises InputError for an unknown key and for a missing one."""
    entries = node.mapping(readers)
    for key in needed:
        if key not in entries:
            raise node.wrong(f"has no `{key}`")
    return {key: readers[key](entry) for key, entry in entries.items()}


def texts(node: Node) -> tuple[str, ...]:
    """A list of texts. Raises InputError."""
    return tuple(item.text() for item in node.items())


def times(node: Node) -> int:
    """How often something is due: a number from 1, or ANY_TIMES for `any`. Raises InputError."""
    if node.value == "any":
        return ANY_TIMES
    if isinstance(node.value, bool) or not isinstance(node.value, int) or node.value < 1:
        raise node.wrong("must be a whole number of at least 1, or any")
    return int(node.value)


class _BoundedScanner(RoundTripScanner):
    """The time of ruamel's own grows with the square of the depth, long before it gives up."""

    fetched = 0

    def fetch_more_tokens(self) -> Any:
        self.fetched += 1
        if self.fetched > _MOST_TOKENS:
            raise ScannerError(None, None, "has too many parts; divide the file", self.reader.get_mark())
        return super().fetch_more_tokens()

    def fetch_flow_collection_start(self, TokenClass: Any, to_push: str) -> None:
        self._check_depth()
        super().fetch_flow_collection_start(TokenClass, to_push)

    def add_indent(self, column: int) -> bool:
        self._check_depth()
        return bool(super().add_indent(column))

    def _check_depth(self) -> None:
        if self.flow_level + len(self.indents) > DEEPEST:
            raise ScannerError(None, None, f"{TOO_DEEP}; flatten it", self.reader.get_mark())


def read_yaml(path: Path) -> Node:
    """The document in `path`. Raises InputError when it cannot be read or is not YAML."""
    return parse_yaml(read_text(path, MOST_BYTES), path)


def parse_yaml(text: str, path: Path) -> Node:
    """The document in `text`; `path` names it. Raises InputError."""
    try:
        reader = YAML(typ="rt", pure=True)
        reader.Scanner = _BoundedScanner
        document = reader.load(text)
    except MarkedYAMLError as error:
        raise _scan_error(error, text, path) from None
    except YAMLError as error:
        raise InputError(f"{path}: is not YAML: {' '.join(str(error).split())}") from None
    except Exception as error:  # the parser trips over odd tags, numbers and dates in its own ways
        raise InputError(f"{path}: is not YAML that can be read ({type(error).__name__})") from None
    try:
        check_shape(document, _MOST_VALUES)
    except ValueError as error:
        raise InputError(f"{path}: {error}; flatten or shorten it") from None
    return Node(document, path, 1, "the file")


def _scan_error(error: MarkedYAMLError, text: str, path: Path) -> InputError:
    """The fault with its place, and what to do about a value with an unquoted colon."""
    mark = error.problem_mark or error.context_mark
    fault = " ".join(str(error.problem or error.context).split())
    if mark is None:
        return InputError(f"{path}: {fault}")
    message = f"{path}, line {mark.line + 1}: {fault}"
    lines = text.split("\n")
    entry = _ENTRY.match(lines[mark.line]) if mark.line < len(lines) else None
    if entry is None or ": " not in entry[2] + " ":
        return InputError(message)
    key, value = entry[1], _COMMENT.sub("", entry[2]).strip()
    message += f'; {key}: has a colon in its value: put it in quotes, {key}: "{value}"'
    return UnquotedColon(message, mark.line + 1, key, value)


def _line(container: Any, key: Any, default: int) -> int:
    """The line of an entry, counted from 1."""
    place = getattr(container, "lc", None)
    data = getattr(place, "data", None) or {}
    return int(data[key][0]) + 1 if key in data else default


def _plain(value: Any) -> Any:
    """`value` without ruamel's own types."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return int(value)
    return float(value) if isinstance(value, float) else str(value)
