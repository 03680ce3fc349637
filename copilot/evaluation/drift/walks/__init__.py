"""One walk for each CLI."""

from __future__ import annotations

from copilot.evaluation.drift.walk import Walk
from copilot.evaluation.drift.walks.claude import WALK as CLAUDE
from copilot.evaluation.drift.walks.codex import WALK as CODEX

WALKS: dict[str, Walk] = {"claude": CLAUDE, "codex": CODEX}
"""By the profile's name."""
