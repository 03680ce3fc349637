"""What each part loads, seen from inside a fresh process: static rules cannot see deferred imports.

`make imports` checks what modules name; this checks what is really loaded when they are imported.
"""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from collections.abc import Iterable, Set
from pathlib import Path

import pytest

import copilot

PACKAGE = Path(copilot.__file__).parent
HEAVY = ("textual", "anthropic", "openai", "pyte", "re2", "pydantic", "pydantic_settings", "httpx", "asyncio")
IMPURE = (
    "textual",
    "anthropic",
    "openai",
    "ptyprocess",
    "pydantic",
    "httpx",
    "subprocess",
    "asyncio",
    "socket",
)
PURE_ROOMS = ("core", "screen", "detection", "prompting", "guard", "redaction", "engine")
OUTER_ROOMS = (
    "copilot.supervision",
    "copilot.pty",
    "copilot.providers",
    "copilot.recording",
    "copilot.config",
    "copilot.session",
    "copilot.replay",
    "copilot.lab",
    "copilot.tui",
    "copilot.demo",
    "copilot.doctor",
    "copilot.cli",
)
FRONT_ENDS_OF_ROOMS = {"copilot.guard.commands"}
"""Modules in a pure room that are a front end: click reads their options, so they may load it."""

_PROBE = """
import importlib, json, sys
for name in json.loads(sys.argv[1]):
    importlib.import_module(name)
if sys.argv[2]:
    from copilot.cli import main
    code = main(json.loads(sys.argv[2]))
print("\\n" + json.dumps(sorted(sys.modules)))
"""


def loaded_by(modules: Iterable[str], arguments: Iterable[str] | None = None) -> frozenset[str]:
    """The modules loaded in a fresh process after importing `modules` and running `copilot ARGUMENTS`."""
    return _loaded_by(tuple(modules), None if arguments is None else tuple(arguments))


@functools.cache
def _loaded_by(modules: tuple[str, ...], arguments: tuple[str, ...] | None) -> frozenset[str]:
    argument = "" if arguments is None else json.dumps(arguments)
    done = subprocess.run(
        [sys.executable, "-c", _PROBE, json.dumps(modules), argument],
        capture_output=True,
        text=True,
        check=False,
        cwd=PACKAGE.parent,
    )
    assert done.returncode == 0, done.stderr
    return frozenset(json.loads(done.stdout.splitlines()[-1]))


def among(loaded: Set[str], names: tuple[str, ...]) -> set[str]:
    """Those of `names` that are loaded, or of which a part is."""
    return {name for name in names if any(one == name or one.startswith(f"{name}.") for one in loaded)}


def modules_of(room: str) -> list[str]:
    paths = sorted((PACKAGE / room).rglob("*.py"))
    names = (".".join(("copilot", *path.relative_to(PACKAGE).with_suffix("").parts)) for path in paths)
    return [name.removesuffix(".__init__") for name in names if name not in FRONT_ENDS_OF_ROOMS]


@pytest.mark.parametrize("room", PURE_ROOMS)
def test_a_pure_room_loads_no_io_and_no_outer_room(room: str) -> None:
    loaded = loaded_by(modules_of(room)) - loaded_by(["re2", "rich", "tiktoken", "pyte"])
    assert among(loaded, IMPURE) == set()
    assert among(loaded, OUTER_ROOMS) == set()


def test_the_core_loads_no_helper() -> None:
    helpers = tuple(f"copilot.{room}" for room in PURE_ROOMS if room != "core")
    assert among(loaded_by(modules_of("core")), helpers) == set()


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["no-such-command"], ["--no-such-option"]])
def test_the_front_door_opens_without_anything_heavy(arguments: list[str]) -> None:
    assert among(loaded_by([], arguments), HEAVY) == set()


def test_the_simulated_cli_needs_the_standard_library_only() -> None:
    loaded = loaded_by(["copilot.demo.simulated_cli"])
    assert among(loaded, (*HEAVY, "click", "rich")) == set()


def test_the_supervisor_starts_in_a_bare_interpreter() -> None:
    loaded = loaded_by(["copilot.supervision.supervisor"])
    assert among(loaded, (*HEAVY, *IMPURE, "click", "rich", "pathlib")) == set()


def test_the_room_of_the_supervisor_loads_no_other() -> None:
    others = tuple(room for room in OUTER_ROOMS if room != "copilot.supervision")
    pure = tuple(f"copilot.{room}" for room in PURE_ROOMS)
    loaded = loaded_by(modules_of("supervision"))
    assert among(loaded, (*others, *pure, "ptyprocess", "pydantic", "textual")) == set()


def test_the_check_itself_notices_a_heavy_import() -> None:
    assert among(loaded_by(["asyncio", "copilot.core.states"]), IMPURE) >= {"asyncio", "socket"}
