"""Limits that end a run cleanly: typed replies, time, money."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class RunLimits:
    """The limits of a run and what is used of them. Money is US dollars, time is seconds."""

    max_steps: int = 50
    timeout_seconds: float | None = None
    max_cost_usd: float | None = None
    interrupt_seconds: float = 2.0
    """How long a child may take to end after an interrupt before it is ended for it."""
    steps: int = 0
    cost_usd: float | None = 0.0
    """None once a call's price was unknown."""

    def spend(self, cost_usd: float | None) -> None:
        """Add the price of one model call."""
        self.cost_usd = None if cost_usd is None or self.cost_usd is None else self.cost_usd + cost_usd

    def broken(self) -> str:
        """Why nothing more may be asked or typed; empty while all limits hold."""
        if self.steps >= self.max_steps:
            return f"{self.max_steps} replies were typed (--max-steps)"
        if self.max_cost_usd is None:
            return ""
        if self.cost_usd is None:
            return "the price of a model call is unknown, so --max-cost cannot be kept"
        if self.cost_usd >= self.max_cost_usd:
            return f"${self.cost_usd:.4f} of ${self.max_cost_usd:.2f} is spent (--max-cost)"
        return ""
