"""Which rows of the terminal are marked, and how: evidence of the detection, the proposed option's row."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from copilot.core.states import RunState
from copilot.tui.model import CockpitModel


@dataclass(frozen=True, slots=True)
class Mark:
    """A shape for the edge of a row, and the theme variable of its colour."""

    shape: str
    colour: str
    at_right: str
    """The shape at the right edge: what points, points at the row."""


EVIDENCE_MARK = Mark("▌", "warning", "▐")
PROPOSED_MARK = Mark("◆", "accent", "◆")
SENDING_MARK = Mark("▶", "accent", "◀")
PICKED_MARK = Mark("▸", "accent", "◂")
"""Of an option that the person marks in place of the proposed one. All three are the panels' own shapes."""


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


def _choice_mark(model: CockpitModel, index: int) -> Mark:
    """What the panels say of the option of that index."""
    if model.counting_down or model.view.state is RunState.ANSWERING:
        return SENDING_MARK
    return PROPOSED_MARK if index == model.proposed_index() else PICKED_MARK


@dataclass(frozen=True, slots=True)
class Evidence:
    """Rows that are marked. `choice` is the one where the marked option stands."""

    rows: frozenset[int] = frozenset()
    choice: int | None = None
    choice_mark: Mark = PROPOSED_MARK

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
        row = row_of_label(detection.options[index].label, sorted(rows), row_text)
        return cls(rows, row, _choice_mark(model, index))

    def mark(self, row: int) -> Mark | None:
        """The mark of this row, if it has one."""
        if row == self.choice:
            return self.choice_mark
        return EVIDENCE_MARK if row in self.rows else None
