"""`copilot judge` and `copilot redact`: the guard from a shell, so that every verdict can be reproduced."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from copilot.errors import InputError

if TYPE_CHECKING:
    import io

    from copilot.safety.redact import Redactor

_CHUNK = 65_536


@click.command("judge")
@click.option(
    "--cwd", type=click.Path(file_okay=False), default=".", help="The project folder (default: here)."
)
@click.option(
    "--autonomy",
    type=click.Choice(["watch", "suggest", "assist", "full"]),
    default="full",
    help="The level at which the verdict is given (default: full).",
)
@click.option(
    "--allow", "allowed", multiple=True, metavar="RULE", help="A grant, e.g. 'shell:npm install *'."
)
def judge_command(cwd: str, autonomy: str, allowed: tuple[str, ...]) -> None:
    """Judge shell commands: one JSON string, or object with "command", per line on stdin."""
    from copilot.core.decision import Autonomy
    from copilot.safety import judge
    from copilot.safety.grants import Grant
    from copilot.safety.scope import ProjectScope
    from copilot.safety.verdict import verdict_at

    grants = [Grant.parse(rule) for rule in allowed]
    scope = ProjectScope(str(Path(cwd).absolute()), str(Path.home()))
    source = sys.stdin.buffer
    for number, line in enumerate(source, 1):
        if not line.strip():
            continue
        risk = judge.judge_command(_command_of(line, number), scope, grants)
        answer = {
            "risk": risk.level.word,
            "verdict": verdict_at(risk, Autonomy(autonomy)),
            "reason": risk.reason,
            "rule": risk.rule,
        }
        click.echo(json.dumps(answer))


@click.command("redact")
def redact_command() -> None:
    """Copy stdin to stdout without secrets, as everything that leaves is redacted."""
    import codecs

    from copilot.safety.redact_stream import RedactingStream

    stream = RedactingStream(_redactor_here())
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    source = cast("io.BufferedReader", sys.stdin.buffer)
    target = sys.stdout.buffer

    def give(text: str) -> None:
        target.write(text.encode("utf-8", "surrogateescape"))
        target.flush()

    while chunk := source.read1(_CHUNK):
        give(stream.feed(decoder.decode(chunk)))
    give(stream.feed(decoder.decode(b"", final=True)) + stream.close())


def _redactor_here() -> Redactor:
    """A redactor that knows the environment, the `.env` of this folder and the user's netrc."""
    from copilot.safety.known_values import parse_env_file, parse_netrc, secret_values
    from copilot.safety.redact import Redactor

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


def _command_of(line: bytes, number: int) -> str:
    """The command of one input line. Raises InputError with the number of a bad line."""
    try:
        value: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"stdin line {number}: not JSON; write one JSON string or object per line"
        ) from error
    if isinstance(value, dict):
        value = value.get("command")
    if not isinstance(value, str):
        raise InputError(f'stdin line {number}: write a JSON string, or an object with "command": "..."')
    return value
