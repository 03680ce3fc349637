"""The one door for text from outside: nothing reaches a widget, a title or a bell line but through here.

Textual writes what it is given to the real terminal, escape sequences included (`docs/safety.md`), and reads
square brackets as markup. So outside text is cleaned by `safe_text`, and handed over as `Content`.
"""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from copilot.guard.text import safe_text


def show_content(widget: Static, content: Content, *, layout: bool = True) -> None:
    """Show `content`, if that differs from what is shown. `layout`: it may take another size."""
    shown = widget.content
    if not (isinstance(shown, Content) and content.is_same(shown)):
        widget.update(content, layout=layout)


def badge_style(tone: str) -> str:
    """The style of a badge on a colour of the theme. Themes of the terminal's colours have none of it bold:
    many terminals draw bold black as grey."""
    return f"$badge $on-badge on ${tone}"


CHOSEN_STYLE = "bold on $chosen $picked"
"""Of the chosen line of a list."""
HERE_STYLE = "$foreground on $ground $picked"
"""Of the tab that is in front, and of a place that is nothing special."""


def clean(text: str) -> str:
    """Outside text of several lines, harmless to a terminal; line breaks stay."""
    return safe_text(text.replace("\r\n", "\n").expandtabs(4))


def clean_line(text: str) -> str:
    """Outside text as one harmless line: all white space becomes single blanks."""
    return safe_text(" ".join(text.split()))


def outside(text: str, style: str = "") -> Content:
    """Outside text as content that holds no markup."""
    return Content.styled(clean(text), style) if style else Content(clean(text))


def outside_line(text: str, style: str = "") -> Content:
    """Outside text as one line of content that holds no markup."""
    return Content.styled(clean_line(text), style) if style else Content(clean_line(text))
