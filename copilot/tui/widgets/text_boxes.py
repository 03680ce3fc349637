"""Textual's editor and line, with the word keys that a shell has too: Alt+B and Alt+F.

Many terminals send those for Option with an arrow.
"""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Input, TextArea


class TextBox(TextArea):
    """An editor of several lines."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("alt+b", "cursor_word_left", show=False),
        Binding("alt+f", "cursor_word_right", show=False),
    ]


class LineBox(Input):
    """A line of text."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("alt+b", "cursor_left_word", show=False),
        Binding("alt+f", "cursor_right_word", show=False),
    ]
