"""Keeps the `SessionView`: what the core knows, and what its effects told in passing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from copilot.context import QuestionAnswer
from copilot.core import effects as fx
from copilot.core.decision import Decision
from copilot.core.detection import Detection, ScreenKind
from copilot.core.policy import risk_of
from copilot.core.reply import Reply, Usage
from copilot.core.risk import Risk
from copilot.core.run import Run
from copilot.session.view import SessionView


class ViewKeeper:
    """The present view; `update` tells whether it has changed."""

    def __init__(self, view: SessionView) -> None:
        self.view = view
        self._shown = view
        self._decided: dict[int, tuple[Decision, Detection]] = {}
        self._latest: Decision | None = None
        self._worked_since_expiry = False

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
                self._worked_since_expiry = False
                self.change(stale=effect.reason)
            case fx.EndRun():
                # To people "aborted" reads like a fault; that they ended it themselves says all.
                by_person = effect.outcome == "aborted"
                self.change(outcome=effect.reason if by_person else f"{effect.outcome}: {effect.reason}")
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

    def update(self, run: Run, settled: Detection | None) -> bool:
        """Take over the core's state; True if anything a person sees has changed.

        `settled` is what the reader has settled: a resize moves a prompt's rows and is no news to the core.
        """
        if self._latest is not None and run.decision is self._latest:
            self._decided = {self._latest.number: (self._latest, run.detection)}
            self._latest = None
        self._forget_expiry(run.detection)
        held = run.plan.held_command() if run.plan is not None and not run.detection.asks else None
        counting = run.decision is not None and self.view.countdown_ends_at is not None
        self.change(
            state=run.state,
            autonomy=run.autonomy,
            detection=held or _in_place(run.detection, settled),
            plan_step=run.plan_label,
            option_risks=_option_risks(run),
            danger=run.plan.risk if held is not None and run.plan is not None else run.danger,
            proposal=run.proposal,
            decision=run.decision,
            countdown_ends_at=self.view.countdown_ends_at if counting and run.typist is None else None,
            waiting_for_provider=run.request is not None,
            waiting_for_opinion=run.opinion is not None,
            steps=run.limits.steps,
            max_steps=run.limits.max_steps,
            cost_usd=run.limits.cost_usd,
        )
        changed = self.view != self._shown
        self._shown = self.view
        return changed

    def _forget_expiry(self, detection: Detection) -> None:
        """An expired reply is old news once the child has worked and stands still again."""
        if detection.kind is ScreenKind.BUSY:
            self._worked_since_expiry = True
        elif self._worked_since_expiry and self.view.stale and detection.kind is not ScreenKind.UNKNOWN:
            self.change(stale="")


def _option_risks(run: Run) -> tuple[Risk, ...]:
    keys, options = run.profile.reply_keys, run.detection.options
    return tuple(risk_of(run.detection, Reply(choice=one.label), run.dangers, keys) for one in options)


def _in_place(known: Detection, settled: Detection | None) -> Detection:
    """The detection that the core knows, with its evidence where it now stands."""
    if settled is None or (settled.kind, settled.identity) != (known.kind, known.identity):
        return known
    subject = known.subject
    if subject is not None and settled.subject is not None:
        subject = replace(subject, rows=settled.subject.rows)
    return replace(known, evidence=settled.evidence, subject=subject, columns=settled.columns)
