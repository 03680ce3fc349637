"""`Dialog`: what every page and question over the cockpit is."""

from __future__ import annotations

from typing import TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen

Result = TypeVar("Result")


class Dialog(ModalScreen[Result], inherit_bindings=False):
    """A modal screen that closes once.

    On a busy machine a second Esc may come before the first has taken the screen away. Textual would then
    close whatever lies below: the session.
    """

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close with this result; a second time nothing happens."""
        return super().dismiss(result) if self.is_active else AwaitComplete()
