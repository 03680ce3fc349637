"""How each coding CLI runs offline against the scripted model server: one small file per CLI."""

from __future__ import annotations

from copilot.evaluation.recipes.base import RecipeMaker
from copilot.evaluation.recipes.claude import claude
from copilot.evaluation.recipes.codex import codex

RECIPES: dict[str, RecipeMaker] = {"claude": claude, "codex": codex}
"""By the profile's name."""
