"""Which method answers which control, escape or CSI sequence."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from copilot.screen.charsets import SLOTS
from copilot.screen.events import Bell
from copilot.screen.osc import OperatingSystemCommands
from copilot.screen.sgr import number


@lru_cache(maxsize=4096)
def numbers(parameters: str) -> tuple[int, ...]:
    """Parameters as numbers, missing ones as 0; empty if one is no number (nothing is done then)."""
    values = tuple(map(number, parameters.split(";")))
    return () if -1 in values else values


class Sequences(OperatingSystemCommands):
    """The listener of the tokeniser."""

    def on_control(self, character: str) -> None:
        handler = CONTROLS.get(character)
        if handler is not None:
            handler(self)

    def on_escape(self, sequence: str) -> None:
        handler = ESCAPES.get(sequence)
        if handler is not None:
            handler(self)
        elif len(sequence) == 2 and sequence[0] in SLOTS:
            self.define_charset(sequence[1], sequence[0])

    def on_csi(self, parameters: str, final: str) -> None:
        if parameters[:1] in ("<", "=", ">", "?"):
            self._private(parameters[0], parameters[1:], final)
            return
        if final == "m":
            self.cursor.style = self._styles.follow(self.cursor.style, parameters + "m")
            return
        values = numbers(parameters)
        if not values:
            return
        counted = COUNTED.get(final)
        if counted is not None:
            counted(self, values[0])
        elif final in "Hf":
            self.cursor_position(values[0], values[1] if len(values) > 1 else None)
        elif final == "r":
            self.set_margins(values[0], values[1] if len(values) > 1 else None)
        elif final == "h":
            self.set_mode(*values)
        elif final == "l":
            self.reset_mode(*values)
        elif final == "t":
            self._window(values)

    def _window(self, values: tuple[int, ...]) -> None:
        if values[0] == 22 and values[1:2] != (1,):
            self.push_title()
        elif values[0] == 23 and values[1:2] != (1,):
            self.pop_title()
        else:
            self.report_window(values[0])

    def _private(self, prefix: str, parameters: str, final: str) -> None:
        values = numbers(parameters)
        handler = PRIVATE.get(prefix + final)
        if values and handler is not None:
            handler(self, values)

    def on_dcs(self, parameters: str, final: str, text: str) -> None:
        if final == "$q" and not parameters:
            self.report_setting(text)
        elif final == "+q" and not parameters:
            self.report_capabilities(text)

    def on_apc(self, text: str) -> None:
        head = text.partition(";")[0].split(",")
        if text.startswith("G") and ("a=q" in head or "Ga=q" in head):
            self.refuse_graphics()

    def bell(self, *_args: object) -> None:
        self.tell(Bell())

    def set_cursor_shape(self, shape: int) -> None:
        """DECSCUSR: 0 to 6."""
        if shape <= 6:
            self.cursor_shape = shape


Method = Callable[[Sequences], None]

CONTROLS: dict[str, Method] = {
    "\x07": Sequences.bell,
    "\x08": Sequences.backspace,
    "\t": Sequences.tab,
    "\n": Sequences.linefeed,
    "\x0b": Sequences.linefeed,
    "\x0c": Sequences.linefeed,
    "\r": Sequences.carriage_return,
    "\x0e": Sequences.shift_out,
    "\x0f": Sequences.shift_in,
}
ESCAPES: dict[str, Method] = {
    "c": Sequences.reset,
    "D": Sequences.index,
    "E": Sequences.next_line,
    "H": Sequences.set_tab_stop,
    "M": Sequences.reverse_index,
    "N": lambda screen: screen.single_shift(2),
    "O": lambda screen: screen.single_shift(3),
    "Z": Sequences.report_device_attributes,
    "7": Sequences.save_cursor,
    "8": Sequences.restore_cursor,
    "=": lambda screen: screen.set_mode(66, private=True),
    ">": lambda screen: screen.reset_mode(66, private=True),
    "n": lambda screen: screen.shift_to(2),
    "o": lambda screen: screen.shift_to(3),
    "#8": Sequences.alignment_display,
}
COUNTED: dict[str, Callable[[Sequences, int], None]] = {
    "@": Sequences.insert_characters,
    "A": Sequences.cursor_up,
    "B": Sequences.cursor_down,
    "C": Sequences.cursor_forward,
    "D": Sequences.cursor_back,
    "E": Sequences.cursor_down1,
    "F": Sequences.cursor_up1,
    "G": Sequences.cursor_to_column,
    "I": Sequences.forward_tab,
    "J": Sequences.erase_in_display,
    "K": Sequences.erase_in_line,
    "L": Sequences.insert_lines,
    "M": Sequences.delete_lines,
    "P": Sequences.delete_characters,
    "S": Sequences.scroll_up,
    "T": Sequences.scroll_down,
    "X": Sequences.erase_characters,
    "Z": Sequences.back_tab,
    "`": Sequences.cursor_to_column,
    "a": Sequences.cursor_forward,
    "b": Sequences.repeat,
    "c": Sequences.report_device_attributes,
    "d": Sequences.cursor_to_line,
    "e": Sequences.line_forward,
    "g": Sequences.clear_tab_stop,
    "j": Sequences.cursor_back,
    "k": Sequences.line_back,
    "n": Sequences.report_device_status,
    "s": lambda screen, _value: screen.save_cursor(),
    "u": lambda screen, _value: screen.restore_cursor(),
    " q": Sequences.set_cursor_shape,
    " @": Sequences.scroll_left,
    " A": Sequences.scroll_right,
    "!p": lambda screen, _value: screen.soft_reset(),
    "$p": lambda screen, value: screen.report_mode(value, False),
    '"q': Sequences.protect,
    "'}": Sequences.insert_columns,
    "'~": Sequences.delete_columns,
}
"""CSI sequences of one number."""


def _key_flags(screen: Sequences, values: tuple[int, ...]) -> None:
    screen.keyboard.set(values[0], values[1] if len(values) > 1 else 1)


def _other_keys(screen: Sequences, values: tuple[int, ...]) -> None:
    if values[0] in (0, 4):
        screen.modify_other_keys = min(values[1], 3) if len(values) > 1 else 0


PRIVATE: dict[str, Callable[[Sequences, tuple[int, ...]], None]] = {
    "?h": lambda screen, values: screen.set_mode(*values, private=True),
    "?l": lambda screen, values: screen.reset_mode(*values, private=True),
    "?J": lambda screen, values: screen.erase_in_display(values[0], private=True),
    "?K": lambda screen, values: screen.erase_in_line(values[0], private=True),
    "?n": lambda screen, values: screen.report_device_status(values[0], private=True),
    "?u": lambda screen, _values: screen.report_keyboard(),
    "?m": lambda screen, values: screen.report_modify_other_keys() if values[0] == 4 else None,
    "?$p": lambda screen, values: screen.report_mode(values[0], True),
    ">c": lambda screen, values: screen.report_secondary_attributes() if not values[0] else None,
    "=c": lambda screen, values: screen.report_tertiary_attributes() if not values[0] else None,
    ">q": lambda screen, values: screen.report_version() if not values[0] else None,
    ">m": _other_keys,
    ">n": lambda screen, values: _other_keys(screen, (values[0],)),
    ">u": lambda screen, values: screen.keyboard.push(values[0]),
    "<u": lambda screen, values: screen.keyboard.pop(values[0] or 1),
    "=u": _key_flags,
}
"""CSI sequences with a private prefix, all numbers given."""
