"""A child that has stopped itself at `^Z`: behind a terminal of its own stands no shell that could say `fg`.

So Enter brings it back, and what is typed before that goes nowhere: people type `fg`, which the program would
read when it runs again. There are two ways to stand still. SIGSTOP stops. SIGTSTP does nothing to a program
whose parent is in another session (POSIX calls its group orphaned): it has given the terminal back, echo and
lines, and waits to be continued.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from copilot.session.ports import Child

_SUSPENDS = (b"\x1a", b"\x1b[122;5u", b"\x1b[27;5;122~")
"""Ctrl-Z: plain, of the kitty protocol, of modifyOtherKeys."""
_LOOK_SECONDS = (0.3, 1.0, 2.0)
STOPPED = "the program has stopped itself (^Z): Enter brings it back"


class StoppedChild:
    """Takes the person's keys while the child stands still. `note` tells the person."""

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note = note
        self._looks: list[asyncio.TimerHandle] = []
        self._gave_terminal_back = False

    def takes(self, data: bytes, child: Child) -> bool:
        """Whether these keys are not for the child, because it stands still."""
        if self._gave_terminal_back and child.reads_keys() is not False:
            self._gave_terminal_back = False
        if self._gave_terminal_back or child.stopped():
            if b"\r" in data:
                self._gave_terminal_back = False
                child.signal("continue")
                self._note("the program runs again")
            else:
                self._note(STOPPED)
            return True
        if any(key in data for key in _SUSPENDS):
            self.close()
            loop = asyncio.get_running_loop()
            had_keys = child.reads_keys() is True
            self._looks = [loop.call_later(seconds, self._look, child, had_keys) for seconds in _LOOK_SECONDS]
        return False

    def _look(self, child: Child, had_keys: bool) -> None:
        if not child.alive:
            return
        self._gave_terminal_back = had_keys and child.reads_keys() is False
        if self._gave_terminal_back or child.stopped():
            self.close()
            self._note(STOPPED)

    def close(self) -> None:
        """Look no more."""
        for look in self._looks:
            look.cancel()
        self._looks = []
