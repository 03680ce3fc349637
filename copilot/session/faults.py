"""A fault of ours in a callback of the event loop must end the run in order, not leave it standing."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from typing import Concatenate, ParamSpec, Protocol, TypeVar

_log = logging.getLogger("copilot.session")


class _EndsByFault(Protocol):
    def fault(self, problem: Exception) -> None: ...


Session = TypeVar("Session", bound=_EndsByFault)
Given = ParamSpec("Given")


def ends_by_fault(
    entry: Callable[Concatenate[Session, Given], None],
) -> Callable[Concatenate[Session, Given], None]:
    """An entry point of the session: whatever it raises becomes the session's fault."""

    @functools.wraps(entry)
    def guarded(session: Session, /, *given: Given.args, **named: Given.kwargs) -> None:
        try:
            entry(session, *given, **named)
        except Exception as problem:
            _log.exception("in %s", entry.__name__)
            session.fault(problem)

    return guarded
