"""A plan of an undo as it is shown before it is carried out: each file with its diff, cut when long."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from copilot.checkpoints.undo import FileUndo, UndoPlan
from copilot.guard.text import safe_text
from copilot.session.undo_list import one_line

CHANGING = ("restore", "remove", "merge")
"""Actions that change a file of the project."""
_MOST_OF_FILE = 120
_MOST_LINES = 600
"""Of all files; of those after it only the first line is shown."""
_MOST_FILES = 500
_MOST_CHARACTERS = 400
_WORDS = {
    "restore": "put back",
    "remove": "remove",
    "merge": "merge",
    "refuse": "refuse",
    "keep": "keep",
}
_STYLES = {"refuse": "bold yellow", "keep": "dim"}


def plan_lines(plan: UndoPlan) -> Iterator[Text]:
    """The whole plan, safe to show, in the colours of `git diff`."""
    left = _MOST_LINES
    refused_first = sorted(plan.files, key=lambda file: file.action != "refuse")
    for file in refused_first[:_MOST_FILES]:
        yield Text(_headline(file), style=_STYLES.get(file.action, "bold"))
        if file.action not in CHANGING:
            continue
        if left <= 0:
            yield Text("… its lines are left out", style="dim")
            continue
        lines = list(_styled(_lines(plan.diff(file.path))))
        shown = min(len(lines), _MOST_OF_FILE, left)
        yield from lines[:shown]
        left -= shown
        if shown < len(lines):
            yield Text(f"… {len(lines) - shown} more lines of this file", style="dim")
    if len(plan.files) > _MOST_FILES:
        yield Text(f"… and {len(plan.files) - _MOST_FILES} more files", style="bold")


def _lines(diff: str) -> list[str]:
    return diff.removesuffix("\n").split("\n") if diff else []


def _headline(file: FileUndo) -> str:
    counts = f"  +{file.added} -{file.removed}" if file.added or file.removed else ""
    why = f"  ({one_line(file.why)})" if file.why else ""
    return f"{_WORDS.get(file.action, file.action)}  {one_line(file.path)}{counts}{why}"


def _cut(line: str) -> str:
    safe = safe_text(line)
    if len(safe) <= _MOST_CHARACTERS:
        return safe
    return f"{safe[:_MOST_CHARACTERS]}… ({len(safe) - _MOST_CHARACTERS} more characters)"


_TONES = {"@": "cyan", "+": "green", "-": "red"}


def _styled(lines: list[str]) -> Iterator[Text]:
    """As git colours them: names and modes bold, places cyan, what comes green, what goes red."""
    in_head = True
    for line in lines:
        in_head = in_head and not line.startswith("@@")
        yield Text(_cut(line), style="bold" if in_head else _TONES.get(line[:1], ""))
