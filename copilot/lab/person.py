"""A mock person, who answers what is held. Without one nobody is there, and what is held is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from copilot.core.detection import Detection
from copilot.core.reply import Reply

Answer = Reply | str | None
"""A reply, the label or text of one, or None: no."""

Person = Callable[[Detection], Answer]
"""Asked for each held prompt. What it raises fails the run."""


def answers(by_kind: Mapping[str, Answer | Callable[[Detection], Answer]]) -> Person:
    """A person with an answer, constant or computed, for each kind of prompt; no to all others."""

    def person(detection: Detection) -> Answer:
        answer = by_kind.get(detection.kind.value)
        return answer(detection) if callable(answer) else answer

    return person


def as_reply(answer: Answer, detection: Detection) -> Reply | None:
    """The reply that an answer stands for: a listed label is a choice, another text is typed."""
    if not isinstance(answer, str):
        return answer
    option = detection.option_named(answer)
    return Reply(choice=option.label) if option is not None else Reply(text=answer)
