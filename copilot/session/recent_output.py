"""What the terminal showed lately, as text for a prompt: scrollback of the main screen, then the screen."""

from __future__ import annotations

from copilot.screen import TerminalScreen

MOST_ROWS = 200


def recent_output(screen: TerminalScreen, most_rows: int = MOST_ROWS) -> str:
    """The last rows, wrapped ones joined to one line, oldest first. A full-screen program has no past."""
    snapshot = screen.snapshot()
    rows = list(zip(snapshot.lines, snapshot.wrapped, strict=True))
    missing = most_rows - len(rows)
    if missing > 0 and not snapshot.alternate_screen:
        kept = len(screen.scrollback)
        pictures = [
            screen.scrollback_row(line).picture_of(snapshot.columns)
            for line in range(max(0, kept - missing), kept)
        ]
        rows = [(picture.text, picture.wrapped) for picture in pictures] + rows
    return _joined(rows[-most_rows:])


def _joined(rows: list[tuple[str, bool]]) -> str:
    lines: list[str] = []
    line = ""
    for text, wrapped in rows:
        line += text if wrapped else text.rstrip()
        if not wrapped:
            lines.append(line)
            line = ""
    if line:
        lines.append(line.rstrip())
    return "\n".join(lines).strip("\n")
