"""Character sets that programs still switch to: DEC line drawing and the British pound sign."""

from __future__ import annotations

DRAWING = {
    ord(ascii): drawn
    for ascii, drawn in zip("`abcdefghijklmnopqrstuvwxyz{|}~_", "◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·\xa0", strict=True)
}
BRITISH = {ord("#"): "£"}

SETS: dict[str, dict[int, str] | None] = {"0": DRAWING, "A": BRITISH, "B": None}
"""By the final character of `ESC ( F`; what is not here means ASCII."""

SLOTS = "()*+"
"""`ESC ( F` sets G0, `ESC ) F` G1, `ESC * F` G2, `ESC + F` G3."""
