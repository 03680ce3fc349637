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

PACKAGE = "copilot"
DISTRIBUTION = "copilot-terminal"
_OPTIONAL = ("copilot.pytest_plugin",)
"""Modules for programs that need not be there."""


def _imports() -> list[str]:
    package = importlib.import_module(PACKAGE)
    found = []
    for one in pkgutil.walk_packages(package.__path__, f"{PACKAGE}."):
        if one.name.endswith("__main__") or one.name in _OPTIONAL:
            continue
        importlib.import_module(one.name)
        found.append(one.name)
    return found


def _declared() -> list[str]:
    """Every package that our modules import is asked for by the wheel, or by what it asks for."""
    asked = _asked_for(DISTRIBUTION)
    owners = metadata.packages_distributions()
    folder = Path(str(importlib.import_module(PACKAGE).__file__)).parent
    missing = set()
    for path in sorted(folder.rglob("*.py")):
        if f"{PACKAGE}.{path.stem}" in _OPTIONAL:
            continue
        for name in _imported(ast.parse(path.read_text(encoding="utf-8"))):
            own = {_folded(one) for one in owners.get(name, [])}
            if name not in sys.stdlib_module_names and name != PACKAGE and not own & asked:
                missing.add(f"{name} ({path.relative_to(folder)})")
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
    found = [one.name for node in ast.walk(tree) if isinstance(node, ast.Import) for one in node.names]
    found += [
        str(node.module)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module
    ]
    return [name.split(".")[0] for name in found]


def _folded(requirement: str) -> str:
    name = re.match(r"[A-Za-z0-9._-]+", requirement)
    return re.sub(r"[-_.]+", "-", name.group(0) if name else "").lower()


def _programs() -> list[str]:
    points = metadata.distribution(DISTRIBUTION).entry_points
    wanted = [point for point in points if point.group == "console_scripts"]
    for point in wanted:
        point.load()
        if shutil.which(point.name, path=str(Path(sys.executable).parent)) is None:
            raise LookupError(f"no program {point.name} was installed")
    if not wanted:
        raise LookupError("no program is named")
    return [point.name for point in wanted]


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
    "commands": _commands,
    "profiles": _profiles,
    "styles": _styles,
    "session": _session,
}


def main() -> int:
    """Every step, whatever became of the one before."""
    for name, work in STEPS.items():
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
