"""The command `copilot eval`."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from copilot.errors import EXIT_FAILED, EXIT_INTERRUPTED
from copilot.guard.text import safe_text
from copilot.lab.scenarios import Outcome
from copilot.lab.scenarios.read import Choice, gather, numbers_of
from copilot.lab.scenarios.report import (
    Report,
    as_json,
    as_markdown,
    compare,
    read_report,
    summarise,
    write_reports,
)
from copilot.lab.scenarios.run import Job
from copilot.lab.scenarios.suite import OnOutcome, open_executor, repeated, run_suite, slots
from copilot.lab.workspace import sweep

PATH = click.Path(path_type=Path)


@contextmanager
def _live(total: int) -> Iterator[OnOutcome]:
    """Prints outcomes as they come, on stderr: stdout is for the report."""
    console = Console(file=sys.stderr, highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task("scenarios", total=total)
        bad = 0

        def on_outcome(job: Job, outcome: Outcome) -> None:
            nonlocal bad
            bad += not outcome.as_expected
            sign = "[green]✓[/]" if outcome.as_expected else "[red]✗[/]"
            progress.console.print(f"{sign} {escape(_line_of(outcome))}")
            if outcome.kept:
                progress.console.print(escape(f"  kept at {outcome.kept}"))
            count = f", {bad} not as expected" if bad else ""
            progress.update(task, advance=1, description=f"scenarios{count}")

        yield on_outcome


def _line_of(outcome: Outcome) -> str:
    again = f" [{outcome.repetition}]" if outcome.repetition > 1 else ""
    tries = f" ({outcome.attempts} attempts)" if outcome.attempts > 1 else ""
    why = "" if outcome.as_expected else f": {safe_text(outcome.reason)[:300]}"
    return f"{outcome.id}{again}  {outcome.verdict.value}  {outcome.seconds:.1f} s{tries}{why}"


@click.command("eval")
@click.argument("paths", nargs=-1, required=True, type=PATH)
@click.option("--output", type=PATH, metavar="DIR", help="Write JSON, Markdown, JUnit and HTML here.")
@click.option(
    "--parallel", type=click.IntRange(1, 256), metavar="N", help="How many at once (default: one a core)."
)
@click.option(
    "--timeout", type=click.FloatRange(0.1), metavar="SECONDS", help="For each, over what the files say."
)
@click.option(
    "--retries",
    type=click.IntRange(0, 10),
    metavar="N",
    default=2,
    show_default=True,
    help="For passing faults.",
)
@click.option(
    "--tag", "tags", multiple=True, metavar="TAG", help="Only scenarios with this tag (repeatable)."
)
@click.option(
    "--without-tag", "without", multiple=True, metavar="TAG", help="None with this tag (repeatable)."
)
@click.option(
    "--scenarios", "numbers", default="", metavar="NUMBERS", help="Only those of these numbers: 1,3-5."
)
@click.option(
    "--name", "names", multiple=True, metavar="NAME", help="Only those with this in their id (repeatable)."
)
@click.option(
    "--repeat",
    type=click.IntRange(1, 1000),
    metavar="N",
    default=1,
    help="Run each so often; gives a pass rate.",
)
@click.option("--keep", is_flag=True, help="Keep the folders of those that are not as expected.")
@click.option("--compare", "old", type=PATH, metavar="FILE", help="An older report.json.")
@click.option(
    "--executor", default="local", metavar="WHERE", help="local, or dask://ADDRESS (with the extra dask)."
)
@click.option("--programs", type=PATH, metavar="DIR", help="The folder with the real CLI's program.")
@click.option("--json", "json_report", is_flag=True, help="The report as JSON on stdout.")
@click.option("--list", "only_list", is_flag=True, help="List the scenarios, run nothing.")
@click.option("--debug", is_flag=True, help="Print every folder and command.")
def eval_command(
    paths: tuple[Path, ...],
    output: Path | None,
    parallel: int | None,
    timeout: float | None,
    retries: int,
    tags: tuple[str, ...],
    without: tuple[str, ...],
    numbers: str,
    names: tuple[str, ...],
    repeat: int,
    keep: bool,
    old: Path | None,
    executor: str,
    programs: Path | None,
    json_report: bool,
    only_list: bool,
    debug: bool,
) -> int:
    """Run scenarios, each isolated, on a scripted model: is a governing prompt, a profile, a level any good?

    Ends with 0 if every scenario is as expected, with 1 if not; choosing none is an error.
    """
    chosen = gather(paths, Choice(tags, without, numbers_of(numbers) if numbers else frozenset(), names))
    if only_list:
        for scenario in chosen:
            click.echo(f"{scenario.number:>3}  {scenario.id}  {', '.join(scenario.tags)}")
        return 0
    before = read_report(old) if old is not None else None
    at_once = parallel or slots()
    root = Path(tempfile.mkdtemp(prefix="copilot-eval-")).resolve()
    first = Job(
        scenario=chosen[0],
        root=root,
        programs=programs.resolve() if programs else None,
        retries=retries,
        keep=keep,
        timeout_seconds=timeout,
        debug=debug,
    )
    jobs = [replace(first, scenario=scenario) for scenario in chosen]
    report, interrupted = _run(repeated(jobs, repeat), executor, at_once, root)
    if output is not None:
        for path in write_reports(report, output):
            click.echo(f"wrote {path}", err=True)
    click.echo(as_json(report) if json_report else as_markdown(report), nl=False)
    if before is not None:
        for line in compare(before, json.loads(as_json(report))).lines():
            click.echo(line, err=json_report)
    if interrupted:
        return EXIT_INTERRUPTED
    return 0 if summarise(report.outcomes).good else EXIT_FAILED


def _run(jobs: list[Job], executor: str, at_once: int, root: Path) -> tuple[Report, bool]:
    """Run them all, and whether that was interrupted; nothing is left in `root` but what is kept."""
    started, began = datetime.now(UTC), time.monotonic()
    finished: list[Outcome] = []
    with ExitStack() as stack:
        stack.callback(_tidy, root, finished)
        pool: Executor = stack.enter_context(open_executor(executor, at_once))
        live = stack.enter_context(_live(len(jobs)))

        def on_outcome(job: Job, outcome: Outcome) -> None:
            finished.append(outcome)
            live(job, outcome)

        try:
            outcomes, interrupted = run_suite(jobs, pool, on_outcome), False
        except KeyboardInterrupt:
            outcomes, interrupted = list(finished), True
            pool.shutdown(wait=True, cancel_futures=True)
    stamp = started.isoformat(timespec="seconds").replace("+00:00", "Z")
    return Report(stamp, time.monotonic() - began, at_once, tuple(outcomes)), interrupted


def _tidy(root: Path, finished: list[Outcome]) -> None:
    """Remove what workers that were killed have left; folders that are kept stay."""
    if any(outcome.kept for outcome in finished):
        return
    for line in sweep(root):
        click.echo(f"left: {line}", err=True)
    if root.is_dir() and not any(root.iterdir()):
        shutil.rmtree(root, ignore_errors=True)
