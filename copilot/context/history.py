"""The last questions and answers of the run, as a part of the prompt."""

from __future__ import annotations

from dataclasses import dataclass

from copilot.context.sentences import shortened
from copilot.context.tokens import Estimator

HISTORY_LENGTH = 10
_LONGEST_TEXT = 600


@dataclass(frozen=True, slots=True)
class QuestionAnswer:
    """One question that was answered. `by` is `person` or `policy` (sent by the co-pilot itself)."""

    question: str
    answer: str
    by: str = "policy"


def render_history(pairs: tuple[QuestionAnswer, ...], budget: int, estimate: Estimator) -> tuple[str, bool]:
    """The newest pairs that fit, oldest first, and whether any of the last ten was left out or shortened.

    An answer of the person is marked: it is a confirmation that the model may rely on.
    """
    recent = pairs[-HISTORY_LENGTH:]
    kept: list[str] = []
    cut = False
    used = 0
    for pair in reversed(recent):
        entry, shorter = _entry(pair)
        cost = estimate(entry)
        if used + cost > budget:
            cut = True
            break
        kept.append(entry)
        used += cost
        cut = cut or shorter
    kept.reverse()
    if not kept:
        return "", bool(recent)
    missing = len(recent) - len(kept)
    head = [f"[{missing} earlier answers left out]"] if missing else []
    return "\n".join([*head, *kept]), cut


def _entry(pair: QuestionAnswer) -> tuple[str, bool]:
    question, question_cut = shortened(pair.question, _LONGEST_TEXT)
    answer, answer_cut = shortened(pair.answer, _LONGEST_TEXT)
    who = "the person" if pair.by == "person" else "you"
    return f"Q: {question}\nA ({who}): {answer}", question_cut or answer_cut
