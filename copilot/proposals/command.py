"""`copilot proposals`: schemas and checks, as click commands; nothing heavy is loaded before they run."""

from __future__ import annotations

from pathlib import Path

import click

_KINDS = click.Choice(["request", "result", "proposal"])
_EPILOG = """\b
Examples:
  copilot proposals schema result              the JSON Schema, for other tools
  copilot proposals check result result.json   whether a document is one
Exit codes: 0 done, 2 bad input."""


@click.group("proposals", epilog=_EPILOG)
def proposals_command() -> None:
    """Changes that an agent proposes as data: edits, files and folders, resources, completion.

    All of it: docs/proposals.md of the source.
    """


@proposals_command.command("schema")
@click.argument("kind", type=_KINDS)
def schema_command(kind: str) -> int:
    """Print the JSON Schema (draft 2020-12) of a KIND of document."""
    from copilot.proposals.schemas import published

    click.echo(published(kind), nl=False)
    return 0


@proposals_command.command("check")
@click.argument("kind", type=_KINDS)
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
def check_command(kind: str, file: Path) -> int:
    """Check that FILE is a document of this KIND; one line with the key if it is not."""
    from copilot.proposals.schemas import read_document

    read_document(kind, file)
    click.echo(f"{kind}: valid")
    return 0
