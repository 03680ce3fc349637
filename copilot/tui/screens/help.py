"""Every key and all that the mouse does, made from the registries."""

from __future__ import annotations

import re
from functools import partial

from textual.content import Content

from copilot.tui.keymap import Action, Place, shown
from copilot.tui.mouse import MOUSE_ACTIONS
from copilot.tui.options import UiOptions
from copilot.tui.screens.dialog import Page
from copilot.tui.text import hanging

_KEY_CELLS = 14
_DIGITS = re.compile(r"\b([0-9])(?: [0-9]){3,} ([0-9])\b")
_SECTIONS = (
    (Place.LEADER, "after the leader {leader}"),
    (Place.REPLY, "in the reply panel (single keys)"),
    (Place.EDIT, "while you write a reply"),
    (Place.INSTRUCT, "while you write an instruction"),
    (Place.SCROLL, "while you look back"),
    (Place.SEARCH, "while you write what to search for"),
)


def help_content(options: UiOptions, width: int) -> Content:
    """All places with their keys, in lines of at most `width` cells."""
    leader = options.leader_label
    lines = [
        Content.assemble(
            "In the terminal every key goes to the program, but ", (leader, "bold $accent"), ": the leader."
        ),
        Content.assemble(
            "Press it twice to send it through. While a reply counts down, ",
            ("any key", "bold"),
            " stops it.",
        ),
    ]
    for place, title in _SECTIONS:
        lines += [Content(""), Content.styled(title.format(leader=leader), "bold $primary")]
        for action in options.keymap.actions:
            if action.keys.get(place):
                lines.append(_line(action, place, width))
    lines += [Content(""), Content.styled("with the mouse", "bold $primary")]
    for clicked in MOUSE_ACTIONS:
        said = Content(f"{clicked.where}, {clicked.gesture}: {clicked.help}")
        lines.append(hanging(Content("  "), said, width, again=Content("    ")))
    return Content("\n").join(lines)


def _line(action: Action, place: Place, width: int) -> Content:
    keys = " ".join("↑" if key == "up" else shown(key) for key in action.keys[place])
    keys = _DIGITS.sub(r"\1 … \2", keys)
    head = Content.styled(f"  {keys:<{_KEY_CELLS}}", "bold")
    if len(keys) < _KEY_CELLS:
        return hanging(head, Content(action.help), width)
    return head + "\n" + hanging(Content(" " * (_KEY_CELLS + 2)), Content(action.help), width)


class HelpScreen(Page, inherit_bindings=False):
    def __init__(self, options: UiOptions) -> None:
        super().__init__("keys", partial(help_content, options), closed_by="question_mark")
