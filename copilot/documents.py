"""The one way to parse TOML and JSON that somebody else wrote: bounded in depth, in time and in its numbers.

A hundred thousand brackets end in a RecursionError, here or in whoever walks through the values later; a key
of as many parts takes a parser minutes; a number of as many digits cannot be shown. YAML is `strict_yaml`'s.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from copilot.errors import InputError
from copilot.plain_files import read_text

DEEPEST = 60
"""Levels of a document; what people write has up to six."""
_LARGEST_BITS = 14_000
"""Python refuses to write a number of over 4300 digits."""
_TOO_LONG = "holds a number of too many digits"
_MOST_DOTS = 60
TOO_DEEP = f"is nested deeper than {DEEPEST} levels"
_DOTTED_KEY = r"""(?:(?:"(?:\\.|[^"\\])*"|'[^']*'|[\w-]+)[ \t]*\.[ \t]*){%d}"""


def read_toml(path: str | Path, most: int) -> dict[str, Any]:
    """The tables of a TOML file. Raises InputError (MissingFile if there is none)."""
    return parse_toml(read_text(path, most), str(path))


def parse_toml(text: str, name: str) -> dict[str, Any]:
    """The same of a text. Raises InputError with name, line and fix."""
    _check_dots(text, name)
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{name}: is not TOML: {error}; correct it there") from None
    except ValueError:
        raise InputError(f"{name}: {_TOO_LONG}; shorten it") from None
    except RecursionError:
        raise InputError(f"{name}: {TOO_DEEP}; flatten it") from None
    for key, value in tables.items():
        try:
            check_shape(value)
        except ValueError as error:
            raise InputError(f"{name}: {key}: {error}; flatten or shorten it") from None
    return tables


def _check_dots(text: str, name: str) -> None:
    """tomllib's time for a dotted key grows with the square of its parts. Raises InputError."""
    if text.count(".") <= _MOST_DOTS:
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if line.count(".") > _MOST_DOTS and _has_long_key(line):
            raise InputError(f"{name}, line {number}: a key of more than {_MOST_DOTS} parts; use tables")


def _has_long_key(line: str) -> bool:
    # Almost never due, and importing it takes a part of the start.
    import re2

    return re2.search(_DOTTED_KEY % _MOST_DOTS, line) is not None


def read_json(path: str | Path, most: int) -> Any:
    """The value of a JSON file. Raises InputError (MissingFile if there is none)."""
    text = read_text(path, most)
    try:
        return parse_json(text)
    except ValueError as error:
        raise InputError(f"{path}: is not JSON: {error}; correct it there") from None


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text, or of its bytes in UTF-8. Raises ValueError for whatever is wrong with it."""
    if isinstance(text, bytes):
        text = text.decode()
    text = text.removeprefix("\ufeff")
    try:
        value = json.loads(text)
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    except json.JSONDecodeError:
        raise
    except ValueError:
        raise ValueError(_TOO_LONG) from None
    if text.count("[") + text.count("{") > DEEPEST:
        check_shape(value)
    return value


def check_shape(value: Any, most_values: int | None = None) -> None:
    """Raise ValueError for too deep a value, for a number that cannot be shown, and for too many values.

    What anchors of YAML repeat counts each time: whoever walks through it meets it each time.
    """
    waiting, count = [([value], 0)], 0
    while waiting:
        values, depth = waiting.pop()
        count += len(values)
        if depth > DEEPEST:
            raise ValueError(TOO_DEEP)
        if most_values is not None and count > most_values:
            raise ValueError(f"stands for more than {most_values} values")
        for one in values:
            if isinstance(one, dict):
                waiting.append((list(one.values()), depth + 1))
            elif isinstance(one, list | tuple | set):
                waiting.append((list(one), depth + 1))
            elif isinstance(one, int) and one.bit_length() > _LARGEST_BITS:
                raise ValueError(_TOO_LONG)
