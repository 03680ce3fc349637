"""What is wrong with a command line, in the words of our other messages: where, what, and the fix."""

from __future__ import annotations

import difflib

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
