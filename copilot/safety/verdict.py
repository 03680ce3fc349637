"""What a risk means at an autonomy level, in one word, by policy's own ceiling: allow, hold or forbid."""

from __future__ import annotations

from copilot.core.decision import Autonomy
from copilot.core.detection import ScreenKind
from copilot.core.policy import ceiling
from copilot.core.profile_outline import Limits
from copilot.core.risk import Risk, RiskLevel

_DEFAULT = Limits()


def verdict_at(risk: Risk, level: Autonomy, limits: Limits = _DEFAULT, kind: ScreenKind | None = None) -> str:
    """`allow`, `hold` or `forbid`, with the profile's limits (default: no profile's).

    `kind` is the prompt that is answered; None for a command by itself. What is forbidden is so at any level.
    """
    if risk.level is RiskLevel.FORBIDDEN:
        return "forbid"
    most = ceiling(level, kind, limits)
    return "allow" if most is not None and risk.level <= most else "hold"
