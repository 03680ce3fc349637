"""The engine of a run: what the child wrote, time and answers in; events and effects out.

It owns the screen, its reading, risk, grants and the state of the run. It does no IO, reads no clock and
starts no task: whatever needs one is an effect, and its result comes back as an input. A driver records each
event and effect before it takes the next one from `receive`, and never calls `receive` while it carries one
out.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.detection import Detection
from copilot.core.orchestrator import handle
from copilot.core.risk import Risk
from copilot.core.run import Run
from copilot.engine.grants import GrantChange, RunGrants
from copilot.engine.inputs import (
    ChildGone,
    ChildStarted,
    ChildWrote,
    Governed,
    GrantRevoked,
    GrantsGiven,
    Input,
    KeysTyped,
    Looked,
    Resized,
    Tick,
)
from copilot.engine.invisible_characters import risk_with_invisible
from copilot.engine.made_files import MadeFiles
from copilot.engine.prompt_risk import RiskAssessor
from copilot.engine.reader import ScreenReader
from copilot.engine.view import SessionView, ViewKeeper
from copilot.guard.grants import Grant
from copilot.guard.grants_offer import Offer

FRAME_SECONDS = 1 / 30
"""The screen is read at most this often while the child draws."""
_END_LAG_SECONDS = 0.01
"""So much after a grant's end the screen is judged again: the two clocks differ a little."""
TYPED_EVERY_SECONDS = 0.2
"""The core hears of typing that changes nothing at most this often."""


