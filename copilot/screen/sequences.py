"""Which part of the terminal carries out which control, escape or CSI sequence."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from copilot.screen.modes import KEYPAD, SLOTS
from copilot.screen.sgr import number
from copilot.screen.terminal import Terminal

PREFIXES = frozenset("<=>?")


@lru_cache(maxsize=4096)
def numbers(parameters: str) -> tuple[int, ...]:
    """Parameters as numbers, missing ones as 0; empty if one is no number (nothing is done then)."""
    values = tuple(map(number, parameters.split(";")))
    return () if -1 in values else values


Plain = Callable[[], None]
Counted = Callable[[int], None]
Listed = Callable[[tuple[int, ...]], None]


class Sequences:
    """The listener of the tokeniser: looks up what to do in tables of the parts' methods."""

    def __init__(self, terminal: Terminal) -> None:
        self._modes = terminal.modes
        self._answers = terminal.answers
        self._restyle = terminal.writer.restyle
        self.on_osc = terminal.osc.run
        self._controls = _controls(terminal)
        self._escapes = _escapes(terminal)
        self._counted = _moves(terminal) | _edits(terminal)
        self._listed = _listed(terminal)
        self._private = _private(terminal)

    def on_control(self, character: str) -> None:
        handler = self._controls.get(character)
        if handler is not None:
            handler()

    def on_escape(self, sequence: str) -> None:
        handler = self._escapes.get(sequence)
        if handler is not None:
            handler()
        elif len(sequence) == 2 and sequence[0] in SLOTS:
            self._modes.define_charset(sequence[1], sequence[0])

    def on_csi(self, parameters: str, final: str) -> None:
        if parameters[:1] in PREFIXES:
            private = self._private.get(parameters[0] + final)
            if private is not None and (values := numbers(parameters[1:])):
                private(values)
        elif final == "m":
            self._restyle(parameters)
        elif values := numbers(parameters):
            counted = self._counted.get(final)
            if counted is not None:
                counted(values[0])
            elif (listed := self._listed.get(final)) is not None:
                listed(values)

    def on_dcs(self, parameters: str, final: str, text: str) -> None:
        if final == "$q" and not parameters:
            self._answers.report_setting(text)
        elif final == "+q" and not parameters:
            self._answers.report_capabilities(text)

    def on_apc(self, text: str) -> None:
        head = text.partition(";")[0].split(",")
        if text.startswith("G") and ("a=q" in head or "Ga=q" in head):
            self._answers.refuse_graphics()


def _controls(terminal: Terminal) -> dict[str, Plain]:
    motion, modes = terminal.motion, terminal.modes
    return {
        "\x07": terminal.outbox.bell,
        "\x08": motion.backspace,
        "\t": motion.tab,
        "\n": motion.linefeed,
        "\x0b": motion.linefeed,
        "\x0c": motion.linefeed,
        "\r": motion.carriage_return,
        "\x0e": modes.shift_out,
        "\x0f": modes.shift_in,
    }


def _escapes(terminal: Terminal) -> dict[str, Plain]:
    motion, grid, modes = terminal.motion, terminal.grid, terminal.modes
    return {
        "c": terminal.reset,
        "D": grid.index,
        "E": motion.next_line,
        "H": motion.set_tab_stop,
        "M": grid.reverse_index,
        "N": partial(modes.shift_once, 2),
        "O": partial(modes.shift_once, 3),
        "Z": terminal.answers.report_device_attributes,
        "7": motion.save_cursor,
        "8": motion.restore_cursor,
        "=": partial(modes.switch, KEYPAD, True),
        ">": partial(modes.switch, KEYPAD, False),
        "n": partial(modes.shift_to, 2),
        "o": partial(modes.shift_to, 3),
        "#8": terminal.alignment_display,
    }


