"""`copilot judge`: judge shell commands by the user's rules, to reproduce a verdict of a run."""

from __future__ import annotations

import json
import math
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from copilot.core.reply import Autonomy
from copilot.documents import parse_json
from copilot.errors import InputError
from copilot.guard.text import safe_text

if TYPE_CHECKING:
    from copilot.core.risk import Risk
    from copilot.guard.scope import ProjectScope

_EXAMPLE = """echo '"rm -rf build"' | copilot judge"""
_INPUT_FORMAT = 'one JSON string or object per line, such as "rm -rf build"'


@click.command("judge")
@click.option(
    "--cwd",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="The project folder (default: here).",
)
@click.option(
    "--run", metavar="RUN", help="Judge where this run worked and by what it saw on the disk, not by today's."
)
@click.option(
    "--autonomy",
    type=click.Choice([level.value for level in Autonomy]),
    default="full",
    help="The level at which the verdict is given (default: full).",
)
@click.option("--explain", is_flag=True, help="Also print the part that decided, and its position.")
@click.option(
    "--allow", "allowed", multiple=True, metavar="RULE", help="A grant, e.g. 'shell[times=1]:npm install *'."
)
def judge_command(
    cwd: str | None, run: str | None, autonomy: str, *, explain: bool, allowed: tuple[str, ...]
) -> None:
    """Judge shell commands: one JSON string, or object with "command", per line on stdin.

    RUN is its folder, its id or the beginning of it, or last for the newest.

    \b
    Example: echo '"rm -rf build"' | copilot judge
    """
    from copilot.config.user_rules import rules_for
    from copilot.guard import command_risk
    from copilot.guard.command_risk import verdict_at
    from copilot.guard.grants import Grant, GrantBook
    from copilot.guard.scope import ProjectScope

    if run is not None and cwd is not None:
        raise click.UsageError("--cwd does not go with --run, which says where it worked; leave one out")
    grants = GrantBook([Grant.parse(rule) for rule in allowed], time.time())
    folder = Path(cwd or ".").absolute()
    scope = ProjectScope(str(folder), str(Path.home()))
    if run is not None:
        folder, scope = _of_run(run)
    book, notes = rules_for(folder)
    for note in notes:
        click.echo(safe_text(note), err=True)
    if sys.stdin.isatty():
        click.echo(f"copilot: note: judge reads stdin: {_INPUT_FORMAT}; ^D ends it", err=True)
    judged = 0
    for number, line in enumerate(sys.stdin.buffer, 1):
        if not line.strip():
            continue
        judged += 1
        risk = command_risk.judge_command(
            _command_of(line, number), scope, grants.open_at(time.time()), book=book
        )
        verdict = verdict_at(risk, Autonomy(autonomy))
        if verdict == "allow":
            grants.use(risk.grants)
        answer = {"risk": risk.level.word, "verdict": verdict, "reason": risk.reason, "rule": risk.rule}
        click.echo(json.dumps({**answer, **_explained(risk)} if explain else answer))
    if not judged:
        raise InputError(f"stdin: there is nothing to judge; write {_INPUT_FORMAT}")


def _of_run(run: str) -> tuple[Path, ProjectScope]:
    """Where a run worked, and its disk as the run had seen it at its end. Raises InputError."""
    from copilot.recording.looks_files import looks_of
    from copilot.recording.run_place import given_run
    from copilot.recording.runs import open_run
    from copilot.replay.old_run import settings_of

    recorded = open_run(given_run(Path(run), os.environ))
    folder = settings_of(recorded).cwd
    looks = looks_of(recorded, folder, str(Path.home()))
    looks.begin(math.inf)
    return Path(folder), looks.scope(frozenset(recorded.timeline().ledger.made))


def _explained(risk: Risk) -> dict[str, Any]:
    """The part that decided. `start` and `end` count characters, null if the command lacks it verbatim."""
    start, end = risk.span or (None, None)
    return {"part": risk.part, "start": start, "end": end, "grants": list(risk.grants)}


def _command_of(line: bytes, number: int) -> str:
    """The command of one input line. Raises InputError with the number of a bad line."""
    try:
        value: Any = parse_json(line)
    except ValueError as error:
        raise InputError(
            f"stdin line {number}: not JSON; write {_INPUT_FORMAT} with its quotes: {_EXAMPLE}"
        ) from error
    if isinstance(value, dict):
        value = value.get("command")
    if not isinstance(value, str):
        raise InputError(f'stdin line {number}: write a JSON string, or an object with "command": "..."')
    return value
