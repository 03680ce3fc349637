"""What front ends draw of a run: the engine's state and what the session knows beside it, as one value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from copilot.core import effects as fx
from copilot.core.detection import Detection
from copilot.core.policy import risk_of
from copilot.core.profile_outline import Limits
from copilot.core.reply import Autonomy, Decision, Proposal, Reply, ReplyRequest, Usage
from copilot.core.risk import NO_RISK, Risk
from copilot.core.run import Run
from copilot.core.screen_kinds import ScreenKind
from copilot.core.states import RunState
from copilot.guard.grants import GrantLine
from copilot.prompting import QuestionAnswer

_NOTHING_SEEN = Detection(ScreenKind.STARTING)
_NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionView:
    """The whole visible state of a session at one moment; a new one replaces it on every change.

    Times are seconds since the run began. `countdown_ends_at` is set while a reply counts down.
    `stale` is why the last reply died, until the next prompt.
    """

    state: RunState = RunState.INIT
    state_reason: str = ""
    autonomy: Autonomy = Autonomy.SUGGEST
    detection: Detection = _NOTHING_SEEN
    risk: Risk = NO_RISK
    request: ReplyRequest | None = None
    proposal: Proposal | None = None
    decision: Decision | None = None
    countdown_ends_at: float | None = None
    waiting_for_provider: bool = False
    waiting_for_opinion: bool = False
    """A second model is asked whether the proposal may be sent by itself."""
    stale: str = ""
    steps: int = 0
    max_steps: int = 50
    cost_usd: float | None = 0.0
    tokens: int = 0
    dry_run: bool = False
    plan_step: str = ""
    """The plan's present step, "k/n: name"; empty without a plan."""
    profile: str = "generic"
    limits: Limits = _NO_LIMITS
    """The profile's."""
    only_suggests: bool = False
    """The profile is unverified: at no level anything is sent by itself."""
    option_risks: tuple[Risk, ...] = ()
    """The risk of sending each option of the prompt, by itself."""
    provider: str = "rules"
    takes_instructions: bool = True
    """Whether "again" takes an instruction for the provider."""
    model: str = ""
    run_folder: str = ""
    started_at: float = 0.0
    outcome: str = ""
    grants: tuple[GrantLine, ...] = ()
    """What was allowed in this run, and what became of it."""
    governing_prompt: str = ""
    governing_version: int = 1
    """1 is the prompt that the run began with."""
    unknown: int = 0
    """The number of the newest screen that was not understood and is kept; 0 while there is none."""


class ViewKeeper:
    """The present view."""

    def __init__(self, view: SessionView) -> None:
        self.view = view
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
        """Keep what only an effect says."""
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

    def update(self, run: Run, settled: Detection | None) -> None:
        """Take over the core's state.

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
            risk=run.plan.risk if held is not None and run.plan is not None else run.risk,
            proposal=run.proposal,
            decision=run.decision,
            countdown_ends_at=self.view.countdown_ends_at if counting and run.typist is None else None,
            waiting_for_provider=run.request is not None,
            waiting_for_opinion=run.opinion is not None,
            steps=run.limits.steps,
            max_steps=run.limits.max_steps,
            cost_usd=run.limits.cost_usd,
        )

    def _forget_expiry(self, detection: Detection) -> None:
        """Forget an expired reply once the child has worked and is quiet again."""
        if detection.kind is ScreenKind.BUSY:
            self._worked_since_expiry = True
        elif self._worked_since_expiry and self.view.stale and detection.kind is not ScreenKind.UNKNOWN:
            self.change(stale="")


def _option_risks(run: Run) -> tuple[Risk, ...]:
    keys, options = run.profile.reply_keys, run.detection.options
    return tuple(risk_of(run.detection, Reply(choice=one.label), run.risks, keys) for one in options)


def _in_place(known: Detection, settled: Detection | None) -> Detection:
    """The detection that the core knows, with its evidence in the rows where it is now."""
    if settled is None or (settled.kind, settled.identity) != (known.kind, known.identity):
        return known
    subject = known.subject
    if subject is not None and settled.subject is not None:
        subject = replace(subject, rows=settled.subject.rows)
    return replace(known, evidence=settled.evidence, subject=subject, columns=settled.columns)
