"""What wildcards and recursion reach on the disk now: names, links, secrets.

Bounded by the verdict's budget.
"""

from __future__ import annotations

import dataclasses
import fnmatch
import functools
import posixpath
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from copilot.guard.budget import CHARACTERS, PLACE, WILD_CHARACTER, WILDCARD, Budget
from copilot.guard.disk import FOLDER, LINK, Entry
from copilot.guard.families import has_wildcard, is_secret_path
from copilot.guard.index import is_committed, tracks_below
from copilot.guard.scope import ProjectScope, locate

_NO_OWN_SECRETS = frozenset(
    {
        ".git",
        "node_modules",
        "__pycache__",
        ".mypy_cache",
        ".ruff_cache",
        ".pytest_cache",
        "site-packages",
        ".tox",
        ".nox",
    }
)
"""Folders that a walk leaves out: what tools put there holds no secret of the project."""
_IGNORE_FILES = (".gitignore", ".ignore", ".rgignore", ".agignore", ".git/info/exclude")
_CREDENTIALS = re.compile(rb"(?i)://[^/\s]*@|extraheader|password|token|signingkey")
_GIT_SETTINGS = ("config", "credential", "fetch_head")
"""How files of a repository begin that hold settings or addresses."""
_NO_SETTINGS = frozenset({"objects", "refs", "logs", "hooks", "info", "lfs"})
"""Folders of a repository that hold none: names, hashes and what is committed."""
_ODD = re.compile(r"[\s'\"\\\x00-\x1f]")
_DEEPEST = 60


@dataclass(frozen=True, slots=True)
class Reach:
    """How a recursive reader walks. `only` are patterns of names, of which one must fit; empty: all names."""

    links: bool = False
    hidden: bool = True
    ignored: bool = True
    content: bool = True
    only: tuple[str, ...] = ()
    tracked: bool = False
    """git reads what it tracks, also where `.gitignore` names it."""
    fresh: bool = False
    """Only what git does not track yet counts."""
    unhides: bool = False
    """What an ignore file takes back (`!.env`) is read although it is hidden (ripgrep, ag)."""
    named: bool = False
    """Each name is opened as an operand: a link to a file is followed, one to a folder is not walked."""


_ODD_SET = re.compile(r"\[(?![A-Za-z0-9_.]+(?:-[A-Za-z0-9])?\]).*|\{.*", re.DOTALL)
"""From the first set or brace on that readers take differently: negated, with a class."""


@functools.lru_cache(maxsize=512)
def _pattern(text: str) -> re.Pattern[str]:
    """What a pattern may fit, in whatever case and whoever reads it: rather more names than fewer."""
    plain = _ODD_SET.sub("*", re.sub(r"\\.?", "?", text.casefold(), flags=re.DOTALL))
    return re.compile(fnmatch.translate(plain))


def fits(name: str, patterns: Sequence[str]) -> bool:
    """Whether a name fits one of the patterns; any does if there are none."""
    return not patterns or any(_pattern(one).match(name.casefold()) for one in patterns)


def expand(scope: ProjectScope, path: str, folder: str, budget: Budget) -> list[str]:
    """What a wildcard stands for now, as the shell would write it; empty if nothing fits."""
    full = scope.home + path[1:] if path.startswith("~/") else path
    found = ["/" if full.startswith("/") else ""]
    for part in [one for one in full.split("/") if one]:
        following: list[str] = []
        for base in found:
            if not has_wildcard(part):
                following.append(posixpath.join(base, part))
                continue
            place = posixpath.join(folder, base)
            names = (
                _names_below(scope, place, budget)
                if part == "**"
                else [one.name for one in scope.disk.list_folder(place)]
            )
            budget.spend(len(names) + WILDCARD + WILD_CHARACTER * len(part))
            dots = part.startswith(".")
            following += [
                posixpath.join(base, name)
                for name in names
                if (dots or not name.startswith("."))
                and (part == "**" or _pattern(part).match(name.casefold()))
            ]
        found = following
    return found if has_wildcard(full) else []


