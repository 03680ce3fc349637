"""`EditRules`: which files a change is everyday in, and which lines make it more.

The data is `edit_rules.toml`.
"""

from __future__ import annotations

import fnmatch
import functools
import tomllib
import unicodedata
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import re2


@dataclass(frozen=True, slots=True)
class PathRule:
    """Files whose every change is a person's to judge, by their name or by a folder above them."""

    id: str
    reason: str
    names: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    hold: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()

    def fits(self, path: str) -> bool:
        """Whether it is about the file `path`, relative to the project."""
        folders = path.casefold().split("/")[:-1]
        return self.names_it(path) or any(
            fnmatch.fnmatchcase(folder, one) for folder in folders for one in self.folders
        )

    def names_it(self, path: str) -> bool:
        """Whether the file's own name, or with the folder that it is in, says so."""
        parts = path.casefold().split("/")
        name, below = parts[-1], "/".join(parts[-2:])
        return any(fnmatch.fnmatchcase(below if "/" in one else name, one) for one in self.names)


@dataclass(frozen=True, slots=True)
class LineRule:
    """Lines that a change must not bring or take away.

    `where` is any, code, test or docs; `level` is high or medium.
    """

    id: str
    reason: str
    where: str = "any"
    level: str = "high"
    added: str = ""
    removed: str = ""
    hold: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()

    def finds(self, line: str) -> bool:
        """Whether the line is one of those."""
        # Python folds names: letters of full width are the plain ones (PEP 3131).
        plain = unicodedata.normalize("NFKC", line)
        return re2.search(f"(?i){self.added or self.removed}", plain) is not None


@dataclass(frozen=True, slots=True)
class EditRules:
    """All of it. `ordinary` are lists of words, divided by `|`."""

    ordinary: dict[str, frozenset[str]]
    paths: tuple[PathRule, ...]
    lines: tuple[LineRule, ...]

    def kind_of(self, path: str) -> str:
        """code, scripts, docs, data or an empty string, by the ending of the name."""
        ending = PurePosixPath(path.casefold()).suffix.removeprefix(".")
        return next((kind for kind in _KINDS if ending in self.ordinary[kind]), "")

    def path_rule(self, path: str) -> PathRule | None:
        """The first kind of files, changes of which are a person's to judge, that `path` is one of."""
        return next((rule for rule in self.paths if rule.fits(path)), None)


_KINDS = ("code", "scripts", "docs", "data")


@functools.cache
def edit_rules() -> EditRules:
    """The rules that are shipped."""
    data = tomllib.loads(Path(__file__).with_name("edit_rules.toml").read_text(encoding="utf-8"))
    ordinary = {name: frozenset(words.split("|")) for name, words in data["ordinary"].items()}
    paths = tuple(PathRule(**_frozen(entry)) for entry in data["path"])
    return EditRules(ordinary, paths, tuple(LineRule(**_frozen(entry)) for entry in data["line"]))


def _frozen(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
