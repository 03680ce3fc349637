"""Showing a text in a widget, without a frame where nothing is new."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static


def show_content(widget: Static, content: Content, *, layout: bool = True) -> None:
    """Show `content`, if that differs from what is shown. `layout`: it may take another size."""
    shown = widget.content
    if not (isinstance(shown, Content) and content.is_same(shown)):
        widget.update(content, layout=layout)
