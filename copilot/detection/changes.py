"""What a dialog shows of the change that it asks about: the lines that go, come and stay.

Claude Code numbers the lines of a new file, and draws an edit with signs, between the dialog's two lines.
Codex draws an edit in its transcript, right above the dialog, below a header that counts the lines.
"""

from __future__ import annotations

from dataclasses import replace

from copilot.core.detection import ShownChange
from copilot.core.screen_rules import SubjectRule
from copilot.detection.anchors import Anatomy, raw
from copilot.detection.patterns import compiled
from copilot.detection.regions import Regions
from copilot.detection.rows import RowKind

_PLAIN = compiled(r"^( +\d+ )(.*)$")
_SIGNED = compiled(r"^( *\d+ )([ +-])(.*)$")
_TRANSCRIPT = compiled(r"^• (Edited|Added|Deleted|Updated) (.+) \(\+(\d+) -(\d+)\)$")
_LEFT_OUT = compiled(r"^\s*(?:\.\.\.|⋮|…)\s*$")
_MORE = compiled(r"^\s*(?:↑ \d+ more|\+ Show details|\[?… ?\+?\d+)")
_ACTS = {"Edited": "edit", "Updated": "edit", "Added": "create", "Deleted": "delete"}


def shown_change(rule: SubjectRule, dialog: Anatomy, path: str, regions: Regions) -> ShownChange | None:
    """What is shown of the change to the file `path`; None if that is nothing, or not known for this CLI."""
    if rule.change == "body":
        return _in_body(dialog, regions)
    return _above(dialog, path, regions) if rule.change == "above" else None


def _in_body(dialog: Anatomy, regions: Regions) -> ShownChange | None:
    header = raw(dialog.header, regions).strip() if dialog.header >= 0 else ""
    if not header or dialog.first < 0:
        return None
    rows = [raw(row, regions) for row in range(dialog.first + 1, dialog.last)]
    below = [raw(row, regions) for row in range(dialog.last, len(regions.rows))]
    whole = not any(_MORE.search(row) for row in below)
    if header == "Create file":
        return _created(rows, whole)
    if header.startswith(("Edit", "Update")):
        return _signed("edit", rows, whole)
    if all(_SIGNED.search(f"{row}  ") for row in rows if _PLAIN.search(f"{row} ")):
        return _signed("overwrite", rows, whole)
    return replace(_created(rows, whole), act="overwrite")


def _created(rows: list[str], whole: bool) -> ShownChange:
    lines: list[str] = []
    gutter = 0
    for row in rows:
        match = _PLAIN.search(f"{row} ")
        if match is not None and (not gutter or len(match.group(1)) == gutter):
            gutter = len(match.group(1))
            lines.append(str(match.group(2)).rstrip())
        elif lines and row.startswith(" " * gutter):
            lines[-1] += row[gutter:]
        elif row.strip():
            whole = False
    return ShownChange("create", (), tuple(lines), (), whole)


def _signed(act: str, rows: list[str], whole: bool) -> ShownChange:
    found: list[tuple[str, str]] = []
    gutter = 0
    for row in rows:
        match = _SIGNED.search(f"{row}  ")
        if match is not None and (not gutter or len(match.group(1)) == gutter):
            gutter = len(match.group(1))
            found.append((str(match.group(2)), str(match.group(3)).rstrip()))
        elif _LEFT_OUT.search(row) or not row.strip():
            continue
        elif found and row.startswith(" " * (gutter + 1)):
            found[-1] = (found[-1][0], found[-1][1] + row[gutter + 1 :])
        else:
            whole = False
    signs = {sign: tuple(text for one, text in found if one == sign) for sign in "-+ "}
    return ShownChange(act, signs["-"], signs["+"], signs[" "], whole)


def _above(dialog: Anatomy, path: str, regions: Regions) -> ShownChange | None:
    """The block of the transcript that ends right above the dialog, if it is about this one file."""
    if dialog.header < 0 or "\n" in path:
        return None
    last = dialog.header - 1
    while last >= 0 and regions.rows.kinds[last] is RowKind.BLANK:
        last -= 1
    first = last
    while first >= 0 and not raw(first, regions).startswith("• "):
        if raw(first, regions)[:2].strip():
            return None
        first -= 1
    match = _TRANSCRIPT.search(raw(first, regions)) if first >= 0 else None
    if match is None or not _same_file(path, str(match.group(2))):
        return None
    rows = [raw(row, regions) for row in range(first + 1, last + 1)]
    change = _signed(_ACTS[str(match.group(1))], [row for row in rows if not _MORE.search(row)], True)
    counted = (int(match.group(3)), int(match.group(4)))
    whole = change.whole and counted == (len(change.added), len(change.removed))
    return ShownChange(change.act, change.removed, change.added, change.kept, whole)


def _same_file(path: str, shown: str) -> bool:
    return path == shown or path.endswith(f"/{shown.removeprefix('./')}")
