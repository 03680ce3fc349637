"""A coding CLI, a shell and a disk for plans, without any of them: the core alone drives a plan here.

Every effect is "recorded" before it is carried out, as in a live run, and the world can be cut off at any
record: before what it says was done, or after.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.detection import Detection
from copilot.core.effects import Effect
from copilot.core.events import Event
from copilot.core.orchestrator import handle
from copilot.core.plan import Plan
from copilot.core.plan_progress import Carried, PlanProgress
from copilot.core.reply import Autonomy
from copilot.core.risk import Risk, RiskLevel
from copilot.core.run import Run
from copilot.core.screen_kinds import ScreenKind
from tests.core.builders import BUSY, PROFILE

MEDIUM = Risk(RiskLevel.MEDIUM, ("runs the project's tests",), "test.medium")


class Cut(Exception):
    """The process is gone."""


@dataclass
class World:
    """What outlives a killed copilot: what the CLI was told, and what was run."""

    submitted: list[str] = field(default_factory=list)
    ran: list[str] = field(default_factory=list)
    fails: dict[str, int] = field(default_factory=dict)
    """How often a command still fails."""
    risks: dict[str, Risk] = field(default_factory=dict)
    asks_after: dict[str, Detection] = field(default_factory=dict)
    """Prompts after which the CLI asks something, once."""


@dataclass
class Copilot:
    """One run. `records` are all events and effects; with `cut_at` it dies at that record."""

    world: World
    run: Run
    cut_at: int = -1
    cut_before: bool = False
    sees_work: bool = True
    """Whether the CLI is ever seen busy."""
    shows: bool = True
    """Whether the text that a step waits for comes up."""
    ready_kind: ScreenKind = ScreenKind.COMPLETED
    """What the composer is read as after a turn."""
    records: list[Event | Effect] = field(default_factory=list)
    at: float = 0.0
    screen: Detection = field(default_factory=lambda: Detection(ScreenKind.STARTING))
    composer: str = ""
    ready: int = 0
    timers: dict[str, float] = field(default_factory=dict)
    queue: deque[Event] = field(default_factory=deque)
    end: fx.EndRun | None = None

    def live(self) -> fx.EndRun | None:
        """To the end, to a hold, or to the cut; how it ended, None if it is held or dead."""
        try:
            self._feed(ev.Started(at=0.0))
            self._composer(ScreenKind.IDLE)
            self._go_on()
        except Cut:
            return None
        return self.end

    def hear(self, event: Event) -> None:
        """The person did something; then to the end, or to the next hold."""
        self._feed(event)
        self._go_on()

    def _go_on(self) -> None:
        for _ in range(2000):
            if self.end is not None or not self._next():
                break

    def send_held(self) -> None:
        """The person presses the key for what is held."""
        held = self.run.plan.held_command() if self.run.plan else None
        identity = held.identity if held else self.run.detection.identity
        assert self.run.proposal is not None
        self._feed(ev.PersonSent(at=self.at, identity=identity, reply=self.run.proposal.reply))

    def _next(self) -> bool:
        if self.queue:
            self._feed(self.queue.popleft())
            return True
        if not self.timers:
            return False
        name = min(self.timers, key=lambda one: self.timers[one])
        self.at = max(self.at, self.timers.pop(name))
        self._feed(ev.TimerFired(at=self.at, timer=name))
        return True

    def _feed(self, event: Event) -> None:
        self._record(event)
        for effect in handle(self.run, event):
            if self._record(effect):
                self._carry_out(effect)

    def _record(self, step: Event | Effect) -> bool:
        """Write it down. When the process dies here, what the record says is done before, or not."""
        self.records.append(step)
        if len(self.records) == self.cut_at:
            if not self.cut_before and isinstance(step, Effect):
                self._carry_out(step)
            raise Cut
        return True

    def _settle(self, detection: Detection) -> None:
        self.screen = detection
        self.queue.append(ev.ScreenSettled(at=self.at, detection=detection, first_seen_at=self.at))

    def _composer(self, kind: ScreenKind) -> None:
        self.ready += 1
        self._settle(Detection(kind, identity=f"ready-{self.ready}"))

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case fx.StartTimer():
                self.timers[effect.timer] = self.at + effect.seconds
            case fx.StopTimer():
                self.timers.pop(effect.timer, None)
            case fx.LookAtScreen():
                shown = Detection(
                    self.screen.kind,
                    self.screen.question,
                    self.screen.options,
                    identity=self.screen.identity,
                    draft=self.composer,
                    proven=True,
                )
                look = ev.FreshLook(at=self.at, detection=shown, bracketed_paste=True)
                self.queue.append(look)
            case fx.WriteKeys() if effect.text:
                self.composer += effect.text
            case fx.WriteKeys(keys=("Enter",)):
                self._submit()
            case fx.JudgeCommand():
                risk = self.world.risks.get(effect.command.text, MEDIUM)
                self.queue.append(ev.CommandJudged(at=self.at, ticket=effect.ticket, risk=risk))
            case fx.RunCommand():
                self._run(effect)
            case fx.SearchScreen():
                found = (
                    effect.words in self.world.submitted if effect.words else self.shows and not effect.mark
                )
                self.queue.append(ev.ScreenSearched(at=self.at, ticket=effect.ticket, found=found))
            case fx.ReportScreenAgain():
                self._settle(self.screen)
            case fx.SignalChild():
                self.queue.append(ev.ChildExited(at=self.at, status=0))
            case fx.EndRun():
                self.end = effect
            case _:
                pass

    def _submit(self) -> None:
        text, self.composer = self.composer, ""
        if text == "/exit":
            self.queue.append(ev.ChildExited(at=self.at, status=0))
            return
        self.world.submitted.append(text)
        if self.sees_work:
            self._settle(BUSY)
        asked = self.world.asks_after.pop(text, None)
        if asked is not None:
            self._settle(asked)
        else:
            self._composer(self.ready_kind)

    def _run(self, effect: fx.RunCommand) -> None:
        text = effect.command.text
        self.world.ran.append(text)
        left = self.world.fails.get(text, 0)
        self.world.fails[text] = max(0, left - 1)
        outcome = "exited with 1" if left else "passed"
        ended = ev.CommandEnded(
            at=self.at, ticket=effect.ticket, passed=not left, outcome=outcome, excerpt="E1"
        )
        self.queue.append(ended)


def copilot(
    plan: Plan,
    world: World,
    *,
    carried: Carried | None = None,
    autonomy: Autonomy = Autonomy.FULL,
    headless: bool = True,
    cut_at: int = -1,
    cut_before: bool = False,
    dry_run: bool = False,
) -> Copilot:
    progress = PlanProgress(plan, carried or Carried())
    run = Run(profile=PROFILE, autonomy=autonomy, headless=headless, plan=progress, dry_run=dry_run)
    return Copilot(world, run, cut_at, cut_before)


def of(
    records: list[Event | Effect], kind: type[fx.PlanMoved], keep: Callable[[fx.PlanMoved], bool]
) -> Iterator[fx.PlanMoved]:
    """The moves of the plan that `keep` keeps."""
    return (step for step in records if isinstance(step, kind) and keep(step))
