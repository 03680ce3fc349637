"""What the kernel knows of the child's terminal."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TtyFacts:
    """Facts about the pseudo-terminal; None where the platform does not tell.

    `reading`: a process of the foreground group is blocked reading the terminal (Linux: /proc).
    `echo`, `canonical`: the line discipline's flags. `foreground`: the name of the foreground program.
    """

    reading: bool | None = None
    echo: bool | None = None
    canonical: bool | None = None
    foreground: str | None = None


UNKNOWN_FACTS = TtyFacts()
