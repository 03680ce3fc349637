"""What a governing prompt allows where a program asks: the lines of it that lift a named high question.

Read from the prompt's text by `copilot.providers.permissions`. What they lift, and what never, is judged in
`question_risk.py`: from high to medium, for questions of programs only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from copilot.guard.grants import Grant
from copilot.guard.named_acts import Act


@dataclass(frozen=True, slots=True)
class Answer:
    """A `when "…": ANSWER` line: whether its expression is found in a text, and whether it says yes.

    `covers`: whether it is found in a listed row and leaves nothing of it but a version.
    """

    line: int
    fits: Callable[[str], bool]
    covers: Callable[[str], bool]
    yes: bool


@dataclass(frozen=True, slots=True)
class PromptPermissions:
    """The answers in the order of the prompt, and the acts and commands that a sentence allows."""

    answers: tuple[Answer, ...] = ()
    acts: tuple[tuple[Act, int], ...] = ()
    commands: tuple[Grant, ...] = ()
    """Commands that a sentence names, each as a grant for exactly it."""

    def answer_to(self, naming: Sequence[str], question: str) -> Answer | None:
        """The first answer that is about this question.

        A yes must be found in what names the thing; any other answer may be found in the question too.
        """
        for one in self.answers:
            texts = naming if one.yes else (*naming, question)
            if any(one.fits(text) for text in texts):
                return one
        return None

    def line_for(self, act: Act) -> int | None:
        """The line of the sentence that allows this act."""
        return dict(self.acts).get(act)


NO_PERMISSIONS = PromptPermissions()
