"""Keeps the `SessionView`: what the core knows, and what its effects told in passing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from copilot.context import QuestionAnswer
from copilot.core import effects as fx
from copilot.core.decision import Decision
from copilot.core.detection import Detection
from copilot.core.reply import Usage
from copilot.core.run import Run
from copilot.session.view import SessionView


class ViewKeeper:
    """The present view; `update` tells whether it has changed."""

    def __init__(self, view: SessionView) -> None:
        self.view = view
        self._shown = view
        self._decided: dict[int, tuple[Decision, Detection]] = {}
        self._latest: Decision | None = None

    def change(self, **fields: Any) -> None:
        """Set fields of the view."""
        self.view = replace(self.view, **fields)

    def spent(self, usage: Usage) -> None:
        """Count the tokens of one call."""
        self.change(tokens=self.view.tokens + usage.input_tokens + usage.output_tokens)

    def note(self, effect: fx.Effect, at: float) -> None:
        """Remember what only an effect tells."""
        match effect:
            case fx.EnterState():
                self.change(state_reason=effect.reason)
            case fx.AskProvider():
                self.change(stale="", request=None)
            case fx.RecordDecision():
                self._latest = effect.decision
            case fx.StartTimer(timer="countdown"):
                self.change(countdown_ends_at=at + effect.seconds)
            case fx.StopTimer(timer="countdown"):
                self.change(countdown_ends_at=None)
            case fx.ReplyExpired():
                self.change(stale=effect.reason)
            case fx.EndRun():
                self.change(outcome=f"{effect.outcome}: {effect.reason}")
            case _:
                pass

    def answered(self, number: int) -> QuestionAnswer | None:
        """Question and answer of a decision whose reply was typed."""
        if number not in self._decided:
            return None
        decision, detection = self._decided.pop(number)
        question = detection.question or detection.kind.value
        if detection.subject is not None:
            question += f" [{detection.subject.text}]"
        return QuestionAnswer(question, str(decision.reply or "(refused)"), by=decision.by)

    def update(self, run: Run) -> bool:
        """Take over the core's state; True if anything a person sees has changed."""
        if self._latest is not None and run.decision is self._latest:
            self._decided = {self._latest.number: (self._latest, run.detection)}
            self._latest = None
        counting = run.decision is not None and self.view.countdown_ends_at is not None
        self.change(
            state=run.state,
            autonomy=run.autonomy,
            detection=run.detection,
            danger=run.danger,
            proposal=run.proposal,
            decision=run.decision,
            countdown_ends_at=self.view.countdown_ends_at if counting and run.typist is None else None,
            waiting_for_provider=run.request is not None,
            steps=run.limits.steps,
            max_steps=run.limits.max_steps,
            cost_usd=run.limits.cost_usd,
        )
        changed = self.view != self._shown
        self._shown = self.view
        return changed
