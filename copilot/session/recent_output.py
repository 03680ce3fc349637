"""What the terminal showed lately, as text for a prompt: scrollback of the main screen, then the screen."""

from __future__ import annotations

from dataclasses import dataclass

from copilot.screen import TerminalScreen
from copilot.screen.hidden import seen_text, without_hidden

MOST_ROWS = 200


@dataclass(frozen=True, slots=True)
class RecentOutput:
    """`text` as a person could read it; `hidden` counts the invisible characters left out."""

    text: str
    hidden: int = 0


def recent_output(screen: TerminalScreen, most_rows: int = MOST_ROWS) -> RecentOutput:
    """The last rows, wrapped ones joined to one line, oldest first. A full-screen program has no past."""
    snapshot, counts = without_hidden(screen.snapshot(), screen.theme)
    rows = list(zip(snapshot.lines, snapshot.wrapped, strict=True))[-most_rows:]
    hidden = sum(counts.values())
    missing = most_rows - len(rows)
    if missing > 0 and not snapshot.alternate_screen:
        kept = len(screen.scrollback)
        past: list[tuple[str, bool]] = []
        for line in range(max(0, kept - missing), kept):
            picture = screen.scrollback_row(line).picture_of(snapshot.columns)
            text, count = seen_text(picture, screen.theme)
            past.append((text, picture.wrapped))
            hidden += count
        rows = past + rows
    return RecentOutput(_joined(rows), hidden)


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
