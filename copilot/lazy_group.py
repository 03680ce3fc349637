"""A click group whose commands are imported when they are called, so that `--help` loads none of them."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import click


@dataclass(frozen=True, slots=True)
class LazyCommand:
    """Where a command is (`module:attribute`) and the line that help shows of it."""

    target: str
    summary: str


def load(target: str) -> Any:
    """The object at `module:attribute`."""
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute)


class LazyGroup(click.Group):
    """A group made from a table of names and `LazyCommand`s."""

    def __init__(self, *args: Any, lazy: Mapping[str, LazyCommand] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lazy = dict(lazy or {})

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of the table."""
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now."""
        entry = self.lazy.get(cmd_name)
        return load(entry.target) if entry else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands for `--help`, from the table alone."""
        rows = [(name, entry.summary) for name, entry in self.lazy.items()]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the words name. Raises UsageError that says how a CLI is started instead."""
        if args and args[0] not in self.lazy:
            raise click.UsageError(_no_such_command(args[0], list(self.lazy)), ctx)
        return super().resolve_command(ctx, args)


def _no_such_command(word: str, names: list[str]) -> str:
    close = difflib.get_close_matches(word, names, n=1, cutoff=0.7)
    meant = f"did you mean 'copilot {close[0]}'? " if close else ""
    return f"no command {word!r}; {meant}to start a program of that name write: copilot -- {word}"
