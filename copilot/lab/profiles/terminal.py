"""A real CLI in a live session that only watches, typed to as a person would."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from copilot.core.detection import Detection
from copilot.core.events import ScreenSettled
from copilot.core.profile import Profile
from copilot.core.reply import Autonomy
from copilot.core.screen_kinds import READY_KINDS, ScreenKind
from copilot.core.settings import RunSettings
from copilot.core.snapshot import ScreenSnapshot
from copilot.detection import Examiner
from copilot.engine.history import Step
from copilot.engine.view import SessionView
from copilot.lab.clis.base import Recipe
from copilot.lab.launch import swapped_environment
from copilot.lab.live_trial import end_session
from copilot.recording.artifacts import CAST_NAME
from copilot.recording.asciicast import OUTPUT, CastEvent, read_cast
from copilot.screen.keys import encode_keys, encode_paste
from copilot.session.live import LiveSession
from copilot.session.start import prepare, start

_IDLE_LOOK_SECONDS = 0.25
_WORKS_WITHIN_SECONDS = 5.0
"""After words were sent, a composer that is ready is still the old one until the CLI has worked."""
_AT_COMPOSER = READY_KINDS | {ScreenKind.QUESTION, ScreenKind.ERROR}
_MOVES = frozenset({ScreenKind.BUSY, ScreenKind.STARTING})


class CliTerminal:
    """`wait_for` prompts, type, `end` it. Times are seconds of the run. It is the listener of its session."""

    def __init__(self, folder: Path) -> None:
        """The run is recorded into `folder`."""
        self._folder = folder
        self._session: LiveSession | None = None
        self._changed = asyncio.Event()
        self._settled: Detection | None = None
        self._settled_at = 0.0
        self._typed_at = 0.0
        self._busy_since_typed = False
        self._spoke = False
        self._answered = ""
        self._while_busy: list[tuple[float, Detection]] = []

    async def start(self, recipe: Recipe, profile: Profile, version: str, columns: int, lines: int) -> None:
        """Start the CLI of this recipe. Raises InputError."""
        settings = RunSettings(
            child=recipe.command,
            profile="generic",
            autonomy=Autonomy.WATCH,
            cwd=str(recipe.project),
            log_folder=str(self._folder),
            columns=columns,
            lines=lines,
        )
        with swapped_environment(recipe.environment):
            # The keys in this environment are made up: none is kept back.
            prepared = replace(prepare(settings), profile=profile, kept_back=())
            prepared = replace(prepared, examiner=Examiner(profile, version))
            self._session = await start(prepared, self)

    async def end(self) -> tuple[CastEvent, ...]:
        """End it; the output as it came, redacted."""
        await end_session(self.session)
        return tuple(event for event in read_cast(self._folder / CAST_NAME).events if event.code == OUTPUT)

    @property
    def session(self) -> LiveSession:
        """Once it has started."""
        assert self._session is not None
        return self._session

    @property
    def exit_status(self) -> int | None:
        return self.session.reader.exit_status

    def clock(self) -> float:
        return self.session.clock()

    @property
    def typed(self) -> bool:
        return self._typed_at > 0

    @property
    def snapshot(self) -> ScreenSnapshot:
        return self.session.screen.snapshot()

    # -- what the session says ---------------------------------------------------------------------------

    def on_screen(self) -> None:
        """Also after the CLI has ended."""
        self._changed.set()

    def on_view(self, view: SessionView) -> None:
        """The steps say it already."""

    def on_reply_text(self, text: str) -> None:
        """Nothing is sent."""

    def on_note(self, text: str) -> None:
        """Not read."""

    def on_step(self, step: Step, at: float) -> None:
        if isinstance(step, ScreenSettled):
            self._settled, self._settled_at = step.detection, at
            self._busy_since_typed |= step.detection.kind is ScreenKind.BUSY
            if self._busy_since_typed and step.detection.kind not in _MOVES:
                self._while_busy.append((at - self._typed_at, step.detection))
            self._changed.set()

    # -- looking -------------------------------------------------------------------------------------

    @property
    def settled(self) -> Detection | None:
        """The newest reading that settled."""
        return self._settled

    @property
    def since_typed(self) -> float:
        """Seconds from the last keys to the newest reading."""
        return self._settled_at - self._typed_at

    def prompts_within(self, seconds: float) -> list[tuple[float, Detection]]:
        """What was read as a prompt after the CLI had begun to work, by the time since the last keys."""
        return [(after, found) for after, found in self._while_busy if after < seconds]

    async def wait_for_exit(self, limit: float) -> None:
        """Until the CLI has ended, and `limit` seconds at most."""
        until = self.clock() + limit
        while self.clock() < until and not self._has_exited():
            await self._wait_for_change()

    def _has_exited(self) -> bool:
        return (
            self.exit_status is not None
            and self._settled is not None
            and self._settled.kind is ScreenKind.EXITED
        )

    async def wait_for(self, kinds: Collection[str], *, patience: float, limit: float) -> Detection | None:
        """The next prompt: at once if it is of these kinds, else the one that is open for `patience` seconds.

        None if nothing has settled that waits within `limit` seconds, or the CLI has ended.
        """
        until = self.clock() + limit
        while self.clock() < until and self.exit_status is None:
            detection = self._news()
            if detection is not None:
                if detection.kind.value in kinds and not detection.draft:
                    return detection
                if self.clock() - self._settled_at >= patience:
                    return detection
            await self._wait_for_change()
        return None

    async def _wait_for_change(self) -> None:
        self._changed.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), _IDLE_LOOK_SECONDS)

    def _news(self) -> Detection | None:
        """What is settled, if it is a prompt that came up since the last keys."""
        settled = self._settled
        if settled is None or settled.kind in _MOVES or self._settled_at < self._typed_at:
            return None
        if settled.identity and settled.identity == self._answered:
            return None
        waited = self._busy_since_typed or self.clock() - self._typed_at > _WORKS_WITHIN_SECONDS
        return None if settled.kind in _AT_COMPOSER and self._spoke and not waited else settled

    # -- typing --------------------------------------------------------------------------------------

    def answering(self) -> None:
        """From here on only a prompt that is not the present one counts."""
        self._answered = self._settled.identity if self._settled is not None else ""
        self._busy_since_typed = self._spoke = False
        self._while_busy.clear()

    def press(self, keys: Sequence[str]) -> None:
        """Type keys by their names, in one write."""
        self._write(encode_keys(keys, self.session.screen))

    def type(self, text: str, *, paste: bool) -> None:
        """Type words, as a paste if that is wanted and the CLI takes one."""
        self._spoke = True
        bracketed = paste and self.snapshot.bracketed_paste
        self._write(encode_paste(text, bracketed=True) if bracketed else text.encode())

    def _write(self, data: bytes) -> None:
        self.session.type_bytes(data)
        self._typed_at = self.clock()
