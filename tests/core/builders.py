"""Short ways to make the core's data in tests."""

from __future__ import annotations

from typing import Any

from copilot.core import events as ev
from copilot.core.detection import Detection, Option, Subject
from copilot.core.effects import Effect, EndRun, EnterState, RecordDecision, WriteKeys
from copilot.core.orchestrator import handle
from copilot.core.profile import Profile, ReplyKeys
from copilot.core.profile_outline import Launch, Limits
from copilot.core.reply import Autonomy, Proposal, Reply, Usage
from copilot.core.risk import NO_RISK, Risk, RiskLevel
from copilot.core.run import Run
from copilot.core.screen_kinds import ScreenKind
from copilot.core.settings import RunLimits

LOW = Risk(RiskLevel.LOW, ("writes inside the project",), "test.low")
MEDIUM = Risk(RiskLevel.MEDIUM, ("runs the project's tests",), "test.medium")
HIGH = Risk(RiskLevel.HIGH, ("deletes build/",), "test.high")
FORBIDDEN = Risk(RiskLevel.FORBIDDEN, ("deletes your home",), "test.forbidden")

PROFILE = Profile(
    name="test",
    launch=Launch(command=("cli",), leave="/exit"),
    limits=Limits(level=Autonomy.FULL, countdown_seconds=3.0),
    reply_keys=ReplyKeys(
        refuse={"permission": ("Esc",), "menu": ("Esc",)},
        continue_keys={"press_key": ("Enter",)},
        widening_options=("don't ask again", "auto mode"),
        trust_options=("I trust this folder",),
        free_text_options=("Type something",),
        avoid_leading="/!",
    ),
)

YES = Option("Yes", "1", selected=True)
WIDEN = Option("Yes, and don't ask again", "2")
NO = Option("No", "3")


def permission(identity: str = "p.1", command: str = "touch a", **changes: Any) -> Detection:
    """A permission prompt with Yes, a widening Yes, and No."""
    fields: dict[str, Any] = {
        "kind": ScreenKind.PERMISSION,
        "question": "Do you want to proceed?",
        "options": (YES, WIDEN, NO),
        "identity": identity,
        "subject": Subject("shell", command),
    }
    return Detection(**{**fields, **changes})


def question(identity: str = "q.1", text: str = "Which license?", **changes: Any) -> Detection:
    return Detection(ScreenKind.QUESTION, question=text, identity=identity, **{"proven": True, **changes})


def trust_dialog(identity: str = "t.1") -> Detection:
    """A trust dialog without digits, "No" preselected."""
    options = (Option("No, exit", None, selected=True), Option("Yes, I trust this folder"))
    return Detection(
        ScreenKind.TRUST, question="Is this a project you trust?", options=options, identity=identity
    )


BUSY = Detection(ScreenKind.BUSY)
IDLE = Detection(ScreenKind.IDLE, identity="i.1", proven=True)
COMPLETED = Detection(ScreenKind.COMPLETED, identity="c.1", proven=True)


def propose(choice: str | None = None, text: str | None = None, **changes: Any) -> Proposal:
    return Proposal(reply=Reply(choice, text), usage=Usage(cost_usd=0.01), **changes)


class Trial:
    """A run under test: feed events, look at the effects. Time moves only when told."""

    def __init__(
        self, autonomy: Autonomy = Autonomy.FULL, profile: Profile = PROFILE, **settings: Any
    ) -> None:
        limits = settings.pop("limits", RunLimits())
        self.run = Run(profile=profile, autonomy=autonomy, limits=limits, **settings)
        self.at = 0.0
        self.effects: list[Effect] = []
        self.feed(ev.Started)

    def feed(self, kind: type[ev.Event], **fields: Any) -> tuple[Effect, ...]:
        effects = handle(self.run, kind(at=self.at, **fields))
        self.effects += effects
        return effects

    def settle(
        self, detection: Detection, risk: Risk = NO_RISK, option_risks: tuple[Risk, ...] = ()
    ) -> tuple[Effect, ...]:
        """A settled screen, first seen now."""
        risks = {"risk": risk, "option_risks": option_risks}
        return self.feed(ev.ScreenSettled, detection=detection, first_seen_at=self.at, **risks)

    def answer(self, proposal: Proposal, request: int | None = None) -> tuple[Effect, ...]:
        number = request if request is not None else (self.run.request or 0)
        return self.feed(ev.ReplyProposed, request=number, proposal=proposal)

    def reply(self, detection: Detection, proposal: Proposal, risk: Risk = LOW) -> Trial:
        """The prompt settles and the provider answers it."""
        self.settle(detection, risk)
        self.answer(proposal)
        return self

    def type(self, detection: Detection, proposal: Proposal, risk: Risk = LOW) -> Trial:
        """The same, and the guard time passes while the prompt stays."""
        self.reply(detection, proposal, risk).look(detection, seconds=0.3)
        return self

    def take(self) -> tuple[Effect, ...]:
        """The program goes on, as two looks show; what follows from the second."""
        self.look(BUSY)
        return self.look(BUSY)

    def look(self, detection: Detection, seconds: float = 0.1, **fields: Any) -> tuple[Effect, ...]:
        """Time passes, the typing timer fires, and the screen shows this."""
        self.at += seconds
        self.feed(ev.TimerFired, timer="typing")
        return self.feed(ev.FreshLook, detection=detection, **fields)

    def fire(self, timer: str, seconds: float = 0.0) -> tuple[Effect, ...]:
        self.at += seconds
        return self.feed(ev.TimerFired, timer=timer)

    @property
    def writes(self) -> list[WriteKeys]:
        return [effect for effect in self.effects if isinstance(effect, WriteKeys)]

    @property
    def decisions(self) -> list[RecordDecision]:
        return [effect for effect in self.effects if isinstance(effect, RecordDecision)]

    @property
    def end(self) -> EndRun | None:
        return next((effect for effect in self.effects if isinstance(effect, EndRun)), None)

    @property
    def reasons(self) -> list[str]:
        return [effect.reason for effect in self.effects if isinstance(effect, EnterState)]
