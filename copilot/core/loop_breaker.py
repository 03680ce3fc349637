"""The loop breaker: the same question with the same answer, three times running, goes to the person."""

from __future__ import annotations

from dataclasses import dataclass

from copilot.core.detection import Detection, fingerprint
from copilot.core.reply import Reply

MOST_REPEATS = 3


@dataclass(slots=True)
class LoopBreaker:
    """Counts how often the last question was answered the same way in a row."""

    _last: tuple[str, Reply | None] | None = None
    _count: int = 0

    def trips(self, detection: Detection, reply: Reply | None) -> bool:
        """Whether this answer would be the third in a row: the third is held, not the fourth."""
        return _asked(detection, reply) == self._last and self._count + 1 >= MOST_REPEATS

    def count(self, detection: Detection, reply: Reply | None) -> None:
        """This answer is being typed."""
        asked = _asked(detection, reply)
        self._count = self._count + 1 if asked == self._last else 1
        self._last = asked

    def reset(self) -> None:
        """The person decided: start counting anew."""
        self._last, self._count = None, 0


def _asked(detection: Detection, reply: Reply | None) -> tuple[str, Reply | None]:
    """The question without what makes it this very prompt, and the answer."""
    subject = detection.subject.text if detection.subject else ""
    labels = tuple(option.label for option in detection.options)
    return fingerprint(detection.kind, detection.question, labels, subject), reply
