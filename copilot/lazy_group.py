"""A click group that imports a command when it is called; `--help` imports none."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import click

_MIN_SIMILARITY = 0.7
"""Least similarity of a suggested name, from 0 to 1; leading dashes are not compared."""


def usage_message(error: click.ClickException) -> str:
    """A usage error of click as one line in our wording."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    command = context.command_path if context is not None else "copilot"
    at = f"{command}: " if context is not None and context.parent is not None else ""
    match error:
        case click.exceptions.NoArgsIsHelpError():
            return f"{at}name one of its commands: {', '.join(_commands(context))}"
        case click.MissingParameter(param=click.Parameter() as parameter):
            return f"{at}{_with_metavar(parameter, context)} is missing; see: {command} --help"
        case click.NoSuchOption():
            return f"{at}no option {error.option_name}{_suggestion(error, context)}; see: {command} --help"
        case click.BadParameter(param=click.Parameter() as parameter):
            return f"{_name(parameter)}: {_plain(error.message)}"
        case _:
            return _plain(error.format_message())


def _commands(context: click.Context | None) -> list[str]:
    group = context.command if context is not None else None
    return group.list_commands(context) if context is not None and isinstance(group, click.Group) else []


def _name(parameter: click.Parameter) -> str:
    """The long form of an option; an argument as help shows it."""
    is_option = isinstance(parameter, click.Option)
    return max(parameter.opts, key=len) if is_option else (parameter.metavar or parameter.opts[0].upper())


def _with_metavar(parameter: click.Parameter, context: click.Context | None) -> str:
    """The name of the parameter; an option with its metavar."""
    if not isinstance(parameter, click.Option) or context is None:
        return _name(parameter)
    return f"{_name(parameter)} {parameter.make_metavar(context)}"


def _suggestion(error: click.NoSuchOption, context: click.Context | None) -> str:
    known = [name for one in context.command.get_params(context) for name in one.opts] if context else []
    bare = {name.lstrip("-"): name for name in known}
    near = difflib.get_close_matches(error.option_name.lstrip("-"), bare, 1, _MIN_SIMILARITY)
    return f" (did you mean {bare[near[0]]}?)" if near else ""


def _plain(text: str) -> str:
    """`text` without initial capital and full stop, as in our messages."""
    first = text[:1] if text[1:2].isupper() else text[:1].lower()
    return f"{first}{text[1:]}".removesuffix(".")


@dataclass(frozen=True, slots=True)
class LazyCommand:
    """Where a command is (`module:attribute`), and its line in the help."""

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
        """The names in the order of the table."""
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command; None for an unknown name."""
        entry = self.lazy.get(cmd_name)
        return load(entry.target) if entry else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands for `--help` without importing them."""
        rows = [(name, entry.summary) for name, entry in self.lazy.items()]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Raises UsageError for an unknown command; its message shows how to start a CLI of that name."""
        if args and args[0] not in self.lazy:
            raise click.UsageError(_no_such_command(args[0], list(self.lazy)), ctx)
        return super().resolve_command(ctx, args)


def _no_such_command(word: str, names: list[str]) -> str:
    close = difflib.get_close_matches(word, names, 1, _MIN_SIMILARITY)
    meant = f"did you mean 'copilot {close[0]}'? " if close else ""
    return f"no command {word!r}; {meant}to start a program of that name write: copilot -- {word}"
