"""What a plan says to the CLI by itself. One line each, for most composers take one."""

from __future__ import annotations

from copilot.core.characters import is_seen

CONTINUE = (
    "The session was interrupted during this task. Look at what is already there and go on from where you "
    "stopped; do not start over."
)
_MOST_CHARACTERS = 480
"""A CLI takes much longer texts for a paste and shows only that there was one."""


def check_failed(command: str, outcome: str, excerpt: str) -> str:
    """The message to the CLI about a check that did not pass."""
    head = f"The check `{plain(command)}` of this step {plain(outcome)}."
    tail = "Put it right; then the check is run again."
    room = _MOST_CHARACTERS - len(head) - len(tail)
    shown = plain(excerpt)
    if len(shown) > room:
        shown = "... " + shown[-max(0, room - 4) :]
    said = f" Its output ends: {shown}" if shown and room > 0 else ""
    return f"{head}{said} {tail}"


def plain(text: str) -> str:
    """`text` in one line, of characters that may be typed."""
    kept = (char if _may_stand(text, index) else " " for index, char in enumerate(text))
    return " ".join("".join(kept).split())


def _may_stand(text: str, index: int) -> bool:
    char = text[index]
    return char.isprintable() and (char.isascii() or (char.isalnum() and is_seen(text, index)))
