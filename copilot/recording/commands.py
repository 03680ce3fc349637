"""`copilot runs`, as a click command; nothing heavy is loaded before it runs."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from copilot.recording.runs import RunSummary

_HEADINGS = ("run", "started", "profile", "outcome", "steps", "held", "files", "cost", "time", "size")
_RIGHT_FROM = 4
_AGO = {"d": "days", "h": "hours", "m": "minutes"}


@click.command("runs")
@click.option("--in", "folder", metavar="DIR", help="Look here instead of where runs are kept by default.")
@click.option(
    "--state", "outcome", metavar="WORD", help="Only runs in that state, such as completed, held, running."
)
@click.option("--cli", "profile", metavar="PROFILE", help="Only runs of this profile.")
@click.option("--since", metavar="TIME", help="Only runs begun since then: 7d, 12h, 2026-11-01.")
@click.option("--before", metavar="TIME", help="Only runs begun before: 30d, 2026-11-01.")
@click.option("--prune", is_flag=True, help="Delete the runs that the other options name.")
@click.option("--dry-run", is_flag=True, help="With --prune: only say what would be deleted.")
@click.option("--yes", is_flag=True, help="With --prune: do not ask.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def runs_command(
    folder: str | None,
    outcome: str | None,
    profile: str | None,
    since: str | None,
    before: str | None,
    prune: bool,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> int:
    """The recorded runs, newest first. With --prune old ones are deleted: name them by the other options.

    Steps are replies that were typed, held are prompts that were held for a person or refused, files are
    those that the program made, changed or removed. The size includes the checkpoints for copilot undo.
    """
    from copilot.errors import InputError
    from copilot.guard.text import safe_text
    from copilot.plain_files import is_folder
    from copilot.recording.run_place import runs_folder
    from copilot.recording.runs import STATES, Selection, list_runs
    from copilot.recording.transcript import json_text

    if outcome is not None and outcome not in STATES:
        raise click.UsageError(f"--state: {outcome!r} is no state of a run; it takes {', '.join(STATES)}")
    if (dry_run or yes) and not prune:
        raise click.UsageError("--dry-run and --yes go with --prune; add --prune or leave them out")
    place = Path(folder) if folder else runs_folder(os.environ)
    if folder and not is_folder(place):
        raise InputError(f"--in {folder}: is no folder that can be read; give one that holds runs")
    chosen = Selection(outcome, profile, _moment("--since", since), _moment("--before", before))
    runs = [run for run in list_runs(place) if chosen.takes(run)]
    if prune:
        if chosen == Selection():
            raise click.UsageError("--prune deletes what --state, --cli, --since or --before name; add one")
        return _prune(runs, place, dry_run=dry_run, yes=yes, as_json=as_json)
    if as_json:
        for run in runs:
            click.echo(json_text(_as_object(run)))
        return 0
    if not runs and chosen != Selection():
        click.echo(f"No such run in {safe_text(str(place))}.")
        return 0
    if not runs:
        click.echo(f"No runs in {safe_text(str(place))}. A session records itself there; try: copilot demo")
        return 0
    rows = [_HEADINGS, *(_row(run) for run in runs)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADINGS))]
    for row in rows:
        cells = [
            text.rjust(width) if column >= _RIGHT_FROM else text.ljust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        click.echo(safe_text("  ".join(cells).rstrip()))
    for run in runs:
        if run.problem:
            click.echo(safe_text(f"{run.run_id}: {run.problem}"), err=True)
    return 0


def _moment(option: str, text: str | None) -> datetime | None:
    """A date, or so long ago. Raises UsageError."""
    if text is None:
        return None
    try:
        if text[:-1].isdecimal() and text[-1:] in _AGO:
            return datetime.now(UTC) - timedelta(**{_AGO[text[-1]]: int(text[:-1])})
        moment = datetime.fromisoformat(text)
    except (ValueError, OverflowError):
        raise click.UsageError(f"{option} {text!r} is no time; write 7d, 12h or 2026-11-01") from None
    return moment if moment.tzinfo is not None else moment.astimezone()


def _prune(runs: list[RunSummary], place: Path, *, dry_run: bool, yes: bool, as_json: bool) -> int:
    """Delete, or say what would be; 1 if something that was meant had to be kept.

    Raises CopilotError if something could not be deleted.
    """
    from copilot.errors import CopilotError
    from copilot.guard.text import safe_text
    from copilot.recording.runs import Removal, remove, why_kept
    from copilot.recording.transcript import json_text

    meant = [run for run in runs if not why_kept(run, place)]
    total = _size(sum(run.bytes for run in meant))
    if meant and not dry_run and not yes:
        for run in meant:
            click.echo(safe_text(f"{run.run_id}  {run.outcome}  {_size(run.bytes)}"))
        if not click.confirm(f"Delete these {len(meant)} runs ({total})?", default=False):
            click.echo("Nothing is deleted.")
            return 0
    results = [Removal(run, why_kept(run, place)) for run in runs] if dry_run else remove(runs, place)
    for one in results:
        run, reason = one.run, one.why_kept
        word = "kept" if reason else "would be deleted" if dry_run else "deleted"
        if as_json:
            click.echo(json_text({"run": run.run_id, "path": str(run.path), "result": word, "why": reason}))
        else:
            click.echo(safe_text(f"{word}: {run.run_id}{f' ({reason})' if reason else ''}"))
    if not as_json:
        freed = f"Would free {total}" if dry_run else f"Freed {_size(sum(one.freed for one in results))}"
        click.echo(freed if meant else "Nothing to delete.")
    failed = [one for one in results if one.failed]
    if failed:
        raise CopilotError(
            f"{failed[0].run.path}: {failed[0].why_kept}; {len(failed)} of {len(meant)} runs are still there"
        )
    return 1 if any(one.why_kept for one in results) and not dry_run else 0


def _as_object(run: RunSummary) -> dict[str, Any]:
    return {
        "run": run.run_id,
        "path": str(run.path),
        "started_at": run.started_at,
        "profile": run.profile,
        "outcome": run.outcome,
        "steps": run.steps,
        "held": run.held,
        "files": run.files,
        "cost_usd": run.cost_usd,
        "seconds": run.seconds,
        "bytes": run.bytes,
        "problem": run.problem,
    }


def _row(run: RunSummary) -> tuple[str, ...]:
    cost = "unknown" if run.cost_usd is None else f"${run.cost_usd:.4f}" if run.cost_usd else "-"
    started = run.started_at.replace("T", " ").removesuffix("Z")
    return (
        run.run_id,
        started,
        run.profile,
        run.outcome,
        str(run.steps),
        str(run.held),
        "-" if run.files is None else str(run.files),
        cost,
        _duration(run.seconds),
        _size(run.bytes),
    )


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}h{minutes:02d}m"
    return f"{minutes}m{rest:02d}s" if minutes else f"{rest}s"


def _size(count: float) -> str:
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"


@click.command("report")
@click.argument("run", type=click.Path(path_type=Path), metavar="RUN")
@click.option("--markdown", is_flag=True, help="Markdown for a pull request, to stdout unless -o is given.")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write it there.")
def report_command(run: Path, markdown: bool, output: Path | None) -> None:
    """A run on one page: what was asked, decided and typed, with its recording; self-contained.

    RUN is its folder, its id or the beginning of it, or last for the newest.
    """
    from copilot.errors import InputError
    from copilot.guard.text import safe_text
    from copilot.private_files import replace_atomically
    from copilot.recording.report import write_report
    from copilot.recording.run_place import given_run
    from copilot.recording.runs import open_run

    recorded = open_run(given_run(run, os.environ))
    try:
        if not markdown:
            click.echo(safe_text(str(write_report(recorded, output, whole=True))))
            return
        from copilot.recording.report_markdown import report_markdown

        page = report_markdown(recorded)
        if output is None:
            click.echo(page, nl=False)
        else:
            replace_atomically(output, page)
            click.echo(safe_text(str(output)))
    except OSError as error:
        place = output if output is not None else recorded.path
        raise InputError(f"{place}: cannot be written: {error.strerror}; give another file with -o") from None
