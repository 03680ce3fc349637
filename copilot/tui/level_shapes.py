"""How a level of autonomy is drawn: as many full circles as it does by itself."""

from __future__ import annotations

from copilot.core.decision import Autonomy

LEVEL_SHAPES = {Autonomy.WATCH: "○○○", Autonomy.SUGGEST: "●○○", Autonomy.ASSIST: "●●○", Autonomy.FULL: "●●●"}
