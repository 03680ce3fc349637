"""Grants: a person's permission for something that would be held, as narrow as it was given.

`ACTION:PATTERN` or `ACTION[LIMITS]:PATTERN`, for example `shell:npm install *`, `write:docs/**`,
`shell[times=1]:rm -r build`, `delete[for=30m]:build/**`. A grant lifts exactly what it names from high to
medium, one simple command at a time, and never what is forbidden (CP-44, CP-45).
"""

from __future__ import annotations

import fnmatch
import posixpath
import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import re2

from copilot.errors import InputError
from copilot.guard.arguments import Arg
from copilot.guard.rule_files import Scene

_SECONDS = {"s": 1, "m": 60, "h": 3600}
_LASTS = re2.compile(r"([0-9]{1,6})(s|m|h)")
MAX_TIMES = 1000


@dataclass(frozen=True, slots=True)
class Limits:
    """How often, how long from when it is given (seconds), and until when (seconds since the epoch)."""

    times: int | None = None
    lasts_seconds: float | None = None
    until: float | None = None


def read_limits(text: str, rule: str) -> Limits:
    """The limits in the brackets of a grant. Raises InputError that names the rule and the fix."""
    found: dict[str, str] = {}
    for item in text.split(","):
        key, equals, value = (part.strip() for part in item.partition("="))
        if not equals or key not in ("times", "for", "until") or key in found:
            raise InputError(
                f"--allow {rule!r}: {item.strip()!r}: write times=N, for=30m or until=TIME, each once"
            )
        found[key] = value
    return Limits(
        times=_times(found["times"], rule) if "times" in found else None,
        lasts_seconds=_lasts(found["for"], rule) if "for" in found else None,
        until=_until(found["until"], rule) if "until" in found else None,
    )


def _times(value: str, rule: str) -> int:
    if not value.isascii() or not value.isdigit() or not 1 <= int(value[:6]) <= MAX_TIMES or len(value) > 6:
        raise InputError(f"--allow {rule!r}: times={value}: write a whole number from 1 to {MAX_TIMES}")
    return int(value)


def _lasts(value: str, rule: str) -> float:
    match = _LASTS.fullmatch(value)
    if not match or int(match.group(1)) == 0:
        raise InputError(f"--allow {rule!r}: for={value}: write a time such as 90s, 30m or 2h")
    return float(int(match.group(1)) * _SECONDS[match.group(2)])


def _until(value: str, rule: str) -> float:
    """A date and time; without a zone it is local time."""
    try:
        return datetime.fromisoformat(value).timestamp()
    except (ValueError, OverflowError, OSError) as error:
        raise InputError(
            f"--allow {rule!r}: until={value}: write a date and time such as 2026-11-21T18:00 (or …T17:00Z)"
        ) from error


ACTIONS = ("shell", "write", "edit", "delete", "read", "fetch", "tool", "plan", "prompt")
_RULE = re2.compile(r"(?s)\s*([a-z]+)\s*(?:\[([^\]]*)\])?\s*:(.*)")


@dataclass(frozen=True, slots=True)
class Grant:
    """`action` and the words (shell) or the path pattern (files) that it is for; how often and until when.

    `times` is how many uses are left, `until` when it ends in seconds since the epoch; None for no limit.
    `lasts_seconds` counts from when it is given; `GrantBook` makes an end of it.
    """

    action: str
    pattern: tuple[str, ...]
    rule: str
    times: int | None = None
    until: float | None = None
    lasts_seconds: float | None = None

    @classmethod
    def parse(cls, rule: str) -> Grant:
        """The grant that a rule such as `shell:npm install *` writes. Raises InputError with the fix."""
        match = _RULE.fullmatch(rule)
        action, limits, rest = match.groups() if match else ("", None, "")
        rest = rest.strip()
        if action not in ACTIONS or not rest:
            raise InputError(
                f"--allow {rule!r}: write ACTION:PATTERN with an action of {', '.join(ACTIONS)}, "
                "for example 'shell:npm install *', 'write:docs/**' or 'shell[times=1,for=30m]:rm -r build'"
            )
        try:
            words = tuple(shlex.split(rest)) if action == "shell" else (rest,)
        except ValueError as error:
            raise InputError(f"--allow {rule!r}: {error}; close the quote") from error
        if not words or (action == "shell" and "*" in words[0]):
            raise InputError(f"--allow {rule!r}: the first word must name a program, not a wildcard")
        found = read_limits(limits, rule) if limits is not None else Limits()
        return cls(action, words, rule, found.times, found.until, found.lasts_seconds)

    @property
    def is_open(self) -> bool:
        """Whether the grant still counts. Its end is checked by `GrantBook.open_at`, which removes it."""
        over = self.times is not None and self.times < 1
        return not over and self.until is None and self.lasts_seconds is None

    def covers_command(self, args: Sequence[Arg], scene: Scene) -> bool:
        """Whether the whole command is what the grant names. `*` matches one word, at the end any words.

        Only in the project's own folder: elsewhere the same words name other files.
        """
        here = {scene.scope.resolve(folder) for folder in scene.folders}
        if self.action != "shell" or here != {scene.scope.root}:
            return False
        for index, wanted in enumerate(self.pattern):
            if wanted == "*" and index + 1 == len(self.pattern):
                return all(_is_modest(arg, scene) and not _is_foreign(arg, scene) for arg in args[index:])
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
        """Whether the grant names exactly this question of a program; `*` matches any text."""
        # Brackets are literal: questions end in `[y/n]`.
        pattern = " ".join(self.pattern[0].split()).replace("[", "[[]")
        return self.action == "prompt" and fnmatch.fnmatchcase(" ".join(question.split()), pattern)


