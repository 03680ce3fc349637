"""Coding CLIs offline: how each is set up on the scripted model server, and how its dialogs are walked.

A module of this folder bears the name of the CLI's profile. It has `recipe`, and `WALK` if its dialogs can be
walked.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping

from copilot.lab.clis.base import RecipeMaker, Walk
from copilot.lab.clis.extras import Extra

_MODULES = {
    found.name: importlib.import_module(f"{__name__}.{found.name}")
    for found in pkgutil.iter_modules(__path__)
    if found.name not in ("base", "extras")
}

RECIPES: dict[str, RecipeMaker] = {name: module.recipe for name, module in _MODULES.items()}
"""By the profile's name."""

WALKS: dict[str, Walk] = {name: module.WALK for name, module in _MODULES.items() if hasattr(module, "WALK")}
"""By the profile's name."""

EXTRAS: dict[str, Mapping[str, Extra]] = {
    name: module.EXTRAS for name, module in _MODULES.items() if hasattr(module, "EXTRAS")
}
"""What a session of the CLI may be given besides its task, by the profile's name."""

TOOL_NAMES: dict[str, Callable[[str], str]] = {
    name: module.tool_name for name, module in _MODULES.items() if hasattr(module, "tool_name")
}
"""What the CLI's model calls a mock tool by, by the profile's name."""
