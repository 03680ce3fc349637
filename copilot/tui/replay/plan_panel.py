"""The plan at the present moment: how far each step was by then, and the parts of the step under way."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from copilot.recording.plan_story import HELD, Move, PlanStep, PlanStory, move_words
from copilot.tui.text import outside_line

_SIGNS = {
    "began": ("»", "accent"),
    "typing": ("»", "accent"),
    "sent": ("━", "primary"),
    "unclear": ("?", "warning"),
    "done": ("✓", "success"),
    "skipped": ("-", "quiet"),
    "failed": ("✗", "error"),
    HELD: ("▲", "warning"),
}
_UNKNOWN = ("·", "quiet")


def plan_content(plan: PlanStory | None, at: float) -> Content:
    """Nothing for a run without a plan. A finished step is one line, unless it failed."""
    if plan is None or not any(move.at <= at + 1e-9 for move in plan.moves):
        return Content("")
    begun = [step for step in plan.steps.values() if step.begun_at(at)]
    lines = [Content.assemble(("the plan ", "bold $primary"), outside_line(plan.name, "bold $primary"))]
    for step in begun:
        lines += _step(step, at, last=step is begun[-1])
    return Content("\n").join(lines)


def _step(step: PlanStep, at: float, *, last: bool) -> Iterator[Content]:
    move = step.move_at(at)
    yield _line(move, "", step.label)
    if move is not None and move.state == "done" and not last:
        return
    for part in step.parts:
        present = part.move_at(at)
        if present is not None:
            yield _line(present, "  ", ": ".join(filter(None, (part.name, part.text))))


def _line(move: Move | None, indent: str, words: str) -> Content:
    shape, tone = _SIGNS.get(move.state, _UNKNOWN) if move is not None else _UNKNOWN
    why = (("  ", ""), outside_line(move_words(move), "$quiet")) if move is not None and move.text else ()
    return Content.assemble(indent, (f"{shape} ", f"bold ${tone}"), outside_line(words), *why)
