"""A mouse for a terminal in tmux: its reports as a terminal sends them (SGR, mode 1006)."""

from __future__ import annotations

import re

from rich.cells import cell_len

from tests.real.cockpit import LOOK_SECONDS, Cockpit

_LEFT, _MOTION, _WHEEL_UP = 0, 32, 64


class Mouse:
    """Aims at what stands on the cockpit's screen, and never presses a key."""

    def __init__(self, person: Cockpit) -> None:
        self._person = person

    def clicks(self, pattern: str) -> None:
        """Click the first place that matches."""
        column, row = self.aims_at(pattern)
        self._report(_LEFT, column, row, "M")
        self._report(_LEFT, column, row, "m")

    def drags(self, pattern: str, columns: int) -> None:
        """Press at the first place that matches, and let go so many columns further right."""
        column, row = self.aims_at(pattern)
        self._report(_LEFT, column, row, "M")
        self._report(_LEFT + _MOTION, column + columns, row, "M")
        self._report(_LEFT, column + columns, row, "m")

    def turns_wheel(self, pattern: str) -> None:
        """Turn the wheel up over the first place that matches."""
        self._report(_WHEEL_UP, *self.aims_at(pattern), "M")

    def aims_at(self, pattern: str) -> tuple[int, int]:
        """Column and row, from 1, of the first match, once there is one; its first group if it has one."""
        expression = re.compile(pattern)
        screen = self._person.terminal.screen_after(pattern, LOOK_SECONDS)
        for row, line in enumerate(screen.split("\n"), 1):
            if found := expression.search(line):
                return cell_len(line[: found.start(1 if expression.groups else 0)]) + 1, row
        raise AssertionError(f"{pattern!r} runs over several lines")

    def _report(self, button: int, column: int, row: int, end: str) -> None:
        self._person.terminal.raw(f"\x1b[<{button};{column};{row}{end}".encode())
