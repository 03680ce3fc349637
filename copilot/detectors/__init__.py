"""Detectors: a `ScreenSnapshot` and a profile in, a `Detection` with its evidence out.

`Examiner` reads one screen, `Settler` confirms readings over time.
"""

from __future__ import annotations

from copilot.detectors.examiner import Examination, Examiner, RuleVerdict
from copilot.detectors.settler import Settler

__all__ = ["Examination", "Examiner", "RuleVerdict", "Settler"]
