"""A child that does not read what is typed: told, and nothing more is typed until the person has looked."""

from __future__ import annotations

from pathlib import Path

import pytest

from copilot.core.reply import Autonomy
from copilot.core.states import RunState
from copilot.pty.pty_child import PtyChild
from tests.session.live import FakeProvider, python_settings, running, yes

DEAF = "import time, tty; tty.setraw(0); print('Working on it', flush=True); time.sleep(1000)"


async def test_keys_that_nobody_takes_hold_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    defaults = PtyChild.start.__func__.__kwdefaults__  # type: ignore[attr-defined]
    monkeypatch.setitem(defaults, "write_deadline_seconds", 0.3)
    settings = python_settings(DEAF, tmp_path, autonomy=Autonomy.FULL)
    async with running(settings, FakeProvider([yes()])) as watched:
        session = watched.live
        await watched.until(lambda: "Working on it" in watched.screen_text(), "its first words")
        session.type_bytes(b"x" * 200_000)
        await watched.state(RunState.HELD)
        await watched.until(lambda: "has not read for 0.3 s" in str(session.view), "the reason in the view")
        assert not watched.writes
