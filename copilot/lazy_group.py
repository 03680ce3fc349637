"""A click group whose commands are imported when they are called, so that `--help` loads none of them."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import click

_NEAR = 0.7
"""So much of a name must be right before it is guessed; the dashes, which all share, do not count."""


def usage_words(error: click.ClickException) -> str:
    """One line for what click found wrong."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    command = context.command_path if context is not None else "copilot"
    at = f"{command}: " if context is not None and context.parent is not None else ""
    match error:
        case click.exceptions.NoArgsIsHelpError():
            return f"{at}name one of its commands: {', '.join(_commands(context))}"
        case click.MissingParameter(param=click.Parameter() as parameter):
            return f"{at}{_taking(parameter, context)} is missing; see: {command} --help"
        case click.NoSuchOption():
            return f"{at}no option {error.option_name}{_near(error, context)}; see: {command} --help"
        case click.BadParameter(param=click.Parameter() as parameter):
            return f"{_name(parameter)}: {_plain(error.message)}"
        case _:
            return _plain(error.format_message())


def _commands(context: click.Context | None) -> list[str]:
    group = context.command if context is not None else None
    return group.list_commands(context) if context is not None and isinstance(group, click.Group) else []


def _name(parameter: click.Parameter) -> str:
    """An option as it is written, an argument as help shows it."""
    is_option = isinstance(parameter, click.Option)
    return max(parameter.opts, key=len) if is_option else (parameter.metavar or parameter.opts[0].upper())


def _taking(parameter: click.Parameter, context: click.Context | None) -> str:
    """The same, an option with what it takes."""
    if not isinstance(parameter, click.Option) or context is None:
        return _name(parameter)
    return f"{_name(parameter)} {parameter.make_metavar(context)}"


def _near(error: click.NoSuchOption, context: click.Context | None) -> str:
    known = [name for one in context.command.get_params(context) for name in one.opts] if context else []
    bare = {name.lstrip("-"): name for name in known}
    near = difflib.get_close_matches(error.option_name.lstrip("-"), bare, 1, _NEAR)
    return f" (did you mean {bare[near[0]]}?)" if near else ""


def _plain(text: str) -> str:
    """Without the capital and the full stop that a message of ours does not have."""
    first = text[:1] if text[1:2].isupper() else text[:1].lower()
    return f"{first}{text[1:]}".removesuffix(".")


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
