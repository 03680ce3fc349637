"""One rule as data: what a command may do unasked, or what is raised.

A rule matches an argument list, never a string. Everything about it is an allow list: its words, its
options with the type of each value, its operands.
"""

from __future__ import annotations

import dataclasses
import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import re2

from copilot.core.risk import RiskLevel
from copilot.guard.arguments import Arg
from copilot.guard.below import Reach, expand
from copilot.guard.families import has_wildcard
from copilot.guard.grammar import is_one_word, option_refusal, read_options
from copilot.guard.listings import pathspec_names
from copilot.guard.names_of_tests import is_test, is_test_name
from copilot.guard.repository import repository_of

if TYPE_CHECKING:
    from copilot.guard.rule_files import Scene

PATH_MODES = frozenset({"read", "write", "append", "names", "tests"})


@dataclass(frozen=True, slots=True)
class Rule:
    """One entry of a rule file. See docs/safety.md for the meaning of the keys."""

    id: str
    risk: RiskLevel
    words: tuple[Any, ...]
    reason: str
    source: str = ""
    operands: str = "none"
    options: tuple[str, ...] = ()
    deny_text: tuple[Any, ...] = ()
    must_text: tuple[Any, ...] = ()
    text_first: int = 0
    text_first_for: tuple[str, ...] = ()
    text_first_unless: tuple[str, ...] = ()
    max_operands: int | None = None
    min_operands: int = 0
    max_operands_for: Mapping[str, int] | None = None
    wild: bool = False
    """No option of these programs does more than print: a name may look like one."""
    alike: bool = False
    """The programs take each option in the same way; else its value must be fit as an operand too."""
    needs: tuple[str, ...] = ()
    """Options of which one must be given."""
    walks: str = ""
    """Whole folders are read: `always`, `follows` (links too), or `options` (with one of `walk_options`)."""
    walk_options: tuple[str, ...] = ()
    link_options: tuple[str, ...] = ()
    hidden_options: tuple[str, ...] = ()
    """If any: hidden files and those of `.gitignore` are left out without one of these."""
    include_options: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    hold: tuple[str, ...] = ()

    def names(self, args: list[Arg]) -> bool:
        """Whether the first words of the command are this rule's."""
        if len(args) < len(self.words):
            return False
        pairs = zip(self.words, args, strict=False)
        return all(
            arg.text is not None and not arg.wild and pattern.fullmatch(arg.text) for pattern, arg in pairs
        )

    def names_somewhere(self, args: list[Arg]) -> bool:
        """Whether the words occur in this order, whatever options are between them."""
        if not args or not self.words[0].fullmatch(args[0].shown):
            return False
        rest = iter(args[1:])
        return all(any(pattern.fullmatch(arg.shown) for arg in rest) for pattern in self.words[1:])

    def refusal(self, args: list[Arg], scene: Scene) -> str:
        """Why the rest of the command goes beyond this rule, or ""."""
        options = read_options(self.options)
        operands: list[Arg] = []
        given: list[tuple[str, str]] = []
        values: list[Arg] = []
        rest = args[len(self.words) :]
        closed = False
        index = 0
        while index < len(rest):
            arg = rest[index]
            index += 1
            free = closed or self.operands == "free"
            if free or not (arg.text or "").startswith("-") or arg.text == "-":
                refusal = "" if free else self._may_be_option(arg, scene)
                if refusal:
                    return refusal
                operands.append(arg)
                continue
            if arg.text == "--":
                closed = "--" not in self.options
                continue
            following = rest[index] if index < len(rest) else None
            if arg.pattern and not _COUNTS_JOBS.fullmatch(arg.shown):
                return f"{arg.raw!r} is known only when it runs"
            why, takes_next = option_refusal(arg.shown, following, options, scene.path_refusal)
            if why:
                name = arg.shown.partition("=")[0]
                said = f"the option {name} of {args[0].shown} is not one that may run unasked"
                return said if why == "unknown" else f"{name}: {why}"
            given.append((arg.shown, following.shown if takes_next and following else ""))
            values += [following] if takes_next and following else []
            index += 1 if takes_next else 0
        if self.needs and not _given([word for word, _ in given], self.needs):
            return f"{args[0].shown} without {' or '.join(self.needs)} is more than the rule {self.id} covers"
        return (
            self._operands(operands, args, scene)
            or self._values(values, args, scene)
            or self._below(operands, given, args, scene)
        )

    def _values(self, values: list[Arg], args: list[Arg], scene: Scene) -> str:
        """Why the value of an option may not stand there.

        One of the rule's programs may take that option without a value: the next word is an operand to it.
        """
        several = any("|" in pattern.pattern for pattern in self.words[:1])
        if not several or self.alike or self.operands not in PATH_MODES:
            return ""
        return next((why for arg in values if (why := self._path_refusal(arg, args, scene))), "")

    def _may_be_option(self, arg: Arg, scene: Scene) -> str:
        """Why a wildcard at the start of a word may become an option, or ""."""
        if arg.text is None:
            free = self.wild and is_one_word(arg) and self.operands not in PATH_MODES
            return "" if free else f"{arg.raw!r} is known only when it runs"
        if not arg.wild or arg.text[:1] not in ("*", "?", "["):
            return ""
        if not self.wild:
            return f"a name that {arg.text!r} stands for may look like an option; write ./{arg.text}"
        for folder in scene.folders:
            found = [
                one for one in expand(scene.scope, arg.text, folder, scene.budget) if one.startswith("-")
            ]
            if found:
                return f"{arg.text!r} stands for {found[0]!r}, which is read as an option"
        return ""

    def _operands(self, operands: list[Arg], args: list[Arg], scene: Scene) -> str:
        program = args[0].shown
        limit = (self.max_operands_for or {}).get(program, self.max_operands)
        bad = next((arg.text for arg in operands if arg.text and _any(self.deny_text, arg.text)), None)
        opaque = next((arg for arg in operands if arg.text is None), None)
        refusal = ""
        if self.operands == "none" and operands:
            refusal = f"{operands[0].shown!r} is more than the rule {self.id} covers"
        elif limit is not None and sum(2 if arg.wild else 1 for arg in operands) > limit:
            refusal = f"{program} with more than {limit} operands"
        elif len(operands) < self.min_operands:
            refusal = f"{program} without a name does what its file says first"
        elif bad is not None:
            refusal = f"{bad!r} is more than the rule {self.id} covers"
        elif self.must_text and not all(arg.text and _any(self.must_text, arg.text) for arg in operands):
            refusal = f"operands that the rule {self.id} does not cover"
        elif self.operands in PATH_MODES or self.operands == "free":
            refusal = self._paths(operands, args, scene)
        elif opaque is not None:
            refusal = f"{opaque.raw!r} is known only when it runs"
        return refusal

    def _paths(self, operands: list[Arg], args: list[Arg], scene: Scene) -> str:
        """Why an operand that is a path may not be touched, or ""."""
        check = scene.path_refusal
        if self.operands == "free":
            wild = (arg for arg in operands if arg.wild or arg.shown.startswith("~"))
            return next((why for arg in wild if (why := check(arg, "names"))), "")
        found = self._path_operands(operands, args)
        return next((why for arg in found if (why := self._path_refusal(arg, args, scene))), "")

    def _path_refusal(self, arg: Arg, args: list[Arg], scene: Scene) -> str:
        """Why one operand may not be touched, or ""."""
        text = arg.text or ""
        git = args[0].text == "git"
        if "://" in text:
            return f"{text!r} is an address"
        if text.startswith(("@", "=")) and not git:
            return f"{text!r} may name a file of options"
        if git and text.startswith(":(") and not _PLAIN_PATHSPEC.fullmatch(text):
            return f"{text!r} may name other files than it says"
        if self.operands == "tests":
            arg = dataclasses.replace(arg, text=text.partition("::")[0] if arg.text else None)
            if arg.text and (not is_test(arg.text) or _is_odd_file(arg.text, scene)):
                return f"{arg.text!r} is not named like a test"
        why = scene.path_refusal(arg, "read" if self.operands == "tests" else self.operands)
        if not why and self.operands == "read" and not self.walks and self.risk is RiskLevel.NONE and not git:
            why = _folder_refusal(arg, scene)
        if not why and git and has_wildcard(text) and args[1].text in _SHOWS_CONTENT:
            # git expands it by itself, and in all folders below.
            only = (pathspec_names(text),)
            why = scene.below_refusal(["."], Reach(only=only, tracked=True))
        if not why and git and ":" in text:
            # REVISION:PATH names a file of another time, from the top of the repository.
            shown = text.rpartition(":")[2].lstrip("!^") or "."
            why = scene.path_refusal(Arg(_from_top(shown, scene)), "read")
        return why

    def _path_operands(self, operands: list[Arg], args: list[Arg]) -> list[Arg]:
        first = self.text_first or (1 if self._first_is_text(args) else 0)
        words = [arg.text for arg in args if arg.text and arg.text.startswith("-")]
        if first and _given(words, self.text_first_unless):
            first = 0
        return operands[first:]

    def _first_is_text(self, args: list[Arg]) -> bool:
        return any(arg.text in self.text_first_for for arg in args[: len(self.words)])

    def _below(self, operands: list[Arg], given: list[tuple[str, str]], args: list[Arg], scene: Scene) -> str:
        """Why what lies below the operands may not be read, or ""."""
        words = [word for word, _ in given]
        tracked = args[0].text == "git"
        starts = self._path_operands(operands, args)
        named = starts
        if tracked:
            starts = [arg for arg in starts if self._is_there(arg, scene)]
        shows = tracked and bool(starts) and args[1].text in ("diff", "show", "whatchanged")
        staged = tracked and args[1].text in ("add", "stage")
        magic = [arg.shown for arg in named if staged and _is_pathspec(arg)]
        adds = staged and (bool(starts) or bool(magic) or _given(words, ("-A", "--all")))
        walks = adds or (
            self.walks in ("always", "follows")
            or shows
            or (self.walks == "options" and _given(words, self.walk_options))
        )
        if not walks or (not starts and scene.upstream and self.walks == "always" and not tracked):
            return ""
        only = tuple(self._includes(given))
        # A glob that takes names in takes in hidden and ignored ones too (ripgrep, OverrideBuilder).
        shown = not self.hidden_options or _given(words, self.hidden_options) or bool(only)
        reach = Reach(
            links=self.walks == "follows" or _given(words, self.link_options),
            hidden=shown,
            ignored=shown and not tracked,
            content=self.operands != "names",
            only=only,
            unhides=bool(self.hidden_options),
            tracked=tracked and not adds,
            fresh=adds,
        )
        if tracked and args[1].text == "grep" and self._is_elsewhere(named, args, scene):
            return "git searches what was there at another time"
        if magic:
            only = () if any(one.startswith(":") for one in magic) else tuple(map(pathspec_names, magic))
            why = scene.below_refusal(["."], dataclasses.replace(reach, only=only))
            if why:
                return why
        return scene.below_refusal([arg.pattern or arg.text or "" for arg in starts] or ["."], reach)

    def _is_elsewhere(self, operands: list[Arg], args: list[Arg], scene: Scene) -> bool:
        """Whether an operand of git names a revision: no file, no pattern of names, and before any `--`."""
        end = next((index for index, arg in enumerate(args) if arg.text == "--"), len(args))
        before = [one for one in operands if any(one is arg for arg in args[:end])]
        return any(not _is_pathspec(one) and not self._is_there(one, scene) for one in before)

    @staticmethod
    def _is_there(arg: Arg, scene: Scene) -> bool:
        """Whether an operand of git names a file or folder that is there, and no revision."""
        disk = scene.scope.disk
        return arg.wild or any(
            disk.size_of(place.path) is not None or disk.list_folder(place.path)
            for place in scene.places(arg.shown)
        )

    def _includes(self, given: list[tuple[str, str]]) -> list[str]:
        found: list[str] = []
        for word, following in given:
            name, equals, value = word.partition("=")
            if name in self.include_options:
                pattern = (value if equals else following).rpartition("/")[2]
                found += [pattern] if pattern and not pattern.startswith("!") else []
        return found


