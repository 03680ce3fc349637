"""What is around us: Python and packages, keys, the terminal, settings files, run folder, token tables."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from copilot.config import paths
from copilot.config.credentials import KEY_VARIABLES, key_names
from copilot.config.layers import environment_layer, file_layer
from copilot.config.values import ENVIRONMENT_PREFIX, KEYS
from copilot.doctor.finding import Finding, Health
from copilot.errors import InputError
from copilot.recording.run_place import runs_folder

_OF_THE_COCKPIT = ("leader", "theme", "notify", "bell")
"""Settings of the cockpit itself; the environment alone holds them."""

_DISTRIBUTION = "copilot-terminal"
_REQUIREMENT = re.compile(r"[A-Za-z0-9._-]+")


def python() -> Iterator[Finding]:
    """The interpreter and the packages that we need."""
    version = platform.python_version()
    tested = "tested" if sys.platform == "linux" else "portable code, not tested on this system"
    yield Finding("python", "python", Health.OK, f"{version} on {platform.system()} ({tested})")
    try:
        requirements = importlib.metadata.requires(_DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        yield Finding("python", _DISTRIBUTION, Health.WARNING, "runs from its source folder, not installed")
        return
    needed = [text for text in requirements if "extra ==" not in text]
    missing = [text for text in needed if _installed(text) is None]
    for text in missing:
        yield Finding("python", text, Health.ERROR, "not installed", "install copilot-terminal again")
    present = len(needed) - len(missing)
    yield Finding("python", "packages", Health.OK, f"{present} of {len(needed)} needed packages installed")


def _installed(requirement: str) -> str | None:
    match = _REQUIREMENT.match(requirement)
    try:
        return importlib.metadata.version(match.group()) if match else None
    except importlib.metadata.PackageNotFoundError:
        return None


def keys() -> Iterator[Finding]:
    """Whether the environment holds API keys; never what they are."""
    for provider, name in key_names(os.environ).items():
        if name:
            yield Finding("keys", provider, Health.OK, f"{name} is set")
        else:
            detail = f"{KEY_VARIABLES[provider][0]} is not set; without any key the offline rules reply"
            yield Finding("keys", provider, Health.MISSING, detail)


def terminal() -> Iterator[Finding]:
    """Whether the cockpit can be drawn here."""
    if not sys.stdout.isatty():
        yield Finding("terminal", "terminal", Health.INFO, "output is not a terminal; use --headless")
        return
    columns, lines = shutil.get_terminal_size()
    colours = (
        "24-bit colour" if os.environ.get("COLORTERM") in ("truecolor", "24bit") else "256 colours or fewer"
    )
    yield Finding(
        "terminal", "size", Health.OK, f"{columns}x{lines}, {colours}, TERM={os.environ.get('TERM')}"
    )


def settings_files(folder: Path) -> Iterator[Finding]:
    """The settings files that count here, read as a run would read them, and the environment."""
    user, project = paths.user_file(), paths.project_file(folder)
    places = [("user file", user, user.parent)]
    if project is not None:
        places.append(("project file", project, project.parent.parent))
    for name, path, base in places:
        try:
            if not paths.stands(path):
                yield Finding("settings", name, Health.INFO, f"none at {path}")
                continue
            layer = file_layer(path, name, base)
        except InputError as error:
            yield Finding("settings", name, Health.ERROR, str(error), "correct the file")
        else:
            yield Finding("settings", name, Health.OK, f"{path}: sets {', '.join(layer.given) or 'nothing'}")
    yield from _variables()


def _variables() -> Iterator[Finding]:
    """Variables of ours; those of GitHub's CLI share the prefix and are not touched."""
    ours = {f"{ENVIRONMENT_PREFIX}{key.upper()}" for key in (*KEYS, *_OF_THE_COCKPIT)}
    present = sorted(name for name in os.environ if name.startswith(ENVIRONMENT_PREFIX) and os.environ[name])
    try:
        environment_layer()
    except InputError as error:
        yield Finding("settings", "environment", Health.ERROR, str(error), "correct or unset it")
    for name in present:
        if name in ours:
            both = "; GitHub's CLI reads it too" if name == f"{ENVIRONMENT_PREFIX}MODEL" else ""
            yield Finding("settings", name, Health.INFO, f"set, and overrules settings files{both}")
        else:
            yield Finding("settings", name, Health.INFO, "not ours; left to GitHub's CLI")


def folders() -> Iterator[Finding]:
    """Where the user's own profiles are looked for, and where runs are written."""
    own = paths.user_profiles()
    count = len(list(own.glob("*.toml"))) if own.is_dir() else 0
    yield Finding("folders", "profiles", Health.INFO, f"{own} holds {count} of your own")
    folder = runs_folder(os.environ)
    problem = paths.writable_problem(folder)
    if problem:
        yield Finding(
            "folders",
            "runs",
            Health.ERROR,
            problem,
            "set XDG_STATE_HOME, or give each run its folder with --log",
        )
    else:
        yield Finding("folders", "runs", Health.OK, f"{folder} can be written")


def token_tables() -> Iterator[Finding]:
    """Whether tokens can be counted exactly without a network."""
    if importlib.util.find_spec("bpe_openai") is not None:
        yield Finding("tokens", "tables", Health.OK, "bpe-openai carries the tables: exact counts offline")
    else:
        detail = "bpe-openai is not installed: offline, token counts may be estimates"
        yield Finding("tokens", "tables", Health.MISSING, detail, "install copilot-terminal[tokens]")