def _moves(terminal: Terminal) -> dict[str, Counted]:
    """CSI sequences of one number that move the cursor."""
    motion = terminal.motion
    return {
        "A": motion.cursor_up,
        "B": motion.cursor_down,
        "C": motion.cursor_forward,
        "D": motion.cursor_back,
        "E": motion.cursor_down1,
        "F": motion.cursor_up1,
        "G": motion.cursor_to_column,
        "I": motion.forward_tab,
        "Z": motion.back_tab,
        "`": motion.cursor_to_column,
        "a": motion.cursor_forward,
        "d": motion.cursor_to_line,
        "e": motion.line_forward,
        "g": motion.clear_tab_stop,
        "j": motion.cursor_back,
        "k": motion.line_back,
        "s": lambda _value: motion.save_cursor(),
        "u": lambda _value: motion.restore_cursor(),
    }


def _edits(terminal: Terminal) -> dict[str, Counted]:
    """All other CSI sequences of one number."""
    grid, writer = terminal.grid, terminal.writer
    return {
        "@": grid.insert_characters,
        "J": grid.erase_in_display,
        "K": grid.erase_in_line,
        "L": grid.insert_lines,
        "M": grid.delete_lines,
        "P": grid.delete_characters,
        "S": grid.scroll_up,
        "T": grid.scroll_down,
        "X": grid.erase_characters,
        "b": writer.repeat,
        " @": grid.scroll_left,
        " A": grid.scroll_right,
        "'}": grid.insert_columns,
        "'~": grid.delete_columns,
        '"q': writer.protect,
        " q": terminal.modes.set_cursor_shape,
        "!p": lambda _value: terminal.soft_reset(),
        "c": terminal.answers.report_device_attributes,
        "n": terminal.answers.report_device_status,
        "$p": terminal.answers.report_mode,
    }


def _listed(terminal: Terminal) -> dict[str, Listed]:
    """CSI sequences of more than one number."""
    motion = terminal.motion
    return {
        "H": lambda values: motion.cursor_position(*values[:2]),
        "f": lambda values: motion.cursor_position(*values[:2]),
        "r": lambda values: motion.set_margins(*values[:2]),
        "h": lambda values: terminal.set_mode(*values),
        "l": lambda values: terminal.reset_mode(*values),
        "t": partial(_window, terminal),
    }


def _window(terminal: Terminal, values: tuple[int, ...]) -> None:
    """XTWINOPS."""
    if values[0] == 22 and values[1:2] != (1,):
        terminal.osc.push_title()
    elif values[0] == 23 and values[1:2] != (1,):
        terminal.osc.pop_title()
    else:
        terminal.answers.report_window(values[0])


def _private(terminal: Terminal) -> dict[str, Listed]:
    """CSI sequences with a private prefix."""
    answers, grid, modes = terminal.answers, terminal.grid, terminal.modes
    return {
        "?h": lambda values: terminal.set_mode(*values, private=True),
        "?l": lambda values: terminal.reset_mode(*values, private=True),
        "?J": lambda values: grid.erase_in_display(values[0], private=True),
        "?K": lambda values: grid.erase_in_line(values[0], private=True),
        "?n": lambda values: answers.report_device_status(values[0], private=True),
        "?u": lambda _values: answers.report_keyboard(),
        "?m": lambda values: answers.report_modify_other_keys() if values[0] == 4 else None,
        "?$p": lambda values: answers.report_private_mode(values[0]),
        ">c": partial(answers.report_identity, ">c"),
        "=c": partial(answers.report_identity, "=c"),
        ">q": partial(answers.report_identity, ">q"),
        ">m": lambda values: modes.set_modify_other_keys(*values[:2]),
        ">n": lambda values: modes.set_modify_other_keys(values[0]),
        ">u": lambda values: modes.push_keyboard(grid.on_alternate, values[0]),
        "<u": lambda values: modes.pop_keyboard(grid.on_alternate, values[0] or 1),
        "=u": lambda values: modes.set_keyboard(grid.on_alternate, *values[:2]),
    }
