"""Whether a project's settings file may widen a run: asked once, on the terminal, before anything starts."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from copilot.config.trust_book import TrustBook
from copilot.errors import InputError
from copilot.safety.text import safe_text

_MOST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class WideningFile:
    """A project's settings file: all that it gives, and those of its keys that widen the run."""

    path: Path
    given: Mapping[str, Any]
    widening: tuple[str, ...]
    headless: bool


def remembered(file: WideningFile) -> bool:
    """What was answered before; False if nobody was asked."""
    return bool(TrustBook().answer(file.path, file.given))


def ask_once(file: WideningFile) -> bool:
    """What was answered before, else what the person says now, which is remembered.

    Raises InputError where nobody can be asked: without a terminal, or headless.
    """
    book = TrustBook()
    known = book.answer(file.path, file.given)
    if known is not None:
        return known
    keys = ", ".join(file.widening)
    if file.headless or not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise InputError(
            f"{file.path}: {keys}: would widen this run, and nobody can be asked; "
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
