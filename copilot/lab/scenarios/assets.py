"""References to assets in a task: `[[asset:name]]` is the content, `{{path:name}}` the path of the copy.

What is filled in is data: it is not searched for references again, and nothing in it is special.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from copilot.errors import InputError
from copilot.plain_files import MIB, read_text

FOLDER = "assets"
_MOST_BYTES = MIB
"""It becomes a part of a prompt."""
_REFERENCE = re.compile(r"\[\[asset:([^\[\]]+)\]\]|\{\{path:([^{}]+)\}\}")


def references(task: str) -> list[str]:
    """The names of the assets in a task, each once, in order."""
    return list(dict.fromkeys(one.group(1) or one.group(2) for one in _REFERENCE.finditer(task)))


def with_assets(task: str, source: Path, project: Path) -> str:
    """The task with its assets filled in; those given by path are copied to `assets/` in the project.

    Raises InputError, naming the asset, for one that is missing, leads out of the folder, or is no text.
    """
    for name in references(task):
        _found(source, name)

    def filled(reference: re.Match[str]) -> str:
        inline, by_path = reference.groups()
        return _content(source, inline) if inline is not None else str(_copied(source, by_path, project))

    return _REFERENCE.sub(filled, task)


def _found(source: Path, name: str) -> Path:
    """The asset. Its name may lead into subfolders, but not out, by a link neither."""
    folder = source.resolve()
    path = source / name
    if Path(name).is_absolute() or not path.resolve().is_relative_to(folder):
        raise InputError(f"asset {name!r}: leads out of {source}; assets must be in that folder")
    if not path.exists():
        raise InputError(f"asset {name!r}: is missing; it is looked for at {path}")
    links = [one for one in path.rglob("*") if one.is_symlink()] if path.is_dir() else []
    if not all(one.resolve().is_relative_to(folder) for one in links):
        raise InputError(f"asset {name!r}: holds a link that leads out of {source}")
    return path


def _content(source: Path, name: str) -> str:
    path = _found(source, name)
    try:
        return read_text(path, _MOST_BYTES)
    except InputError as error:
        raise InputError(f"asset {name!r}: {error}; or refer to it by {{{{path:{name}}}}}") from None


def _copied(source: Path, name: str, project: Path) -> Path:
    """The copy, at the same place below `assets/`, so that equal base names stay apart."""
    path, copy = _found(source, name), project / FOLDER / name
    copy.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        shutil.copytree(path, copy, dirs_exist_ok=True)
    elif not copy.exists():
        shutil.copyfile(path, copy)
    return copy
