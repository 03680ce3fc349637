"""Coding CLIs offline: how each is set up on the scripted model server, and how its dialogs are walked."""

from __future__ import annotations

from copilot.lab.clis import aider, claude, codex, copilot_cli, gemini, opencode, pi, qwen
from copilot.lab.clis.base import RecipeMaker, Walk

RECIPES: dict[str, RecipeMaker] = {
    "aider": aider.recipe,
    "claude": claude.recipe,
    "codex": codex.recipe,
    "copilot": copilot_cli.recipe,
    "gemini": gemini.recipe,
    "opencode": opencode.recipe,
    "pi": pi.recipe,
    "qwen": qwen.recipe,
}
"""By the profile's name."""

WALKS: dict[str, Walk] = {
    "claude": claude.WALK,
    "codex": codex.WALK,
    "copilot": copilot_cli.WALK,
    "gemini": gemini.WALK,
    "opencode": opencode.WALK,
    "pi": pi.WALK,
    "qwen": qwen.WALK,
}
"""By the profile's name."""
