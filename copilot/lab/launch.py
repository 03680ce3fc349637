"""How a CLI is started in a trial: the simulated one, or a real one by its recipe."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from copilot.errors import CopilotError, InputError
from copilot.lab.clis import RECIPES
from copilot.lab.clis.base import Recipe

ALLOWED = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "PYTHONPATH", "COLORTERM")
"""What is taken over from the host."""

MARK = "CODING_CLI_TRIAL"
"""Set to 1 in every trial, so that programs can recognise one."""

_one_at_a_time = threading.Lock()


def base_variables(host: Mapping[str, str]) -> dict[str, str]:
    """The host's allowed variables, with the mark of a trial."""
    return {name: host[name] for name in ALLOWED if name in host} | {MARK: "1"}


def adjusted(base: Mapping[str, str], settings: Mapping[str, str], unset: Collection[str]) -> dict[str, str]:
    """`base` with these settings and without those names."""
    return {name: value for name, value in {**base, **settings}.items() if name not in unset}


@contextmanager
def swapped_environment(environment: Mapping[str, str]) -> Iterator[None]:
    """This process has just this environment inside the block, HOME and all; then its own again.

    The environment belongs to the whole process: a second block at the same time raises CopilotError.
    """
    if not _one_at_a_time.acquire(blocking=False):
        raise CopilotError("one harness runs at a time in a process; run the other after it, or elsewhere")
    before = dict(os.environ)
    try:
        _replace(environment)
        yield
    finally:
        _replace(before)
        _one_at_a_time.release()


def _replace(environment: Mapping[str, str]) -> None:
    for name in set(os.environ) - set(environment):
        del os.environ[name]
    os.environ.update(environment)


SIMULATED = "simulated"
_SPEED = "40"


@dataclass(frozen=True, slots=True)
class Launch:
    """A CLI in its HOME. `profile` is how its screens are read; `journal` what the simulated one noted."""

    recipe: Recipe
    profile: str
    journal: Path | None = None

    @property
    def environment(self) -> dict[str, str]:
        return {**base_variables(os.environ), **self.recipe.environment}


def known_clis() -> tuple[str, ...]:
    return (SIMULATED, *RECIPES)


def launch(cli: str, folder: Path, project: Path, url: str, programs: Path | None) -> Launch:
    """Write the CLI's HOME below `folder`. Raises InputError if the CLI is not known or not installed.

    `programs` is the folder of its program; without it the program is looked for on PATH.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if cli == SIMULATED:
        return _simulated(folder, project, url)
    if cli not in RECIPES:
        raise InputError(f"cli {cli!r} is not known; known are {', '.join(known_clis())}")
    program = shutil.which(cli)
    if programs is None and program is None:
        raise InputError(f"cli {cli!r}: no such program on PATH; install it, or choose cli: {SIMULATED}")
    return Launch(RECIPES[cli](folder, project, programs or Path(str(program)).parent, url, ()), cli)


def _simulated(folder: Path, project: Path, url: str) -> Launch:
    home, journal = folder / "home", folder / "journal.jsonl"
    home.mkdir()
    environment = {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_STATE_HOME": str(home / ".state"),
        "TERM": "xterm-256color",
        "PYTHONDONTWRITEBYTECODE": "1",
        "ANTHROPIC_BASE_URL": url,
    }
    arguments = ("-P", "-m", "copilot.demo.agent", "--speed", _SPEED, "--journal", str(journal))
    return Launch(Recipe(sys.executable, home, project, environment, arguments), "demo", journal)
