"""`copilot undo`, as a click command; nothing heavy is loaded before it runs."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from copilot.checkpoints.checkpoint import Checkpoint
    from copilot.checkpoints.store import CheckpointStore
    from copilot.checkpoints.undo import UndoPlan, UndoResult
    from copilot.recording.runs import RecordedRun

_EPILOG = """\b
Examples:
  copilot undo last --list          what there is to go back to
  copilot undo last --dry-run       what going back to the start would change
  copilot undo last --to 7          back to before that reply
Exit codes: 0 done, 2 bad input, 3 a file was refused."""


@click.command("undo", epilog=_EPILOG)
@click.argument("run", type=click.Path(path_type=Path), metavar="RUN")
@click.option(
    "--to",
    "step",
    metavar="STEP",
    help="A number that --list shows, or start (the default), the run's start.",
)
@click.option("--list", "listed", is_flag=True, help="Only list the checkpoints.")
@click.option("--dry-run", is_flag=True, help="Only show what would be put back.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--json", "as_json", is_flag=True, help="With --list: one JSON object per line.")
def undo_command(run: Path, step: str | None, listed: bool, dry_run: bool, yes: bool, as_json: bool) -> int:
    """Put the project's files back to as they were before a reply. What you changed since is kept.

    RUN is its folder, its id or the beginning of it, or last for the newest. Each file's change is shown
    first. What you changed while the program waited is merged in; a file where that cannot be done stays as
    it is, and the version that it would have got is kept and named. An undo can itself be undone.
    """
    from copilot.checkpoints.store import CheckpointStore
    from copilot.recording.run_place import given_run
    from copilot.recording.runs import open_run

    if listed and (step is not None or dry_run or yes):
        raise click.UsageError("--list only shows the checkpoints; leave out --to, --dry-run and --yes")
    if as_json and not listed:
        raise click.UsageError("--json goes with --list; add --list or leave it out")
    recorded = open_run(given_run(run, os.environ))
    store = CheckpointStore.open(recorded.path.absolute())
    try:
        if listed:
            return _list(store, recorded, as_json=as_json)
        return _undo(store, recorded, step, dry_run=dry_run, ask=not yes and sys.stdin.isatty())
    finally:
        store.close()


def _list(store: CheckpointStore, recorded: RecordedRun, *, as_json: bool) -> int:
    from copilot.checkpoints.listing import rows_of
    from copilot.recording.transcript import json_text
    from copilot.session.undo_list import as_object, table

    checkpoints = store.checkpoints()
    if as_json:
        for row in rows_of(checkpoints):
            click.echo(json_text(as_object(row)))
        return 0
    if not checkpoints:
        click.echo("No checkpoint was taken in this run.")
        return 0
    for line in table(checkpoints):
        click.echo(line)
    click.echo(f"To go back to one: {_command(recorded)} --to NO")
    return 0


def _undo(
    store: CheckpointStore, recorded: RecordedRun, step: str | None, *, dry_run: bool, ask: bool
) -> int:
    """Show, ask, put back; the exit code. Raises InputError and CheckpointError."""
    from copilot.checkpoints.undo import apply_undo, plan_undo
    from copilot.errors import EXIT_HELD
    from copilot.session.undo_list import one_line

    checkpoints = store.checkpoints()
    target = _target(checkpoints, step)
    plan = plan_undo(store, target, at=_now(checkpoints, running=recorded.running))
    click.echo(one_line(f"Project: {store.project}"))
    count = _show(plan)
    refused = any(file.action == "refuse" for file in plan.files)
    if not count and not refused:
        click.echo(f"Nothing to undo: the files are as at checkpoint {target.number}.")
    _say_outside(recorded, target, store)
    if dry_run or (not count and not refused):
        return 0
    if count and ask and not _confirmed(count):
        click.echo("Nothing is changed.")
        return 0
    result = apply_undo(store, plan)
    for line in _done(result, plan, store.project):
        click.echo(line)
    if recorded.running:
        click.echo("The run still goes on: its program is told once it is ready.")
    click.echo(f"To undo this: {_command(recorded)} --to {plan.before.number}")
    return EXIT_HELD if result.refused else 0


def _target(checkpoints: tuple[Checkpoint, ...], step: str | None) -> Checkpoint:
    """The checkpoint that is meant. Raises InputError."""
    from copilot.errors import InputError
    from copilot.session.undo_list import START

    if not checkpoints:
        raise InputError("no checkpoint was taken in this run, so nothing can be undone")
    if step in (None, START):
        return checkpoints[0]
    number = int(step) if step is not None and step.isdecimal() and len(step) < 10 else -1
    if not 0 <= number < len(checkpoints):
        raise InputError(
            f"--to {(step or '')[:20]}: is no checkpoint of this run; write {START} or a number up to "
            f"{len(checkpoints) - 1}: copilot undo RUN --list shows them"
        )
    return checkpoints[number]


def _now(checkpoints: tuple[Checkpoint, ...], *, running: bool) -> float:
    """The second of the run that it is now; of one that is over, the last on record."""
    first, last = checkpoints[0], checkpoints[-1]
    return max(last.moment.at, first.moment.at + time.time() - first.epoch) if running else last.moment.at


def _show(plan: UndoPlan) -> int:
    """Show the plan; how many files it changes."""
    from rich.console import Console

    from copilot.session.undo_diff import CHANGING, plan_lines

    console = Console(highlight=False, markup=False, emoji=False)
    for line in plan_lines(plan):
        console.print(line, soft_wrap=True)
    return sum(file.action in CHANGING for file in plan.files)


def _say_outside(recorded: RecordedRun, target: Checkpoint, store: CheckpointStore) -> None:
    from copilot.errors import InputError
    from copilot.session.undo_list import one_line
    from copilot.session.undo_outside import Act, acts_since, outside_lines

    acts: list[Act] = []
    try:
        acts = acts_since(recorded.timeline(), target)
    except InputError as problem:
        click.echo(one_line(f"What was let happen outside the project cannot be told: {problem}"))
    for line in outside_lines(acts, store.uncovered()):
        click.echo(line)


def _confirmed(count: int) -> bool:
    question = f"Put {_files(count)} back?"
    return click.confirm(question, default=False, err=not sys.stdout.isatty())


def _done(result: UndoResult, plan: UndoPlan, project: Path) -> Iterator[str]:
    """What was done, safe to show. Folders that come and go with their files are not counted."""
    from copilot.session.undo_list import one_line

    shown = {file.path for file in plan.files}
    done = {"put back": result.restored, "removed": result.removed, "merged": result.merged}
    counts = {word: len(shown.intersection(paths)) for word, paths in done.items()}
    said = [f"{_files(count)} {word}" for word, count in counts.items() if count]
    yield f"Done: {', '.join(said)}." if said else "Nothing was put back."
    for path, why, other in result.refused:
        yield one_line(f"refused: {path}: {why}")
        yield one_line(f"  as it is now: {project / path}")
        yield one_line(
            f"  other version: {other}" if other else "  other version: none, undo would remove it"
        )


def _files(count: int) -> str:
    return f"{count} file{'' if count == 1 else 's'}"


def _command(recorded: RecordedRun) -> str:
    """`copilot undo RUN`, with a name of the run that stays the same."""
    from copilot.guard.text import safe_text
    from copilot.recording.run_place import runs_folder

    path = recorded.path.absolute()
    named = path.name if path.parent == runs_folder(os.environ) else str(path)
    return safe_text(f"copilot undo {shlex.quote(named)}")
