"""Plain tables for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from copilot.safety.text import safe_text


def table(rows: Sequence[Sequence[str]], indent: str = "") -> list[str]:
    """Lines with their columns aligned, each cell on one line; the last column is as long as it is."""
    if not rows:
        return []
    rows = [[" ".join(text.split()) for text in row] for row in rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [text.ljust(width) for text, width in zip(row, widths, strict=True)]
        lines.append(safe_text(indent + "  ".join(cells).rstrip()))
    return lines
