"""A screen that is drawn once, and no more, for each change while a dialog lies over it.

Textual hands a change below a dialog on to the dialog's screen, and besides marks the screen below as to be
painted, which nobody does: so each later message to it has everything painted again, a third of a core at
200x60 for a clock. Bound to the pinned version of Textual.
"""

from __future__ import annotations

from typing import Generic

from textual.screen import Screen, ScreenResultType


class BelowDialogs(Screen[ScreenResultType], Generic[ScreenResultType]):
    """For screens whose picture goes on below a dialog."""

    @property
    def panel_columns(self) -> int:
        """Columns that panels take beside the terminal: dialogs keep clear of them."""
        return 0

    def _compositor_refresh(self) -> None:
        super()._compositor_refresh()
        if self.app.screen is not self:
            self._repaint_required = False