def grant_for(grants: Sequence[Grant], args: Sequence[Arg], scene: Scene) -> Grant | None:
    """The first of the grants that is for this very command and not over."""
    return next((one for one in grants if one.is_open and one.covers_command(args, scene)), None)


def path_grant_for(grants: Sequence[Grant], action: str, path: str, scene: Scene) -> Grant | None:
    """The first of the grants that is for doing `action` to this very path and not over."""
    return next((one for one in grants if one.is_open and one.covers_path(action, path, scene)), None)


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
    if "*" not in wanted or not _is_modest(arg, scene) or (wanted == "*" and _is_foreign(arg, scene)):
        return False
    return path_matches(wanted, arg.text)


_ADDRESS = re2.compile(r"^//|:|^[^/@]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$|^www\.|^\W*[~$]")
"""Elsewhere: `host:path`, `github:user/name`, `pkg@npm:other`, an address of mail."""


def _is_foreign(arg: Arg, scene: Scene) -> bool:
    """Whether a word with a slash names nothing here: `user/name` and `host.tld/path` are addresses."""
    first, slash, _ = arg.shown.partition("/")
    if not slash or first in ("", ".") or first.startswith("@"):
        return False
    disk = scene.scope.disk
    there = (
        one for one in scene.places(first) if disk.list_folder(one.path) or disk.size_of(one.path) is not None
    )
    return next(there, None) is None


def _is_modest(arg: Arg, scene: Scene) -> bool:
    """Whether a wildcard may match the word: certain, no option, and nothing outside the project."""
    if arg.text is None or arg.wild or arg.text.startswith("-") or ".." in arg.text.split("/"):
        return False
    if _ADDRESS.search(arg.text):
        return False
    value = arg.text.partition("=")[2] or arg.text
    return all(place.inside and not place.protected and not place.runs_later for place in scene.places(value))


# The grants of a run. Time is data (seconds since the epoch), so that a replay decides as the run did.


@dataclass(frozen=True, slots=True)
class GrantLine:
    """One grant as it is shown: its state is `open`, `used up`, `over` or `revoked`."""

    rule: str
    state: str
    used: int
    left: int | None
    until: float | None
    by: str = ""
    """Who gave it: `settings` (options and files), or `you`."""


class GrantBook:
    """Keeps grants by their rules. A rule that is given twice is one grant."""

    def __init__(self, grants: Iterable[Grant], given_at: float) -> None:
        self._grants: dict[str, Grant] = {}
        self._used: Counter[str] = Counter()
        self._revoked: set[str] = set()
        self._by: dict[str, str] = {}
        for grant in grants:
            self.give(grant, given_at)

    def give(self, grant: Grant, at: float, by: str = "settings") -> None:
        """Add a grant from now on; adding it again restarts its limits."""
        until = grant.until
        if grant.lasts_seconds is not None:
            ends = at + grant.lasts_seconds
            until = ends if until is None else min(until, ends)
        self._grants[grant.rule] = replace(grant, until=until, lasts_seconds=None)
        self._by[grant.rule] = by
        self._revoked.discard(grant.rule)
        del self._used[grant.rule]

    def open_at(self, at: float) -> tuple[Grant, ...]:
        """The grants that are open at that time, each with its remaining uses and without its end."""
        return tuple(
            replace(grant, times=self._left(grant), until=None)
            for grant in self._grants.values()
            if self._state(grant, at) == "open"
        )

    def use(self, rules: Sequence[str]) -> None:
        """A reply that rested on these grants was given; one entry for each command that was lifted."""
        self._used.update(rule for rule in rules if rule in self._grants)

    def revoke(self, rule: str) -> bool:
        """Revoke a grant; False if no open grant has that rule."""
        known = rule in self._grants and rule not in self._revoked
        if known:
            self._revoked.add(rule)
        return known

    def lines(self, at: float) -> tuple[GrantLine, ...]:
        """Every grant that was given, with what became of it."""
        return tuple(
            GrantLine(
                rule, self._state(grant, at), self._used[rule], self._left(grant), grant.until, self._by[rule]
            )
            for rule, grant in self._grants.items()
        )

    def _left(self, grant: Grant) -> int | None:
        return None if grant.times is None else max(0, grant.times - self._used[grant.rule])

    def _state(self, grant: Grant, at: float) -> str:
        if grant.rule in self._revoked:
            return "revoked"
        if self._left(grant) == 0:
            return "used up"
        return "over" if grant.until is not None and at >= grant.until else "open"
