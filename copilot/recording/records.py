"""Events and effects as JSON objects and back, so that a recorded run can be fed through the same core.

Generic over the core's dataclasses: a new event or field needs no change here. Enumerations are
written as words (numbered ones too, so that a reader sees `high`, not 3).
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import math
import types
import typing
from collections.abc import Mapping
from typing import Any, TypeVar

from copilot.core import effects, events
from copilot.core.effects import Effect
from copilot.core.events import RECORDED_AS, Event

T = TypeVar("T")
EVENT = "event."
EFFECT = "effect."
_FORMER_NAMES = {
    "event.InterruptUnheeded": "event.InterruptIgnored",
    "effect.SettleAnew": "effect.ReportScreenAgain",
}
"""Types of records in runs of older versions, and what they are called now."""


def step_type(step: Event | Effect) -> str:
    """The type of the record of an event or effect: `event.Started`, `effect.WriteKeys`."""
    return (EVENT if isinstance(step, Event) else EFFECT) + type(step).__name__


@functools.cache
def step_classes() -> dict[str, type[Event] | type[Effect]]:
    """Every event and effect of the core by the type of its record, also by a former one."""
    found: dict[str, type[Event] | type[Effect]] = {}
    for prefix, module, base in ((EVENT, events, Event), (EFFECT, effects, Effect)):
        for name, value in vars(module).items():
            if isinstance(value, type) and issubclass(value, base) and value is not base:
                found[prefix + name] = value
    return found | {old: found[new] for old, new in _FORMER_NAMES.items()}


def to_record(value: Any) -> Any:
    """A dataclass of the core (or a part of one) as what JSON can hold. Not-a-number becomes null."""
    match value:
        case enum.IntEnum():
            return value.name.lower()
        case enum.Enum():
            return value.value
        case None | bool() | int() | str() | float():
            return None if isinstance(value, float) and not math.isfinite(value) else value
        case Mapping():
            return {str(to_record(key)): to_record(item) for key, item in value.items()}
        case tuple() | list():
            return [to_record(item) for item in value]
    if dataclasses.is_dataclass(value):
        kind: Any = type(value)
        names = _recorded_names(kind)
        return {recorded: to_record(getattr(value, name)) for name, recorded in names.items()}
    raise TypeError(f"no record for {type(value).__name__}")


def from_record(record: Any, wanted: type[T]) -> T:
    """The dataclass that `to_record` made this of. Raises ValueError if it does not fit.

    Fields that the record has not (it is older) take their defaults; fields that we do not know are skipped.
    """
    made: T = _made(record, wanted, wanted.__name__)
    return made


def _made(record: Any, wanted: Any, where: str) -> Any:
    origin = typing.get_origin(wanted)
    if origin in (typing.Union, types.UnionType):
        return _made_one_of(record, typing.get_args(wanted), where)
    if origin is tuple:
        return _made_tuple(record, typing.get_args(wanted), where)
    if origin is not None and issubclass(origin, Mapping) and isinstance(record, dict):
        key_type, item_type = typing.get_args(wanted)
        return {
            _made(key, key_type, where): _made(item, item_type, f"{where}.{key}")
            for key, item in record.items()
        }
    if dataclasses.is_dataclass(wanted) and isinstance(record, Mapping):
        hints = _hints(typing.cast(type, wanted))
        given = {
            name: _made(record[recorded], hint, f"{where}.{recorded}")
            for name, (recorded, hint) in hints.items()
            if recorded in record
        }
        try:
            return wanted(**given)  # type: ignore[operator]
        except TypeError as error:
            raise ValueError(f"{where}: {error}") from None
    return _made_plain(record, wanted, where)


def _made_plain(record: Any, wanted: Any, where: str) -> Any:
    if wanted is type(None) and record is None:
        return None
    if isinstance(wanted, type) and issubclass(wanted, enum.Enum) and isinstance(record, str):
        try:
            return wanted[record.upper()] if issubclass(wanted, enum.IntEnum) else wanted(record)
        except (KeyError, ValueError):
            raise ValueError(f"{where}: {record!r} is no {wanted.__name__}") from None
    if wanted is float and type(record) in (int, float):
        return float(record)
    if wanted in (bool, int, str) and type(record) is wanted:
        return record
    raise ValueError(f"{where}: {str(record)[:60]!r} is no {getattr(wanted, '__name__', wanted)}")


def _made_one_of(record: Any, choices: tuple[Any, ...], where: str) -> Any:
    for choice in sorted(choices, key=lambda choice: choice is not type(None)):
        try:
            return _made(record, choice, where)
        except ValueError:
            continue
    raise ValueError(f"{where}: {str(record)[:60]!r} fits none of its types")


def _made_tuple(record: Any, items: tuple[Any, ...], where: str) -> tuple[Any, ...]:
    if not isinstance(record, list):
        raise ValueError(f"{where}: a list is wanted")
    if len(items) == 2 and items[1] is ...:
        return tuple(_made(item, items[0], where) for item in record)
    if len(items) != len(record):
        raise ValueError(f"{where}: {len(items)} items are wanted")
    return tuple(_made(item, hint, where) for item, hint in zip(record, items, strict=True))


@functools.cache
def _hints(wanted: Any) -> dict[str, tuple[str, Any]]:
    """For each field its name in a record, and its type."""
    hints, names = typing.get_type_hints(wanted), _recorded_names(wanted)
    return {
        field.name: (names[field.name], hints[field.name])
        for field in dataclasses.fields(wanted)
        if field.init
    }


@functools.cache
def _recorded_names(wanted: Any) -> dict[str, str]:
    """For each field its name in a record."""
    return {field.name: field.metadata.get(RECORDED_AS, field.name) for field in dataclasses.fields(wanted)}


def step_from_record(kind: str, data: Mapping[str, Any]) -> Event | Effect:
    """The event or effect of a record. Raises ValueError if this version knows none like it."""
    wanted = step_classes().get(kind)
    if wanted is None:
        raise ValueError(f"no event or effect is named {kind}")
    return from_record(data, wanted)
