"""What a program showed last is not cut off by a smaller window after its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from copilot.core.reply import Autonomy
from tests.session.live import ended, python_settings, running

WHOLE = r"print('\033[?1049h\033[H' + '\r\n'.join(f'row {n}' for n in range(20)), end='')"
LEFT = WHOLE + r"; print('\033[?1049l', end='')"
PLAIN = r"print('\r\n'.join(f'row {n}' for n in range(20)))"


@pytest.mark.parametrize(("script", "kept"), [(WHOLE, 24), (LEFT, 24), (PLAIN, 8)])
async def test_a_smaller_window_after_the_end(tmp_path: Path, script: str, kept: int) -> None:
    async with running(python_settings(script, tmp_path, autonomy=Autonomy.WATCH)) as watched:
        await ended(watched)
        screen = watched.live.screen
        watched.live.resize(60, 8)
        assert screen.lines == kept
        watched.live.resize(80, 24)
        assert "row 0" in "\n".join(screen.display) and "row 19" in "\n".join(screen.display)
