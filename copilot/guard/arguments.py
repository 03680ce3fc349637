"""One argument of a command, as certain as it can be before the command runs."""

from __future__ import annotations

from dataclasses import dataclass


def words(text: str) -> tuple[str, ...]:
    """The words of a list that is written as text."""
    return tuple(text.split())


@dataclass(frozen=True, slots=True)
class Arg:
    """An argument: its text (None if known only at run time), if it has wildcards, how it is written."""

    text: str | None
    wild: bool = False
    raw: str = ""
    pattern: str = ""
    """A wildcard that fits all it may be, where a command prints a part of it."""

    @property
    def shown(self) -> str:
        """The text, or how it is written."""
        return self.text if self.text is not None else self.raw
