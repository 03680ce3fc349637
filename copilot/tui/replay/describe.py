"""The words, shapes and tones of a replay: states, marks, risks. No widgets here."""

from __future__ import annotations

from dataclasses import dataclass

from copilot.core.plan_progress import shown_kind
from copilot.core.reply import Decision
from copilot.core.reply import Verdict as DecisionVerdict
from copilot.core.risk import RiskLevel
from copilot.core.screen_kinds import ScreenKind
from copilot.core.states import RunState
from copilot.engine.plan_history import Ran
from copilot.engine.review import Mark, Moment, Prompt, RunReview, Sort
from copilot.tui.widgets.timeline import Scale


@dataclass(frozen=True, slots=True)
class Sign:
    """How something is shown: a shape that is one cell wide, a colour variable of the theme, a word."""

    shape: str
    tone: str
    word: str


STATES = {
    RunState.INIT: Sign("·", "quiet", "starting"),
    RunState.RUNNING: Sign("━", "primary", "busy"),
    RunState.AWAITING_INPUT: Sign("─", "success", "ready"),
    RunState.ASKING_QUESTION: Sign("▒", "accent", "asks"),
    RunState.ANSWERING: Sign("»", "accent", "typing"),
    RunState.HELD: Sign("█", "warning", "held"),
    RunState.COMPLETED: Sign("✓", "success", "done"),
    RunState.ERROR: Sign("✗", "error", "error"),
    RunState.ABORTED: Sign("■", "warning", "stopped"),
}
"""The spans of the timeline: shapes that run on from cell to cell."""
_BADGES = {
    RunState.INIT: Sign("◔", "quiet", "starting"),
    RunState.RUNNING: Sign("●", "primary", "busy"),
    RunState.AWAITING_INPUT: Sign("○", "success", "ready"),
    RunState.ANSWERING: STATES[RunState.ANSWERING],
    RunState.HELD: Sign("▲", "warning", "held"),
    RunState.COMPLETED: STATES[RunState.COMPLETED],
    RunState.ERROR: STATES[RunState.ERROR],
    RunState.ABORTED: STATES[RunState.ABORTED],
}
_PLAIN_STATES = frozenset({RunState.RUNNING, RunState.AWAITING_INPUT})
_BY_KIND = {
    ScreenKind.STARTING: _BADGES[RunState.INIT],
    ScreenKind.COMPLETED: Sign("✓", "success", "turn done"),
    ScreenKind.EXITED: Sign("■", "quiet", "exited"),
}
"""Of a run that neither waits nor types the reading says more than the state."""
_YOUR_TURN = Sign("▲", "warning", "your turn")
_THINKING = Sign("◌", "primary", "thinking")
_SENDING = Sign("▶", "accent", "sending")
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
    Sort.EXPIRED: Sign("×", "quiet", "expired"),
    Sort.DECISION: Sign("▶", "success", "sent"),
    Sort.PERSON: Sign("●", "accent", "person"),
    Sort.HELD: Sign("▲", "warning", "held"),
    Sort.CHANGE: Sign("≠", "error", "today otherwise"),
}
NOT_TYPED = Sign("▷", "warning", "not sent")
_VERDICTS = {
    DecisionVerdict.SEND: Sign("▶", "success", "send"),
    DecisionVerdict.SEND_AFTER_COUNTDOWN: Sign("▶", "success", "send after countdown"),
    DecisionVerdict.HOLD: Sign("▲", "warning", "held"),
    DecisionVerdict.ESCALATE: Sign("▲", "warning", "escalated"),
    DecisionVerdict.REFUSE: Sign("■", "warning", "refused"),
}
_SENDS = frozenset({DecisionVerdict.SEND, DecisionVerdict.SEND_AFTER_COUNTDOWN})
_MAY_STILL_TYPE = frozenset({RunState.ASKING_QUESTION, RunState.ANSWERING})


def mark_signs() -> list[Sign]:
    """The signs of the marks, least first: the last of those in one cell is shown."""
    signs = list(MARKS.values())
    signs.insert(signs.index(MARKS[Sort.DECISION]), NOT_TYPED)
    return signs


def badge_of(moment: Moment) -> Sign:
    """The badge that the cockpit had at that moment."""
    prompt = moment.prompt
    if moment.state in _PLAIN_STATES and moment.detection.kind in _BY_KIND:
        return _BY_KIND[moment.detection.kind]
    if moment.state is RunState.ASKING_QUESTION:
        decision = prompt.decision_at(moment.at) if prompt is not None else None
        if decision is not None and decision.verdict is DecisionVerdict.SEND_AFTER_COUNTDOWN:
            return _SENDING
        return _THINKING if prompt is not None and prompt.requests else _YOUR_TURN
    if moment.state is RunState.HELD and (prompt is None or prompt.offered_at(moment.at) is None):
        return _YOUR_TURN
    return _BADGES[moment.state]


