"""`CastPlayer`: drives the engine over a recording, on the recording's clock.

Timers are simulated, so a silent prompt settles when it is due and not when the next output comes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.profile import Profile
from copilot.core.reply import Autonomy, Proposal
from copilot.core.run import Run
from copilot.detection import Examiner
from copilot.engine.disk_looks import RecordedLooks
from copilot.engine.engine import Engine, Output
from copilot.engine.inputs import ChildGone, ChildStarted, ChildWrote, Input, Looked, Resized, Tick
from copilot.engine.prompt_risk import RiskAssessor
from copilot.engine.reader import ScreenReader
from copilot.recording.asciicast import OUTPUT, RESIZE, Cast, CastEvent
from copilot.screen import TerminalScreen


class Piece(NamedTuple):
    """What reaches the screen at one moment: bytes, or with `size` a resize. Neither: only time passes."""

    at: float
    data: bytes = b""
    size: tuple[int, int] | None = None


def pieces_of(cast: Cast) -> list[Piece]:
    """The events of a recording as they were read: a piece each."""
    return [_piece(event) for event in cast.events]


def _piece(event: CastEvent) -> Piece:
    if event.code == OUTPUT:
        return Piece(event.at, event.data.encode("utf-8", "surrogatepass"))
    return Piece(event.at, size=event.size if event.code == RESIZE else None)


def watching(cast: Cast, profile: Profile, version: str = "", withheld: Collection[str] = ()) -> Engine:
    """An engine that only reads: no reply is asked for, no look at the disk is taken.

    `version` is the recorded CLI's, empty for any. `withheld` are reports of the CLI that the reader does not
    get.
    """
    screen = TerminalScreen(cast.header.columns, cast.header.lines)
    reader = ScreenReader(screen, Examiner(profile, version), withheld)
    assessor = RiskAssessor(RecordedLooks((), "", "").scope())
    return Engine(Run(profile=profile, autonomy=Autonomy.WATCH), reader, assessor)


class CastPlayer:
    """`pieces` replace the recording's own events, where the same output is to arrive otherwise.

    `propose` writes the replies, at once; without it nothing is answered. Keys go nowhere. `looks` are those
    that the engine judges by, if they are recorded ones.
    """

    def __init__(
        self,
        cast: Cast,
        engine: Engine,
        pieces: Sequence[Piece] | None = None,
        propose: Callable[[fx.AskProvider], Proposal] | None = None,
        looks: RecordedLooks | None = None,
    ) -> None:
        self.cast = cast
        self.engine = engine
        self._pieces = pieces_of(cast) if pieces is None else pieces
        self._propose = propose
        self._looks = looks
        self._timers: dict[str, float] = {}

    def settled(self, until: float | None = None) -> Iterator[ev.ScreenSettled]:
        """Everything that settles up to a moment, or to the end of the recording."""
        for output in self.outputs(until):
            if isinstance(output, ev.ScreenSettled):
                yield output

    def outputs(self, until: float | None = None) -> Iterator[Output]:
        """All that comes out of the engine up to a moment, or to the end of the recording."""
        yield from self._give(ChildStarted(at=0.0, epoch=0.0), 0.0)
        for piece in self._pieces:
            if until is not None and piece.at > until:
                break
            yield from self._wait(piece.at)
            yield from self._take(piece)
        end = until if until is not None else (self._pieces[-1].at if self._pieces else 0.0)
        yield from self._wait(end)
        if until is None:
            yield from self._end(end)

    def _take(self, piece: Piece) -> Iterator[Output]:
        if piece.size is not None:
            yield from self._give(Resized(piece.at, *piece.size), piece.at)
        elif piece.data:
            yield from self._give(ChildWrote(piece.at, piece.data), piece.at)

    def _end(self, at: float) -> Iterator[Output]:
        if self.cast.exit_status is None:
            yield from self._give(Tick(at=at, epoch=at), at)
        else:
            yield from self._give(ChildGone(at=at, epoch=at, status=self.cast.exit_status), at)

    def _wait(self, until: float) -> Iterator[Output]:
        """Time passes: ticks and timers as they are due."""
        last: tuple[float, str] | None = None
        while (due := self._next_due()) is not None and due[0] <= until and due != last:
            at, timer = last = due
            if timer:
                del self._timers[timer]
                yield from self._give(ev.TimerFired(at=at, timer=timer), at)
            else:
                yield from self._give(Tick(at=at, epoch=at), at)

    def _next_due(self) -> tuple[float, str] | None:
        """When the next timer fires and its name, empty for the engine's tick."""
        due = [(at, timer) for timer, at in self._timers.items()]
        tick = self.engine.next_tick_at
        return min([*due, (tick, "")] if tick is not None else due, default=None)

    def _give(self, given: Input, at: float) -> Iterator[Output]:
        if self._looks is not None:
            self._looks.begin(at)
        queue = deque([given])
        while queue:
            for output in self.engine.receive(queue.popleft()):
                queue.extend(self._answers(output, at))
                yield output

    def _answers(self, output: Output, at: float) -> Iterator[Input]:
        """What comes back of an effect, and the timers that it sets."""
        match output:
            case fx.LookAtScreen():
                yield Looked(at=at, epoch=at)
            case fx.AskProvider() if self._propose is not None:
                proposal = self._propose(output)
                yield ev.ReplyProposed(at=at, request=output.request, proposal=proposal)
            case fx.StartTimer():
                self._timers[output.timer] = at + max(0.0, output.seconds)
            case fx.StopTimer():
                self._timers.pop(output.timer, None)
            case _:
                pass
