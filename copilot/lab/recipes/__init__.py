"""How each coding CLI runs offline against the scripted model server: one small file per CLI."""

from __future__ import annotations

from copilot.lab.recipes.aider import aider
from copilot.lab.recipes.base import RecipeMaker
from copilot.lab.recipes.claude import claude
from copilot.lab.recipes.codex import codex
from copilot.lab.recipes.copilot_cli import copilot_cli
from copilot.lab.recipes.gemini import gemini
from copilot.lab.recipes.opencode import opencode
from copilot.lab.recipes.pi import pi
from copilot.lab.recipes.qwen import qwen

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
