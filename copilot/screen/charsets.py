"""Character sets that programs still switch to: DEC line drawing and the British pound sign."""

from __future__ import annotations

DRAWING = str.maketrans("_`abcdefghijklmnopqrstuvwxyz{|}~", " ◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·")
BRITISH = str.maketrans("#", "£")

SETS: dict[str, dict[int, int] | None] = {"0": DRAWING, "A": BRITISH, "B": None}
"""By the final character of `ESC ( F`; what is not here means ASCII."""

SLOTS = "()*+"
"""`ESC ( F` sets G0, `ESC ) F` G1, `ESC * F` G2, `ESC + F` G3."""
