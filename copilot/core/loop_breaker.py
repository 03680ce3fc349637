"""The loop breaker: what asks the same for ever must not be answered for ever.

A question is known by its bare words: counters, numbers, times and punctuation are left out, and so is all
that is above it. Of a permission, what it is about belongs to the question. The third time that such a
question would get the same answer, among at most three questions that only repeat, goes to the person.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

from copilot.core.detection import SAID_ABOVE, Detection
from copilot.core.reply import Reply

MOST_REPEATS = 3
LONGEST_CYCLE = 3
LOOP = "limit.loop"
"""The rule of the decision that ends a loop."""
_MOST_KEPT = 60
_COUNTING_WORDS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand
first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
fifteenth sixteenth seventeenth eighteenth nineteenth twentieth st nd rd th once twice thrice again next
another last final more time times am pm ms min mins sec secs seconds minutes hours ago
monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun
jan feb mar apr jun jul aug sep oct nov dec
"""
_COUNTING = frozenset(_COUNTING_WORDS.split())
"""Words for counts and times: they change while the question stays the same."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """One answered question. `after_work`: the CLI was seen at work before it asked."""

    question: tuple[str, ...]
    named: bool
    """Whether it names what it is about (a command, a file), as a permission does."""
    answer: tuple[str, str] | None
    after_work: bool = False


@dataclass(slots=True)
class LoopBreaker:
    """Remembers what was asked and answered since a person or the plan last said something."""

    _answered: list[_Asked] = field(default_factory=list)
    _worked: bool = False

    def worked(self) -> None:
        """The CLI was seen at work."""
        self._worked = True

    def trips(self, detection: Detection, reply: Reply | None) -> bool:
        """Whether this answer would be the third of its kind: the third is held, not the fourth."""
        now = _asked(detection, reply, after_work=self._worked)
        return any(self._repeats(now, length) for length in range(1, LONGEST_CYCLE + 1))

    def _repeats(self, now: _Asked, length: int) -> bool:
        """Whether the last answers went to so many questions in turn, and this is one of them again."""
        counts: dict[tuple[str, ...], int] = {now.question: 1}
        same, worked, named = 1, now.after_work, now.named
        for before in reversed(self._answered):
            if before.question not in counts and len(counts) == length:
                break
            counts[before.question] = counts.get(before.question, 0) + 1
            same += before.question == now.question and before.answer == now.answer
            if same >= MOST_REPEATS and len(counts) == length and min(counts.values()) >= MOST_REPEATS - 1:
                return True
            if length > 1 and worked and (named or before.named):
                # an agent that edits, tests, edits and tests asks in turn, and works in between
                return False
            worked, named = worked or before.after_work, named or before.named
        return False

    def count(self, detection: Detection, reply: Reply | None) -> None:
        """This answer is being typed."""
        self._answered.append(_asked(detection, reply, after_work=self._worked))
        del self._answered[:-_MOST_KEPT]
        self._worked = False

    def reset(self) -> None:
        """The person decided, or gave the CLI something else to do."""
        self._answered.clear()
        self._worked = False


def _asked(detection: Detection, reply: Reply | None, *, after_work: bool) -> _Asked:
    subject = detection.subject
    about = subject.text if subject is not None and subject.action != SAID_ABOVE else ""
    labels = [word for option in detection.options for word in bare_words(option.label)]
    words = (detection.kind.value, *bare_words(detection.question or ""), "", *labels)
    return _Asked((*words, "", *about.split()), bool(about.strip()), _answer(reply), after_work)


def _answer(reply: Reply | None) -> tuple[str, str] | None:
    """The answer without case, blanks and the punctuation at its end; None for a refusal."""
    if reply is None:
        return None
    choice, text = (" ".join((part or "").split()).casefold() for part in (reply.choice, reply.text))
    return choice, text.rstrip(".!") or text


def bare_words(text: str) -> list[str]:
    """The words of a question without numbers, counting words, case, punctuation and unseen characters."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    shown = "".join(
        "" if unicodedata.category(one) in ("Cf", "Mn", "Me") else one if one.isalpha() else " "
        for one in folded
    )
    return [word for word in shown.split() if word not in _COUNTING]
