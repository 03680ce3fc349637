"""Runs inside the fresh environment, alone: imports everything, loads every command, profile and style, and
plays one session. A line of JSON on stdout for each step.
"""

from __future__ import annotations

import ast
import importlib
import json
import pkgutil
import re
import shutil
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

OURS = "copilot-terminal"
_OPTIONAL = ("copilot.pytest_plugin",)
"""Modules for programs that need not be there."""
_NOT_LOADED = ("__main__", "conftest", "tests", "test")
_distribution = OURS
"""What is probed; `main` sets it."""


def _packages() -> list[str]:
    """The top-level names that the distribution brings."""
    folded = _folded(_distribution)
    owners = metadata.packages_distributions().items()
    return sorted(name for name, of in owners if folded in map(_folded, of) and name.isidentifier())


def _extras() -> set[str]:
    """What it asks for with an extra only: such a module may be missing."""
    return {_folded(line) for line in metadata.requires(_distribution) or [] if "extra ==" in line}


def _imports() -> list[str]:
    found = []
    for name in _packages():
        package = importlib.import_module(name)
        inside = pkgutil.walk_packages(getattr(package, "__path__", []), f"{name}.", onerror=_nothing)
        for one in [name, *(one.name for one in inside)]:
            if one in _OPTIONAL or set(_NOT_LOADED) & set(one.split(".")):
                continue
            try:
                importlib.import_module(one)
            except ModuleNotFoundError as error:
                if _folded(str(error.name).split(".")[0]) not in _extras():
                    raise ImportError(f"{one}: {error}") from error
            found.append(one)
    if not found:
        raise LookupError("it brings no module that can be imported")
    return found


def _nothing(name: str) -> None:
    """What does not load is told by the import of it."""


def _declared() -> list[str]:
    """Every package that our modules import is asked for by the wheel, or by what it asks for."""
    asked = _asked_for(_distribution)
    owners = metadata.packages_distributions()
    packages, missing = _packages(), set()
    for file in metadata.files(_distribution) or []:
        if file.suffix != ".py" or file.parts[0] not in packages or ".".join(file.parts)[:-3] in _OPTIONAL:
            continue
        if set(_NOT_LOADED) & set(file.with_suffix("").parts):
            continue
        for name in _imported(ast.parse(file.read_text(encoding="utf-8"))):
            own = {_folded(one) for one in [name, *owners.get(name, [])]}
            if name not in sys.stdlib_module_names and name not in packages and not own & asked:
                missing.add(f"{name} ({'/'.join(file.parts[1:] or file.parts)})")
    if missing:
        raise LookupError(f"imported, but not asked for: {', '.join(sorted(missing))}")
    return sorted(asked)


def _asked_for(distribution: str) -> set[str]:
    """The names of all that it needs, its extras included, and of what those need."""
    found: set[str] = set()
    waiting = [_folded(line) for line in metadata.requires(distribution) or []]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        try:
            needed = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue
        waiting += [_folded(line) for line in needed if "extra ==" not in line]
    return found


def _imported(tree: ast.Module) -> list[str]:
    """What a module needs: ours all that it imports, others what stands outside of blocks."""
    nodes = list(ast.walk(tree)) if _distribution == OURS else tree.body
    found = [one.name for node in nodes if isinstance(node, ast.Import) for one in node.names]
    found += [
        str(node.module)
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module
    ]
    return [name.split(".")[0] for name in found]


def _folded(requirement: str) -> str:
    name = re.match(r"[A-Za-z0-9._-]+", requirement)
    return re.sub(r"[-_.]+", "-", name.group(0) if name else "").lower()


def _programs() -> list[str]:
    points = metadata.distribution(_distribution).entry_points
    wanted = [point for point in points if point.group == "console_scripts"]
    for point in wanted:
        point.load()
        if shutil.which(point.name, path=str(Path(sys.executable).parent)) is None:
            raise LookupError(f"no program {point.name} was installed")
    if not wanted and _distribution == OURS:
        raise LookupError("no program is named")
    return [point.name for point in wanted]


def _extensions() -> list[str]:
    """What it plugs into other programs: its entry points but for programs."""
    points = metadata.distribution(_distribution).entry_points
    wanted = [point for point in points if point.group not in ("console_scripts", "gui_scripts")]
    for point in wanted:
        if point.module not in _OPTIONAL:
            point.load()
    return [f"{point.group}:{point.name}" for point in wanted]


def _commands() -> list[str]:
    cli = importlib.import_module("copilot.cli")
    load = importlib.import_module("copilot.lazy_group").load
    for command in cli.COMMANDS.values():
        load(command.target)
    return list(cli.COMMANDS)


def _data(kind: str, ending: str) -> list[str]:
    folder = importlib.import_module("copilot.resources").data_folder(kind)
    names = sorted(path.stem for path in folder.glob(f"*{ending}"))
    if not names:
        raise LookupError(f"there is no *{ending} in {folder}")
    return names


def _profiles() -> list[str]:
    names = _data("profiles", ".toml")
    load = importlib.import_module("copilot.config.profile_files").load_profile
    for name in names:
        load(name)
    return names


def _styles() -> list[str]:
    return _data("styles", ".tcss")


def _session() -> list[str]:
    testing = importlib.import_module("copilot.testing")
    call = testing.ToolCall("Write", {"file_path": "hello.py", "content": "print(1)\n"})
    with testing.Harness([testing.Turn("I write it.", (call,)), testing.Turn("Done.")]) as harness:
        run = harness.run("Create hello.py")
    if run.exit_code != 0 or run.files.created != ("hello.py",):
        raise AssertionError(f"the session ended with {run.exit_code}: {run.reason} {run.files.lines()}")
    return [str(name) for name in run.tool_sequence]


STEPS: dict[str, Callable[[], list[str]]] = {
    "declared": _declared,
    "imports": _imports,
    "programs": _programs,
    "extensions": _extensions,
}
OUR_STEPS: dict[str, Callable[[], list[str]]] = {
    "commands": _commands,
    "profiles": _profiles,
    "styles": _styles,
    "session": _session,
}


def main() -> int:
    """Every step, whatever became of the one before. The distribution is the second argument."""
    global _distribution
    _distribution = sys.argv[2]
    for name, work in (STEPS | OUR_STEPS if _distribution == OURS else STEPS).items():
        try:
            found, said = work(), ""
        except Exception as error:
            found, said = [], f"{type(error).__name__}: {error}"
        line = {"step": name, "good": not said, "said": said or f"{len(found)} found", "found": found}
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
