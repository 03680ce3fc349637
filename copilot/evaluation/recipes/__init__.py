"""How each coding CLI runs offline against the scripted model server: one small file per CLI."""

from __future__ import annotations

from copilot.evaluation.recipes.aider import aider
from copilot.evaluation.recipes.base import RecipeMaker
from copilot.evaluation.recipes.claude import claude
from copilot.evaluation.recipes.codex import codex
from copilot.evaluation.recipes.copilot_cli import copilot_cli
from copilot.evaluation.recipes.gemini import gemini
from copilot.evaluation.recipes.opencode import opencode
from copilot.evaluation.recipes.pi import pi
from copilot.evaluation.recipes.qwen import qwen

RECIPES: dict[str, RecipeMaker] = {
    "aider": aider,
    "claude": claude,
    "codex": codex,
    "copilot": copilot_cli,
    "gemini": gemini,
    "opencode": opencode,
    "pi": pi,
    "qwen": qwen,
}
"""By the profile's name."""
