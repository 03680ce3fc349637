"""A prompt that is partly drawn so that nobody can see it is the person's to judge."""

from __future__ import annotations

from copilot.core.risk import Risk, RiskLevel


def raised_for_unseen(risk: Risk, hidden: int) -> Risk:
    """`risk`, and at least high if so many characters of the prompt cannot be seen."""
    if not hidden or risk.level >= RiskLevel.HIGH:
        return risk
    what = "character" if hidden == 1 else "characters"
    return Risk(
        RiskLevel.HIGH,
        (f"the prompt came with {hidden} {what} that nobody sees",),
        "prompt.unseen",
    )
