"""What a risk means at an autonomy level: may it be sent by itself, is it held, or is it never done."""

from __future__ import annotations

from copilot.core.decision import Autonomy
from copilot.core.risk import Risk, RiskLevel

_CEILING = {
    Autonomy.WATCH: None,
    Autonomy.SUGGEST: None,
    Autonomy.ASSIST: RiskLevel.LOW,
    Autonomy.FULL: RiskLevel.MEDIUM,
}


def verdict_at(risk: Risk, level: Autonomy) -> str:
    """`allow`, `hold` or `forbid`. High is never allowed by any level; forbidden is forbidden at all."""
    if risk.level is RiskLevel.FORBIDDEN:
        return "forbid"
    ceiling = _CEILING[level]
    return "allow" if ceiling is not None and risk.level <= ceiling else "hold"
