"""`copilot redact`: the guard from a shell (`copilot judge` is in `config/judge_command.py`)."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

if TYPE_CHECKING:
    import io

    from copilot.redaction.redact import Redactor


import re2

from copilot.guard.arguments import Arg
from copilot.guard.rule_files import Finding, Scene, high

_HARMLESS = re2.compile(
    r"CI|NODE_ENV|DEBUG|VERBOSE|FORCE_COLOR|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|TERM|COLUMNS|LINES|LANG|LC_[A-Z]+|TZ"
    r"|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONWARNINGS|CGO_ENABLED|LOG_LEVEL|PORT"
    r"|TEST_[A-Z_]*"
)
_HARMLESS_PAIRS = frozenset(
    {("PAGER", "cat"), ("GIT_PAGER", "cat"), ("GIT_TERMINAL_PROMPT", "0"), ("MANPAGER", "cat")}
)
_SHELL_ONLY = re2.compile(r"[a-z][a-z0-9_]*")
_MEANINGFUL_LOWER = re2.compile(
    r"path|cdpath|fpath|manpath|prompt|histfile|.*proxy|argv|status|shell|home|term|editor|pager"
)
_PLAIN_VALUE = re2.compile(r"[A-Za-z0-9_.,:*@%+ \-]*")


def assignment_findings(name: str, value: Arg, *, alone: bool = False) -> list[Finding]:
    """Held unless the variable is known to be harmless and its value is plain.

    `alone`: no command gets it, so a variable of the shell itself (`x=1`) is harmless as well.
    """
    if (name, value.text) in _HARMLESS_PAIRS:
        return []
    own = alone and _SHELL_ONLY.fullmatch(name) and not _MEANINGFUL_LOWER.fullmatch(name)
    if not own and not _HARMLESS.fullmatch(name):
        return [high(f"{name}= can change what a command does", "parse.assignment")]
    if value.text is None or not _PLAIN_VALUE.fullmatch(value.text):
        return [high(f"the value of {name}= cannot be judged", "parse.assignment")]
    return []


def judge_export(args: list[Arg], scene: Scene) -> list[Finding]:
    """`export NAME=value`: as the assignment; everything else of it prints or declares."""
    del scene
    if len(args) < 2:
        return [high("prints the environment, which holds secrets", "env.dump")]
    found: list[Finding] = []
    for arg in args[1:]:
        name, equals, value = arg.shown.partition("=")
        if arg.text is None or not name.isidentifier():
            return [high(f"export {arg.shown} cannot be judged", "parse.assignment")]
        found += assignment_findings(name, Arg(value if equals else ""))
    return found


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
    from copilot.redaction.known_values import parse_env_file, parse_netrc, secret_values
    from copilot.redaction.redact import Redactor

    known = secret_values(dict(os.environ))
    known |= secret_values(parse_env_file(_text_of(Path(".env"))))
    netrc = Path(os.environ.get("NETRC") or Path.home() / ".netrc")
    known |= {name: value for name, value in parse_netrc(_text_of(netrc)).items() if len(value) >= 8}
    return Redactor(known)


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""
