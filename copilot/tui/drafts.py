"""`Drafts`: every reply that was written for the prompt that stands there, and which of them is looked at."""

from __future__ import annotations

from dataclasses import dataclass

from copilot.core.decision import Decision
from copilot.core.reply import Proposal
from copilot.session.view import SessionView


@dataclass(frozen=True, slots=True)
class Draft:
    """A proposal and what policy made of it."""

    proposal: Proposal
    decision: Decision | None


class Drafts:
    """Oldest first. A newer one comes to the front; the others stay until the prompt goes or changes.

    A draft lives no longer than the session would keep a reply: not after the person has typed, nor under
    another governing prompt.
    """

    def __init__(self) -> None:
        self._all: list[Draft] = []
        self._at = 0
        self._governed_by = 0

    def take(self, view: SessionView, *, new_prompt: bool) -> None:
        """Take over what a new view tells."""
        if new_prompt or view.stale or view.governing_version != self._governed_by:
            self.clear()
            self._governed_by = view.governing_version
        if view.proposal is None or view.stale:
            return
        newest = Draft(view.proposal, view.decision)
        if self._all and self._all[-1].proposal == newest.proposal:
            self._all[-1] = newest
        else:
            self._all = [one for one in self._all if one.proposal.reply != newest.proposal.reply]
            self._all.append(newest)
            self._at = len(self._all) - 1
        if view.countdown_ends_at is not None:
            self._at = len(self._all) - 1

    def clear(self) -> None:
        """Forget them."""
        self._all, self._at = [], 0

    def step(self, by: int) -> bool:
        """Look at the one before or after. False at the ends."""
        wanted = self._at + by
        if not 0 <= wanted < len(self._all):
            return False
        self._at = wanted
        return True

    @property
    def shown(self) -> Draft | None:
        """The one that is looked at."""
        return self._all[self._at] if self._all else None

    @property
    def shows_newest(self) -> bool:
        """Whether that is the newest."""
        return self._at == len(self._all) - 1

    @property
    def place(self) -> str:
        """`2 of 3`; empty if there is but one."""
        return f"{self._at + 1} of {len(self._all)}" if len(self._all) > 1 else ""
