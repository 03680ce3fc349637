"""A real CLI in a terminal of ours, looked at as a session does, and typed to as a person would."""

from __future__ import annotations

import asyncio
import codecs
from collections.abc import Sequence
from contextlib import suppress

from copilot.core.detection import Detection
from copilot.core.profile import Profile
from copilot.core.screen_kinds import (
    READY_KINDS,
    ScreenKind,
)
from copilot.core.snapshot import UNKNOWN_FACTS, ScreenSnapshot, TtyFacts
from copilot.detection import Examiner
from copilot.engine.reader import ScreenReader
from copilot.lab.clis.base import Recipe
from copilot.pty.pty_child import PtyChild
from copilot.recording.asciicast import MARKER, OUTPUT, CastEvent
from copilot.screen import TerminalScreen
from copilot.screen.keys import encode_keys, encode_paste
from copilot.session.child import SessionChild

FRAME_SECONDS = 1 / 30
_IDLE_LOOK_SECONDS = 0.25
_END_GRACE_SECONDS = 2.0
_WORKS_WITHIN_SECONDS = 5.0
"""After words were sent, a composer that is ready is still the old one until the CLI has worked."""
_AT_COMPOSER = READY_KINDS | {ScreenKind.QUESTION, ScreenKind.ERROR}
_MOVES = frozenset({ScreenKind.BUSY, ScreenKind.STARTING})


class CliTerminal:
    """`start` it, `wait_for` prompts, type, `end` it. Times are seconds since the start."""

    def __init__(self, profile: Profile, version: str, columns: int, lines: int) -> None:
        self.screen = TerminalScreen(columns, lines)
        self.events: list[CastEvent] = []
        """The output as it came, with markers; not redacted."""
        self.exit_status: int | None = None
        self._reader = ScreenReader(self.screen, Examiner(profile, version))
        self._profile = profile
        self._columns, self._lines = columns, lines
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._child: SessionChild | None = None
        self._drawn = asyncio.Event()
        self._changed = asyncio.Event()
        self._settled_at = 0.0
        self._typed_at = 0.0
        self._busy_since_typed = False
        self._spoke = False
        self._answered = ""
        self._looking: asyncio.Task[None] | None = None
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    async def start(self, recipe: Recipe) -> None:
        """Start the CLI of this recipe. Raises InputError."""
        self._began = self._loop.time()
        pty = await PtyChild.start(
            recipe.command,
            cwd=recipe.project,
            environment=recipe.environment,
            columns=self._columns,
            lines=self._lines,
            on_output=self._output,
            on_exit=self._exited,
        )
        self._child = SessionChild(pty, self._profile)
        self._looking = self._loop.create_task(self._look_on(), name="look at the CLI")

    async def end(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            with suppress(asyncio.CancelledError):
                await self._looking
        if self._child is not None:
            await self._child.end(_END_GRACE_SECONDS)

    def clock(self) -> float:
        return self._loop.time() - self._began

    @property
    def typed(self) -> bool:
        return self._typed_at > 0

    @property
    def snapshot(self) -> ScreenSnapshot:
        return self.screen.snapshot()

    def mark(self, label: str) -> None:
        """A place to jump to in the recording."""
        self.events.append(CastEvent(self.clock(), MARKER, label))

    # -- looking -------------------------------------------------------------------------------------

    async def wait_for(self, kind: str, *, patience: float, limit: float) -> Detection | None:
        """The next prompt: at once if it is of this kind, else the one that is open for `patience` seconds.

        None if nothing has settled that waits within `limit` seconds, or the CLI has ended.
        """
        until = self.clock() + limit
        while self.clock() < until and self.exit_status is None:
            detection = self._news()
            if detection is not None:
                if detection.kind.value == kind and not detection.draft:
                    return detection
                if self.clock() - self._settled_at >= patience:
                    return detection
            self._changed.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), _IDLE_LOOK_SECONDS)
        return None

    def _news(self) -> Detection | None:
        """What is settled, if it is a prompt that came up since the last keys."""
        settled = self._reader.settled
        if settled is None or settled.kind in _MOVES or self._settled_at < self._typed_at:
            return None
        if settled.identity and settled.identity == self._answered:
            return None
        waited = self._busy_since_typed or self.clock() - self._typed_at > _WORKS_WITHIN_SECONDS
        return None if settled.kind in _AT_COMPOSER and self._spoke and not waited else settled

    async def _look_on(self) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._drawn.wait(), self._next_look_in())
            self._drawn.clear()
            at = self.clock()
            settled = self._reader.settle(at, self._facts())
            if settled is not None:
                self._settled_at = at
                self._busy_since_typed |= settled.detection.kind is ScreenKind.BUSY
                self._changed.set()
            await asyncio.sleep(FRAME_SECONDS)

    def _facts(self) -> TtyFacts:
        return self._child.facts() if self._child is not None else UNKNOWN_FACTS

    def _next_look_in(self) -> float:
        due = self._reader.next_check_at
        return _IDLE_LOOK_SECONDS if due is None else min(max(due - self.clock(), 0.0), _IDLE_LOOK_SECONDS)

    def _output(self, data: bytes) -> None:
        if text := self._decoder.decode(data):
            self.events.append(CastEvent(self.clock(), OUTPUT, text))
        self.screen.feed(data)
        replies = self.screen.take_replies()
        if replies and self._child is not None:
            self._child.write(replies)
        self._drawn.set()

    def _exited(self, status: int) -> None:
        self.exit_status = self._reader.exit_status = status
        self._drawn.set()
        self._changed.set()

    # -- typing --------------------------------------------------------------------------------------

    def answering(self) -> None:
        """From here on only a prompt that is not the present one counts."""
        settled = self._reader.settled
        self._answered = settled.identity if settled is not None else ""
        self._busy_since_typed = self._spoke = False

    def press(self, keys: Sequence[str]) -> None:
        """Type keys by their names, in one write."""
        self._write(encode_keys(keys, self.screen))

    def type(self, text: str, *, paste: bool) -> None:
        """Type words, as a paste if that is wanted and the CLI takes one."""
        self._spoke = True
        bracketed = paste and self.snapshot.bracketed_paste
        self._write(encode_paste(text, bracketed=True) if bracketed else text.encode())

    def _write(self, data: bytes) -> None:
        if self._child is not None:
            self._child.write(data)
        self._typed_at = self.clock()
