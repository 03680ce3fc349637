"""The cockpit round any program, without a provider: to try it by hand.

`python -m tests.ui.try_shell [--scene countdown] -- htop`; a scene puts its prompt over the program.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from copilot.core.settings import RunSettings
from copilot.pty.programs import child_environment
from copilot.pty.pty_child import PtyChild
from copilot.session.front_end import SessionListener
from copilot.tui.app import CopilotApp
from copilot.tui.bridge import OpenedSession
from copilot.tui.options import options_from_environment
from tests.fakes.fake_session import FakeSession
from tests.ui.harness import SETTINGS
from tests.ui.scenes import SCENES


class ShellSession(FakeSession):
    """A `FakeSession` with a real child and a clock that runs."""

    child: PtyChild

    def __init__(self, columns: int, lines: int) -> None:
        super().__init__(columns, lines)
        self._began = time.monotonic()

    def clock(self) -> float:
        return time.monotonic() - self._began

    def wrote(self, data: bytes) -> None:
        self.screen.feed(data)
        if replies := self.screen.take_replies():
            self.child.write(replies)
        if self.listener is not None:
            self.listener.on_screen()

    def type_bytes(self, data: bytes, *, by_hand: bool = True) -> None:
        super().type_bytes(data, by_hand=by_hand)
        self.child.write(data)

    def resize(self, columns: int, lines: int) -> None:
        super().resize(columns, lines)
        self.child.resize(columns, lines)


def main() -> int:
    words = sys.argv[1:]
    scene = words[1] if words[:1] == ["--scene"] else ""
    argv = words[words.index("--") + 1 :]

    async def factory(settings: RunSettings, listener: SessionListener) -> OpenedSession:
        session = ShellSession(settings.columns, settings.lines)
        session.listener = listener
        session.child = await PtyChild.start(
            argv,
            cwd=Path.cwd(),
            environment=child_environment(os.environ),
            columns=settings.columns,
            lines=settings.lines,
            on_output=session.wrote,
            on_exit=session.end,
        )
        session.show(profile=argv[0])
        if scene:
            session.view = SCENES[scene]().view
            session.show(countdown_ends_at=session.clock() + 3 if scene == "countdown" else None)

        async def finish() -> int:
            code = await session.finish()
            await session.child.end(1.0)
            return code

        return OpenedSession(session, finish)

    app = CopilotApp(SETTINGS, factory, options=options_from_environment(os.environ))
    return app.run() or 0


if __name__ == "__main__":
    sys.exit(main())
