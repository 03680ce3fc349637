"""Where our folders are: data in the wheel or the source tree, the user's own by the XDG directory rules."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data_folder(name: str) -> Path:
    """The folder `styles` or `profiles`, of the installed wheel if there is one, else of the checkout."""
    installed = _PACKAGE / "_data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name


def config_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """`$XDG_CONFIG_HOME/copilot`: the user's settings and profiles."""
    return _base("XDG_CONFIG_HOME", ".config", environment)


def state_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """`$XDG_STATE_HOME/copilot`: run folders and crash reports."""
    return _base("XDG_STATE_HOME", ".local/state", environment)


def _base(variable: str, default: str, environment: Mapping[str, str]) -> Path:
    """The folder that an XDG variable names; relative values are ignored, as the specification asks."""
    chosen = Path(environment.get(variable, ""))
    home = Path(environment["HOME"]) if environment.get("HOME") else Path.home()
    return (chosen if chosen.is_absolute() else home / default) / "copilot"
