"""A pause of the pilot that ends when all is done, whatever the machine is busy with.

Textual waits in steps of 20 ms until its process takes little time, and so ends the pause of a process that
gets no time on a loaded machine. Here the event loop is asked: nothing is left to run but the pilot, no thread
is at work, the newest screen is laid out and drawn, and no timer is due before a person could look.
"""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Callable
from math import inf
from time import thread_time
from typing import Any

from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.pilot import Pilot
from textual.screen import Screen

from copilot.tui.app import CopilotApp
from copilot.tui.screens.opening import OpeningScreen

_PAUSE = Pilot.pause
_WAIT_FOR_SCREEN = Pilot._wait_for_screen
OPENING: weakref.WeakSet[CopilotApp] = weakref.WeakSet()
"""Apps whose session never stands, and that is meant."""
AT_ONCE_SECONDS = 0.02
"""A timer that is due sooner belongs to what is being done: a frame, not a blink."""
_BUSY_SECONDS = 2.0
"""So much CPU time of its own thread may one pause take: there are screens that never rest."""
_QUIET_TURNS = 3
_MOST_TIMERS = 5
"""A timer that is set again and again is no work: where the session's clock is still, a frame never becomes due."""
_THREADS: weakref.WeakSet[asyncio.Future[Any]] = weakref.WeakSet()
"""What threads are at work on."""
_RUN_IN_EXECUTOR = asyncio.BaseEventLoop.run_in_executor
_RENDER_UPDATE = Compositor.render_update


def drawn_if_whole(
    compositor: Compositor,
    full: bool = False,
    screen_stack: list[Screen[Any]] | None = None,
    simplify: bool = False,
) -> Any:
    """As `Compositor.render_update`, but changes are not drawn: an app without a terminal throws them away.

    Whoever looks at the screen has it drawn then. A quarter of the time of these tests would go there.
    """
    if full:
        return _RENDER_UPDATE(compositor, full, screen_stack, simplify)
    visible_screen_stack.set(screen_stack or [])
    compositor._dirty_regions.clear()
    return None


def watched_executor(loop: Any, executor: Any, func: Callable[..., Any], *args: Any) -> Any:
    """As `run_in_executor`; the pauses know of it."""
    future = _RUN_IN_EXECUTOR(loop, executor, func, *args)
    _THREADS.add(future)
    return future


async def steady_pause(pilot: Pilot[Any], delay: float | None = None) -> None:
    """As `Pilot.pause`, once the session stands; without `delay` what it told comes to its end as well."""
    while _opens(pilot.app):
        await _PAUSE(pilot, 0.001)
    if delay is not None:
        await asyncio.sleep(delay)
    await until_idle()
    await _drawn(pilot.app)


async def steady_wait(pilot: Pilot[Any]) -> bool:
    """As `Pilot._wait_for_screen`, with which each key press and click ends; the screen is drawn as well."""
    processed = await _WAIT_FOR_SCREEN(pilot)
    if processed:
        await _drawn(pilot.app)
    return processed


async def _drawn(app: Any) -> None:
    end = thread_time() + _BUSY_SECONDS
    while app._running and _undrawn(app) and thread_time() < end:
        app.screen._on_timer_update()
        await until_idle()


async def until_idle(*_: object) -> None:
    """Wait until the event loop has nothing to run but the caller. In place of Textual's `wait_for_idle`."""
    loop: Any = asyncio.get_running_loop()
    end, quiet, timers = thread_time() + _BUSY_SECONDS, 0, 0
    while quiet < _QUIET_TURNS and thread_time() < end:
        await asyncio.sleep(0)
        if loop._ready:
            quiet = 0
        elif any(not future.done() and future.get_loop() is loop for future in _THREADS):
            quiet = 0
            await asyncio.sleep(0.001)
        elif timers < _MOST_TIMERS and (due := _next_timer(loop)) - loop.time() < AT_ONCE_SECONDS:
            quiet, timers = 0, timers + 1
            await asyncio.sleep(max(due - loop.time(), 0.0))
        else:
            quiet += 1


def _next_timer(loop: Any) -> float:
    return min((float(timer.when()) for timer in loop._scheduled if not timer.cancelled()), default=inf)


def _undrawn(app: Any) -> bool:
    screen = app.screen
    return bool(
        screen._layout_required
        or screen._scroll_required
        or screen._repaint_required
        or screen._recompose_required
        or screen._dirty_widgets
        or screen._callbacks
    )


def _opens(app: Any) -> bool:
    """Whether a session is on its way to the screen."""
    if not isinstance(app, CopilotApp) or app.failure is not None or not app.is_running:
        return False
    if app in OPENING:
        return False
    return isinstance(app.screen, OpeningScreen) or any(tab.bridge._target is None for tab in app.tabs)
