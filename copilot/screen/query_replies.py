"""Answers to the child's questions, in the order asked.

Only fixed strings and numbers of our own state go back, never a byte that the child sent: an answer is
typed into the child's input, and an echo would let any output type commands.
"""

from __future__ import annotations

from copilot.screen.events import Outbox
from copilot.screen.grid import Grid
from copilot.screen.modes import Modes, private
from copilot.screen.sgr import BLINK, BOLD, CONCEAL, DIM, ITALIC, OVERLINE, PROTECTED, REVERSE, STRIKE
from copilot.screen.theme import Theme, palette, specification

NAME = "copilot"
VERSION = "1"
CELL_WIDTH, CELL_HEIGHT = 8, 16
"""Pixels of a cell, for programs that ask (there are no pixels here)."""

_CSI = "\x1b["
_ST = "\x1b\\"
IDENTITIES = {
    "c": _CSI + "?62;22c",
    ">c": _CSI + ">1;10;0c",
    "=c": f"\x1bP!|00000000{_ST}",
    ">q": f"\x1bP>|{NAME} {VERSION}{_ST}",
}
"""DA1, DA2, DA3 and XTVERSION, by the final of the question."""
_CAPABILITIES = {
    "TN": "xterm-256color",
    "Co": "256",
    "colors": "256",
    "RGB": "8",
    "Ms": "\x1b]52;%p1%s;%p2%s\x07",
}
CAPABILITIES = {
    name.encode().hex().upper(): f"{name.encode().hex().upper()}={value.encode().hex().upper()}"
    for name, value in _CAPABILITIES.items()
}
"""What XTGETTCAP may ask: both sides in hexadecimal."""

_FLAG_CODES = (
    (BOLD, "1"),
    (DIM, "2"),
    (ITALIC, "3"),
    (BLINK, "5"),
    (REVERSE, "7"),
    (CONCEAL, "8"),
    (STRIKE, "9"),
    (OVERLINE, "53"),
)


class Answers:
    """DA, DSR, DECRQM, DECRQSS, XTGETTCAP, XTVERSION, kitty, colours, sizes."""

    def __init__(self, grid: Grid, modes: Modes, outbox: Outbox) -> None:
        self._grid = grid
        self._modes = modes
        self._reply = outbox.reply
        self.theme = Theme()

    def report_device_attributes(self, mode: int | None = 0, **kwargs: bool) -> None:
        if not kwargs.get("private"):
            self.report_identity("c", (mode or 0,))

    def report_identity(self, final: str, values: tuple[int, ...]) -> None:
        """`final` is a key of `IDENTITIES`; only number 0 is a question."""
        if values[0] == 0:
            self._reply(IDENTITIES[final])

    def report_device_status(self, mode: int, **kwargs: bool) -> None:
        """DSR: 5 all is well, 6 where the cursor is, private 996 a dark (1) or a light (2) theme."""
        private = kwargs.get("private")
        if mode == 6:
            grid = self._grid
            line = grid.cursor.y + 1 - (grid.top if self._modes.origin else 0)
            column = min(grid.cursor.x, grid.columns - 1) + 1
            self._reply(f"{_CSI}{'?' if private else ''}{line};{column}R")
        elif mode == 5 and not private:
            self._reply(_CSI + "0n")
        elif mode == 996 and private:
            self._reply(f"{_CSI}?997;{1 if self.theme.dark else 2}n")

    def report_mode(self, number: int) -> None:
        """DECRQM."""
        self._reply(f"{_CSI}{number};{self._modes.report(number)}$y")

    def report_private_mode(self, number: int) -> None:
        self._reply(f"{_CSI}?{number};{self._modes.report(private(number))}$y")

    def report_keyboard(self) -> None:
        """Kitty's `CSI ? u`."""
        self._reply(f"{_CSI}?{self._modes.keyboards[self._grid.on_alternate][-1]}u")

    def report_modify_other_keys(self) -> None:
        self._reply(f"{_CSI}>4;{self._modes.modify_other_keys}m")

    def report_window(self, what: int) -> None:
        """XTWINOPS sizes. The title is never given away."""
        if what == 14:
            self._reply(f"{_CSI}4;{self._grid.lines * CELL_HEIGHT};{self._grid.columns * CELL_WIDTH}t")
        elif what == 16:
            self._reply(f"{_CSI}6;{CELL_HEIGHT};{CELL_WIDTH}t")
        elif what == 18:
            self._reply(f"{_CSI}8;{self._grid.lines};{self._grid.columns}t")
        elif what == 11:
            self._reply(_CSI + "1t")

    def report_colour(self, number: int, terminator: str) -> None:
        """OSC 10, 11, 12."""
        theme = self.theme
        colour = {10: theme.foreground, 11: theme.background, 12: theme.cursor}[number]
        self._reply(f"\x1b]{number};{specification(colour)}{terminator}")

    def report_palette(self, index: int, terminator: str) -> None:
        """OSC 4."""
        self._reply(f"\x1b]4;{index};{specification(palette(index))}{terminator}")

    def report_setting(self, what: str) -> None:
        """DECRQSS."""
        style = self._grid.cursor.style
        if what == "r":
            value = f"{self._grid.top + 1};{self._grid.bottom + 1}r"
        elif what == " q":
            value = f"{self._modes.cursor_shape or 1} q"
        elif what == '"q':
            value = f'{1 if style.flags & PROTECTED else 2}"q'
        elif what == "m":
            value = self._rendition() + "m"
        else:
            self._reply(f"\x1bP0$r{_ST}")
            return
        self._reply(f"\x1bP1$r{value}{_ST}")

    def _rendition(self) -> str:
        style = self._grid.cursor.style
        codes = [code for flag, code in _FLAG_CODES if style.flags & flag]
        if style.underline:
            codes.append("4" if style.underline == 1 else f"4:{style.underline}")
        for first, colour in ((30, style.foreground), (40, style.background), (50, style.underline_colour)):
            if isinstance(colour, int) and colour < 16 and first < 50:
                codes.append(str(first + colour if colour < 8 else first + 52 + colour))
            elif isinstance(colour, int):
                codes.append(f"{first + 8}:5:{colour}")
            elif colour != "default":
                red, green, blue = (int(colour[n : n + 2], 16) for n in (1, 3, 5))
                codes.append(f"{first + 8}:2:{red}:{green}:{blue}")
        return ";".join(codes) or "0"

    def report_capabilities(self, names: str) -> None:
        """XTGETTCAP."""
        for name in names.upper().split(";")[:32]:
            answer = CAPABILITIES.get(name)
            self._reply(f"\x1bP1+r{answer}{_ST}" if answer else f"\x1bP0+r{_ST}")

    def refuse_graphics(self) -> None:
        """Kitty's graphics query: no."""
        self._reply(f"\x1b_Gi=31;ENOTSUP:no graphics{_ST}")
