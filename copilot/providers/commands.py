"""The command `copilot rules`."""

from __future__ import annotations

import click


@click.command("rules")
def rules_command() -> None:
    """The lines of a governing prompt (--prompt) that the offline rules understand, and what each does.

    A model reads all of the prompt. The rules, which write the replies unless --provider names another, read
    these lines anywhere in it, and hold what they do not settle.
    """
    from copilot.providers.sentences import sentence_lines

    for line in sentence_lines():
        click.echo(line)
