"""Timers tell how late they are: a process that was stopped must not act on what nobody saw."""

from __future__ import annotations

import asyncio

import pytest

from copilot.session import timers
from copilot.session.timers import Timers


async def _fired() -> tuple[str, float]:
    fired: asyncio.Future[tuple[str, float]] = asyncio.get_running_loop().create_future()
    Timers(lambda name, late_seconds: fired.set_result((name, late_seconds))).start("countdown", 0.0)
    return await fired


async def test_a_timer_in_time_is_not_late() -> None:
    assert await _fired() == ("countdown", 0.0)


async def test_a_timer_after_a_stop_says_how_late(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = asyncio.get_running_loop()
    monkeypatch.setattr(timers, "LATE_SECONDS", 0.0)
    now, stopped = loop.time, [0.0]
    monkeypatch.setattr(loop, "time", lambda: now() + stopped[0])
    fired = asyncio.ensure_future(_fired())
    await asyncio.sleep(0)
    stopped[0] = 20.0
    name, late_seconds = await fired
    assert name == "countdown"
    assert late_seconds >= 19.0
