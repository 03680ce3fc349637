"""Coding CLIs offline: how each is set up on the scripted model server, and how its dialogs are walked.

A module of this folder bears the name of the CLI's profile. It has `recipe`, and `WALK` if its dialogs can be
walked.
"""

from __future__ import annotations

import importlib
import pkgutil

from copilot.lab.clis.base import RecipeMaker, Walk

_MODULES = {
    found.name: importlib.import_module(f"{__name__}.{found.name}")
    for found in pkgutil.iter_modules(__path__)
    if found.name != "base"
}

RECIPES: dict[str, RecipeMaker] = {name: module.recipe for name, module in _MODULES.items()}
"""By the profile's name."""

WALKS: dict[str, Walk] = {name: module.WALK for name, module in _MODULES.items() if hasattr(module, "WALK")}
"""By the profile's name."""