def _names_below(scope: ProjectScope, folder: str, budget: Budget) -> list[str]:
    found: list[str] = []
    waiting = [""]
    while waiting:
        here = waiting.pop()
        for entry in scope.disk.list_folder(posixpath.join(folder, here)):
            budget.spend(1)
            path = posixpath.join(here, entry.name)
            found.append(path)
            if entry.kind == FOLDER and not entry.name.startswith("."):
                waiting.append(path)
    return found


def refusal_below(scope: ProjectScope, start: str, reach: Reach, budget: Budget) -> str:
    """Why a recursive reader may not start at the folder `start` (a full path), or ""."""
    ignored = frozenset() if reach.ignored else _ignored(scope, budget)
    seen: set[str] = set()

    def look(path: str, names: list[str], kind: str) -> str:
        if kind == LINK and (reach.links or (reach.named and reach.content and fits(names[-1], reach.only))):
            refusal = _link_refusal(scope, path, names, reach, budget)
            if refusal:
                return refusal
        if kind == FOLDER or not reach.content or not fits(names[-1], reach.only):
            return ""
        if names[-1] == ".gitconfig" and not reach.fresh:
            text = _read(scope, path, budget)
            return "" if text and not _CREDENTIALS.search(text) else f"{'/'.join(names)!r} may hold secrets"
        if is_secret_path(names) and not (reach.fresh and is_committed(scope, path, doubt=False)):
            return f"{'/'.join(names)!r}, which it reaches, may hold secrets"
        return ""

    return _walk(scope, start, reach, budget, look, ignored, seen)


def _link_refusal(scope: ProjectScope, path: str, names: list[str], reach: Reach, budget: Budget) -> str:
    budget.spend(PLACE)
    place = locate(scope, path)
    if not place.inside:
        return f"{'/'.join(names)!r}, which it follows, leads out of the project"
    return (
        f"{'/'.join(names)!r}, which it follows, may hold secrets" if place.secret and reach.content else ""
    )


Look = Callable[[str, list[str], str], str]


def _walk(
    scope: ProjectScope,
    start: str,
    reach: Reach,
    budget: Budget,
    look: Look,
    ignored: frozenset[str],
    seen: set[str],
) -> str:
    root = scope.root
    waiting = [(scope.resolve(start), ignored)]
    while waiting:
        folder, ignored = waiting.pop()
        if folder in seen:
            continue
        seen.add(folder)
        if reach.unhides and not reach.hidden and _takes_back(scope, folder, budget):
            reach = dataclasses.replace(reach, hidden=True)
        above = [] if folder == root else posixpath.relpath(folder, root).split("/")
        if len(above) > _DEEPEST:
            return "too deep to look through"
        entries = scope.disk.list_folder(folder)
        repository = any(entry.name == ".git" for entry in entries)
        refusal = _git_secrets(scope, folder, reach, budget) if repository else ""
        if refusal:
            return refusal
        # ripgrep does not heed in a repository what the lists above it ignore.
        if (repository and above) or (reach.unhides and reach.hidden):
            ignored = frozenset()
        within = folder.rstrip("/") + "/"
        for entry in entries:
            budget.spend(1)
            path = within + entry.name
            named = entry.name in ignored or (entry.kind == FOLDER and f"{entry.name}/" in ignored)
            skipped = named and not (reach.tracked and is_committed(scope, path))
            if skipped or (entry.name.startswith(".") and not reach.hidden):
                continue
            refusal = look(path, [*above, entry.name], entry.kind)
            if refusal:
                return refusal
            following = _following(scope, path, entry, reach)
            waiting += [(following, ignored)] if following else []
    return ""


def _following(scope: ProjectScope, path: str, entry: Entry, reach: Reach) -> str:
    """The folder that a walk enters at an entry, or ""."""
    if entry.kind == FOLDER:
        left_out = entry.name in _NO_OWN_SECRETS and not (reach.named and tracks_below(scope, path))
        return path if reach.links or not left_out else ""
    target = scope.resolve(path) if entry.kind == LINK and reach.links else ""
    return target if target and scope.disk.size_of(target) is None else ""


