"""Calling a person who looks elsewhere: a desktop notification by the terminal, and what happened meanwhile.

OSC 9 is iTerm2's, also read by WezTerm, Ghostty and kitty; OSC 777 is urxvt's, also read by foot and others.
Multiplexers pass neither on unless told to, so inside one the bell has to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.cells import cell_len
from textual.content import Content

from copilot.tui.describe import in_words
from copilot.tui.run_line import Moment
from copilot.tui.text import clean_line, outside_line

_OSC9 = {"iTerm.app", "WezTerm", "ghostty"}
_OSC777_TERMS = ("foot", "rxvt-unicode")
_LONGEST = 120
_WIDEST_LABEL = 32
"""A longer label pushes its own question aside, not those of all."""
MOST_LINES = 6
LEAST_AWAY_SECONDS = 5.0


def way_to_notify(option: str, environment: Mapping[str, str]) -> str:
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

    Our name stands first, so that no text is ever read as one of the other commands of OSC 9.
    """
    said = clean_line(text).replace(";", ",")[:_LONGEST]
    if way == "osc9":
        return f"\x1b]9;copilot: {said}\x07"
    return f"\x1b]777;notify;copilot;{said}\x07" if way == "osc777" else ""


def away_content(moments: Iterable[Moment], left_at: float, now: float) -> Content | None:
    """What was decided since `left_at`, the newest last; None if nothing was."""
    happened = [moment for moment in moments if moment.mark.at >= left_at]
    if not happened or now - left_at < LEAST_AWAY_SECONDS:
        return None
    head = [("while you were away", "bold $primary"), (f"  {in_words(now - left_at)}", "$quiet")]
    more = len(happened) - MOST_LINES
    if more > 0:
        head.append((f"  and {more} before these", "$quiet"))
    shown = happened[-MOST_LINES:]
    width = min(_WIDEST_LABEL, max(cell_len(clean_line(moment.mark.label)) for moment in shown))
    return Content("\n").join([Content.assemble(*head), *(_line(moment, now, width) for moment in shown)])


def _line(moment: Moment, now: float, width: int) -> Content:
    """One moment; questions begin in one column behind labels of at most `width` cells."""
    mark = moment.mark
    ago = f"{in_words(now - mark.at):>10} ago  "
    parts = [Content.styled(ago, "$quiet"), Content.styled(f"{mark.shape} ", f"bold ${mark.tone}")]
    parts.append(outside_line(mark.label, "bold"))
    if moment.asked:
        after = " " * max(2, 2 + width - parts[-1].cell_length)
        parts += [Content(after), outside_line(moment.asked, "$quiet")]
    return Content.assemble(*parts)
