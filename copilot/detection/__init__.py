"""Detectors: a `ScreenSnapshot` and a profile in, a `Detection` with its evidence out.

`Examiner` reads one screen, `Settler` confirms readings over time.
"""

from __future__ import annotations

from copilot.detection.examiner import Examination, Examiner, RuleVerdict
from copilot.detection.settler import Settler

__all__ = ["Examination", "Examiner", "RuleVerdict", "Settler"]
