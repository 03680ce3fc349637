"""`LiveSession`: owns the clock and the tasks of one live run, feeds the engine, carries out its effects.

Everything happens on one event loop. The screen is read at most every frame, and every event and effect is
recorded before what follows it.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.reply import Autonomy, Proposal, Reply, ReplyRequest, Usage
from copilot.core.run import CHECKPOINT_SECONDS
from copilot.core.screen_kinds import (
    SECRET_KINDS,
    ScreenKind,
)
from copilot.core.snapshot import UNKNOWN_FACTS, TtyFacts
from copilot.detection import Examination
from copilot.engine.engine import Engine, Note, Output, ScreenAnswers
from copilot.engine.inputs import (
    ChildGone,
    ChildStarted,
    ChildWrote,
    Input,
    KeysTyped,
    Looked,
    Resized,
    Tick,
)
from copilot.engine.last_message import last_message
from copilot.engine.view import SessionView
from copilot.errors import InputError
from copilot.recording.unknown_screens import Label, label_screen
from copilot.screen.keys import encode_keys, encode_paste
from copilot.session.asking import Asker, usage_fields
from copilot.session.checkpointing import Checkpointing
from copilot.session.child import StoppedChild
from copilot.session.front_end import GrantControls, SessionListener
from copilot.session.governing import change_governing_prompt
from copilot.session.granting import Granting
from copilot.session.ignored_interrupt import IgnoredInterrupt
from copilot.session.plan_work import PlanWorker
from copilot.session.ports import Child, Recorder, ends_by_fault
from copilot.session.project_probe import ProjectProbe
from copilot.session.second_opinion import OpinionAsker
from copilot.session.secrets import TypedSecret
from copilot.session.timers import Timers
from copilot.session.unknown import UnknownWatch, evidence_of

if TYPE_CHECKING:
    from copilot.session.enveloping import EnvelopedStart

_SAYS_SOMETHING = frozenset({ScreenKind.COMPLETED, ScreenKind.QUESTION, ScreenKind.ERROR})


class LiveSession:
    """One live run. `start` it, `await ended`; the person's moves are the methods of SessionControls."""

    def __init__(
        self,
        engine: Engine,
        recorder: Recorder,
        listener: SessionListener,
        learn_secret: Callable[[str], None],
    ) -> None:
        """`learn_secret` gets what the person types at a prompt for a secret, before the child does."""
        self.engine = engine
        self.run, self.reader = engine.run, engine.reader
        self.screen = engine.screen
        self.recorder = recorder
        self.listener = listener
        self.asker: Asker | None = None
        self.opinions: OpinionAsker | None = None
        self.grants: GrantControls = Granting(self)
        self.worker: PlanWorker | None = None
        self.checkpoints: Checkpointing | None = None
        """None in a run without checkpoints."""
        self.child: Child | None = None
        self.opening: EnvelopedStart | None = None
        """What holds the child's envelope open."""
        self.last_message = ""
        """What the CLI said at the end of its last turn."""
        self.probe: ProjectProbe | None = None
        self._shown = engine.view
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._timers = Timers(self._timer_fired)
        self._unknown = UnknownWatch()
        self._learn_secret = learn_secret
        self._secret = TypedSecret(learn_secret)
        self._stopped = StoppedChild(listener.on_note)
        self._ignored_interrupt = IgnoredInterrupt(self._interrupt_ignored)
        self._queue: deque[Input] = deque()
        self._feeding = False
        self._tick_at: float | None = None
        """When the engine is to get its next Tick, by `clock`."""
        self._tick: asyncio.TimerHandle | None = None
        self._stepped_at = 0.0
        """When the event happened of which effects are carried out."""
        self._background: list[asyncio.Task[None]] = []
        self.ended: asyncio.Future[fx.EndRun] = self._loop.create_future()

    # -- life ----------------------------------------------------------------------------------------

    def start(self, child: Child, asker: Asker, opinions: OpinionAsker | None = None) -> None:
        """The child runs: the clock starts."""
        self.child, self.asker, self.opinions = child, asker, opinions
        self._began = self._loop.time()
        self.feed(ChildStarted(at=0.0, epoch=time.time()))

    def start_background_task(self, work: Coroutine[Any, Any, None]) -> None:
        """Work beside the run; cancelled when the run ends."""
        self._background.append(self._loop.create_task(work))

    def fault(self, problem: Exception) -> None:
        """Something of ours broke: the child is ended and the run fails, whatever still works."""
        reason = f"a fault of copilot: {type(problem).__name__}: {problem}"
        self._queue.clear()
        self._feeding = False
        try:
            self.feed(ev.Faulted(at=self.clock(), reason=reason))
        except Exception:
            self._end(fx.EndRun("failed", 1, reason))
        if self.run.ended or self.reader.exit_status is not None:
            self._end(fx.EndRun("failed", 1, reason))

    async def saved(self) -> bool:
        """Wait for the checkpoints that are being taken, not too long; whether they all are."""
        return self.checkpoints is None or await self.checkpoints.settled(CHECKPOINT_SECONDS)

    def clock(self) -> float:
        """Seconds since the run began; 0 before the child runs."""
        return self._loop.time() - self._began if self.child is not None else 0.0

    @property
    def view(self) -> SessionView:
        """The visible state as it is now."""
        return self.engine.view

    async def close(self) -> None:
        """End what is still there, in order: the child first, the recorder last."""
        self._timers.stop_all()
        if self._tick is not None:
            self._tick.cancel()
        self._stopped.close()
        self._ignored_interrupt.close()
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        if self.worker is not None:
            await self.worker.close()
        if self.child is not None:
            await self.child.end(grace_seconds=1.0)
        if self.opening is not None:
            await self.opening.close()
        if self.checkpoints is not None:
            await self.checkpoints.close()
        if self.asker is not None:
            await self.asker.close()
        if self.opinions is not None:
            await self.opinions.close()

    # -- the child -----------------------------------------------------------------------------------

    @ends_by_fault
    def child_wrote(self, data: bytes) -> None:
        """Output of the child. Its queries are answered before anything else happens."""
        at = self.clock()
        self._take(ChildWrote(at, data))
        self.recorder.output(data, at)
        self.listener.on_screen()
        self._wait_for_tick()

    @ends_by_fault
    def child_exited(self, status: int) -> None:
        """The child is gone; what it showed last stays in sight."""
        self.feed(ChildGone(at=self.clock(), epoch=time.time(), status=status))
        self.listener.on_screen()

    @ends_by_fault
    def write_failed(self, reason: str) -> None:
        """The child does not take what is written to it. One that has ended needs nothing any more."""
        if self.child is not None and not self.child.alive:
            return
        self.feed(ev.WriteFailed(at=self.clock(), reason=reason))

    @ends_by_fault
    def recording_failed(self, reason: str) -> None:
        """The run can no longer be recorded."""
        self.listener.on_note(reason)
        self.feed(ev.RecordingFailed(at=self.clock(), reason=reason))

    @ends_by_fault
    def tell_envelope(self, words: str) -> None:
        """Something about the envelope, a refusal or a host: to the person, and into the records."""
        self.listener.on_note(words)
        self.recorder.record("envelope", self.clock(), {"text": words})

    # -- looking -------------------------------------------------------------------------------------

    @ends_by_fault
    def _look(self) -> None:
        at, self._tick_at = self.clock(), None
        cpu_seconds = self.child.cpu_used() if self.child and self.engine.measures_cpu(at) else None
        self.feed(Tick(at=at, epoch=time.time(), facts=self._facts(), cpu_seconds=cpu_seconds))
        self._keep_unknown(at)
        self._show()

    def _facts(self) -> TtyFacts:
        return self.child.facts() if self.child is not None else UNKNOWN_FACTS

    def _wait_for_tick(self) -> None:
        due = self.engine.next_tick_at
        if due == self._tick_at:
            return
        if self._tick is not None:
            self._tick.cancel()
        self._tick_at, self._tick = due, None
        if due is not None and not self.ended.done():
            self._tick = self._loop.call_at(self._began + due, self._look)

    @ends_by_fault
    def _timer_fired(self, name: str, late_seconds: float) -> None:
        self.feed(ev.TimerFired(at=self.clock(), timer=name, late_seconds=late_seconds))

    def _keep_message(self, kind: ScreenKind) -> None:
        """What the CLI said when its turn ended: read now, before anything is typed or the CLI leaves."""
        if kind in _SAYS_SOMETHING and self.reader.examination is not None:
            self.last_message = last_message(self.screen, self.reader.examination.regions)

    def _keep_unknown(self, at: float) -> None:
        """A screen that was not understood: kept, so that a person can say what it is."""
        examination = self.reader.examination
        if examination is None or not self._unknown.persists(examination, self.reader.settled, at):
            return
        number = self.recorder.unknown_screen(
            examination.regions.snapshot, at, evidence_of(examination, self.run.profile.name)
        )
        if number:
            self.engine.viewing.change(unknown=number)

    # -- events and effects --------------------------------------------------------------------------

    def feed(self, given: Input) -> None:
        """Give something to the engine and carry out what follows; what comes meanwhile waits."""
        self._queue.append(given)
        if self._feeding:
            return
        self._feeding, news = True, False
        try:
            while self._queue:
                news |= self._take(self._queue.popleft())
        finally:
            self._feeding = False
        self._wait_for_tick()
        if news:
            self._show()

    def answer(self, given: Input) -> None:
        """The answer to an effect: it comes right after the event that the effect belongs to."""
        self._queue.append(given)

    def _take(self, given: Input) -> bool:
        """Whether anything came of it: most keys of a person change nothing."""
        news = False
        for output in self.engine.receive(given):
            self._put_out(output)
            news = True
        return news

    def _put_out(self, output: Output) -> None:
        match output:
            case ScreenAnswers():
                if self.child is not None:
                    self.child.write(output.data)
            case Note():
                self.listener.on_note(output.text)
            case ev.Event():
                self._happened(output)
            case fx.Effect():
                self.recorder.effect(output, self._stepped_at)
                self.listener.on_step(output, self._stepped_at)
                self._carry_out(output)

    def _happened(self, event: ev.Event) -> None:
        self._stepped_at = event.at
        self.recorder.event(event)
        self.listener.on_step(event, event.at)
        if isinstance(event, ev.ScreenSettled):
            self._keep_message(event.detection.kind)

    def _carry_out(self, effect: fx.Effect) -> None:
        match effect:
            case fx.AskProvider() | fx.CancelRequest() if self.asker is not None:
                self.asker.carry_out(effect)
            case fx.AskSecondOpinion() | fx.CancelOpinion() if self.opinions is not None:
                self.opinions.carry_out(effect)
            case fx.TakeCheckpoint() if self.checkpoints is not None:
                self.checkpoints.carry_out(effect)
            case fx.LookAtScreen():
                self.answer(Looked(at=self.clock(), epoch=time.time(), facts=self._facts()))
            case fx.WriteKeys():
                self._write(effect)
            case fx.StartTimer():
                self._timers.start(effect.timer, effect.seconds)
            case fx.StopTimer():
                self._timers.stop(effect.timer)
            case fx.ReplyTaken():
                self._remember(effect)
            case fx.SignalChild() if self.child is not None:
                self._signal(effect.signal, self.child)
            case fx.EndRun():
                self._end(effect)
            case _ if self.worker is not None:
                self._for_the_plan(effect, self.worker)
            case _:
                pass

    def _for_the_plan(self, effect: fx.Effect, worker: PlanWorker) -> None:
        """What a plan wants done. A command that cannot be recorded is not run."""
        if isinstance(effect, fx.RunCommand) and self.recorder.failed:
            return
        worker.carry_out(effect)

    def _signal(self, word: str, child: Child) -> None:
        child.signal(word)
        if word == "interrupt":
            self._ignored_interrupt.watch(child)
        else:
            self._ignored_interrupt.close()

    @ends_by_fault
    def _interrupt_ignored(self) -> None:
        self.feed(ev.InterruptIgnored(at=self.clock()))

    def _write(self, effect: fx.WriteKeys) -> None:
        if self.child is None or self.recorder.failed:
            return
        if effect.text:
            paste = effect.paste
            data = encode_paste(effect.text, bracketed=True) if paste else effect.text.encode()
        else:
            data = encode_keys(effect.keys, self.screen)
        self.child.write(data)

    def _remember(self, effect: fx.ReplyTaken) -> None:
        answered = self.engine.viewing.answered(effect.decision)
        if answered is not None and self.asker is not None:
            self.asker.remember(answered)

    def _end(self, effect: fx.EndRun) -> None:
        self._timers.stop_all()
        if self.asker is not None:
            self.asker.cancel()
        if self.opinions is not None:
            self.opinions.cancel()
        if not self.ended.done():
            self.ended.set_result(effect)

    # -- answers of the provider (ReplySink) --------------------------------------------------------

    @ends_by_fault
    def request_made(self, request: ReplyRequest) -> None:
        """The request as it is about to be sent."""
        self.engine.viewing.change(request=request)
        self.recorder.request(request)
        for warning in request.warnings:
            self.listener.on_note(warning)
        self._show()

    @ends_by_fault
    def reply_text(self, text: str) -> None:
        """More raw text of the reply."""
        self.listener.on_reply_text(text)

    def spent(self, usage: Usage) -> None:
        """Count what a call used."""
        self.engine.viewing.spent(usage)

    @ends_by_fault
    def reply_proposed(self, request: ReplyRequest, proposal: Proposal) -> None:
        """The provider answered."""
        self.recorder.proposal(request, proposal)
        self.engine.viewing.spent(proposal.usage)
        self.feed(ev.ReplyProposed(at=self.clock(), request=request.number, proposal=proposal))
        unfollowed = self.asker.ignored_instruction(request) if self.asker is not None else ""
        if unfollowed:
            # The same reply is shown again: without a note, nothing seems to have happened.
            self.listener.on_note(unfollowed)

    @ends_by_fault
    def reply_failed(self, number: int, reason: str, usage: Usage) -> None:
        """The provider gave no usable answer; it may have cost something all the same."""
        self.engine.viewing.spent(usage)
        self.feed(ev.ReplyFailed(at=self.clock(), request=number, reason=reason, **usage_fields(usage)))

    @ends_by_fault
    def request_dropped(self, usage: Usage) -> None:
        """A call was cancelled. It is on record also when that was at the end of the run."""
        self.engine.viewing.spent(usage)
        dropped = ev.RequestDropped(at=self.clock(), **usage_fields(usage))
        if self.run.ended:
            self.recorder.event(dropped)
        else:
            self.feed(dropped)

    # -- the person (SessionControls) ----------------------------------------------------------------

    @ends_by_fault
    def type_bytes(self, data: bytes, *, by_hand: bool = True) -> None:
        """The person's keys; with `by_hand=False` what the terminal reports by itself (mouse, focus)."""
        if self.child is None or self.run.ended:
            return
        if by_hand and self._stopped.takes(data, self.child):
            return
        self.feed(KeysTyped(at=self.clock(), by_hand=by_hand))
        if by_hand:
            self._secret.typed(data, self._hides_typing(self.child))
            self.recorder.defer_writes()
        self.child.write(data)

    def _hides_typing(self, child: Child) -> bool:
        settled = self.reader.settled
        return child.hides_typing() or (settled is not None and settled.kind in SECRET_KINDS)

    @ends_by_fault
    def resize(self, columns: int, lines: int) -> None:
        """The terminal has a new size: the model first, then the kernel tells the child.

        A program redraws its whole screen by itself; of one that has ended nothing may be cut off.
        """
        if self.engine.picture_stays:
            return
        self._take(Resized(self.clock(), columns, lines))
        if self.child is not None:
            self.child.resize(columns, lines)
        self.recorder.resize(columns, lines, self.clock())
        self._wait_for_tick()

    @ends_by_fault
    def send(self, reply: Reply, *, identity: str) -> None:
        """Send this reply to the prompt of that identity: the one that the person saw. It dies with it."""
        if reply.text and self.run.detection.kind in SECRET_KINDS:
            self._learn_secret(reply.text)
        self.feed(ev.PersonSent(at=self.clock(), identity=identity, reply=reply))

    @ends_by_fault
    def dismiss(self, *, identity: str) -> None:
        """Drop the reply to that prompt."""
        self.feed(ev.PersonDismissed(at=self.clock(), identity=identity))

    @ends_by_fault
    def stop_countdown(self) -> None:
        """Hold whatever would be sent by itself, though it may not be what the person saw."""
        identity = self.run.detection.identity
        self.feed(ev.PersonDismissed(at=self.clock(), identity=identity, keep=True))

    @ends_by_fault
    def ask_again(self, instruction: str = "", *, identity: str) -> None:
        """Have another reply to that prompt written."""
        self.feed(ev.PersonAskedAgain(at=self.clock(), identity=identity, instruction=instruction))

    @ends_by_fault
    def set_autonomy(self, level: Autonomy) -> None:
        """Change the level from now on. What is recorded is the level that counts."""
        allowed = self.run.profile.allowed(level)
        self.feed(ev.AutonomyChanged(at=self.clock(), level=allowed))
        if allowed is not level:
            name = self.run.profile.name
            self.listener.on_note(f"profile {name} is unverified: autonomy stays at {self.run.autonomy}")

    def set_governing_prompt(self, text: str) -> str:
        """Let another governing prompt count from now on; empty if it does, else why not, in one line."""
        return change_governing_prompt(self, text)

    def examination(self) -> Examination | None:
        """The last look at the screen."""
        return self.reader.examination

    def label_screen(self, kind: ScreenKind, seen: Examination, at: float) -> None:
        """Keep the screen that was seen then, and say what it is."""
        number = self.recorder.unknown_screen(
            seen.regions.snapshot, at, evidence_of(seen, self.run.profile.name)
        )
        if not number:
            self.listener.on_note("not labelled: the screen cannot be kept in the run's folder")
            return
        read = seen.detection
        labels = tuple(option.label for option in read.options)
        label = Label(kind, read.question, labels) if kind is read.kind else Label(kind)
        try:
            label_screen(self.recorder.folder, number, label)
        except InputError as problem:
            self.listener.on_note(str(problem))
        else:
            self.listener.on_note(f"screen {number} is labelled {kind.value}: copilot profiles learn")

    @ends_by_fault
    def interrupt(self) -> None:
        """First: interrupt the child and end in order; second: end everything now."""
        self.feed(ev.Interrupted(at=self.clock()))

    # -- showing -------------------------------------------------------------------------------------

    def show_governing_prompt(self, text: str, number: int) -> None:
        """Another one governs."""
        self.engine.viewing.change(governing_prompt=text, governing_version=number)

    def _show(self) -> None:
        view = self.engine.view
        if view != self._shown:
            self._shown = view
            self.listener.on_view(view)
