"""How a child's end is told to a person: nobody should have to read a negative exit status."""

from __future__ import annotations


def exit_words(status: int, *, by_us: bool = False) -> str:
    """`status` below 0 is a signal's number; `by_us` tells that copilot was ending the child."""
    if by_us:
        return "was ended by copilot" + (f" (exit {status})" if status > 0 else "")
    return f"was ended by signal {-status}" if status < 0 else f"exited with {status}"
