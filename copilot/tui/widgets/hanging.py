"""Text that runs over several rows, the further ones indented to where the first begins."""

from __future__ import annotations

from textual.content import Content

_LEAST_CELLS = 8
"""In less room than this words would fall to pieces: the rows are then as long as they come."""


def hanging(head: Content, body: Content, width: int, *, again: Content | None = None) -> Content:
    """`head` and `body` in rows of `width` cells; further rows stand behind `again`, else behind blanks."""
    indent = Content(" " * head.cell_length) if again is None else again
    first, *rest = body.wrap(max(_LEAST_CELLS, width - head.cell_length))
    return Content("\n").join([head + first, *(indent + row for row in rest)])


def rows_of(content: Content, width: int) -> int:
    """How many rows of `width` cells the content takes."""
    return content.get_height({}, max(1, width))
