"""A session without a screen: lines on stdout, signals for the keyboard, an exit code for the outcome."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from copilot.config.values import say_duration
from copilot.core.effects import EndRun
from copilot.core.settings import RunSettings
from copilot.engine.history import EntryKind, History, HistoryEntry, Step
from copilot.engine.view import SessionView
from copilot.guard.text import safe_text
from copilot.session.loop_watch import LoopWatch
from copilot.session.start import Prepared, finish, prepare, start

_INDENT = 10
_MOST_ROWS = 20
"""So many rows of the last screen are written, the lowest."""
_CHANGES = ("created", "changed", "removed")
_WITHOUT_LINE = frozenset(
    {EntryKind.ASKS, EntryKind.PERSON, EntryKind.LEVEL, EntryKind.GOVERNING, EntryKind.FAULT}
)


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
    with LoopWatch(session.interrupt, session.ended, prepared.settings.timeout_seconds):
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


class Narrator:
    """Writes events and effects as lines. `clean` is applied to every text from outside."""

    def __init__(self, write: Callable[[str], None], clean: Callable[[str], str], *, as_json: bool) -> None:
        self._write = write
        self._clean = clean
        self._as_json = as_json
        self._history = History()
        self._line = self._json_line if as_json else self._word_line

    def step(self, step: Step, at: float) -> None:
        """Write one event or effect, if it is worth a line."""
        entry = self._history.receive(at, step)
        if entry is not None and _has_line(entry):
            self._line(at, entry.kind.value, entry.fields)

    def note(self, text: str, at: float = 0.0) -> None:
        """Write something that is no event."""
        self._line(at, "note", {"text": text})

    def last_words(self, message: str, display: Sequence[str], end: EndRun, at: float) -> None:
        """Write how the run ended, after what the CLI said last: its message, else its screen."""
        said = self._clean(message).strip("\n")
        if said and not self._as_json:
            self._word_line(at, "message", {"what": "the last message of the CLI:"})
            self._write_rows(said.split("\n"))
        if self._as_json or not said or end.exit_code:
            self.last_screen(display, at)
        entry = self._history.receive(at, end)
        assert entry is not None
        more = {"message": said} if self._as_json else {}
        self._line(at, entry.kind.value, {**entry.fields, **more})

    def _write_rows(self, rows: Sequence[str]) -> None:
        for row in rows:
            self._write(f"{'':9}│ {row}".rstrip())

    def last_screen(self, display: Sequence[str], at: float) -> None:
        """Write what the CLI showed last, unchanged; nothing for an empty screen."""
        text = self._clean("\n".join(row.rstrip() for row in display)).strip("\n")
        if not text.strip():
            return
        rows = text.split("\n")[-_MOST_ROWS:]
        if self._as_json:
            self._json_line(at, "screen", {"text": "\n".join(rows)})
            return
        self._word_line(at, "screen", {"what": "what the CLI showed last:"})
        self._write_rows(rows)

    def _word_line(self, at: float, word: str, fields: Mapping[str, Any]) -> None:
        if word == EntryKind.EXIT.value:  # A plain status stays a number; any other exit is said in words.
            fields = {"how": fields["how"] or fields["status"]}
        if word == EntryKind.FILES.value:
            fields = {
                "by": fields["by"],
                **{name: f"{fields[name]} {name}" for name in _CHANGES if fields[name]},
            }
        values = [
            self._clean(" ".join(str(value).split())) for value in fields.values() if value not in ("", None)
        ]
        self._write(f"{at:7.2f}  {word:<{_INDENT}} {' · '.join(values)}".rstrip())

    def _json_line(self, at: float, word: str, fields: Mapping[str, Any]) -> None:
        cleaned = {
            key: self._clean(value) if isinstance(value, str) else value for key, value in fields.items()
        }
        self._write(json.dumps({"t": round(at, 3), "event": word, **cleaned}, ensure_ascii=False))


def _has_line(entry: HistoryEntry) -> bool:
    """Of a plan only the moves of its steps are worth a line, and keys that are typed have their own."""
    if entry.kind is EntryKind.PLAN:
        return bool(entry.fields["step"]) and entry.fields["state"] != "typing"
    return entry.kind not in _WITHOUT_LINE
