"""What a change takes from a check or a test without taking its line away: by names, order, or aim."""

from __future__ import annotations

import itertools

import re2

from copilot.core.detection import ShownChange
from copilot.guard.edit_rules import EditRules

PIECES = re2.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`|\w+|[^\w\s]")
NAME = re2.compile(r"^[A-Za-z_]\w*$")


class Renames:
    """Which names a change gives to things, by all of its lines."""

    def __init__(
        self, removed: tuple[str, ...], kept: tuple[str, ...], added: tuple[str, ...], rules: EditRules
    ) -> None:
        checks = [rule for rule in rules.lines if rule.removed]

        def names(lines: tuple[str, ...]) -> set[str]:
            return {one for line in lines for one in PIECES.findall(line) if NAME.search(one)}

        def plain(lines: tuple[str, ...]) -> set[str]:
            return names(tuple(line for line in lines if not any(rule.finds(line) for rule in checks)))

        self._stays, self._was = names((*kept, *added)), names((*kept, *removed))
        self._gone, self._come = plain(removed), plain(added)

    def allow(self, before: str, after: str) -> bool:
        """Whether a check may read so: each name is the same, or renamed also where nothing is checked."""
        pairs = {
            (old, new)
            for old, new in zip(PIECES.findall(before), PIECES.findall(after), strict=True)
            if old != new
        }
        return all(
            old not in self._stays and new not in self._was and old in self._gone and new in self._come
            for old, new in pairs
        )


def moved_check(change: ShownChange, rules: EditRules) -> str:
    """A check that is elsewhere than before: what it guards may now be something else.

    Lines that keep their order, with nothing between them, have moved as a whole.
    """
    moved = [line for line in change.removed if line.strip() and line in change.added]
    order = [line for line in change.added if line.strip() and line in change.removed]
    if moved == order and not change.kept:
        return ""
    return next((line.strip() for line in moved if _is_check(line, rules)), "")


def _is_check(line: str, rules: EditRules) -> bool:
    return any(rule.finds(line) for rule in rules.lines if rule.id == "edit.check-removed")


_DECORATES = re2.compile(r"^\s*(?:@|\[|#\[|before_action|pragma)")


def slipped_in(change: ShownChange, rules: EditRules) -> str:
    """A check that is written above a definition and is now above another."""
    before, after = _guarded(change.removed, rules), _guarded(change.added, rules)
    return next((check.strip() for check, line in before if (check, line) not in after), "")


def _guarded(lines: tuple[str, ...], rules: EditRules) -> list[tuple[str, str]]:
    """Checks of the form of a decorator, each with the line below it."""
    return [
        (one, below)
        for one, below in itertools.pairwise(lines)
        if _DECORATES.search(one) and _is_check(one, rules)
    ]


_IMPORTS = re2.compile(
    r"""^\s*(?:from\s+([\w.]+)\s+import\b|import\s.*\bfrom\s*["']([^"']+)|.*\brequire\(["']([^"']+))"""
)
_TEST_CLASSES = re2.compile(r"\bclass\s+(?:Test\w*|\w+Tests?|\w+Spec)\b")
_CALLS = re2.compile(r"^\s*(?:(?:const|let|var|auto|final)\s+)?([A-Za-z_]\w*)\s*:?=[^=].*\(")
_TAKES = re2.compile(r"^\s*(?:(?:const|let|var|auto|final)\s+)?([A-Za-z_]\w*)\s*:?=[^=]")
_FAKE = re2.compile(r"(?i)\b\w*(?:mock|fake|stub|dummy)\w*\(")


def measures_less(removed: tuple[str, ...], added: tuple[str, ...]) -> str:
    """A line by which a test reached what it tests, and that is gone: an import, a class, a call."""
    imported = {module for line in added for module in _modules(line)}
    constants = {
        match.group(1)
        for line in added
        if (match := _TAKES.search(line)) and (not _CALLS.search(line) or _FAKE.search(line))
    }
    for line in removed:
        call = _CALLS.search(line)
        if (
            (_modules(line) and not imported.intersection(_modules(line)))
            or (_TEST_CLASSES.search(line) and not any(_TEST_CLASSES.search(one) for one in added))
            or (call and call.group(1) in constants)
        ):
            return line.strip()
    return ""


def _modules(line: str) -> list[str]:
    match = _IMPORTS.search(line)
    return [one for one in match.groups() if one] if match else []
