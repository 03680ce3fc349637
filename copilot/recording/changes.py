"""`changes.diff`: what changed in the project during a run, kept beside it."""

from __future__ import annotations

MOST_CHARACTERS = 1_000_000
"""Of a larger difference the beginning is kept."""
