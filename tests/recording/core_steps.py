"""Every event and effect of the core, found by looking, and filled with anything its types allow."""

from __future__ import annotations

import dataclasses
import enum
import types
import typing
from typing import Any

from hypothesis import strategies as st

from copilot.core import effects, events
from copilot.core.effects import Effect
from copilot.core.events import Event

CLASSES: list[type[Any]] = [
    value
    for module, base in ((events, Event), (effects, Effect))
    for value in vars(module).values()
    if isinstance(value, type) and issubclass(value, base) and value is not base
]
TEXT = st.text(max_size=20)
NUMBERS = st.floats(-1e9, 1e9).map(lambda number: number + 0.0)


def anything_of(wanted: Any) -> st.SearchStrategy[Any]:
    """Values of a type as the core's dataclasses use it."""
    origin, arguments = typing.get_origin(wanted), typing.get_args(wanted)
    if origin in (typing.Union, types.UnionType):
        return st.one_of([anything_of(choice) for choice in arguments])
    if origin is tuple and arguments[-1] is ...:
        return st.lists(anything_of(arguments[0]), max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*map(anything_of, arguments))
    if dataclasses.is_dataclass(wanted):
        hints = typing.get_type_hints(wanted)
        fields = {field.name: anything_of(hints[field.name]) for field in dataclasses.fields(wanted)}
        return st.builds(typing.cast(Any, wanted), **fields)
    if isinstance(wanted, type) and issubclass(wanted, enum.Enum):
        return st.sampled_from(list(wanted))
    plain = {
        str: TEXT,
        int: st.integers(-(2**40), 2**40),
        bool: st.booleans(),
        float: NUMBERS,
        type(None): st.none(),
    }
    return plain[wanted]
