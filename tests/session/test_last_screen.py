"""What a program showed last is not cut off by a smaller window after its end."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from copilot.core.decision import Autonomy
from copilot.core.settings import RunSettings
from tests.session.live import ended, running

WHOLE = r"print('\033[?1049h\033[H' + '\r\n'.join(f'row {n}' for n in range(20)), end='')"
LEFT = WHOLE + r"; print('\033[?1049l', end='')"
PLAIN = r"print('\r\n'.join(f'row {n}' for n in range(20)))"


@pytest.mark.parametrize(("script", "kept"), [(WHOLE, 24), (LEFT, 24), (PLAIN, 8)])
async def test_a_smaller_window_after_the_end(tmp_path: Path, script: str, kept: int) -> None:
    settings = RunSettings(
        child=(sys.executable, "-c", script),
        profile="generic",
        autonomy=Autonomy.WATCH,
        cwd=str(tmp_path),
        log_folder=str(tmp_path / "run"),
        columns=80,
        lines=24,
    )
    async with running(settings) as watched:
        await ended(watched)
        assert watched.session is not None
        screen = watched.session.screen
        watched.session.resize(60, 8)
        assert screen.lines == kept
        watched.session.resize(80, 24)
        assert "row 0" in "\n".join(screen.display) and "row 19" in "\n".join(screen.display)
