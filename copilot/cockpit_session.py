"""A live session as the cockpit wants it: there at once, started when the cockpit runs it."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from copilot.core.decision import Autonomy
from copilot.core.reply import Reply
from copilot.core.settings import RunSettings
from copilot.screen import TerminalScreen
from copilot.session.live import LiveSession
from copilot.session.start import finish, prepare, start
from copilot.session.view import SessionListener


class CockpitSession:
    """Settings are checked on making (InputError), the child starts in `run`, at the size last told."""

    def __init__(self, settings: RunSettings, listener: SessionListener) -> None:
        self._prepared = prepare(settings)
        self._listener = listener
        self._live: LiveSession | None = None
        self._blank = TerminalScreen(settings.columns, settings.lines)

    @property
    def screen(self) -> TerminalScreen:
        """The emulated screen; a blank one until the child is started."""
        return self._live.screen if self._live is not None else self._blank

    async def run(self) -> int:
        """Start the child and see the run to its end; the exit code. Cancelling it leaves nothing behind."""
        live = self._live = await start(self._prepared, self._listener)
        try:
            end = await finish(live)
        except asyncio.CancelledError:
            live.interrupt()
            live.interrupt()
            await asyncio.shield(finish(live))
            raise
        return end.exit_code

    def clock(self) -> float:
        """Seconds since the run began; 0 before."""
        return self._live.clock() if self._live is not None else 0.0

    def type_bytes(self, data: bytes, *, by_hand: bool = True) -> None:
        """The person's own keys; with `by_hand=False` what the terminal reports by itself."""
        if self._live is not None:
            self._live.type_bytes(data, by_hand=by_hand)

    def report_bytes(self, data: bytes) -> None:
        """What the terminal reports by itself: focus, mouse."""
        self.type_bytes(data, by_hand=False)

    def resize(self, columns: int, lines: int) -> None:
        """The terminal has a new size; before the start, the size to start at."""
        if self._live is not None:
            self._live.resize(columns, lines)
            return
        self._blank.resize(columns, lines)
        settings = replace(self._prepared.settings, columns=columns, lines=lines)
        self._prepared = replace(self._prepared, settings=settings)

    def send(self, reply: Reply) -> None:
        """Send this reply to the present prompt."""
        if self._live is not None:
            self._live.send(reply)

    def dismiss(self, *, keep: bool = False) -> None:
        """Drop the present reply; with `keep` only stop its countdown."""
        if self._live is not None:
            self._live.dismiss(keep=keep)

    def ask_again(self, instruction: str = "") -> None:
        """Have another reply written."""
        if self._live is not None:
            self._live.ask_again(instruction)

    def set_autonomy(self, level: Autonomy) -> None:
        """Change the level from now on."""
        if self._live is not None:
            self._live.set_autonomy(level)

    def interrupt(self) -> None:
        """First: interrupt the child and end in order; second: end everything now."""
        if self._live is not None:
            self._live.interrupt()
