"""The entry for `cli.py`: run the cockpit until its person leaves, and give the exit code."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any

from copilot.core.settings import RunSettings
from copilot.errors import EXIT_INTERRUPTED, InputError
from copilot.guard.text import safe_text
from copilot.pty.programs import in_browser
from copilot.pty.terminal_keeper import TerminalKeeper
from copilot.resources import config_folder, state_folder
from copilot.tui.app import CopilotApp
from copilot.tui.options import UiOptions, options_from_environment
from copilot.tui.preferences import FILE_NAME, PreferenceKeeper

if TYPE_CHECKING:
    from copilot.session.front_end import SessionListener
    from copilot.tui.bridge import OpenedSession, SessionFactory
    from copilot.tui.start_offer import StartOffer

LAST_SECONDS = 8.0
"""After so long the process ends whatever is still open; the child's tree ends with it."""
_NUMBERS = (signal.SIGTERM, signal.SIGHUP)


class EndedFromOutside:
    """A context, of the main thread, in which SIGTERM and SIGHUP call `leave(exit_code)` on the running loop.

    Without it a hang-up that is inherited as ignored (`nohup`) leaves a cockpit that reads the end of its
    input, and waits to write, for ever.
    """

    def __init__(self, leave: Callable[[int], object]) -> None:
        self._leave = leave
        self._before: dict[int, Any] = {}
        self._terminals: list[int] = []

    def __enter__(self) -> EndedFromOutside:
        # Asked now: what hangs no longer says that it is a terminal.
        self._terminals = [one for one in range(3) if os.isatty(one)]
        for number in _NUMBERS:
            self._before[number] = signal.signal(number, self._signalled)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _signalled(self, number: int, _frame: FrameType | None) -> None:
        code = 128 + number
        watchdog = threading.Timer(LAST_SECONDS, os._exit, [code])
        watchdog.daemon = True
        watchdog.start()
        if number == signal.SIGHUP:
            _lead_nowhere(self._terminals)
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            sys.exit(code)
        loop.call_soon_threadsafe(self._leave, code)


def _lead_nowhere(descriptors: Sequence[int]) -> None:
    """A terminal that is gone fails each write; behind the first that did, drawing would wait for ever."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(nowhere, descriptor)
    os.close(nowhere)


async def open_session(settings: RunSettings, listener: SessionListener) -> OpenedSession:
    """Check everything, then start the child and the session around it. Raises InputError."""
    from copilot.session.start import finish, prepare, start
    from copilot.tui.bridge import OpenedSession

    session = await start(prepare(settings), listener)

    async def end() -> int:
        return (await finish(session)).exit_code

    return OpenedSession(session, end)


_SWITCH_SECONDS = 0.0001
"""The longest that the recorder's thread may hold the interpreter: in a flood each read waits for it."""


def run(
    settings: RunSettings | None,
    session_factory: SessionFactory = open_session,
    *,
    offers: Sequence[StartOffer] = (),
    more_offers: Callable[[str], Sequence[StartOffer]] | None = None,
    options: UiOptions | None = None,
) -> int:
    """Run the cockpit: on `settings` at once, or without any on the start screen and its `offers`.

    `more_offers` gives what can be started beside a session, in a folder.

    The result is the run's exit code, 0 if nothing was started, 130 if it was ended from outside. Raises
    InputError where there is no terminal, for a bad `COPILOT_LEADER` or `COPILOT_THEME`, and for settings
    that cannot be run.
    """
    browser = in_browser(os.environ)
    if not browser and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError("this is not a terminal; add --headless to run without the cockpit")
    options = options or options_from_environment(os.environ, config_folder())
    preferences = PreferenceKeeper(state_folder() / FILE_NAME)
    app = CopilotApp(
        settings,
        session_factory,
        offers=offers,
        more_offers=more_offers,
        options=options,
        preferences=preferences,
    )
    sys.setswitchinterval(_SWITCH_SECONDS)
    if browser:
        code = app.run()
    else:
        with TerminalKeeper(sys.stdin.fileno()), EndedFromOutside(app.exit):
            code = app.run()
    if not browser:
        _reset_title()
        _say_how_it_ended(app)
    if app.failure is not None:
        raise app.failure
    if app.next_command:
        return subprocess.call([sys.executable, "-m", "copilot", *app.next_command])
    return EXIT_INTERRUPTED if code is None else code


def _say_how_it_ended(app: CopilotApp) -> None:
    """One line for each session, for the screen that the person comes back to."""
    for view in (*app.left_views, *(tab.bridge.view for tab in app.tabs)):
        if view is not None:
            sys.stdout.write(
                safe_text(f"copilot: {view.outcome or 'ended'}; record: {view.run_folder}") + "\n"
            )


def _reset_title() -> None:
    """Give the outer terminal an empty title back: it then shows its own."""
    sys.stdout.write("\x1b]2;\x07")
    sys.stdout.flush()
