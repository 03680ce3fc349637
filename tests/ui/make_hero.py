"""Draws the README's first picture, `snapshots/hero.svg`: a real Claude Code permission prompt in the cockpit.

`python -m tests.ui.make_hero [FILE.svg]`.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.ui.harness import app_on, had_worked
from tests.ui.scenes import permission

SIZE = (156, 42)
TARGET = Path(__file__).resolve().parents[2] / "snapshots" / "hero.svg"


async def draw() -> str:
    """The picture as SVG."""
    app = app_on(permission())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        had_worked(pilot)
        await pilot.pause()
        return app.export_screenshot(title="copilot -- claude")


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    target.write_text(asyncio.run(draw()), "utf-8")
