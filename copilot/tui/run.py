"""The entry for `cli.py`: run the cockpit until its person leaves, and give the exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from copilot.config.paths import config_folder, state_folder
from copilot.core.settings import RunSettings
from copilot.errors import EXIT_INTERRUPTED, InputError
from copilot.safety.text import safe_text
from copilot.terminal.environment import in_browser
from copilot.terminal.terminal_keeper import TerminalKeeper
from copilot.tui.app import CopilotApp
from copilot.tui.ended_from_outside import EndedFromOutside
from copilot.tui.opening import open_session
from copilot.tui.options import UiOptions, options_from_environment
from copilot.tui.preferences import FILE_NAME, PreferenceKeeper

if TYPE_CHECKING:
    from copilot.tui.live import SessionFactory
    from copilot.tui.start_offer import StartOffer

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
