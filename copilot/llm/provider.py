"""The port that every provider fills."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from copilot.context.tokens import Estimator
from copilot.core.reply import Proposal, Usage
from copilot.core.reply_request import ReplyRequest


class Provider(Protocol):
    """Writes replies. `propose` never outlives its own deadline."""

    name: str
    model: str

    async def propose(self, request: ReplyRequest, on_text: Callable[[str], None]) -> Proposal:
        """One reply; `on_text` gets the raw text as it streams in, for display only.

        Raises ProviderError with a reason for the person: down, slow, refusing, or nonsense.
        """
        ...

    def unused(self) -> tuple[str, ...]:
        """What a script still holds though it was to be used; empty for a provider without a script."""
        ...

    async def close(self) -> None:
        """Give back connections."""
        ...


@runtime_checkable
class TakesNoInstruction(Protocol):
    """A provider that cannot follow an instruction such as "shorter"; `cannot_follow` tells the person so."""

    cannot_follow: str


@runtime_checkable
class EstimatesUsage(Protocol):
    """A provider whose calls cost something, also those that are cancelled."""

    def estimated_usage(self, request: ReplyRequest, said: str) -> Usage:
        """What a call used that was ended after the model had said so much."""


@runtime_checkable
class CountsTokens(Protocol):
    """A provider that knows better than the estimate how its model counts."""

    counter: Estimator
