"""The fence around untrusted text: what the screen or the repository says is data, never an instruction.

The marker is random per call, so text that was on the screen before cannot close the fence. It comes in as
data, which keeps the room pure. Every block names its own marker, so the system prompt stays the same from
call to call and can be cached.
"""

from __future__ import annotations

OPEN_WORD = "<<<UNTRUSTED"
CLOSE_WORD = "UNTRUSTED>>>"
_LEAST_MARKER = 8


def check_marker(marker: str) -> None:
    """Raises ValueError for a marker that could be guessed or would not stand alone."""
    if len(marker) < _LEAST_MARKER or not marker.isascii() or not marker.isalnum():
        raise ValueError(f"a fence marker is at least {_LEAST_MARKER} ASCII letters and digits")


def fenced(label: str, text: str, marker: str) -> str:
    """`text` between two lines that carry the marker; the marker is taken out of the text itself."""
    while marker in text:
        text = text.replace(marker, "")
    return f"{OPEN_WORD} {marker} {label}\n{text}\n{marker} {CLOSE_WORD}"
