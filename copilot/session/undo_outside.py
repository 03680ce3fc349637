"""What no undo takes back: what was let happen outside the project's files, and files that are not kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from copilot.checkpoints.checkpoint import Checkpoint, Uncovered
from copilot.core.detection import Detection
from copilot.core.reply import Decision, Verdict
from copilot.core.risk import NO_RISK, Risk, RiskLevel
from copilot.core.typist import Outcome
from copilot.engine.history import typed_by_hand
from copilot.engine.review import Prompt
from copilot.engine.timeline import Timeline
from copilot.session.undo_list import clock, one_line

_MOST_NAMED = 8
_MOST_TEXT = 100


@dataclass(frozen=True, slots=True)
class Act:
    """What was let happen at a second of the run, and the judge's reason why files may not be all of it.

    `by` is who let it: `policy`, `person`, `terminal` (a person typed there), or `plan`.
    """

    at: float
    text: str
    why: str
    by: str


def acts_since(timeline: Timeline, target: Checkpoint) -> list[Act]:
    """What was let happen since `target` and may have done more than change files of the project, in order.

    That is what the judge took for more than an edit inside it. What the program did without asking is in no
    record of ours.
    """
    acts = [
        _act(at, prompt, decision)
        for prompt in timeline.prompts
        for at, decision in prompt.decisions
        if decision.number >= max(1, target.moment.decision) and _reaches_out(timeline, prompt, decision)
    ]
    acts += [
        Act(prompt.at, _text(prompt.detection), prompt.risk.reason, "terminal")
        for prompt in timeline.prompts
        if prompt.until > target.moment.at and _typed_by_hand(timeline, prompt) and _is_more(prompt.risk)
    ]
    return sorted(acts, key=lambda act: act.at)


def _reaches_out(timeline: Timeline, prompt: Prompt, decision: Decision) -> bool:
    if decision.verdict is Verdict.REFUSE:
        return False
    if decision.number in prompt.ran:
        # Without a judgement it is held, and a person ran it.
        return _is_more(decision.risk) or decision.risk.rule == NO_RISK.rule
    typed = timeline.typed.get(decision.number)
    return typed is not None and typed != Outcome.EXPIRED.value and _is_more(decision.risk)


def _is_more(risk: Risk) -> bool:
    """Whether it is more than reading and editing files in the project, before any grant."""
    return risk.level > RiskLevel.LOW or bool(risk.grants)


def _typed_by_hand(timeline: Timeline, prompt: Prompt) -> bool:
    if not prompt.detection.asks or any(number in timeline.typed for number in _numbers(prompt)):
        return False
    return any(map(typed_by_hand, prompt.history))


def _numbers(prompt: Prompt) -> Iterator[int]:
    return (decision.number for _, decision in prompt.decisions)


def _act(at: float, prompt: Prompt, decision: Decision) -> Act:
    if decision.number in prompt.ran:
        return Act(at, str(decision.reply), decision.risk.reason, "plan")
    return Act(at, _text(prompt.detection), decision.risk.reason, decision.by)


def _text(detection: Detection) -> str:
    subject = detection.subject
    return subject.text if subject is not None else detection.question or detection.kind.value


def outside_lines(acts: Sequence[Act], uncovered: Sequence[Uncovered]) -> Iterator[str]:
    """What a person is told about it, line by line, safe to show."""
    if acts:
        yield "Not undone, as it is not in the project's files: what these may have done"
        yield "(network, other folders, databases, processes):"
    by_text: dict[str, list[Act]] = {}
    for act in acts:
        by_text.setdefault(act.text, []).append(act)
    for text, same in list(by_text.items())[:_MOST_NAMED]:
        yield f"  {_times(same)}  {_cut(text)}  ({one_line(same[0].why)}{_BY.get(same[0].by, '')})"
    if len(by_text) > _MOST_NAMED:
        yield f"  … and {len(by_text) - _MOST_NAMED} more"
    if uncovered:
        yield "Not covered by checkpoints, so left as they are:"
    for one in uncovered[:_MOST_NAMED]:
        yield f"  {_cut(one.path)}  ({one_line(one.why)})"
    if len(uncovered) > _MOST_NAMED:
        yield f"  … and {len(uncovered) - _MOST_NAMED} more"


_BY = {"terminal": "; you typed in the terminal there", "plan": "; a command of the plan"}


def _times(same: Sequence[Act]) -> str:
    more = f" and {len(same) - 1} times more" if len(same) > 1 else ""
    return f"{clock(same[0].at)}{more}"


def _cut(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= _MOST_TEXT else f"{line[: _MOST_TEXT - 1]}…"
