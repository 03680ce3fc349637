"""Finding the one JSON object in an answer, wherever a model put it."""

from __future__ import annotations

import json
from typing import NoReturn

from copilot.errors import ProviderError

_KNOWN = frozenset({"choice", "text", "reason", "confidence", "needs_human"})


def find_object(text: str) -> dict[str, object] | None:
    """The answer's object: the whole text, in a fence, or standing in prose. None if there is none.

    Raises ProviderError if there is more than one, or something that began as JSON and is broken.
    """
    if text.startswith("{") and (whole := _load(text)) is not None:
        return whole
    found = _objects_in(text)
    if len(found) > 1 and any(other != found[0] for other in found[1:]):
        raise ProviderError("the answer holds several JSON objects that say different things")
    if found:
        return found[0]
    if text.startswith("{") or '"choice"' in text or '"needs_human"' in text:
        raise ProviderError("the answer is malformed JSON")
    return None


def _objects_in(text: str) -> list[dict[str, object]]:
    decoder = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)
    found: list[dict[str, object]] = []
    position = 0
    for _ in range(50):
        position = text.find("{", position)
        if position < 0:
            break
        try:
            value, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            position += 1
            continue
        if isinstance(value, dict) and _KNOWN & value.keys():
            found.append(value)
        position = end
    return found


def _load(text: str) -> dict[str, object] | None:
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except RecursionError:
        raise ProviderError("the answer is malformed JSON: nested too deeply") from None
    except ValueError:
        return None
    if not isinstance(value, dict) or not _KNOWN & value.keys():
        raise ProviderError("the answer is a JSON object of another form")
    return value


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ProviderError("the answer says one field twice")
    return fields


def _no_constant(name: str) -> NoReturn:
    raise ProviderError(f"the answer holds {name}, which is no number")
