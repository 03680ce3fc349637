"""Grants: a person's permission for something that would be held, as narrow as it was given.

`shell:npm install *`, `write:docs/**` or `prompt:Install dependencies?*`. A grant lifts exactly what it
names from high to medium, one simple command at a time, and never what is forbidden (CP-44, CP-45).
"""

from __future__ import annotations

import fnmatch
import posixpath
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from copilot.errors import InputError
from copilot.safety.finding import Scene
from copilot.safety.packs import Arg

ACTIONS = ("shell", "write", "edit", "delete", "read", "fetch", "tool", "plan", "prompt")


@dataclass(frozen=True, slots=True)
class Grant:
    """`action` and the words (shell) or the path pattern (files) that it is for."""

    action: str
    pattern: tuple[str, ...]
    rule: str

    @classmethod
    def parse(cls, rule: str) -> Grant:
        """The grant that a rule such as `shell:npm install *` writes. Raises InputError with the fix."""
        action, colon, rest = rule.partition(":")
        action, rest = action.strip(), rest.strip()
        if not colon or action not in ACTIONS or not rest:
            raise InputError(
                f"--allow {rule!r}: write ACTION:PATTERN with an action of {', '.join(ACTIONS)}, "
                "for example 'shell:npm install *' or 'write:docs/**'"
            )
        try:
            words = tuple(shlex.split(rest)) if action == "shell" else (rest,)
        except ValueError as error:
            raise InputError(f"--allow {rule!r}: {error}") from error
        if not words or (action == "shell" and "*" in words[0]):
            raise InputError(f"--allow {rule!r}: the first word must name a program, not a wildcard")
        return cls(action, words, rule)

    def covers_command(self, args: Sequence[Arg], scene: Scene) -> bool:
        """Whether the whole command is what the grant names. `*` stands for one word, at the end for any."""
        if self.action != "shell":
            return False
        for index, wanted in enumerate(self.pattern):
            if wanted == "*" and index + 1 == len(self.pattern):
                return all(_is_modest(arg, scene) for arg in args[index:])
            if index >= len(args) or not _same_word(wanted, args[index], scene):
                return False
        return len(args) == len(self.pattern)

    def covers_path(self, action: str, path: str, scene: Scene) -> bool:
        """Whether doing `action` to `path` is what the grant names; the resolved path must be inside."""
        same = {self.action, action} <= {"write", "edit"} or self.action == action
        return same and all(
            place.relative is not None
            and not place.protected
            and path_matches(self.pattern[0], place.relative)
            for place in scene.places(path)
        )

    def covers_prompt(self, question: str) -> bool:
        """Whether the grant names this very question of a program; `*` stands for any text."""
        # Brackets stand for themselves: questions end in `[y/n]`.
        pattern = " ".join(self.pattern[0].split()).replace("[", "[[]")
        return self.action == "prompt" and fnmatch.fnmatchcase(" ".join(question.split()), pattern)


def grant_covers(grants: Sequence[Grant], args: Sequence[Arg], scene: Scene) -> bool:
    """Whether any of the grants is for this very command."""
    return any(grant.covers_command(args, scene) for grant in grants)


def path_matches(pattern: str, path: str) -> bool:
    """`**` spans folders, `*` does not."""
    wanted, parts = posixpath.normpath(pattern).split("/"), posixpath.normpath(path).split("/")
    return _parts_match(wanted, parts)


def _parts_match(wanted: list[str], parts: list[str]) -> bool:
    if not wanted:
        return not parts
    if wanted[0] == "**":
        return any(_parts_match(wanted[1:], parts[index:]) for index in range(len(parts) + 1))
    return bool(parts) and fnmatch.fnmatchcase(parts[0], wanted[0]) and _parts_match(wanted[1:], parts[1:])


def _same_word(wanted: str, arg: Arg, scene: Scene) -> bool:
    if arg.text is None or arg.wild:
        return False
    if wanted == arg.text:
        return True
    return "*" in wanted and _is_modest(arg, scene) and path_matches(wanted, arg.text)


def _is_modest(arg: Arg, scene: Scene) -> bool:
    """Whether a wildcard may stand for the word: certain, no option, and nothing outside the project."""
    if arg.text is None or arg.wild or arg.text.startswith("-") or ".." in arg.text.split("/"):
        return False
    value = arg.text.partition("=")[2] or arg.text
    return all(place.inside and not place.protected for place in scene.places(value))
