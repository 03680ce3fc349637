"""A polite request to end, while nobody else listens for one: tidy up, then end by it as it is usual.

A session that runs has handlers of its own meanwhile.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator
from types import FrameType

from copilot.supervision.end_by import end_by

_NUMBERS = (signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def tidy_end(tidy: Callable[[], None]) -> Iterator[None]:
    """For the main thread. A signal that is ignored (nohup) stays ignored."""

    def told(number: int, _frame: FrameType | None) -> None:
        tidy()
        end_by(number)

    ours = [number for number in _NUMBERS if signal.getsignal(number) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, told)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)
