"""`copilot redact`: the guard from a shell (`copilot judge` is in `replay/judge_command.py`)."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

if TYPE_CHECKING:
    import io

    from copilot.redaction.redact import Redactor


_CHUNK = 65_536


@click.command("redact")
def redact_command() -> None:
    """Copy stdin to stdout without secrets, as everything that leaves is redacted."""
    import codecs

    from copilot.redaction.stream import RedactingStream

    stream = RedactingStream(_redactor_here())
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    source = cast("io.BufferedReader", sys.stdin.buffer)
    target = sys.stdout.buffer

    def give(text: str) -> None:
        target.write(text.encode("utf-8", "surrogateescape"))
        target.flush()

    if sys.stdin.isatty():
        click.echo("copilot: note: redact reads text from stdin; ^D ends it", err=True)
    received = 0
    while chunk := source.read1(_CHUNK):
        received += len(chunk)
        give(stream.feed(decoder.decode(chunk)))
    give(stream.feed(decoder.decode(b"", final=True)) + stream.close())
    if not received:
        click.echo("copilot: note: stdin was empty: there was nothing to redact", err=True)


def _redactor_here() -> Redactor:
    """A redactor that knows the environment, the `.env` of this folder and the user's netrc."""
    from copilot.plain_files import secrets_in
    from copilot.redaction.known_values import parse_env_file, parse_netrc, secret_values
    from copilot.redaction.redact import Redactor

    known = secret_values(dict(os.environ))
    known |= secret_values(parse_env_file(secrets_in(Path(".env"))))
    netrc = Path(os.environ.get("NETRC") or Path.home() / ".netrc")
    known |= {name: value for name, value in parse_netrc(secrets_in(netrc)).items() if len(value) >= 8}
    return Redactor(known)
