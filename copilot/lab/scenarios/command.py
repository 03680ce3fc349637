"""The command `copilot eval`."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from copilot.errors import EXIT_FAILED, EXIT_INTERRUPTED, InputError
from copilot.guard.text import safe_text
from copilot.lab.scenarios import Outcome, Scenario
from copilot.lab.scenarios.read import Choice, gather, numbers_of
from copilot.lab.scenarios.report import (
    SCHEMA,
    Report,
    as_json,
    as_markdown,
    summarised,
    write_reports,
)
from copilot.lab.scenarios.run import Job
from copilot.lab.scenarios.suite import open_executor, repeated, run_suite, slots
from copilot.lab.workspace import sweep


@dataclass(frozen=True, slots=True)
class Comparison:
    """Ids of scenarios; `worse` and `better` with a line each."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    worse: tuple[str, ...]
    better: tuple[str, ...]

    def lines(self) -> list[str]:
        parts = (
            ("added", self.added),
            ("removed", self.removed),
            ("worse", self.worse),
            ("better", self.better),
        )
        found = [f"{word}: {one}" for word, ones in parts for one in ones]
        return found or ["nothing changed"]


def read_report(path: Path) -> dict[str, Any]:
    """A report that `copilot eval` wrote as JSON. Raises InputError."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise InputError(f"{path}: is no JSON ({error}); give a report.json of copilot eval") from error
    if not isinstance(document, dict) or document.get("schema") != SCHEMA or "outcomes" not in document:
        raise InputError(f"{path}: is no report of this version; give a report.json of copilot eval")
    return document


def compare(old: dict[str, Any], new: dict[str, Any]) -> Comparison:
    """What changed from one report to the other. Of repeated scenarios the share as expected counts."""
    before, after = _by_id(old), _by_id(new)
    worse: list[str] = []
    better: list[str] = []
    for one in sorted(before.keys() & after.keys()):
        (was, was_words), (now, now_words) = before[one], after[one]
        if (was, was_words) != (now, now_words):
            line = f"{one}: {was_words} → {now_words}"
            (worse if now < was else better).append(line)
    return Comparison(
        tuple(sorted(after.keys() - before.keys())),
        tuple(sorted(before.keys() - after.keys())),
        tuple(worse),
        tuple(better),
    )


def _by_id(report: dict[str, Any]) -> dict[str, tuple[float, str]]:
    """For each scenario the share of its runs that were as expected, and that in words."""
    runs: dict[str, list[dict[str, Any]]] = {}
    for outcome in report["outcomes"]:
        runs.setdefault(str(outcome["id"]), []).append(outcome)
    found = {}
    for one, outcomes in runs.items():
        good = sum(bool(outcome["as_expected"]) for outcome in outcomes)
        words = (
            str(outcomes[0]["verdict"]) if len(outcomes) == 1 else f"{good} of {len(outcomes)} as expected"
        )
        if len(outcomes) == 1 and not good:
            words += " (not expected)"
        found[one] = good / len(outcomes), words
    return found


class Live:
    """Tells of outcomes as they come, on stderr: stdout is for the report."""

    def __init__(self, total: int, console: Console | None = None) -> None:
        self._console = console or Console(file=sys.stderr, highlight=False)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=self._console,
            disable=not self._console.is_terminal,
            transient=True,
        )
        self._task = self._progress.add_task("scenarios", total=total)
        self._bad = 0

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def told(self, job: Job, outcome: Outcome) -> None:
        self._bad += not outcome.as_expected
        sign = "[green]✓[/]" if outcome.as_expected else "[red]✗[/]"
        again = f" [{outcome.repetition}]" if outcome.repetition > 1 else ""
        tries = f" ({outcome.attempts} attempts)" if outcome.attempts > 1 else ""
        why = "" if outcome.as_expected else f": {safe_text(outcome.reason)[:300]}"
        from rich.markup import escape

        words = escape(f"{outcome.id}{again}  {outcome.verdict.value}  {outcome.seconds:.1f} s{tries}{why}")
        self._progress.console.print(f"{sign} {words}")
        kept = f" at {outcome.kept}" if outcome.kept else ""
        if kept:
            self._progress.console.print(escape(f"  kept{kept}"))
        bad = f", {self._bad} not as expected" if self._bad else ""
        self._progress.update(self._task, advance=1, description=f"scenarios{bad}")


PATH = click.Path(path_type=Path)


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
@click.option("--debug", is_flag=True, help="Tell every folder and command.")
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
        return _list(chosen)
    before = read_report(old) if old is not None else None
    at_once = parallel or slots()
    root = Path(tempfile.mkdtemp(prefix="copilot-eval-")).resolve()
    jobs = repeated(
        [
            Job(
                scenario=scenario,
                root=root,
                programs=programs.resolve() if programs else None,
                retries=retries,
                keep=keep,
                timeout_seconds=timeout,
                debug=debug,
            )
            for scenario in chosen
        ],
        repeat,
    )
    report, interrupted = _run(jobs, executor, at_once, root)
    if output is not None:
        for path in write_reports(report, output):
            click.echo(f"wrote {path}", err=True)
    click.echo(as_json(report) if json_report else as_markdown(report), nl=False)
    if before is not None:
        for line in compare(before, json.loads(as_json(report))).lines():
            click.echo(line, err=json_report)
    if interrupted:
        return EXIT_INTERRUPTED
    return 0 if summarised(report.outcomes).good else EXIT_FAILED


def _list(chosen: list[Scenario]) -> int:
    for scenario in chosen:
        click.echo(f"{scenario.number:>3}  {scenario.id}  {', '.join(scenario.tags)}")
    return 0


def _run(jobs: list[Job], executor: str, at_once: int, root: Path) -> tuple[Report, bool]:
    """Run them all; whatever happens, nothing is left in `root` but what is kept."""
    started, began = datetime.now(UTC), time.monotonic()
    outcomes: list[Outcome] = []
    interrupted = False
    finished: list[Outcome] = []
    with ExitStack() as stack:
        stack.callback(_tidy, root, finished)
        pool: Executor = stack.enter_context(open_executor(executor, at_once))
        live = stack.enter_context(Live(len(jobs)))

        def told(job: Job, outcome: Outcome) -> None:
            finished.append(outcome)
            live.told(job, outcome)

        try:
            outcomes = run_suite(jobs, pool, told)
        except KeyboardInterrupt:
            outcomes, interrupted = list(finished), True
            pool.shutdown(wait=True, cancel_futures=True)
    seconds = time.monotonic() - began
    stamp = started.isoformat(timespec="seconds").replace("+00:00", "Z")
    return Report(stamp, seconds, at_once, tuple(outcomes)), interrupted


def _tidy(root: Path, finished: list[Outcome]) -> None:
    """Remove what workers that were killed have left; folders that are kept stay."""
    if any(outcome.kept for outcome in finished):
        return
    for line in sweep(root):
        click.echo(f"left: {line}", err=True)
    if root.is_dir() and not any(root.iterdir()):
        shutil.rmtree(root, ignore_errors=True)
