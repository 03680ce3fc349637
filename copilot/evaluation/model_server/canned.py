"""Answers to the side requests of CLIs: titles, routing, "who speaks next". They follow the asked schema."""

from __future__ import annotations

import json
from typing import Any

from copilot.evaluation.model_server.conversation import ModelRequest
from copilot.evaluation.model_server.turns import JsonObject, Turn

_DEPTH_LIMIT = 8


def side_answer(request: ModelRequest, text: str) -> Turn:
    """The turn for a side request: the smallest document of its schema, else `text`."""
    if request.response_schema is None:
        return Turn(text)
    return Turn(json.dumps(example(request.response_schema, text), ensure_ascii=False))


def example(schema: JsonObject, text: str, depth: int = 0) -> Any:
    """A small value that fits a JSON schema; strings are `text` where nothing else is asked.

    An enumeration gives its first value.
    """
    if "const" in schema:
        return schema["const"]
    if choices := schema.get("enum"):
        return choices[0]
    for key in ("anyOf", "oneOf", "allOf"):
        branches = schema.get(key)
        if branches and depth < _DEPTH_LIMIT:
            return example(branches[0], text, depth + 1)
    kind = schema.get("type", "object" if "properties" in schema else "string")
    kind = str(kind[0] if isinstance(kind, list) else kind).lower()
    if kind == "object" and depth < _DEPTH_LIMIT:
        wanted = schema.get("required") or schema.get("properties") or ()
        properties = schema.get("properties") or {}
        return {name: example(properties.get(name, {}), text, depth + 1) for name in wanted}
    simple: dict[str, Any] = {"object": {}, "array": [], "boolean": True, "null": None}
    if kind in ("integer", "number"):
        return schema.get("minimum", 0)
    return simple.get(kind, text)
