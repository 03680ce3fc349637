"""`Run`: what the core knows of a run, and the moves that every reaction shares."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import re2

from copilot.core.checkpoints import CheckpointMoment
from copilot.core.detection import Detection
from copilot.core.effects import (
    CallPerson,
    CancelOpinion,
    CancelRequest,
    Effect,
    EndRun,
    EnterState,
    RecordDecision,
    ReplyExpired,
    ReportScreenAgain,
    SignalChild,
    StartTimer,
    StopTimer,
    TakeCheckpoint,
    WriteKeys,
)
from copilot.core.loop_breaker import LoopBreaker
from copilot.core.plan_progress import PlanProgress
from copilot.core.policy import PromptRisks, Ruling, Situation, make_decision
from copilot.core.profile import Profile
from copilot.core.reply import Autonomy, Decision, Proposal, Reply, Verdict
from copilot.core.risk import NO_RISK, Risk
from copilot.core.run_end import STALLED, Refusals, TurnWatch, refuses_the_folder
from copilot.core.screen_kinds import ScreenKind
from copilot.core.second_opinion import OpinionBreaker, PendingOpinion
from copilot.core.settings import RunLimits
from copilot.core.states import (
    END_STATES,
    Answering,
    Asking,
    Ended,
    Held,
    IllegalTransition,
    NotStarted,
    Phase,
    RunState,
    check_transition,
)
from copilot.core.typist import TIMER as TYPING
from copilot.core.typist import Typist

COUNTDOWN = "countdown"
TIMEOUT = "timeout"
GRACE = "grace"
LEAVE = "leave"
CHECKPOINT = "checkpoint"
CHECKPOINT_SECONDS = 2.0
"""How long a reply may wait for its checkpoint."""
UNSAID_SECONDS = 0.3
"""How long it waits before that is said."""
LEAVE_SECONDS = 10.0
GRACE_SECONDS = 20.0
"""How long an unclear, failed or idle screen may last in a headless run before the run ends."""

_PLAN = re2.compile(r"(?i)\b(?:this|the|a|my|your) plan\b")
_STATE_OF_OUTCOME = {
    "completed": RunState.COMPLETED,
    "crashed": RunState.ERROR,
    "failed": RunState.ERROR,
}


def _nothing_seen() -> Detection:
    return Detection(ScreenKind.STARTING)


@dataclass(slots=True, kw_only=True)
class Run:
    """The state of one run. Only the reactions change it, only in answer to events.

    `proposal` and `decision` are those of the present prompt. `follow_up` is what is said to the CLI once
    its composer is ready. `owned_by_person` is the identity of the prompt that the person answers by hand.
    `ending` is how the run ends when the child goes. `unrecorded` is why the run is no longer recorded.
    """

    profile: Profile
    autonomy: Autonomy
    limits: RunLimits = field(default_factory=RunLimits)
    headless: bool = False
    trust: bool = False
    launch_folders: tuple[str, ...] = ()
    dry_run: bool = False
    second_opinion: bool = False
    """Whether a second model is asked before a reply is sent by itself."""

    checkpoints: bool = False
    """Whether the project's files are saved before replies."""

    plan: PlanProgress | None = None

    program: str = "the child"
    """What runs, as a person calls it."""

    now: float = 0.0
    phase: Phase = field(default_factory=NotStarted)
    detection: Detection = field(default_factory=_nothing_seen)
    risk: Risk = NO_RISK
    option_risks: tuple[Risk, ...] = ()
    first_seen_at: float = 0.0
    proposal: Proposal | None = None
    decision: Decision | None = None
    follow_up: str = ""
    follow_up_by: str = "policy"
    """Who said it: `policy`, or `person` for words that they sent with a choice."""
    restored: str = ""
    """What is to be said to the CLI about files that an undo put back, until it was taken."""
    asked_again: str = ""
    """The identity of the prompt for which the person wanted another reply: it is theirs to send."""
    owned_by_person: str = ""
    leaving: bool = False
    ending: EndRun | None = None
    unrecorded: str = ""
    exited_while_asking: bool = False
    turns: TurnWatch = field(default_factory=TurnWatch)
    answered: str = ""
    """The identity of the prompt that got the last typed reply."""
    typed_at: float = -1.0
    """When the person last typed into the child."""
    interrupts: int = 0
    requests: int = 0
    decisions: int = 0
    breaker: LoopBreaker = field(default_factory=LoopBreaker)
    refusals: Refusals = field(default_factory=Refusals)
    opinions: OpinionBreaker = field(default_factory=OpinionBreaker)

    def __post_init__(self) -> None:
        self.autonomy = self.profile.allowed(self.autonomy)

    @property
    def state(self) -> RunState:
        """The name of the phase."""
        return self.phase.state

    @property
    def asking(self) -> Asking:
        """The phase, where a request or an opinion may be open. Raises IllegalTransition in any other."""
        if not isinstance(self.phase, Asking):
            raise IllegalTransition(f"nothing can be asked of a model in {self.state}")
        return self.phase

    @property
    def request(self) -> int | None:
        """The number of the open request to a provider."""
        return self.phase.request if isinstance(self.phase, Asking) else None

    @property
    def opinion(self) -> PendingOpinion | None:
        """The second opinion that is waited for."""
        return self.phase.opinion if isinstance(self.phase, Asking) else None

    @property
    def typist(self) -> Typist | None:
        """Who types the present reply."""
        return self.phase.typist if isinstance(self.phase, Answering) else None

    @property
    def saving(self) -> bool:
        """Whether the present reply waits for its checkpoint."""
        return isinstance(self.phase, Answering) and self.phase.saving

    @property
    def ended(self) -> bool:
        """Whether the run is over."""
        return self.state in END_STATES

    @property
    def plan_label(self) -> str:
        """`k/n: name` of the plan's present step; empty without a plan, and after it."""
        return self.plan.label if self.plan is not None and not self.plan.over else ""

    @property
    def situation(self) -> Situation:
        """What policy needs to know."""
        return Situation(
            autonomy=self.autonomy,
            limits=self.profile.limits,
            reply_keys=self.profile.reply_keys,
            headless=self.headless,
            trust=self.trust,
            launch_folders=self.launch_folders,
            unrecorded=self.unrecorded,
        )

    @property
    def risks(self) -> PromptRisks:
        """What saying yes to the present prompt, or taking one of its options, would do."""
        return PromptRisks(self.risk, self.option_risks)

    def enter(self, phase: Phase, reason: str) -> list[Effect]:
        """Go to `phase`, with its own data. Raises IllegalTransition if the table forbids it."""
        check_transition(self.state, phase.state)
        self.phase = phase
        return [EnterState(phase.state, reason)]

    def decide(self, reply: Reply | None, ruling: Ruling, risk: Risk, by: str = "policy") -> list[Effect]:
        """Make the ruling this prompt's decision and have it recorded."""
        self.decisions += 1
        self.decision = make_decision(self.decisions, self.detection, reply, ruling, risk, by)
        return [RecordDecision(self.decision)]

    def save(self, moment: CheckpointMoment, text: str = "") -> list[Effect]:
        """Take a checkpoint of the project, if this run has them. `text` says what comes next."""
        if not self.checkpoints or self.dry_run:
            return []
        before = self.decisions if moment is CheckpointMoment.REPLY else self.decisions + 1
        return [TakeCheckpoint(moment, before, " ".join(text.split()))]

    def hold(self, reason: str, rule: str) -> list[Effect]:
        """Decide to hold, and wait for the person."""
        reply = self.decision.reply if self.decision else None
        ruling = Ruling(Verdict.HOLD, rule, reason)
        return self.decide(reply, ruling, self.risk) + self.wait_for_person(reason)

    def wait_for_person(self, reason: str) -> list[Effect]:
        """The person must act. Without a person the run ends held, at once or after a grace."""
        effects = self.enter(Held(), reason)
        if not self.headless:
            return [*effects, CallPerson(self.detection.identity, reason)]
        if self.detection.rule == STALLED:
            return effects + self.stop(EndRun("stopped", 3, self.detection.note))
        if self.detection.kind in (ScreenKind.UNKNOWN, ScreenKind.ERROR):
            return effects + self.start_grace()
        return effects + self.stop(EndRun("held", 3, f"a person is needed: {reason}"))

    def start_grace(self) -> list[Effect]:
        """In a headless run, give the screen a while to change before the run ends."""
        return [StartTimer(GRACE, GRACE_SECONDS)] if self.headless else []

    @property
    def open_question(self) -> bool:
        """Whether something is asked that is still open: what a person types at is theirs to end."""
        return self.detection.asks and self.detection.identity != self.owned_by_person

    @property
    def turn_goes_on(self) -> bool:
        """Whether work can go on after a refusal here: it is one act of a turn that is refused."""
        return self.detection.kind is ScreenKind.PERMISSION and self.refusal_ends("") is None

    def refusal_ends(self, reason: str) -> EndRun | None:
        """How the run ends with a refusal of what is asked now; None where work can go on without it.

        Whatever the CLI did after a refusal of trust or of its plan would be what was refused.
        """
        about = self.detection.subject.action if self.detection.subject is not None else ""
        if refuses_the_folder(self.detection):
            return EndRun("held", 3, f"trust refused: {reason}")
        if about == "plan" or (self.detection.options and _PLAN.search(self.detection.question or "")):
            return EndRun("held", 3, f"the plan was refused: {reason}")
        return None

    def turn_completed(self) -> None:
        """A coding CLI has completed a turn. A program that no profile is for has none."""
        if self.profile.launch.names or self.profile.launch.leave:
            self.refusals.turn_completed()

    def stop_asking(self) -> list[Effect]:
        """Drop the open requests and the countdown; the proposal stays."""
        effects: list[Effect] = [StopTimer(COUNTDOWN)]
        if self.request is not None:
            effects.append(CancelRequest(self.request))
        if self.opinion is not None:
            effects.append(CancelOpinion(self.opinion.number))
        if isinstance(self.phase, Asking):
            self.phase = Asking()
        self.decision = None
        return effects

    def withdraw(self, reason: str) -> list[Effect]:
        """Drop everything that was under way for the present prompt: it died, for this reason."""
        effects: list[Effect] = []
        if self.proposal is not None or self.typist is not None or self.request is not None:
            effects.append(ReplyExpired(self.detection.identity, reason))
        if self.typist is not None:
            if self.typist.probe_letter_shown:  # else it would be in front of what the person types
                effects.append(WriteKeys(self.typist.decision, ("Backspace",)))
            effects += [StopTimer(TYPING), *self.enter(Held(), reason), ReportScreenAgain()]
        if effects or self.decision is not None:
            effects += self.stop_asking()
        self.proposal = None
        return effects

    def stop(self, end: EndRun) -> list[Effect]:
        """End the run in order: first the child, then, when it is gone, the run. A plan's step is named."""
        if self.plan_label and end.exit_code != 0:
            end = replace(end, reason=f"step {self.plan_label}: {end.reason}")
        self.ending = self.ending or end
        return [*self.withdraw(end.reason), SignalChild("end"), StartTimer(LEAVE, LEAVE_SECONDS)]

    def stop_leaving(self) -> list[Effect]:
        """The CLI has more to do or to ask: it is not being left any more."""
        if not self.leaving:
            return []
        self.leaving = False
        return [StopTimer(LEAVE)]

    def finish(self, end: EndRun) -> list[Effect]:
        """The run is over. What a person said with a choice, and the child never took, is reported."""
        state = _STATE_OF_OUTCOME.get(end.outcome, RunState.ABORTED)
        words, self.follow_up = self.follow_up, ""
        lost: list[Effect] = []
        if words and self.follow_up_by == "person":
            lost = [ReplyExpired(self.detection.identity, f"your words were never typed: {words}")]
        return [*lost, *self.enter(Ended(state), end.reason), end]
