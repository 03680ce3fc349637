"""How many examples a property is tried with: a part on every run, all with `make test-slow`."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import pytest
from hypothesis import settings

# Read before the tests' clean environment removes COPILOT_*.
ALL = bool(os.environ.get("COPILOT_ALL_EXAMPLES"))
_PART, _LEAST = 10, 30
T = TypeVar("T")
U = TypeVar("U")


def some(values: Sequence[T], every: int) -> Sequence[T]:
    """All values with `COPILOT_ALL_EXAMPLES=1`, else the first and every so-many-th; mark the test `examples`."""
    return values if ALL else values[::every]


def in_turns(first: Iterable[T], second: Sequence[U]) -> list[tuple[T, U]]:
    """All pairs with `COPILOT_ALL_EXAMPLES=1`, else each of the first with one of the second in turn."""
    if ALL:
        return list(itertools.product(first, second))
    return list(zip(first, itertools.cycle(second), strict=False))


def examples(number: int) -> Callable[[Any], Any]:
    """So many examples with `COPILOT_ALL_EXAMPLES=1`, else a tenth of them; the `@example`s always."""
    tried = settings(max_examples=number if ALL else max(number // _PART, _LEAST), deadline=None)

    def decorate(test: Any) -> Any:
        return pytest.mark.examples(tried(test))

    return decorate
