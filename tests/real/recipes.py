"""The recipes live in `copilot.evaluation.recipes`, one file per CLI; here is what the live tests use of them."""

from __future__ import annotations

from copilot.evaluation.drift.walker import PROJECT_FILES, PROTECTED, make_project
from copilot.evaluation.recipes import RECIPES
from copilot.evaluation.recipes.base import Recipe, RecipeMaker, base_environment

__all__ = [
    "PROJECT_FILES",
    "PROTECTED",
    "RECIPES",
    "Recipe",
    "RecipeMaker",
    "base_environment",
    "make_project",
]
