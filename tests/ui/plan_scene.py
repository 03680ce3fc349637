"""A session that shows what the core makes of a plan, and gives the core what a person's keys say."""

from __future__ import annotations

from dataclasses import fields, replace

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.detection import EvidenceSource
from copilot.core.plan import Plan, PlanCommand, PlanPrompt, PlanStep
from copilot.core.reply import Autonomy, Reply
from copilot.core.risk import Risk, RiskLevel
from copilot.core.screen_kinds import READY_KINDS, ScreenKind
from copilot.engine.view import ViewKeeper
from tests.fakes.fake_session import FakeSession
from tests.fakes.plan_world import Copilot, World, copilot
from tests.ui.scenes import session_at

HIGH = Risk(RiskLevel.HIGH, ("deletes a folder and all that is in it",), "risk.shell.rm", "rm -rf build")
PLAN = Plan(
    "Release",
    (
        PlanStep(name="Tidy up", tasks=(PlanCommand("rm -rf build", ("sh", "-c", "rm -rf build")),)),
        PlanStep(name="Notes", tasks=(PlanPrompt("Write the release notes, short."),)),
    ),
)


class PlanSession(FakeSession):
    """A session whose replies go to a core that works through the plan."""

    def __init__(self, columns: int, lines: int) -> None:
        super().__init__(columns, lines)
        self.world = World(risks={"rm -rf build": HIGH})
        self.core: Copilot = copilot(PLAN, self.world, autonomy=Autonomy.ASSIST, headless=False)
        self.core.live()

    def catch_up(self) -> None:
        """Show what the core knows by now."""
        keeper = ViewKeeper(self.view)
        for step in self.core.records:
            if isinstance(step, fx.Effect):
                keeper.note(step, self.now)
        keeper.update(self.core.run, None)
        self.show(**{name: getattr(keeper.view, name) for name in (one.name for one in fields(keeper.view))})
        detection = self.view.detection
        if detection.kind in READY_KINDS:  # As the real rules read what stands there.
            read = replace(detection, kind=ScreenKind.COMPLETED, rule="claude.completed")
            self.show(detection=replace(read, source=EvidenceSource.SCREEN))

    def send(self, reply: Reply, *, identity: str) -> None:
        self._tell(ev.PersonSent(at=self.core.at, identity=identity, reply=reply))

    def dismiss(self, *, identity: str) -> None:
        self._tell(ev.PersonDismissed(at=self.core.at, identity=identity))

    def _tell(self, event: ev.Event) -> None:
        self.core.hear(event)
        self.catch_up()


def plan_session() -> PlanSession:
    """At the first step, whose command is held."""
    shown = session_at("claude/full_session_80x24.cast", "completed")
    plan = PlanSession(shown.screen.columns, shown.screen.lines)
    plan.screen, plan.now = shown.screen, shown.now
    plan.view = replace(shown.view, tokens=0, cost_usd=0.0)
    plan.catch_up()
    return plan
