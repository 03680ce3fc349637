"""RE2 patterns of this room, compiled quietly: RE2 writes its complaints to the terminal otherwise."""

from __future__ import annotations

from typing import Protocol, cast

import re2


class Match(Protocol):
    """The part of `re2`'s match objects that is used here."""

    def group(self, number: int = 0) -> str:
        """The text of one group."""


class Pattern(Protocol):
    """A compiled pattern; matching takes time linear in the text."""

    def search(self, text: str) -> Match | None:
        """The first match anywhere."""

    def fullmatch(self, text: str) -> Match | None:
        """A match of the whole text."""

    def sub(self, replacement: str, text: str, count: int = 0) -> str:
        """The text with matches replaced."""

    def split(self, text: str) -> list[str]:
        """The text between the matches."""


def pattern(text: str) -> Pattern:
    """`text` compiled by RE2. Raises ValueError, naming the fault, if it is no pattern.

    Counted repetitions of Unicode classes are best avoided: their automata are huge.
    """
    options = re2.Options()
    options.log_errors = False
    try:
        return cast(Pattern, re2.compile(text, options=options))
    except re2.error as problem:
        fault = problem.args[0] if problem.args else problem
        raise ValueError(fault.decode() if isinstance(fault, bytes) else str(fault)) from None


def quoted(text: str) -> str:
    """`text` as a pattern that matches exactly it."""
    return cast(str, re2.escape(text))