@dataclass(frozen=True, slots=True)
class ScreenAnswers:
    """The emulated terminal's answers to what the child asked it, to be written at once."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Note:
    """A line for the person."""

    text: str


Output = ScreenAnswers | Note | ev.Event | fx.Effect


class Engine:
    """One run. `receive` inputs in the order in which they happen."""

    def __init__(
        self,
        run: Run,
        reader: ScreenReader,
        assessor: RiskAssessor,
        grants: RunGrants | None = None,
        view: SessionView | None = None,
    ) -> None:
        """`view` holds what front ends draw of the run's settings."""
        self.run = run
        self.reader = reader
        self.screen = reader.screen
        self.assessor = assessor
        self.grants = grants if grants is not None else RunGrants()
        self.made = MadeFiles()
        self.viewing = ViewKeeper(view if view is not None else SessionView())
        """The view as it is made; a driver adds what only it knows: requests, costs, unknown screens."""
        self._look_at: float | None = None
        self._grant_ends_at: float | None = None
        self.picture_stays = False
        """The child has ended and its last picture must not be cut by another size."""

    @property
    def next_tick_at(self) -> float | None:
        """When to send a Tick; None if only another input can change anything."""
        due = (self._look_at, self.reader.next_check_at, self._grant_ends_at, self.made.waits_until)
        return min((at for at in due if at is not None), default=None)

    def _look_soon(self, at: float) -> None:
        if self._look_at is None and not self.run.ended:
            self._look_at = at + FRAME_SECONDS

    def measures_cpu(self, at: float) -> bool:
        """Whether the next Tick should have `cpu_seconds`."""
        return self.reader.stall.measures(at)

    def receive(self, given: Input) -> Iterator[Output]:  # noqa: PLR0912  one case an input
        """What follows from one input, in order."""
        match given:
            case ChildStarted():
                yield from self._child_started(given)
            case ChildWrote():
                yield from self._child_wrote(given)
            case Resized():
                self.screen.resize(given.columns, given.lines)
                self._look_soon(given.at)
            case Tick():
                yield from self._tick(given)
            case Looked():
                self.grants.epoch = given.epoch
                yield from self._judge(given.at, lambda: self._fresh_look(given))
            case ChildGone():
                yield from self._child_gone(given)
            case KeysTyped():
                yield from self._keys_typed(given)
            case GrantsGiven():
                yield from self._give(given)
            case GrantRevoked():
                self.grants.epoch = given.epoch
                yield from self._changed(self.grants.revoke(given.rule), given.at)
            case Governed():
                yield from self._govern(given)
            case ev.ReplyProposed() if self.made.keeps(given, self.run.detection, self.run.risk):
                return
            case ev.CheckpointTaken() | ev.CheckpointFailed() | ev.FilesRestored():
                yield from self._made_known(given)
            case ev.Event():
                yield from self._step(given)

    @property
    def view(self) -> SessionView:
        """All that front ends draw, as it is now."""
        self.viewing.update(self.run, self.reader.settled)
        return self.viewing.view

    def offer(self, epoch: float) -> Offer:
        """What could be allowed so that the present prompt is answered without the person."""
        self.grants.epoch = epoch
        return self.grants.offer(self.run, self.assessor.scope, self._risk)

    # -- the child ------------------------------------------------------------------------------------

    def _child_started(self, started: ChildStarted) -> Iterator[Output]:
        self.grants.epoch = started.epoch
        self._look_soon(started.at)
        yield from self._step(ev.Started(at=started.at))
        yield from self._changed(self.grants.given_at_start(), started.at)

    def _child_wrote(self, wrote: ChildWrote) -> Iterator[Output]:
        self.screen.feed(wrote.data)
        self.reader.invisible.feed(wrote.data)
        self._look_soon(wrote.at)
        answers = self.screen.take_replies()
        if answers:
            yield ScreenAnswers(answers)

    def _tick(self, tick: Tick) -> Iterator[Output]:
        self.grants.epoch, self._look_at = tick.epoch, None
        yield from self._changed(self.grants.ended(), tick.at)
        settled = self.reader.settle(tick.at, tick.facts, tick.cpu_seconds)
        if settled is not None:
            yield from self._judge(tick.at, lambda: self._judged(settled))
        yield from self._go_on(tick.at)

    def _made_known(
        self, event: ev.CheckpointTaken | ev.CheckpointFailed | ev.FilesRestored
    ) -> Iterator[Output]:
        """What the run made is known: the prompt is judged again, a proposal that waited counts."""
        self.made.receive(event)
        self.assessor.scope = replace(self.assessor.scope, made=self.made.paths)
        yield from self._step(event)
        run, detection = self.run, self.run.detection
        if detection.asks:
            self.assessor.looks.begin()
            again = ev.ScreenSettled(at=event.at, detection=detection, first_seen_at=run.first_seen_at)
            judged = self._judged(again)
            yield from self._looked(event.at)
            if judged.risk != run.risk:
                yield from self._step(judged)
        yield from self._go_on(event.at)

    def _go_on(self, at: float) -> Iterator[Output]:
        proposed = self.made.released(at)
        if proposed is not None:
            yield from self._step(replace(proposed, at=at))

    def _judge(self, at: float, make: Callable[[], ev.Event]) -> Iterator[Output]:
        """An event with a risk, and before it what the judge saw on the disk."""
        self.assessor.looks.begin()
        event = make()
        yield from self._looked(at)
        yield from self._step(event)

    def _looked(self, at: float) -> Iterator[Output]:
        looked = self.assessor.looks.news(at)
        if looked is not None:
            yield from self._step(looked)

    def _judged(self, settled: ev.ScreenSettled) -> ev.ScreenSettled:
        detection = settled.detection
        options = self.assessor.options(detection, self.grants.open)
        hidden = self.reader.hidden_in(detection) if options else 0
        return replace(
            settled,
            risk=self._risk(detection, self.grants.open),
            option_risks=tuple(risk_with_invisible(risk, hidden) for risk in options),
        )

    def _fresh_look(self, looked: Looked) -> ev.FreshLook:
        look = self.reader.look(looked.at, looked.facts)
        return replace(look, risk=self._risk(look.detection, self.grants.open))

    def _risk(self, detection: Detection, grants: tuple[Grant, ...]) -> Risk:
        risk = self.assessor.prompt(detection, grants)
        return risk_with_invisible(risk, self.reader.hidden_in(detection)) if detection.asks else risk

    def _child_gone(self, gone: ChildGone) -> Iterator[Output]:
        prompt = self.reader.open_prompt()
        self.reader.exit_status = gone.status
        self.picture_stays = self.screen.bring_back_last() or self.screen.alternate_screen
        yield from self._tick(Tick(at=gone.at, epoch=gone.epoch))
        yield from self._step(ev.ChildExited(at=gone.at, status=gone.status, prompt=prompt))

    # -- the person ----------------------------------------------------------------------------------

    def _keys_typed(self, typed: KeysTyped) -> Iterator[Output]:
        self._look_soon(typed.at)
        if not typed.by_hand:
            return
        if self._is_news(typed.at):
            yield from self._step(ev.PersonTyped(at=typed.at))
        self.reader.invisible.since_answer = 0

    def _is_news(self, at: float) -> bool:
        run = self.run
        pending = run.typist is not None or run.proposal is not None or run.request is not None
        if pending or run.follow_up or run.detection.identity != run.owned_by_person:
            return True
        return at - run.typed_at >= TYPED_EVERY_SECONDS

    def _give(self, given: GrantsGiven) -> Iterator[Output]:
        """Not if anything has changed since they were offered."""
        if self.run.detection.identity != given.identity or self.offer(given.epoch).rules != given.rules:
            yield Note("what is asked has changed: nothing was allowed")
            return
        yield from self._changed(self.grants.give(given.rules, given.limits), given.at)

    def _govern(self, given: Governed) -> Iterator[Output]:
        self.assessor.permissions = given.permissions
        detection = self.run.detection
        yield from self._judge(
            given.at,
            lambda: ev.GoverningPromptChanged(
                at=given.at,
                number=given.number,
                file=given.file,
                sha256=given.sha256,
                identity=detection.identity if detection.asks else "",
                risk=self._risk(detection, self.grants.open),
            ),
        )

    # -- the core ------------------------------------------------------------------------------------

    def _step(self, event: ev.Event) -> Iterator[Output]:
        """The event, what the core makes of it, and what follows inside the engine."""
        if self.run.ended:
            return
        yield event
        follows: list[Iterator[Output]] = []
        for effect in handle(self.run, event):
            follows.append(self._inside(effect, event.at))
            yield effect
        for outputs in follows:
            yield from outputs

    def _inside(self, effect: fx.Effect, at: float) -> Iterator[Output]:
        """What the engine does about an effect: at once what changes itself, the outputs later."""
        self.viewing.note(effect, at)
        match effect:
            case fx.ReportScreenAgain():
                self.reader.report_again()
                self._look_soon(at)
            case fx.WriteKeys() if not effect.text:
                self.reader.invisible.since_answer = 0
            case fx.TakeCheckpoint():
                self.made.saving(effect, at)
            case fx.RecordDecision():
                self.grants.decided(effect.decision)
            case fx.ReplyTaken():
                return self._changed(self.grants.use(effect.decision), at)
            case fx.JudgeCommand():
                return self._judge(at, lambda: self._command_judged(effect, at))
            case _:
                pass
        return iter(())

    def _command_judged(self, effect: fx.JudgeCommand, at: float) -> ev.CommandJudged:
        risk = self.assessor.command(effect.command.text, self.grants.open)
        return ev.CommandJudged(at=at, ticket=effect.ticket, risk=risk)

    def _changed(self, changes: list[GrantChange], at: float) -> Iterator[Output]:
        """Grants have changed, and with them perhaps the risk of what is asked."""
        for change in changes:
            yield from self._judge(at, functools.partial(self._grant_changed, change, at))
            if change.note:
                yield Note(change.note)
        end = self.grants.next_end
        self._grant_ends_at = None if end is None else at + end - self.grants.epoch + _END_LAG_SECONDS

    def _grant_changed(self, change: GrantChange, at: float) -> ev.GrantChanged:
        detection = self.run.detection
        self.viewing.change(grants=self.grants.lines)
        return ev.GrantChanged(
            at=at,
            rule=change.rule,
            change=change.what,
            by=change.by,
            left=change.left,
            until=change.until,
            identity=detection.identity if detection.asks else "",
            risk=self._risk(detection, self.grants.open),
        )
