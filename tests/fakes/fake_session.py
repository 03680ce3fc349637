"""`FakeSession`: a `LiveSession` with a real `TerminalScreen`, a clock that stands still, and no child."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from copilot.config.profile_files import load_profile
from copilot.core.detection import Detection
from copilot.core.reply import Autonomy, Reply
from copilot.core.screen_kinds import ScreenKind
from copilot.core.states import RunState
from copilot.detection import Examination, Examiner
from copilot.engine.view import SessionView
from copilot.guard.grants_offer import Offer
from copilot.screen import TerminalScreen
from copilot.session.front_end import SessionListener, UndoControls


class FakeGrants:
    """Offers what a test wants offered, and keeps the list as the real one would."""

    def __init__(self, session: FakeSession) -> None:
        self._session = session
        self.offered = Offer(refusal="nothing here needs to be allowed")

    def offer(self) -> Offer:
        return self.offered

    def allow(self, rules: Sequence[str], limits: str, *, identity: str) -> None:
        self._session.identities.append(identity)
        self._session.calls.append(("allow", tuple(rules), limits))

    def revoke(self, rule: str) -> None:
        self._session.calls.append(("revoke", rule))
        lines = self._session.view.grants
        self._session.show(
            grants=tuple(replace(line, state="revoked") if line.rule == rule else line for line in lines)
        )


class FakeSession:
    """Records what it is asked (`calls`), and shows what a test wants shown.

    The calls change the view as the real session would in the simplest case, at once.
    """

    def __init__(self, columns: int = 80, lines: int = 20) -> None:
        self.screen = TerminalScreen(columns, lines)
        self.now = 0.0
        self.typed = b""
        self.reported = b""
        self.sizes: list[tuple[int, int]] = []
        self.calls: list[tuple[Any, ...]] = []
        self.identities: list[str] = []
        """The prompts that the calls about a reply were meant for."""
        self.view = SessionView(state=RunState.RUNNING, run_folder="/home/me/.local/state/copilot/runs/r1")
        self.listener: SessionListener | None = None
        self._ended: asyncio.Event | None = None
        self.exit_code = 0
        self.ends_when_interrupted = True
        self.read_anew: Callable[[Detection], Detection] | None = None
        """The same detection at its rows after a resize."""
        self.grants = FakeGrants(self)
        self.checkpoints: UndoControls | None = None
        self.past: list[SessionView] = []
        """What was shown before, for scenes that are nothing without it."""

    async def finish(self) -> int:
        self._ended = asyncio.Event()
        await self._ended.wait()
        return self.exit_code

    def end(self, exit_code: int = 0) -> None:
        self.exit_code = exit_code
        if self._ended is not None:
            self._ended.set()

    def feed(self, data: bytes) -> None:
        self.screen.feed(data)
        if self.listener is not None:
            self.listener.on_screen()

    def show(self, **changes: Any) -> None:
        self.view = replace(self.view, **changes)
        if self.listener is not None:
            self.listener.on_view(self.view)

    def clock(self) -> float:
        return self.now

    def type_bytes(self, data: bytes, *, by_hand: bool = True) -> None:
        if not by_hand:
            self.reported += data
            return
        self.typed += data
        if self.view.proposal is not None:
            self.show(
                proposal=None, decision=None, countdown_ends_at=None, stale="you typed: the terminal is yours"
            )

    def resize(self, columns: int, lines: int) -> None:
        self.sizes.append((columns, lines))
        self._keep_the_end_in_sight(lines)
        self.screen.resize(columns, lines)
        if self.read_anew is not None:
            self.show(detection=self.read_anew(self.view.detection))

    def _keep_the_end_in_sight(self, lines: int) -> None:
        """A full screen program paints anew for its new size; here its last rows move up into sight.

        Rows that only keep a distance go first, so that what stands at the top stays whole.
        """
        rows = self.screen.display
        used = [row for row, text in enumerate(rows) if text.strip()]
        excess = (used[-1] + 1 - lines) if used and self.screen.alternate_screen else 0
        if excess <= 0:
            return
        spare = [row for row in range(used[-1]) if not "".join(rows[max(0, row - 1) : row + 1]).strip()]
        gone = spare[:excess]
        deleted = b"".join(b"\x1b[%dH\x1b[M" % (row + 1) for row in reversed(gone))
        scrolled = b"\x1b[%dS" % (excess - len(gone)) if excess > len(gone) else b""
        self.screen.feed(b"\x1b7" + deleted + scrolled + b"\x1b8\x1b[%dA" % excess)

    def send(self, reply: Reply, *, identity: str) -> None:
        self.identities.append(identity)
        self.calls.append(("send", reply))
        self.show(state=RunState.ANSWERING, countdown_ends_at=None)

    def dismiss(self, *, identity: str) -> None:
        self.identities.append(identity)
        self.calls.append(("dismiss",))
        self.show(proposal=None, decision=None, countdown_ends_at=None)

    def stop_countdown(self) -> None:
        self.calls.append(("stop_countdown",))
        self.show(countdown_ends_at=None, state=RunState.HELD)

    def ask_again(self, instruction: str = "", *, identity: str) -> None:
        self.identities.append(identity)
        self.calls.append(("ask_again", instruction))
        self.show(proposal=None, decision=None, waiting_for_provider=True)

    def set_autonomy(self, level: Autonomy) -> None:
        self.calls.append(("set_autonomy", level))
        self.show(autonomy=level)

    def set_governing_prompt(self, text: str) -> str:
        self.calls.append(("set_governing_prompt", text))
        if not text.strip():
            return "it is empty: nothing was changed"
        self.show(governing_prompt=text, governing_version=self.view.governing_version + 1)
        return ""

    def examination(self) -> Examination | None:
        return Examiner(load_profile(self.view.profile)).examine(self.screen.snapshot())

    def label_screen(self, kind: ScreenKind, seen: Examination, at: float) -> None:
        self.calls.append(("label_screen", kind))

    def interrupt(self) -> None:
        self.calls.append(("interrupt",))
        if self.ends_when_interrupted:
            self.end(130)
