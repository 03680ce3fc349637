"""`copilot runs`, as a click command; nothing heavy is loaded before it runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from copilot.recording.runs import RunSummary

_HEADINGS = ("run", "started", "profile", "outcome", "steps", "held", "cost", "time", "size")
_RIGHT_FROM = 4


@click.command("runs")
@click.option("--in", "folder", metavar="DIR", help="Look here instead of where runs are kept by default.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def runs_command(folder: str | None, as_json: bool) -> None:
    """The recorded runs, newest first."""
    from copilot.recording.json_text import json_text
    from copilot.recording.run_place import runs_folder
    from copilot.recording.runs import list_runs
    from copilot.safety.text import safe_text

    place = Path(folder) if folder else runs_folder(os.environ)
    runs = list_runs(place)
    if as_json:
        for run in runs:
            click.echo(json_text(_as_object(run)))
        return
    if not runs:
        click.echo(f"No runs in {safe_text(str(place))}. A session records itself there; try: copilot demo")
        return
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


def _as_object(run: RunSummary) -> dict[str, Any]:
    return {
        "run": run.run_id,
        "path": str(run.path),
        "started_at": run.started_at,
        "profile": run.profile,
        "outcome": run.outcome,
        "steps": run.steps,
        "held": run.held,
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
    """A run on one page: what was asked, decided and typed, with its recording; self-contained."""
    from copilot.errors import InputError
    from copilot.private_files import replace_atomically
    from copilot.recording.report import write_report
    from copilot.recording.runs import open_run
    from copilot.safety.text import safe_text

    recorded = open_run(run)
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
