"""A session without a screen: lines on stdout, signals for the keyboard, an exit code for the outcome."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Callable

from copilot.config.values import say_duration
from copilot.core.effects import EndRun
from copilot.core.settings import RunSettings
from copilot.engine.history import Step
from copilot.guard.text import safe_text
from copilot.session.live import LiveSession
from copilot.session.narration import Narrator
from copilot.session.start import Prepared, finish, prepare, start
from copilot.session.view import SessionView


def run(settings: RunSettings) -> int:
    """Run one session to its end; the exit code says how it ended. Raises InputError before it starts."""
    prepared = prepare(settings)
    return asyncio.run(_run(prepared, _print))


class _PrintingListener:
    """A listener that only prints lines; it keeps no screen."""

    def __init__(self, narrator: Narrator) -> None:
        self._narrator = narrator
        self.ended_at = 0.0

    def on_screen(self) -> None:
        """Nothing is drawn."""

    def on_view(self, view: SessionView) -> None:
        """Ignored: the lines of the steps say it."""

    def on_reply_text(self, text: str) -> None:
        """Ignored: a line shows the whole reply later."""

    def on_note(self, text: str) -> None:
        """A line."""
        self._narrator.note(text)

    def on_step(self, step: Step, at: float) -> None:
        """A line, if the step is worth one. The line of the end follows when the run folder is closed."""
        if isinstance(step, EndRun):
            self.ended_at = at
        else:
            self._narrator.step(step, at)


async def _run(prepared: Prepared, write: Callable[[str], None]) -> int:
    def clean(text: str) -> str:
        return safe_text(prepared.redactor.without_secrets(text))

    narrator = Narrator(write, clean, as_json=prepared.settings.json_lines)
    listener = _PrintingListener(narrator)
    session = await start(prepared, listener)
    narrator.note(f"run folder: {session.view.run_folder}")
    narrator.note(_what_ends_it(prepared.settings))
    with _Signals(session):
        end = await finish(session)
    narrator.last_words(session.last_message, session.screen.display, end, listener.ended_at)
    for kind, problem in (("error", session.recorder.failed), ("warning", session.recorder.report_failed)):
        if problem:
            _complain(f"copilot: {kind}: {clean(problem)}")
    return end.exit_code


def _what_ends_it(settings: RunSettings) -> str:
    """An unattended run must say what it waits for, or it seems to hang."""
    limits = [f"{settings.max_steps} replies (--max-steps)"]
    if settings.timeout_seconds is not None:
        limits.append(f"{say_duration(settings.timeout_seconds)} (--timeout)")
    if settings.max_cost_usd is not None:
        limits.append(f"${settings.max_cost_usd:.2f} (--max-cost)")
    unlimited = (
        "" if settings.timeout_seconds is not None else "; there is no limit of time: --timeout sets one"
    )
    return (
        "ends when the CLI ends, when a person would be needed, at Ctrl-C, "
        f"or after {' or '.join(limits)}{unlimited}"
    )


class _Signals:
    """Ctrl-C and a polite request to end go to the session: the first in order, the second at once."""

    def __init__(self, session: LiveSession) -> None:
        self._session = session
        self._loop = asyncio.get_running_loop()

    def __enter__(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self._loop.add_signal_handler(number, self._session.interrupt)

    def __exit__(self, *_: object) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self._loop.remove_signal_handler(number)


def _complain(line: str) -> None:
    """One line on stderr: stdout may be a file on the same full disk."""
    with contextlib.suppress(OSError, ValueError):
        print(line, file=sys.stderr, flush=True)  # noqa: T201


def _print(line: str) -> None:
    """One line on stdout, at once. A reader that went away, or a full disk, does not end the run."""
    try:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    except (OSError, ValueError):
        pass
