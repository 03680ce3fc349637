"""The entry for `cli.py`: run the cockpit until its person leaves, and give the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from copilot.core.settings import RunSettings
from copilot.errors import EXIT_INTERRUPTED, InputError
from copilot.tui.app import CopilotApp
from copilot.tui.live import SessionFactory, StartOffer
from copilot.tui.options import UiOptions, options_from_environment


def run(
    settings: RunSettings | None,
    session_factory: SessionFactory,
    *,
    offers: Sequence[StartOffer] = (),
    options: UiOptions | None = None,
) -> int:
    """Run the cockpit: on `settings` at once, or with the start screen and its `offers` if None.

    The result is the run's exit code, 0 if nothing was started, 130 if it was ended from outside. Raises
    InputError where there is no terminal, or for a bad `COPILOT_LEADER` or `COPILOT_THEME`.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError("the co-pilot's screen needs a terminal; use --headless where there is none")
    app = CopilotApp(
        settings, session_factory, offers=offers, options=options or options_from_environment(os.environ)
    )
    result = app.run()
    _reset_title()
    if result is None:
        return app.return_code or EXIT_INTERRUPTED
    return result


def _reset_title() -> None:
    """Give the outer terminal an empty title back: it then shows its own."""
    sys.stdout.write("\x1b]2;\x07")
    sys.stdout.flush()
