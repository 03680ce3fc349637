"""Which names a command prints: what `find`, `git ls-files`, `grep -l` and the like give to `xargs`."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from copilot.guard.arguments import Arg

_RUNS = frozenset({"-exec", "-execdir", "-ok", "-okdir", "-printf", "-fprintf", "-ls"})
_NAMES = frozenset({"-name", "-iname"})
_NOT = frozenset({"!", "-not"})
_OR = frozenset({"-o", "-or", ","})


@dataclass(frozen=True, slots=True)
class Listing:
    """Names of files below `starts`, that fit `only`. `prefixed`: none can look like an option."""

    starts: tuple[str, ...]
    only: tuple[str, ...] = ()
    prefixed: bool = False
    links: bool = True
    """A name may be that of a link."""
    follows: bool = False
    """Links to folders are walked."""
    zero: bool = False
    """The names end in a zero byte, so that blanks do not part them."""
    tracked: bool = False
    """The names come from git's index, which also has some that are not on the disk."""


def find_listing(args: list[Arg]) -> Listing:
    """What `find` gives to the command that it runs, or prints."""
    given = [arg.shown for arg in args[1:]]
    words, alone = _before_action(given)
    starts: list[str] = []
    for word in words:
        if word in ("-L", "-H", "-P") and not starts:
            continue
        if word.startswith(("-", "(", "!")):
            break
        starts.append(word)
    follows = any(word in ("-L", "-H", "-follow") for word in given)
    plain = _only_files(words) and alone and not follows
    return Listing(
        tuple(starts) or (".",),
        _patterns(words) if alone else (),
        prefixed=True,
        links=not plain,
        follows=follows,
        zero="-print0" in given and "-print" not in given,
    )


_ACTIONS = _RUNS | {"-print", "-print0", "-delete", "-quit", "-fls"}


def _before_action(words: list[str]) -> tuple[list[str], bool]:
    """The words before the first action, and whether they hold for all of it: no `-o` follows."""
    first = next((index for index, word in enumerate(words) if word in _ACTIONS), len(words))
    behind = words[first + 1 :]
    return words[:first], not set(behind) & (_OR | _ACTIONS)


def _only_files(words: list[str]) -> bool:
    """Whether `-type f` holds for each name: it is not negated, in brackets or one of several."""
    if set(words) & (_OR | {"(", ")"}):
        return False
    return any(
        pair == ("-type", "f") and words[index - 1 : index] not in (["!"], ["-not"])
        for index, pair in enumerate(itertools.pairwise(words))
    )


def _patterns(words: list[str]) -> tuple[str, ...]:
    """Patterns of which every found name fits one; empty if there is no such list."""
    found: list[str] = []
    for index, word in enumerate(words):
        if word in _NAMES and index + 1 < len(words) and (index == 0 or words[index - 1] not in _NOT):
            found.append(words[index + 1])
        if word in _OR:
            before = (
                index >= 2
                and words[index - 2] in _NAMES
                and words[index - 3 : index - 2] not in (["!"], ["-not"])
            )
            after = words[index + 1 : index + 2] in (["-name"], ["-iname"])
            if not before or not after or word == ",":
                return ()
        if word in _NOT and words[index + 1 : index + 2] == ["("]:
            return ()
    return tuple(found)


def list_of(command: tuple[Arg, ...]) -> Listing | None:
    """What a command prints the names of; None if it prints anything else."""
    if any(arg.pattern for arg in command):
        return None
    words = [arg.shown for arg in command]
    options = [word for word in words[1:] if word.startswith("-")]
    operands = [word for word in words[1:] if not word.startswith("-")]
    if words[0] == "find":
        return None if set(words) & _RUNS else find_listing(list(command))
    if words[0] == "git":
        return _git(words, options)
    if words[0] in ("grep", "egrep", "rg"):
        return _searching(words, options, operands)
    return Listing((".",)) if words[0] == "ls" and not options and not operands else None


_LAST_WILD = re.compile(r".*[*?\[\]\\/]", re.DOTALL)


def pathspec_names(pattern: str) -> str:
    """A pattern of what a pathspec can end in: `*` of git crosses folders (gitglossary(7))."""
    return "*" + _LAST_WILD.sub("", pattern)


_LISTS_FILES = frozenset(
    {
        "-z",
        "--others",
        "--exclude-standard",
        "-o",
        "-m",
        "--modified",
        "-c",
        "--cached",
        "--deleted",
        "-d",
    }
)
_KEEPS = frozenset({"--diff-filter=d", "--diff-filter=ACM", "--diff-filter=ACMR", "--diff-filter=AM"})
"""Filters of `git diff` that leave out what is no more: names that neither the index nor the disk has."""
_NAMES_CHANGES = _KEEPS | {"--name-only", "--cached", "--staged", "-z", "--relative"}


def _git(words: list[str], options: list[str]) -> Listing | None:
    zero = "-z" in options
    if words[1:2] == ["ls-files"] and set(options) <= _LISTS_FILES:
        patterns = [word for word in words[2:] if not word.startswith("-")]
        if patterns and all(not set(one) & set("*?[:") for one in patterns):
            return Listing(tuple(patterns), prefixed=True, zero=zero, tracked=True)
        only = tuple(map(pathspec_names, patterns)) if all("*" in one for one in patterns) else ()
        return Listing((".",), only, zero=zero, tracked=True)
    if words[1:2] == ["diff"] and "--name-only" in options and set(options) <= _NAMES_CHANGES:
        revisions = [word for word in words[2:] if not word.startswith("-")]
        compares = revisions or set(options) & {"--cached", "--staged"}
        known = len(revisions) <= 1 and not any(".." in one for one in revisions)
        if not compares or (known and _KEEPS.intersection(options)):
            return Listing((".",), zero=zero, tracked=True)
    return None


def _searching(words: list[str], options: list[str], operands: list[str]) -> Listing | None:
    letters = "".join(one for one in options if not one.startswith("--"))
    lists = "l" in letters or "--files-with-matches" in options or "--files" in options
    if not lists or set(letters) & set("ohLf") or any(one.startswith(("--o", "--rep")) for one in options):
        return None
    if any(one.startswith(("-e", "-f", "-g", "-A", "-t")) for one in options) and words[0] == "rg":
        operands = ["pattern", *operands[2:]]
    elif any(one in ("-e", "--regexp", "-A", "-B", "-C", "-m") for one in options):
        return None
    starts = operands if "--files" in options else operands[1:]
    plain = bool(starts) and all(not start.startswith("-") for start in starts)
    zero = "Z" in letters or "--null" in options or ("0" in letters and words[0] == "rg")
    return Listing(tuple(starts) or (".",), prefixed=plain, zero=zero)
