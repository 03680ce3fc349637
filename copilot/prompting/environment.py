"""What is known of the project: its git state and scripts, and how that reads in the prompt.

The names come from the repository under work, so they are untrusted and are fenced like the screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

FIRST_LINES = 20
LAST_LINES = 10
_LONGEST_NAME = 160
_MOST_SCRIPTS = 20


@dataclass(frozen=True, slots=True)
class EnvironmentSnapshot:
    """One look at the project.

    `changed` are porcelain lines (`" M src/app.py"`), possibly only the first and last ones; `changed_total`
    counts all. `scripts` are (file, name, command). `notes` say what could not be read, for the person.
    """

    branch: str | None = None
    changed: tuple[str, ...] = ()
    changed_total: int = 0
    shortstat: str = ""
    scripts: tuple[tuple[str, str, str], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        return not (self.branch or self.changed or self.shortstat or self.scripts)


def first_and_last(
    lines: Sequence[str], total: int, first: int = FIRST_LINES, last: int = LAST_LINES
) -> tuple[list[str], bool]:
    """The first and last lines with a mark between, and whether any was left out."""
    if len(lines) <= first + last and total <= len(lines):
        return list(lines), False
    head, tail = list(lines[:first]), list(lines[first:][-last:])
    missing = max(total, len(lines)) - len(head) - len(tail)
    return [*head, f"[… {missing} more …]", *tail], True


def render_environment(snapshot: EnvironmentSnapshot) -> tuple[str, bool]:
    """The snapshot as text, and whether lists were cut."""
    lines: list[str] = []
    cut = False
    if snapshot.branch:
        lines.append(f"Branch: {_name(snapshot.branch)}")
    if snapshot.shortstat:
        lines.append(f"Uncommitted changes: {_name(snapshot.shortstat)}")
    if snapshot.changed:
        listed, cut = first_and_last([_name(line) for line in snapshot.changed], snapshot.changed_total)
        lines.append(f"Changed files ({snapshot.changed_total}, git status --porcelain):")
        lines += [f"  {line}" for line in listed]
    elif snapshot.branch:
        lines.append("Changed files: none")
    if snapshot.scripts:
        scripts = snapshot.scripts[:_MOST_SCRIPTS]
        cut = cut or len(scripts) < len(snapshot.scripts)
        lines.append("Scripts:")
        lines += [f"  {file}: {_name(name)} = {_name(command)}" for file, name, command in scripts]
    return "\n".join(lines), cut


def _name(text: str) -> str:
    """One line of bounded length; a line end in a file name is shown, not obeyed."""
    shown = text.replace("\r", "\\r").replace("\n", "\\n")
    return shown if len(shown) <= _LONGEST_NAME else shown[: _LONGEST_NAME - 1] + "…"
