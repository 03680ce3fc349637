"""Which rows of the terminal are marked, and how: evidence of the detection, the proposed option's row."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from copilot.tui.model import CockpitModel


@dataclass(frozen=True, slots=True)
class Mark:
    """A shape for the edge of a row, and the theme variable of its colour."""

    shape: str
    colour: str
    at_right: str
    """The shape at the right edge: what points, points at the row."""


EVIDENCE_MARK = Mark("▌", "warning", "▐")
CHOICE_MARK = Mark("▶", "accent", "◀")


_BEFORE_LABEL = re.compile(r"^[\s│┃|>❯›▶●○◯◉*\-]*(\(?[0-9a-zA-Z][.):]\s+)?(\[[ xX✔✓]\]\s*)?")
"""What stands before a label on its row: box edge, pointer, number, tick."""


def row_of_label(label: str, rows: Sequence[int], row_text: Callable[[int], str]) -> int | None:
    """The one row on which the option `label` stands; None if it is not plain which."""
    wanted = " ".join(label.split())
    texts = {
        row: " ".join(_BEFORE_LABEL.sub("", row_text(row), count=1).rstrip(" │┃|").split()) for row in rows
    }
    exact = [row for row, text in texts.items() if text == wanted]
    if len(exact) == 1:
        return exact[0]
    begun = [
        row
        for row, text in texts.items()
        if text and (text.startswith(wanted + " ") or _runs_on(text, wanted))
    ]
    return begun[0] if len(begun) == 1 and not exact else None


def _runs_on(text: str, label: str) -> bool:
    """Whether the row holds the first part of a label that was wrapped."""
    return len(text) > 12 and label.startswith(text)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Rows that are marked. `choice` is the one where the marked option stands."""

    rows: frozenset[int] = frozenset()
    choice: int | None = None

    @classmethod
    def of(cls, model: CockpitModel, row_text: Callable[[int], str]) -> Evidence:
        """The evidence of what waits now; a busy screen is left unmarked."""
        detection = model.detection
        if not detection.asks or model.over:
            return cls()
        rows = frozenset(detection.evidence)
        index = model.marked_index() if model.proposal is not None or model.chosen is not None else None
        if index is None:
            return cls(rows)
        return cls(rows, row_of_label(detection.options[index].label, sorted(rows), row_text))

    def mark(self, row: int) -> Mark | None:
        """The mark of this row, if it has one."""
        if row == self.choice:
            return CHOICE_MARK
        return EVIDENCE_MARK if row in self.rows else None
