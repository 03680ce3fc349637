"""Families of file names: what may hold secrets, and what tools load by themselves.

Names alone are a list that is never complete; a family says how such names are made (dot-folders of tools,
`*rc`, `*.local.*`, build files, agents' instructions), so that the next tool is in it too. The data are in
`families.toml`.
"""

from __future__ import annotations

import fnmatch
import functools
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import re2

_DATA: dict[str, Any] = tomllib.loads((Path(__file__).parent / "families.toml").read_text("utf-8"))


def _any_of(patterns: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(fnmatch.translate(one) for one in patterns))


_SECRET = _any_of(_DATA["secret"]["names"])
_NO_SECRET = _any_of(_DATA["harmless"]["names"])
_ALWAYS_SECRET = _any_of(_DATA["secret"]["always"])
_NEVER_SECRET = _any_of(_DATA["secret"]["never"])
_BACKUP = re.compile(
    r"(?:\.(?:bak|old|orig|save|saved|backup|copy|tmp|swp|swo|[0-9]{1,8}|enc|gz|zip|prev|rej)|~|,v)\Z"
)
_LONGEST_BACKUP = 9
_SECRET_FOLDERS = frozenset(_DATA["secret"]["folders"])
_SECRET_STORES = frozenset(_DATA["secret"]["stores"])
_SAMPLES: list[str] = _DATA["secret"]["samples"]
_ODD_SET = re.compile(r"\[(?![A-Za-z0-9_.]+(?:-[A-Za-z0-9])?\]).*", re.DOTALL)
"""From the first set on that is negated or has a class in it (`[[:alpha:]]`): readers differ."""
_KNOWN_DOT = re2.compile(rf"\.(?:{'|'.join(_DATA['dot']['known'])})")
_PLAIN_DOT = frozenset(_DATA["dot"]["plain"])
_AUTOLOAD = _any_of(_DATA["autoload"]["names"])
_TEXT_ENDINGS = frozenset(_DATA["text"]["endings"])
_TEXT_NAMES = frozenset(_DATA["text"]["names"])
_AUTOLOAD_FOLDERS = frozenset(_DATA["autoload"]["folders"])
_EVERYDAY = frozenset(_DATA["autoload"]["everyday"])
_STRICT_AUTOLOAD = _any_of([one for one in _DATA["autoload"]["names"] if one not in _EVERYDAY])
_STRICT_FOLDERS = _AUTOLOAD_FOLDERS.difference(_DATA["autoload"]["everyday_folders"])
_WILD = frozenset("*?[")


def has_wildcard(text: str) -> bool:
    """Whether a shell would look for the names that it fits."""
    return not _WILD.isdisjoint(text)


def _without_backups(name: str) -> str:
    """A name without the endings of copies, taken off one by one: all at once would take quadratic time."""
    while match := _BACKUP.search(name[-_LONGEST_BACKUP:]):
        name = name[: len(name) - len(match.group())]
    return name


@functools.lru_cache(maxsize=20_000)
def is_secret_name(name: str) -> bool:
    """Whether a file of this name may hold secrets. `name` has no slash."""
    folded = _without_backups(name.casefold())
    if _ALWAYS_SECRET.match(folded) and not _NEVER_SECRET.match(folded):
        return True
    return bool(_SECRET.match(folded)) and not _NO_SECRET.match(folded)


def may_name_secret(pattern: str) -> bool:
    """Whether a wildcard of one name can stand for that of a secret."""
    folded = _ODD_SET.sub("*", pattern.casefold())
    literal = folded.strip("*?")
    return bool(literal) and any(fnmatch.fnmatchcase(sample, folded) for sample in _SAMPLES)


def is_unknown_dot(names: list[str]) -> bool:
    """Whether a file or a folder above it is named with a dot, and is of no tool known to keep no secrets."""
    last = names[-1].casefold() if names else ""
    folders = (name.casefold() for name in names[:-1] if name.strip("."))
    if any(name.startswith(".") and not _KNOWN_DOT.fullmatch(name) for name in folders):
        return True
    if not last.startswith(".") or has_wildcard(last) or last.strip(".") == "":
        return False
    return not _KNOWN_DOT.fullmatch(last) and not _NO_SECRET.match(last)


def is_secret_path(names: list[str]) -> bool:
    """Whether what lies at this path may be a secret. `names` are its components, the last may be wild."""
    folded = [name.casefold() for name in names]
    if not _SECRET_FOLDERS.isdisjoint(folded):
        return True
    last = folded[-1] if folded else ""
    if not _SECRET_STORES.isdisjoint(folded[:-1]) and not _NO_SECRET.match(last):
        return True
    if ".git" in folded[:-1] and (
        last.startswith(("config", "credential", "fetch_head")) or last in ("*", "c*")
    ):
        return True
    return may_name_secret(last) if has_wildcard(last) else is_secret_name(last)


@functools.lru_cache(maxsize=2_000)
def is_autoload_name(name: str) -> bool:
    """Whether a tool may load a file or folder of this name unasked."""
    folded = name.casefold()
    if folded.startswith("."):
        return folded not in _PLAIN_DOT
    return bool(_AUTOLOAD.match(folded))


def is_autoload_path(names: list[str]) -> bool:
    """Whether a tool may take code or orders from what lies at this path inside the project."""
    folders = [name.casefold() for name in names[:-1]]
    if any(one in _AUTOLOAD_FOLDERS or (one.startswith(".") and one not in _PLAIN_DOT) for one in folders):
        return True
    return bool(names) and (is_autoload_name(names[-1]) or names[-1].casefold() in _AUTOLOAD_FOLDERS)


def is_autoload_source(names: list[str]) -> bool:
    """The same for a file of source: `src/hooks/use.ts` is everyday, though hooks of git lie in `hooks`."""
    folded = [name.casefold() for name in names]
    return bool(_STRICT_FOLDERS.intersection(folded[:-1])) or bool(_STRICT_AUTOLOAD.match(folded[-1]))


def is_plain_target(names: list[str]) -> bool:
    """Whether text may be appended to a file: only to what is no code, no data and no setting.

    Code is changed by the program's own edits, which are judged by what they say.
    """
    last = names[-1].casefold() if names else ""
    stem, dot, ending = last.rpartition(".")
    return ending in _TEXT_ENDINGS if dot and stem else last in _TEXT_NAMES
