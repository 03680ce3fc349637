"""Which rows of the terminal are marked, and how: evidence of the detection, the proposed option's row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from copilot.tui.model import CockpitModel


@dataclass(frozen=True, slots=True)
class Mark:
    """A shape for the edge of a row, and the theme variable of its colour."""

    shape: str
    colour: str


EVIDENCE_MARK = Mark("▌", "warning")
CHOICE_MARK = Mark("▶", "accent")


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
        index = model.marked_index() if model.view.proposal is not None or model.chosen is not None else None
        if index is None:
            return cls(rows)
        label = " ".join(detection.options[index].label.split())[:40]
        places = [row for row in sorted(rows) if label and label in " ".join(row_text(row).split())]
        return cls(rows, places[-1] if places else None)

    def mark(self, row: int) -> Mark | None:
        """The mark of this row, if it has one."""
        if row == self.choice:
            return CHOICE_MARK
        return EVIDENCE_MARK if row in self.rows else None
