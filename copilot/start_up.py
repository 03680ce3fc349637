"""No garbage collection while copilot starts: it looks through all that was just imported, and finds nothing.

A tenth of a start went there. What was made by then is set aside for good, so later collections, which fall
between a key and its echo, need not look through it either.
"""

from __future__ import annotations

import gc


def begins() -> None:
    """Leave garbage alone until `is_over`."""
    gc.disable()


def is_over() -> None:
    """Collect as usual from now on, but not what there is already. Without `begins` nothing is done."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
