"""The plan of a run in its report: each step, its parts, how each ended, and what its commands wrote."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from copilot.recording.plan_story import Move, PlanPart, PlanStory, end_words
from copilot.recording.report_prompt import text

_MOST_LOG_BYTES = 20_000
_TONES = {"done": "good", "failed": "bad"}


def plan_html(plan: PlanStory | None, folder: Path) -> Iterator[str]:
    """The section; nothing for a run without a plan. `folder` is the run's."""
    if plan is None:
        return
    yield f'<section id="plan"><h2>The plan: {text(plan.name)}</h2>'
    yield f"<p>{_end(plan.moves, plan.run_end)}</p>"
    for step in plan.steps.values():
        yield f"<h3>{text(step.label)}: {_end(step.moves, plan.run_end)}</h3><ul>"
        for part in step.parts:
            yield "".join(_part(part, plan.run_end, folder))
        yield "</ul>"
    yield "</section>"


def _part(part: PlanPart, run_end: str, folder: Path) -> Iterator[str]:
    yield f'<li><span class="at">{part.at:.1f} s</span> <span class="kind">{text(part.name)}</span>'
    if part.text:
        yield f": <code>{text(part.text)}</code>"
    yield f" — {_end(part.moves, run_end)}{seconds_words(part)}"
    written = output_of(part, folder)
    if written:
        yield f"<details><summary>its output</summary><pre>{text(written)}</pre></details>"
    yield "</li>"


def _end(moves: list[Move], run_end: str) -> str:
    tone = _TONES.get(moves[-1].state, "warn") if moves else "warn"
    return f'<span class="{tone}">{text(end_words(moves, run_end))}</span>'


def seconds_words(part: PlanPart) -> str:
    """How long a command took, as an addition in brackets; empty for prompts."""
    return f" ({part.seconds:.1f} s)" if part.seconds is not None else ""


def output_of(part: PlanPart, folder: Path) -> str:
    """The end of what a command wrote, as it was written down (redacted); empty if nothing is there."""
    if not part.log:
        return ""
    try:
        with (folder / part.log).open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _MOST_LOG_BYTES))
            data = file.read(_MOST_LOG_BYTES)
    except OSError:
        return ""
    if size > len(data):
        data = b"... the beginning is left out here ...\n" + data.partition(b"\n")[2]
    return data.decode("utf-8", "replace").rstrip("\n")
