"""Finding programs on PATH without ever finding ourselves: GitHub's CLI is named `copilot` too."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from copilot.core.provider_keys import without_keys
from copilot.errors import InputError
from copilot.plain_files import read_start

_VERSION_SECONDS = 10.0
_VERSION = re.compile(r"\d+(?:\.\d+)+")


def version_of(
    path: str,
    arguments: tuple[str, ...],
    *,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    seconds: float = _VERSION_SECONDS,
) -> str | None:
    """The version that a program prints, or None. It runs once, without input, for `seconds` at most.

    `environment` and `folder` are ours unless given; a CLI that updates itself in HOME is another there.
    """
    try:
        done = subprocess.run(
            [path, *arguments],
            env=without_keys(os.environ if environment is None else environment),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    match = _VERSION.search((done.stdout + done.stderr).decode("utf-8", "replace")[:4000])
    return match.group() if match else None


_DROPPED = frozenset({"VTE_VERSION", "WT_SESSION", "LINES", "COLUMNS", "ROWS"})
_DROPPED_BEGINNINGS = ("TMUX", "TERM_PROGRAM", "KITTY_", "COPILOT_", "TEXTUAL")


def in_browser(environment: Mapping[str, str]) -> bool:
    """Whether `copilot serve` has started us: what is drawn goes to a web page, not to a terminal."""
    return environment.get("TEXTUAL_DRIVER", "").endswith(":WebDriver")


def child_environment(base: Mapping[str, str], *, keep: Collection[str] = ()) -> dict[str, str]:
    """`base` without the marks of the terminal that copilot runs in, as a true-colour xterm.

    Variables of the outer terminal would have a CLI use features that ours does not have; LINES and COLUMNS
    would overrule the real size. `COPILOT_*` are our own settings, keys among them, and never passed on,
    except for names in `keep` (GitHub's CLI, also named copilot, has variables that begin so).
    """
    kept = {
        name: value
        for name, value in base.items()
        if name in keep or not (name in _DROPPED or name.startswith(_DROPPED_BEGINNINGS))
    }
    return kept | {"TERM": "xterm-256color", "COLORTERM": "truecolor"}


_OUR_MARKS = (
    b"from copilot.cli import",
    b"import copilot.cli",
    b"-m copilot\n",
    b"-m copilot ",
    b'-m copilot"',
)
"""What the start scripts of this package contain, made by pip, pipx, uv or by hand."""
_SCRIPT_BYTES = 4096


class FoundProgram(NamedTuple):
    """An executable file with the wanted name. `ours` means that it starts this very package."""

    path: str
    ours: bool


def is_ours(path: str | Path) -> bool:
    """Whether this executable file starts this package (False also if it cannot be read)."""
    try:
        beginning = read_start(path, _SCRIPT_BYTES)
    except OSError:
        return False
    return beginning.startswith(b"#!") and any(mark in beginning for mark in _OUR_MARKS)


def find_programs(name: str, *, path: str | None = None) -> Iterator[FoundProgram]:
    """Every executable file of that name along PATH (`path`, else our own), in order, each file once."""
    seen: set[str] = set()
    for folder in (os.environ.get("PATH", os.defpath) if path is None else path).split(os.pathsep):
        candidate = os.path.abspath(os.path.join(folder, name))  # noqa: PTH100, PTH118  (keeps links)
        real = os.path.realpath(candidate)
        if real not in seen and _executable(candidate):
            seen.add(real)
            yield FoundProgram(candidate, is_ours(candidate))


def find_program(name: str, *, path: str | None = None) -> str | None:
    """The first executable file of that name along PATH that is not ourselves; None if there is none."""
    return next((found.path for found in find_programs(name, path=path) if not found.ours), None)


def resolve_program(name: str, *, folder: str, environment: Mapping[str, str]) -> str:
    """The path that `name` starts: along the child's PATH, or relative to `folder` if it has a slash.

    Raises InputError with the way out: not found, not executable, or this program itself.
    """
    if not name:
        raise InputError("no program to run was given; name one after `--`, for example: copilot -- claude")
    if "/" not in name:
        found = list(find_programs(name, path=environment.get("PATH", os.defpath)))
        theirs = next((one.path for one in found if not one.ours), None)
        if theirs is not None:
            return theirs
        if found:
            raise InputError(
                f"{name}: only this program itself is on PATH; give the path of the other {name}"
            )
        raise InputError(f"{name}: no such program on PATH; install it, or give its path")
    path = os.path.join(folder, os.path.expanduser(name))  # noqa: PTH111, PTH118
    if not os.path.exists(path):  # noqa: PTH110
        raise InputError(f"{name}: no such file; give the path of a program")
    if not _executable(path):
        raise InputError(f"{name}: is not an executable file; try: chmod +x {name}")
    if is_ours(path):
        raise InputError(f"{name}: is this program itself; name the coding CLI that it should run")
    return os.path.abspath(path)  # noqa: PTH100  (a link may be what the program looks at)


def _executable(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)  # noqa: PTH113
