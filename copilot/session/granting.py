"""What the person at the terminal allows, and takes back."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from copilot.engine.inputs import GrantRevoked, GrantsGiven
from copilot.guard.grants_offer import Offer
from copilot.session.ports import ends_by_fault

if TYPE_CHECKING:
    from copilot.session.live import LiveSession


class Granting:
    """The `GrantControls` of a live session."""

    def __init__(self, session: LiveSession) -> None:
        self._session = session

    def fault(self, problem: Exception) -> None:
        """A fault here is one of the session."""
        self._session.fault(problem)

    def offer(self) -> Offer:
        """What could be allowed so that the present prompt is answered without the person."""
        return self._session.engine.offer(time.time())

    @ends_by_fault
    def allow(self, rules: Sequence[str], limits: str, *, identity: str) -> None:
        """Give these grants, offered for the prompt of that identity; not if anything has changed since."""
        at, epoch = self._session.clock(), time.time()
        self._session.feed(
            GrantsGiven(at=at, epoch=epoch, rules=tuple(rules), limits=limits, identity=identity)
        )

    @ends_by_fault
    def revoke(self, rule: str) -> None:
        """Take a grant back."""
        self._session.feed(GrantRevoked(at=self._session.clock(), epoch=time.time(), rule=rule))