_COUNTS_JOBS = re2.compile(r"-j[0-9]+|--(?:jobs|parallel|workers|maxWorkers)=[0-9]+")
"""Options with a number that a command prints (`-j$(nproc)`)."""
_SHOWS_CONTENT = frozenset({"diff", "show", "log", "whatchanged", "blame", "annotate", "grep"})
_PLAIN_PATHSPEC = re2.compile(r":\((?:exclude|top)\)[A-Za-z0-9_./-]+")
"""Magic that leaves out or starts at the top; others change which names fit (gitglossary(7), pathspec)."""


def _is_odd_file(path: str, scene: Scene) -> bool:
    """Whether a name without an ending, which may be a folder of tests, is that of a file: a script."""
    name = path.rstrip("/").rpartition("/")[2]
    if "." in name or is_test_name(name):
        return False
    return any(scene.scope.disk.size_of(place.path) is not None for place in scene.places(path))


def _folder_refusal(arg: Arg, scene: Scene) -> str:
    """Why a reader of single files may not get this operand, or "": some read what a folder's files name."""
    if arg.text in (None, "-") or arg.wild:
        return ""
    folders = (place for place in scene.places(arg.shown) if scene.scope.disk.list_folder(place.path))
    return next((f"{arg.shown!r} is a folder" for _ in folders), "")


def _is_pathspec(arg: Arg) -> bool:
    """Whether git itself says which files an operand names: by a wildcard, or all but others."""
    return arg.shown.startswith(":") or has_wildcard(arg.shown)


def _from_top(path: str, scene: Scene) -> str:
    """A path of a revision as the project names it: the project may be a folder of its repository."""
    repository = repository_of(scene.scope)
    if repository is None or repository.top == scene.scope.root or path.startswith(("./", "../", "/")):
        return path
    return posixpath.join(repository.top, path)


def _given(words: list[str], options: tuple[str, ...]) -> bool:
    """Whether one of the options was given, also in a cluster of short ones."""
    for word in words:
        name = word.partition("=")[0]
        if name in options:
            return True
        if not name.startswith("--") and any(len(one) == 2 and one[1] in name[1:] for one in options):
            return True
    return False


def _any(patterns: tuple[Any, ...], text: str) -> bool:
    return any(pattern.search(text) for pattern in patterns)
