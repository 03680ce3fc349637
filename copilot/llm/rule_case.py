"""One prompt as the `rules` provider sees it, and what can be found in the governing prompt about it."""

from __future__ import annotations

from dataclasses import dataclass

from copilot.context.asked import Asked
from copilot.context.patterns import Pattern, pattern, quoted
from copilot.core.reply import Reply
from copilot.core.reply_request import ReplyRequest
from copilot.llm import rule_words as words

_TAIL_LINES = 15
_WRITES = frozenset({"write", "edit"})
SURE, FAIRLY_SURE, GUESS = 1.0, 0.9, 0.7


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the rules say: a reply, or the person."""

    reply: Reply
    reason: str
    confidence: float = FAIRLY_SURE
    needs_human: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """One prompt with what is known of it."""

    request: ReplyRequest
    asked: Asked
    governing: str

    @property
    def about(self) -> str:
        """The question and what it is about."""
        return f"{self.asked.question}\n{self.asked.subject}".strip()

    @property
    def parts(self) -> tuple[str, ...]:
        """What directives are matched with: both together, and each by itself."""
        return tuple(
            text for text in (self.about, self.asked.question.strip(), self.asked.subject.strip()) if text
        )

    @property
    def generic(self) -> bool:
        """Whether the question alone does not say what it is about."""
        return not self.asked.subject and words.GENERIC_QUESTION.search(self.asked.question) is not None

    def destroys(self) -> bool:
        """Whether a yes looks destructive; a question that says nothing is judged by what stands above it.

        Writing a file is not: where it may be written is the guard's to judge.
        """
        if self.request.kind == "permission" and self.asked.action in _WRITES:
            return False
        return words.DESTRUCTIVE.search(self._judged()) is not None

    def risky(self) -> bool:
        """Whether a yes needs a person's judgement."""
        return words.RISKY.search(self._judged()) is not None

    def _judged(self) -> str:
        return f"{self.about}\n{self._above()}" if self.generic else self.about

    def _above(self) -> str:
        text = next((part.text for part in self.request.parts if part.name == "recent output"), "")
        return "\n".join(text.splitlines()[-_TAIL_LINES:])

    def label(self, kind: Pattern) -> str | None:
        """The first label of that kind which widens nothing."""
        for label in self.request.choices:
            if kind.search(label) and not words.WIDENING.search(label):
                return label
        return None


def one_label(choices: tuple[str, ...], wanted: str) -> str | None:
    """The one label that is `wanted` but for case and blanks."""
    close = [label for label in choices if _folded(label) == _folded(wanted)]
    return close[0] if len(close) == 1 else None


def named_in(governing: str, labels: tuple[str, ...]) -> list[str]:
    """Labels that stand as words in a line of the governing prompt that denies nothing."""
    lines = [line for line in governing.splitlines() if not words.NEGATION.search(line)]
    found = []
    for label in labels:
        if len(label) < 2:
            continue
        word = pattern(r"(?i)(?:^|\W)" + quoted(label) + r"(?:\W|$)")
        if any(word.search(line) for line in lines):
            found.append(label)
    return found


def value_in(governing: str, question: str) -> str | None:
    """The value of a line `Name: value` whose name is the question."""
    wanted = _letters(question.split("(")[0].split("[")[0])
    values = []
    for line in governing.splitlines():
        name, colon, value = line.strip().lstrip("-*+ ").partition(":")
        if colon and wanted and _letters(name) == wanted and value.strip():
            values.append(value.strip())
    return values[0] if len(values) == 1 else None


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _letters(text: str) -> str:
    return "".join(character for character in text if character.isalnum()).casefold()
