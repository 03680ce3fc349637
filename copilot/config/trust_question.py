"""Whether a project's settings file may widen a run: asked once, on the terminal, before anything starts."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from copilot.documents import read_json
from copilot.errors import InputError
from copilot.guard.text import safe_text
from copilot.plain_files import MIB, MissingFile
from copilot.private_files import replace_atomically
from copilot.resources import state_folder

# What a person has said of projects' settings files: trusted or not, remembered by folder and content.
#
# One private file, `$XDG_STATE_HOME/copilot/trust.json`. An answer holds for exactly the settings that
# were shown: a changed file is asked about again.


_FILE = "trust.json"
_FORMAT = 1
_MOST_BYTES = 4 * MIB
"""An answer takes 150 bytes."""


class TrustBook:
    """The answers. Reading and writing raise InputError with the file and the fix."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or state_folder() / _FILE

    def answer(self, file: Path, given: Mapping[str, Any]) -> bool | None:
        """Whether these settings of this file are trusted; None if the question was never put."""
        entry = self._entries().get(str(file.resolve()))
        if not isinstance(entry, dict) or entry.get("settings") != _digest(given):
            return None
        return entry.get("trusted") is True

    def remember(self, file: Path, given: Mapping[str, Any], *, trusted: bool) -> None:
        """Keep the answer, in place of an earlier one for this file."""
        entries = self._entries() | {
            str(file.resolve()): {"settings": _digest(given), "trusted": trusted},
        }
        text = json.dumps({"format": _FORMAT, "files": entries}, indent=2, sort_keys=True) + "\n"
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_atomically(self._path, text)
        except OSError as error:
            raise InputError(f"{self._path}: cannot be written ({error.strerror}); use --trust") from None

    def _entries(self) -> dict[str, Any]:
        try:
            data = read_json(self._path, _MOST_BYTES)
        except MissingFile:
            return {}
        except InputError as error:
            raise InputError(f"{error}; without it you will be asked again") from None
        files = data.get("files") if isinstance(data, dict) and data.get("format") == _FORMAT else None
        if not isinstance(files, dict):
            raise InputError(
                f"{self._path}: is not as it was written; remove it, and you will be asked again"
            )
        return files


def _digest(given: Mapping[str, Any]) -> str:
    text = json.dumps(dict(given), sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


_MOST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class WideningFile:
    """A project's settings file: all that it gives, and those of its keys that widen the run."""

    path: Path
    given: Mapping[str, Any]
    widening: tuple[str, ...]
    headless: bool


def remembered(file: WideningFile) -> bool:
    """What was answered before; False if there is no answer."""
    return bool(TrustBook().answer(file.path, file.given))


def ask_once(file: WideningFile) -> bool:
    """What was answered before, else what the person says now, which is remembered.

    Raises InputError where no person can be asked: without a terminal, or headless.
    """
    book = TrustBook()
    known = book.answer(file.path, file.given)
    if known is not None:
        return known
    keys = ", ".join(file.widening)
    if file.headless or not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise InputError(
            f"{file.path}: {keys}: would widen this run, and no person can be asked; "
            "add --trust if you trust this folder, or take the keys out of the file"
        )
    click.echo(f"{safe_text(str(file.path))} of this project wants to set:", err=True)
    for key in file.widening:
        click.echo(f"  {key} = {_shown(file.given[key])}", err=True)
    click.echo("Whoever wrote this repository wrote that. Without trust only what narrows counts.", err=True)
    trusted = click.confirm("Do you trust it?", default=False, err=True)
    book.remember(file.path, file.given, trusted=trusted)
    return trusted


def _shown(value: Any) -> str:
    text = safe_text(str(list(value) if isinstance(value, tuple) else value)).replace("\n", " ")
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}… ({len(text)} characters)"