def mark_words(review: RunReview, mark: Mark) -> str:
    """A mark in a line: of what sort it is, and what was asked, decided or done."""
    if mark.sort in (Sort.PERSON, Sort.PLAN):
        return mark.label
    sign, label = _mark_sign(review, mark), mark.label
    word = sign.word
    if mark.sort is Sort.PROMPT and 0 < mark.prompt <= len(review.prompts):
        word = f"{word} {mark.prompt}, {shown_kind(review.prompts[mark.prompt - 1].detection)}"
    elif mark.sort is Sort.DECISION and (ran := _run_at(review, mark)):
        word = ran
    elif sign is NOT_TYPED:
        label = _why_held_after(review, mark.at)
    return f"{word}: {label}" if label else word


def _why_held_after(review: RunReview, at: float) -> str:
    """Why the run then waited for a person: for a reply that was to be sent and was not, the reason."""
    held = (span for span in review.spans if span.end > at and span.state is RunState.HELD)
    return next((span.reason for span in held if span.reason), "")


def held_reason(moment: Moment) -> str:
    """Why the run waited for a person at that moment; empty if it did not."""
    known = moment.reason != moment.detection.kind.value  # Outside a run the reason is the kind.
    return moment.reason if moment.state is RunState.HELD and known else ""


def verdict_sign(prompt: Prompt, decision: Decision, moment: Moment) -> Sign:
    """What was decided; of a reply that was to be sent and was not typed, that it would be; of a command of
    the plan, that copilot ran it and how that ended.
    """
    sign = _VERDICTS[decision.verdict]
    if (ran := prompt.ran.get(decision.number)) is not None:
        return Sign(sign.shape, sign.tone, _ran_words(ran))
    if decision.verdict not in _SENDS or moment.state in _MAY_STILL_TYPE:
        return sign
    if _typed(prompt, decision, moment.at):
        return sign
    return Sign(NOT_TYPED.shape, NOT_TYPED.tone, f"would {sign.word}")


def _ran_words(ran: Ran) -> str:
    return f"copilot ran it ({ran.end or 'no end on record'})"


def _run_at(review: RunReview, mark: Mark) -> str:
    """What was run by the decision of this mark, in words; empty if nothing was."""
    prompt = review.prompts[mark.prompt - 1] if 0 < mark.prompt <= len(review.prompts) else None
    decided = [] if prompt is None else [one.number for at, one in prompt.decisions if at == mark.at]
    return next((_ran_words(prompt.ran[one]) for one in decided if prompt and one in prompt.ran), "")


def _typed(prompt: Prompt, decision: Decision, at: float) -> bool:
    return any(step.decision == decision.number and when <= at + 1e-6 for when, step in prompt.keys)


def column_of(at: float, duration: float, width: int) -> int:
    """The cell of a timeline of that width in which a moment lies."""
    return Scale(0.0, duration, width).cell(at)


def moment_of(column: int, duration: float, width: int) -> float:
    """The moment in the middle of a cell; the ends at the first and the last one."""
    if column <= 0:
        return 0.0
    return duration if column >= width - 1 else Scale(0.0, duration, width).moment(column)


def state_cells(review: RunReview, width: int) -> list[Sign]:
    weights = [-1] * width
    for span in review.spans:
        weight = _WEIGHT.index(span.state)
        first, last = (column_of(at, review.duration, width) for at in (span.start, span.end))
        for column in range(first, last + 1):
            weights[column] = max(weights[column], weight)
    return [STATES[_WEIGHT[weight]] if weight >= 0 else STATES[RunState.INIT] for weight in weights]


def mark_cells(review: RunReview, width: int) -> list[Sign | None]:
    ranks: list[int] = [-1] * width
    signs = mark_signs()
    for mark in review.marks:
        column = column_of(mark.at, review.duration, width)
        ranks[column] = max(ranks[column], signs.index(_mark_sign(review, mark)))
    return [signs[rank] if rank >= 0 else None for rank in ranks]


def _mark_sign(review: RunReview, mark: Mark) -> Sign:
    """A decision to send is no reply sent if nothing was ever typed or run for it."""
    if mark.sort is not Sort.DECISION or not 0 < mark.prompt <= len(review.prompts):
        return MARKS[mark.sort]
    prompt = review.prompts[mark.prompt - 1]
    decided = [decision for at, decision in prompt.decisions if at == mark.at]
    done = any(one.number in prompt.ran or _typed(prompt, one, review.duration) for one in decided)
    return MARKS[mark.sort] if done else NOT_TYPED


def risk_cells(review: RunReview, width: int) -> list[RiskLevel | None]:
    cells: list[RiskLevel | None] = [None] * width
    for prompt in review.prompts:
        if prompt.detection.asks:
            column = column_of(prompt.at, review.duration, width)
            present = cells[column]
            level = prompt.risk.level
            cells[column] = level if present is None else max(present, level)
    return cells
