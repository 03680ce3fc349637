"""What the simulated CLI shows: a transcript that grows, and at the bottom a spinner, composer or dialog.

It draws like today's coding CLIs: the alternate screen, whole frames inside synchronized updates, a
composer between two rules that stays visible while it works, a dialog in its place while it asks.
"""

from __future__ import annotations

import itertools
import json
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from pathlib import Path
from typing import TypeVar

from copilot.demo.raw_terminal import Key, RawTerminal

GUARD_SECONDS = 0.1
"""Keys that come sooner than this after a prompt is drawn are lost, as measured on a real CLI."""

FRAME_SECONDS = 0.12
Result = TypeVar("Result")
_SPINNER = "·✢✳✶✻✽"
_BOLD, _DIM, _RED, _GREEN, _CYAN, _RESET = "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[36m", "\x1b[0m"
_STYLES = {"bold": _BOLD, "dim": _DIM, "red": _RED, "green": _GREEN, "cyan": _CYAN}


class Interrupted(Exception):
    """Ctrl-C, by key or by signal."""


class Stage:
    """The screen, the keys and the journal of one simulated session."""

    def __init__(self, terminal: RawTerminal, speed: float, journal: Path | None) -> None:
        self._terminal = terminal
        self._speed = speed
        self._journal = journal
        self._rows: list[tuple[str, str]] = []
        self._frame = itertools.count()
        self._began = time.monotonic()
        self.heed_interrupt = True
        self.unexpected: list[str] = []

    def say(self, text: str, style: str = "") -> None:
        """One more row of the transcript."""
        self._rows.append((text, style))

    def note(self, event: str, prompt: str, value: str = "") -> None:
        """One line of the journal, for whoever checks what was typed."""
        if self._journal is None:
            return
        at = round(time.monotonic() - self._began, 3)
        line = json.dumps({"at": at, "event": event, "prompt": prompt, "value": value}, ensure_ascii=False)
        with self._journal.open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    def flag(self, prompt: str, why: str) -> None:
        """Something was typed that was not asked for: say so, and remember it for the exit code."""
        self.unexpected.append(why)
        self.note("unexpected", prompt, why)
        self.say(f"  ! unexpected input: {why}", "red")

    def draw(self, bottom: Iterable[tuple[str, str]], cursor: tuple[int, int] | None = None) -> None:
        """One frame: the end of the transcript above `bottom`; `cursor` is (row of the bottom, column)."""
        columns, lines = self._terminal.size()
        below = [(text[:columns], style) for text, style in bottom][-lines:]
        room = lines - len(below)
        wrapped = [
            (row[start : start + columns], style)
            for row, style in self._rows[-4 * lines :]
            for start in range(0, max(len(row), 1), columns)
        ]
        above = wrapped[-room:] if room else []
        rows = [*above, *below, *[("", "")] * (lines - len(above) - len(below))]
        painted = "\r\n".join(f"{_STYLES.get(style, '')}{text}{_RESET}\x1b[K" for text, style in rows)
        shown = "\x1b[?25l"
        if cursor is not None:
            row, column = len(above) + cursor[0], min(cursor[1], columns - 1)
            shown = f"\x1b[{row + 1};{column + 1}H\x1b[?25h"
        self._terminal.write(f"\x1b[?2026h\x1b[H{painted}{shown}\x1b[?2026l")

    def keys(self, seconds: float) -> list[Key]:
        """Keys within so many seconds. Raises Interrupted at Ctrl-C."""
        keys = self._terminal.keys(seconds)
        if self.heed_interrupt and any(key.name == "C-c" for key in keys):
            raise Interrupted
        return keys

    def work(self, what: str, seconds: float, output: Iterable[str] = ()) -> None:
        """Be busy, printing `output` evenly over the time. Any key that comes meanwhile was not asked for."""
        rows = list(output)
        frames = max(1, round(seconds / self._speed / FRAME_SECONDS), -(-len(rows) // 12))
        began = time.monotonic()
        for frame in range(frames):
            for row in rows[len(rows) * frame // frames : len(rows) * (frame + 1) // frames]:
                self.say(row, "dim")
            self.draw(self._busy_rows(what, time.monotonic() - began))
            for key in self.keys(FRAME_SECONDS / max(1.0, self._speed / 4)):
                self.flag("busy", f"{key!s} while busy")

    def busy_with(self, what: str, job: Callable[[], Result]) -> Result:
        """Be busy until `job` is done in a thread of its own; its result, or what it raises."""
        answer: Future[Result] = Future()

        def run() -> None:
            try:
                answer.set_result(job())
            except Exception as error:
                answer.set_exception(error)

        threading.Thread(target=run, daemon=True).start()
        began = time.monotonic()
        while not answer.done():
            self.draw(self._busy_rows(what, time.monotonic() - began))
            for key in self.keys(FRAME_SECONDS / max(1.0, self._speed / 4)):
                self.flag("busy", f"{key!s} while busy")
        return answer.result()

    def _busy_rows(self, what: str, elapsed: float) -> list[tuple[str, str]]:
        star = _SPINNER[next(self._frame) % len(_SPINNER)]
        return [
            ("", ""),
            (f"{star} {what}… ({elapsed:.0f}s · esc to interrupt)", "cyan"),
            *self.composer_rows("", "  ? for shortcuts"),
        ]

    def composer_rows(self, draft: str, footer: str) -> list[tuple[str, str]]:
        """The composer between its rules, with the footer under it."""
        rule = "─" * self._terminal.size()[0]
        return [("", ""), (rule, "dim"), (f"❯ {self.fitting(draft, 2)}", ""), (rule, "dim"), (footer, "dim")]

    def fitting(self, draft: str, label: int) -> str:
        """What shows of a line of text beside a label so wide: its end, for the line scrolls."""
        return draft[-max(self._terminal.size()[0] - label - 1, 1) :]

    def squeezed(self, rows: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """A dialog without its empty rows where they do not fit: what would be cut off is its title."""
        return rows if len(rows) <= self._terminal.size()[1] else [row for row in rows if row[0].strip()]

    def rule(self) -> tuple[str, str]:
        """The rule that opens a dialog."""
        return ("─" * self._terminal.size()[0], "cyan")

    def guard(self, prompt: str) -> None:
        """The moment after a prompt is drawn in which keys are lost."""
        deadline = time.monotonic() + GUARD_SECONDS
        while (left := deadline - time.monotonic()) > 0:
            for key in self.keys(left):
                self.flag(prompt, f"{key!s} before the prompt could take keys")
