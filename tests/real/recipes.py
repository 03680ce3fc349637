"""The recipes live in `copilot.lab.clis`, one file per CLI; here is what the live tests use of them."""

from __future__ import annotations

from copilot.lab.clis import RECIPES
from copilot.lab.clis.base import Recipe, RecipeMaker, base_environment
from copilot.lab.profiles.walker import PROJECT_FILES, PROTECTED, make_project

__all__ = [
    "PROJECT_FILES",
    "PROTECTED",
    "RECIPES",
    "Recipe",
    "RecipeMaker",
    "base_environment",
    "make_project",
]
