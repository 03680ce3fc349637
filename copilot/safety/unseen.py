"""A prompt that is partly drawn so that nobody can see it is the person's to judge."""

from __future__ import annotations

from copilot.core.risk import Risk, RiskLevel


def raised_for_unseen(risk: Risk, hidden: int) -> Risk:
    """`risk`, and at least high if so many characters of the prompt are drawn but cannot be seen."""
    if not hidden or risk.level >= RiskLevel.HIGH:
        return risk
    what = "character" if hidden == 1 else "characters"
    return Risk(
        RiskLevel.HIGH,
        (f"{hidden} {what} of the prompt are drawn so that nobody sees them",),
        "prompt.unseen",
    )
