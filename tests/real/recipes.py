"""The recipes live in `copilot.lab.recipes`, one file per CLI; here is what the live tests use of them."""

from __future__ import annotations

from copilot.lab.drift.walker import PROJECT_FILES, PROTECTED, make_project
from copilot.lab.recipes import RECIPES
from copilot.lab.recipes.base import Recipe, RecipeMaker, base_environment

__all__ = [
    "PROJECT_FILES",
    "PROTECTED",
    "RECIPES",
    "Recipe",
    "RecipeMaker",
    "base_environment",
    "make_project",
]
