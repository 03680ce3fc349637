"""The child as the session's port: signals are words, and asking for its end returns at once."""

from __future__ import annotations

import asyncio

from copilot.core.profile import Profile
from copilot.core.tty_facts import UNKNOWN_FACTS, TtyFacts
from copilot.terminal.cpu_time import CpuTime
from copilot.terminal.pty_child import PtyChild

END_GRACE_SECONDS = 3.0


class SessionChild:
    """A `PtyChild` behind the port `Child`. The kernel is asked only where rules of the profile want it."""

    def __init__(self, child: PtyChild, profile: Profile) -> None:
        self._child = child
        self._wants_facts = wants_facts(profile)
        self._ending: asyncio.Task[None] | None = None
        self._cpu = CpuTime(child.pid)

    @property
    def alive(self) -> bool:
        """Whether it runs still."""
        return self._child.alive

    def write(self, data: bytes) -> None:
        """Queue bytes for the child."""
        self._child.write(data)

    def resize(self, columns: int, lines: int) -> None:
        """Tell the kernel the new size."""
        self._child.resize(columns, lines)

    def facts(self) -> TtyFacts:
        """What the kernel knows of the terminal now."""
        return self._child.facts() if self._wants_facts else UNKNOWN_FACTS

    def cpu_used(self) -> float | None:
        """Seconds of CPU time that it and all below it used since the last call; None if not known."""
        return self._cpu.used() if self._child.alive else None

    def hides_typing(self) -> bool:
        """Whether a line is taken without echo: asked at each key, whatever the profile wants."""
        return self._child.hides_typing()

    def stopped(self) -> bool:
        """Whether it stands still."""
        return self._child.stopped()

    def reads_keys(self) -> bool | None:
        """Whether the child itself has keys one by one, or echoed lines; None if that is not known."""
        return self._child.reads_keys()

    def waits_idle(self) -> bool:
        """Whether nothing runs in front but the child, and it only waits for keys; False under doubt."""
        return self._child.waits_idle()

    def signal(self, word: str) -> None:
        """`interrupt`, `continue`, `end` or `kill`."""
        if word == "interrupt":
            self._child.interrupt()
            return
        if word == "continue":
            self._child.bring_back()
            return
        grace = 0.0 if word == "kill" else END_GRACE_SECONDS
        self._ending = asyncio.get_running_loop().create_task(self._child.end(grace), name="end child")

    async def end(self, grace_seconds: float) -> None:
        """End the child and all below it."""
        await self._child.end(grace_seconds)
        if self._ending is not None:
            await self._ending


def wants_facts(profile: Profile) -> bool:
    """Whether any rule of the profile looks at the terminal's facts."""
    return any(clause.tty for rule in profile.screen.rules for clause in (*rule.all, *rule.any, *rule.not_))
