"""Progress of a suite: a bar with the newest outcomes in a terminal, a line for each elsewhere."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from copilot.evaluation.scenarios.model import Outcome
from copilot.evaluation.scenarios.run import Job
from copilot.safety.text import safe_text


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
        """One more."""
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