def _takes_back(scope: ProjectScope, folder: str, budget: Budget) -> bool:
    """Whether an ignore file there takes names out again, so that they are read though they are hidden."""
    found = (_read(scope, posixpath.join(folder, name), budget) for name in _IGNORE_FILES)
    return any(line.lstrip().startswith(b"!") for text in found for line in text.splitlines())


def _read(scope: ProjectScope, path: str, budget: Budget) -> bytes:
    """A file that will be searched."""
    text = scope.disk.read_file(path) or b""
    budget.spend(len(text) // CHARACTERS)
    return text


def _git_secrets(scope: ProjectScope, folder: str, reach: Reach, budget: Budget) -> str:
    """Whether files of the repository, which a reader of hidden files prints, hold credentials."""
    if not (reach.content and reach.hidden) or reach.fresh:
        return ""
    waiting = [".git"]
    while waiting:
        here = waiting.pop()
        for entry in scope.disk.list_folder(posixpath.join(folder, here)):
            budget.spend(1)
            path, name = f"{here}/{entry.name}", entry.name.casefold()
            if entry.kind == FOLDER and name not in _NO_SETTINGS:
                waiting.append(path)
            named = name.startswith(_GIT_SETTINGS) or here.endswith(("/remotes", "/branches"))
            if entry.kind == FOLDER or not named or not fits(entry.name, reach.only):
                continue
            if _CREDENTIALS.search(_read(scope, posixpath.join(folder, path), budget)):
                return f"{path!r}, which it reaches, holds credentials"
    return ""


def _ignored(scope: ProjectScope, budget: Budget) -> frozenset[str]:
    """The plain names in the project's `.gitignore` (`build/`: folders only); patterns are not read."""
    if not scope.disk.list_folder(posixpath.join(scope.root, ".git")):
        return frozenset()  # readers heed it in a repository only
    text = _read(scope, posixpath.join(scope.root, ".gitignore"), budget)
    lines = [line.rstrip(" ") for line in text.decode("utf-8", "replace").split("\n")]
    if any(line.startswith("!") for line in lines):
        return frozenset()
    return frozenset(
        line
        for line in lines
        if line and "/" not in line[:-1] and "\\" not in line and line[0] != "#" and not has_wildcard(line)
    )


def is_odd_name(name: str) -> bool:
    """Whether `xargs` would take the name apart (blanks, quotes)."""
    return _ODD.search(name) is not None


def odd_name_below(scope: ProjectScope, start: str, only: Sequence[str], budget: Budget) -> str:
    """A name below that `xargs` would take apart (blanks, quotes), or ""."""
    found: list[str] = []

    def look(path: str, names: list[str], kind: str) -> str:
        del path
        if is_odd_name(names[-1]) and (kind == FOLDER or fits(names[-1], only)):
            found.append("/".join(names))
            return found[0]
        return ""

    _walk(scope, start, Reach(content=False), budget, look, frozenset(), set())
    return found[0] if found else ""


def leaving_link_below(
    scope: ProjectScope, start: str, only: Sequence[str], budget: Budget, *, folders: bool
) -> str:
    """A link below, of a name that fits, out of the project, or ""; `folders`: also one to a folder."""

    def look(path: str, names: list[str], kind: str) -> str:
        if kind != LINK:
            return ""
        target = scope.resolve(path)
        is_file = scope.disk.size_of(target) is not None
        if (fits(names[-1], only) if is_file else folders) and not locate(scope, path).inside:
            return "/".join(names)
        return ""

    return _walk(scope, start, Reach(content=False), budget, look, frozenset(), set())


def option_like(scope: ProjectScope, folder: str, only: Sequence[str], budget: Budget) -> str:
    """A name directly in `folder` that a program would take for an option, or ""."""
    entries = scope.disk.list_folder(folder)
    budget.spend(len(entries))
    return next(
        (
            one.name
            for one in entries
            if one.name.startswith("-") and (one.kind == FOLDER or fits(one.name, only))
        ),
        "",
    )
