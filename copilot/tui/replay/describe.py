"""The words, shapes and tones of a replay: states, marks, risks. No widgets here."""

from __future__ import annotations

from dataclasses import dataclass

from copilot.core.decision import Verdict as DecisionVerdict
from copilot.core.risk import RiskLevel
from copilot.core.states import RunState
from copilot.recording.story import Sort, Story


@dataclass(frozen=True, slots=True)
class Sign:
    """How something is shown: a shape that is one cell wide, a colour variable of the theme, a word."""

    shape: str
    tone: str
    word: str


STATES = {
    RunState.INIT: Sign("·", "quiet", "not started"),
    RunState.RUNNING: Sign("━", "primary", "works"),
    RunState.AWAITING_INPUT: Sign("─", "success", "ready"),
    RunState.ASKING_QUESTION: Sign("▒", "accent", "asks"),
    RunState.ANSWERING: Sign("»", "accent", "is answered"),
    RunState.HELD: Sign("█", "warning", "held"),
    RunState.COMPLETED: Sign("✓", "success", "done"),
    RunState.ERROR: Sign("✗", "error", "error"),
    RunState.ABORTED: Sign("■", "warning", "stopped"),
}
_WEIGHT = (
    RunState.INIT,
    RunState.AWAITING_INPUT,
    RunState.RUNNING,
    RunState.ANSWERING,
    RunState.ASKING_QUESTION,
    RunState.COMPLETED,
    RunState.ABORTED,
    RunState.HELD,
    RunState.ERROR,
)
"""Where several states fall into one cell, the last of these is shown: short holds must not vanish."""
MARKS = {
    Sort.NOTE: Sign("•", "quiet", "marker"),
    Sort.PLAN: Sign("┃", "quiet", "plan step"),
    Sort.PROMPT: Sign("◆", "primary", "prompt"),
    Sort.DECISION: Sign("▶", "success", "sent"),
    Sort.PERSON: Sign("●", "accent", "person"),
    Sort.HELD: Sign("▲", "warning", "held"),
    Sort.CHANGE: Sign("≠", "error", "today otherwise"),
}
"""Least first: the last of those in one cell is shown."""
VERDICT_WORDS = {
    DecisionVerdict.SEND: ("▶", "success"),
    DecisionVerdict.SEND_AFTER_COUNTDOWN: ("▶", "success"),
    DecisionVerdict.HOLD: ("▲", "warning"),
    DecisionVerdict.ESCALATE: ("▲", "warning"),
    DecisionVerdict.REFUSE: ("■", "warning"),
}


def column_of(at: float, duration: float, width: int) -> int:
    """The cell of a timeline of that width in which a moment lies."""
    return min(width - 1, max(0, int(at / duration * width))) if duration > 0 else 0


def moment_of(column: int, duration: float, width: int) -> float:
    """The moment in the middle of a cell; the ends at the first and the last one."""
    if column <= 0:
        return 0.0
    return duration if column >= width - 1 else (column + 0.5) / width * duration


def state_cells(story: Story, width: int) -> list[Sign]:
    """The weightiest state of each cell."""
    weights = [-1] * width
    for span in story.spans:
        weight = _WEIGHT.index(span.state)
        first, last = (column_of(at, story.duration, width) for at in (span.start, span.end))
        for column in range(first, last + 1):
            weights[column] = max(weights[column], weight)
    return [STATES[_WEIGHT[weight]] if weight >= 0 else STATES[RunState.INIT] for weight in weights]


def mark_cells(story: Story, width: int) -> list[Sign | None]:
    """The weightiest mark of each cell."""
    ranks: list[int] = [-1] * width
    sorts = list(MARKS)
    for mark in story.marks:
        column = column_of(mark.at, story.duration, width)
        ranks[column] = max(ranks[column], sorts.index(mark.sort))
    return [MARKS[sorts[rank]] if rank >= 0 else None for rank in ranks]


def risk_cells(story: Story, width: int) -> list[RiskLevel | None]:
    """The highest risk of a yes to the prompts in each cell."""
    cells: list[RiskLevel | None] = [None] * width
    for prompt in story.prompts:
        if prompt.detection.asks:
            column = column_of(prompt.at, story.duration, width)
            present = cells[column]
            level = prompt.danger.level
            cells[column] = level if present is None else max(present, level)
    return cells
