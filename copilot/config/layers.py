"""The sources of settings. Each is read and checked separately, so that an error names its source."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from copilot.config.credentials import holds_key
from copilot.config.paths import exists_or_broken_link
from copilot.config.values import (
    ENVIRONMENT_PREFIX,
    KEYS_OF_A_RUN,
    KEYS_OF_FILES,
    PATH_KEYS,
    Values,
    nearest,
)
from copilot.documents import read_toml
from copilot.errors import InputError
from copilot.plain_files import KIB

LARGEST_FILE = 256 * KIB
"""Of settings and of a governing prompt, which goes to a model with each question."""
_PYDANTIC_PREFIX = "Value error, "


def as_option(key: str) -> str:
    """The command-line option that sets `key`."""
    return "--json" if key == "json_lines" else f"--{key.replace('_', '-')}"


@dataclass(frozen=True, slots=True)
class Layer:
    """The settings of one source. Its relative paths start at `folder`.

    `named` gives a key as the user wrote it in this source, for errors found after all sources are merged.
    """

    source: str
    given: Mapping[str, Any]
    folder: Path
    named: Callable[[str], str] = as_option


def flags_layer(flags: Mapping[str, Any]) -> Layer:
    """The options of the command line. Raises InputError."""
    layer = Layer("option", flags, Path.cwd())
    return replace(layer, given=_checked(flags, layer.named))


def environment_layer() -> Layer:
    """The variables `COPILOT_*`, ignoring case; an empty one is not set. Raises InputError."""
    empty = Layer("environment", {}, Path.cwd(), lambda key: f"{ENVIRONMENT_PREFIX}{key.upper()}")
    if not any(name.upper().startswith(ENVIRONMENT_PREFIX) for name in os.environ):
        # Most users set none, and importing the reader takes a tenth of the time until the first frame.
        return empty
    from copilot.config.environment_values import EnvironmentValues

    try:
        return replace(empty, given=EnvironmentValues().given())
    except ValidationError as error:
        raise _first_fault(error, empty.named) from None


def file_layer(path: Path, source: str, base: Path) -> Layer:
    """A settings file, or an empty layer if it is missing. Raises InputError with the file and the key.

    An unreadable file is an error: it may hold the limits of the run.
    """
    empty = Layer(source, {}, base, lambda key: f"{path}: {key}")
    if not exists_or_broken_link(path):
        return empty
    raw = {key.replace("-", "_"): value for key, value in read_toml(path, LARGEST_FILE).items()}
    for key, value in raw.items():
        _check_key(path, key, value)
    return replace(empty, given=_checked(raw, empty.named))


def _check_key(path: Path, key: str, value: object) -> None:
    if key in KEYS_OF_A_RUN:
        raise InputError(f"{path}: {key}: belongs to a single run; give it as {as_option(key)}")
    if key not in KEYS_OF_FILES:
        hint = nearest(key, KEYS_OF_FILES)
        if "key" in key or "token" in key or "secret" in key:
            hint = "; credentials come from the environment only, such as ANTHROPIC_API_KEY"
        raise InputError(f"{path}: {key}: unknown key{hint}")
    if holds_key(str(value)):
        raise InputError(
            f"{path}: {key}: holds what looks like an API key; set it in the environment instead"
        )


def _checked(raw: Mapping[str, Any], name_of: Callable[[str], str]) -> Mapping[str, Any]:
    try:
        return Values.model_validate(dict(raw)).given()
    except ValidationError as error:
        raise _first_fault(error, name_of) from None


def _first_fault(error: ValidationError, name_of: Callable[[str], str]) -> InputError:
    """The first fault as one line, with the nearest choice where the value must be one of a few."""
    fault = error.errors(include_url=False)[0]
    key = str(fault["loc"][0]) if fault["loc"] else ""
    message = fault["msg"].removeprefix(_PYDANTIC_PREFIX)
    if fault["type"] in ("enum", "literal_error"):
        given, words = str(fault["input"]), str(fault.get("ctx", {}).get("expected", ""))
        choices = [word.strip("' ") for word in words.replace(" or ", ",").split(",")]
        message = f"invalid choice {given!r} (choose from {', '.join(choices)}){nearest(given, choices)}"
    return InputError(f"{name_of(key)}: {message[0].lower()}{message[1:]}")


def absolute_paths(layer: Layer) -> Layer:
    """`layer` with absolute paths."""
    changed = {
        key: str((layer.folder / Path(value).expanduser()).absolute()) if key in PATH_KEYS else value
        for key, value in layer.given.items()
    }
    return replace(layer, given=changed)
