"""The sequences that show a notification on the desktop.

OSC 9 is iTerm2's, also read by WezTerm, Ghostty and kitty; OSC 777 is urxvt's, also read by foot and others.
Multiplexers pass on neither by default, so inside one the bell has to do.
"""

from __future__ import annotations

from collections.abc import Mapping

from copilot.tui.text import clean_line

_OSC9 = {"iTerm.app", "WezTerm", "ghostty"}
_OSC777_TERMS = ("foot", "rxvt-unicode")
_MAX_TEXT = 120


def notification_protocol(option: str, environment: Mapping[str, str]) -> str:
    """`osc9`, `osc777`, or nothing: what the person asked for, else what this terminal is known to read."""
    if option != "auto":
        return "" if option == "off" else option
    if environment.get("TMUX") or environment.get("STY"):
        return ""
    if environment.get("TERM_PROGRAM") in _OSC9 or environment.get("KITTY_WINDOW_ID"):
        return "osc9"
    return "osc777" if environment.get("TERM", "").startswith(_OSC777_TERMS) else ""


def notification(text: str, way: str) -> str:
    """The sequence that shows `text` on the desktop; nothing if there is no way.

    Our name comes first, so that no text is ever read as one of the other commands of OSC 9.
    """
    said = clean_line(text).replace(";", ",")[:_MAX_TEXT]
    if way == "osc9":
        return f"\x1b]9;copilot: {said}\x07"
    return f"\x1b]777;notify;copilot;{said}\x07" if way == "osc777" else ""
