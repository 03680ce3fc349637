"""An npm package with extensions for pi: packed, installed into an empty folder, and its manifest read.

Only what `npm pack` takes is installed: a file that `files` leaves out is missing here, as for a user.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from copilot.documents import read_json
from copilot.errors import InputError
from copilot.plain_files import MIB

PREFIX = "npm:"
_OPTIONS = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--legacy-peer-deps")
Run = Callable[[Sequence[str], Path], str]


def is_node_package(source: str) -> bool:
    path = Path(source)
    return source.startswith(PREFIX) or source.endswith(".tgz") or (path / "package.json").is_file()


def packed(source: str, folder: Path, run: Run) -> str:
    """What npm can install: a name of its registry, or a tarball made from a copy of the source tree."""
    if source.startswith(PREFIX):
        return source.removeprefix(PREFIX)
    path = Path(source).resolve()
    if path.is_file():
        return str(path)
    copy = folder / "source"
    shutil.copytree(path, copy, ignore=shutil.ignore_patterns(".git", "node_modules"), symlinks=True)
    name = run(["npm", "pack", "--ignore-scripts", "--loglevel=error"], copy).splitlines()[-1]
    return str(copy / name)


def installed(what: str, folder: Path, run: Run) -> Path:
    """The package's folder, with all that it depends on beside it."""
    target = folder / "node"
    target.mkdir()
    (target / "package.json").write_text('{"private": true}', encoding="utf-8")
    run(["npm", "install", *_OPTIONS, what], target)
    (name,) = read_json(target / "package.json", MIB)["dependencies"]
    return target / "node_modules" / str(name)


def extensions(package: Path) -> list[Path]:
    """The extensions that the manifest names. Raises InputError for one that is not in the package."""
    manifest = read_json(package / "package.json", MIB)
    named: Any = manifest.get("pi", {}).get("extensions", [])
    found: list[Path] = []
    for one in named:
        path = (package / str(one)).resolve()
        if not path.exists():
            raise InputError(f"package.json: pi.extensions: {one} is not in the package; see its `files`")
        found += _modules(path) if path.is_dir() else [path]
    if not found:
        raise InputError("package.json: pi.extensions names no extension")
    return found


def _modules(folder: Path) -> list[Path]:
    """The extensions in a folder, found as pi finds them: its modules, or subfolders with an index."""
    inside = [one for one in sorted(folder.iterdir()) if one.suffix in (".ts", ".js")]
    if any(one.stem == "index" for one in inside):
        return [one for one in inside if one.stem == "index"][:1]
    return inside + [index for one in sorted(folder.iterdir()) for index in sorted(one.glob("index.[tj]s"))]
