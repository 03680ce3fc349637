"""What happened while the person was away, over the terminal until the next key or click."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static


class AwayBox(Static):
    """Out of sight unless there is something to tell."""

    BORDER_SUBTITLE = "any key closes this"

    def tell(self, content: Content) -> None:
        """Show these lines."""
        self.update(content)
        self.display = True

    def close(self) -> bool:
        """Out of sight. True if it was in sight."""
        shown, self.display = self.display, False
        return bool(shown)

    def on_mount(self) -> None:
        """Nothing to tell yet."""
        self.display = False

    def on_click(self) -> None:
        """Read."""
        self.display = False
