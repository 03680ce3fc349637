"""How a CLI is started in a trial: the simulated one, or a real one by its recipe."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copilot.errors import CopilotError, InputError
from copilot.lab import simulated
from copilot.lab.clis import EXTRAS, RECIPES, TOOL_NAMES
from copilot.lab.clis.base import Recipe
from copilot.lab.clis.extras import extended
from copilot.lab.simulated import SIMULATED

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


def launch(
    cli: str,
    folder: Path,
    project: Path,
    url: str,
    programs: Path | None,
    extras: Mapping[str, Any] | None = None,
) -> Launch:
    """Write the CLI's HOME below `folder`. Raises InputError if the CLI is not known or not installed.

    `programs` is the folder of its program; without it the program is looked for on PATH. `extras` are what
    the session is given besides (`clis/extras.py`), by kind; one that the CLI does not have is an InputError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    given = extras or {}
    if cli == SIMULATED:
        recipe, journal = simulated.recipe(folder, project, url)
        return Launch(extended(cli, recipe, simulated.EXTRAS, given), "demo", journal)
    if cli not in RECIPES:
        raise InputError(f"cli {cli!r} is not known; known are {', '.join(known_clis())}")
    program = shutil.which(cli)
    if programs is None and program is None:
        raise InputError(f"cli {cli!r}: no such program on PATH; install it, or choose cli: {SIMULATED}")
    recipe = RECIPES[cli](folder, project, programs or Path(str(program)).parent, url, ())
    return Launch(extended(cli, recipe, EXTRAS.get(cli, {}), given), cli)


def tool_names(cli: str, tools: Collection[str]) -> dict[str, str]:
    """What the CLI's model calls each mock tool by."""
    named = simulated.tool_name if cli == SIMULATED else TOOL_NAMES.get(cli, str)
    return {name: named(name) for name in tools}
