"""Text as `Content`: cleaned where it comes from outside, wrapped with an indent, cut at a word.

No text from outside reaches a widget, a title or a bell line but through here. Textual writes what it is
given to the real terminal, escape sequences included (`docs/safety.md`), and reads square brackets as markup.
So outside text is cleaned by `safe_text`, and handed over as `Content`.
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


_LEAST_CELLS = 8
"""In less room than this words would fall to pieces: the rows are then as long as they come."""
_MOST_INDENT = 0.4
"""Share of the width that an indent may take; where its word is longer, rows are indented by a mere step."""
_STEP = 2
_AFTER_WORD = " ,;:.–—("
"""Characters dropped between the last whole word and what is left out."""


def hanging(head: Content, body: Content, width: int, *, again: Content | None = None) -> Content:
    """`head` and `body` in rows of `width` cells; further rows are indented by `again`, else by blanks."""
    indent = Content(" " * head.cell_length) if again is None else again
    first, *rest = body.wrap(max(_LEAST_CELLS, width - head.cell_length))
    return Content("\n").join([head + first, *(indent + row for row in rest)])


def noted(head: Content, body: Content, width: int, tail: Content | None = None) -> Content:
    """`head` and `body`, further rows below the body, or a step further in than the head if narrow.

    `tail` is not torn: it is on the last row, or on one of its own.
    """
    before = len(head.plain) - len(head.plain.lstrip())
    cells = head.cell_length if head.cell_length <= width * _MOST_INDENT else before + _STEP
    indent, room = Content(" " * cells), max(_LEAST_CELLS, width - cells)
    line = head + body
    first = line.wrap(max(_LEAST_CELLS, width))[0]
    rows = [first, *(indent + row for row in _wrapped(line, len(first.plain), room))]
    if tail is not None and rows[-1].cell_length + tail.cell_length <= width:
        rows[-1] += tail
    elif tail is not None:
        rows += [indent + row for row in _wrapped(tail, 0, room)]
    return Content("\n").join(rows)


def _wrapped(text: Content, start: int, width: int) -> list[Content]:
    """The text from `start` on, without blanks before it, in rows."""
    start += len(text.plain[start:]) - len(text.plain[start:].lstrip())
    return text[start:].wrap(width) if start < len(text.plain) else []


def cut_to(content: Content, rows: int, width: int) -> Content:
    """The first rows of content that is in rows already; an ellipsis shows that some are left out."""
    lines = content.split("\n")
    if len(lines) <= rows:
        return content
    *whole, last = lines[: max(1, rows)]
    return Content("\n").join([*whole, (last.rstrip() + Content(" …")).truncate(width, ellipsis=True)])


def cut_at_word(line: Content, width: int) -> Content:
    """One row of so many cells: cut before a whole word, with an ellipsis."""
    if line.cell_length <= width:
        return line
    cut = line.truncate(max(1, width - 1))
    if line.plain[len(cut.plain)] not in _AFTER_WORD and " " in cut.plain.strip():
        cut = cut[: cut.plain.rstrip().rfind(" ")]
    return cut[: len(cut.plain.rstrip(_AFTER_WORD))] + Content("…")


def rows_of(content: Content, width: int) -> int:
    return content.get_height({}, max(1, width))
