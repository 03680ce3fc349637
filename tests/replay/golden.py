"""Where the golden runs are."""

from __future__ import annotations

from pathlib import Path

GOLDEN = Path(__file__).parents[2] / "snapshots" / "runs"
NAMES = sorted(path.name for path in GOLDEN.iterdir()) if GOLDEN.is_dir() else []
