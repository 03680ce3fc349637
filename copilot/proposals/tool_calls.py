"""Tool calls that a model wrote as XML elements with JSON in them, read into a result.

    <apply_edit>{"path": "a.py", "edits": [...]}</apply_edit>
    <complete><summary>done</summary><confidence>0.8</confidence></complete>

This is no XML document: there is prose around the elements, and code with bare `<` and `&` in them. So no XML
parser takes part: nothing is expanded, no entity, no CDATA, and declarations are refused. Each call is an
element at the start of a line, outside code fences. Its content is one JSON object, or one element for each
parameter, whose content is JSON or else a text. JSON ends where its value ends, so a closing tag in it closes
nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import re2

from copilot.documents import check_shape
from copilot.errors import InputError, suggestion
from copilot.proposals.ranges import Refused

MOST_CHARACTERS = 4_000_000
_MOST_CALLS = 1000
_OPENING = re2.compile(r"(?m)^[ \t]*<([a-z][a-z0-9_]{0,63})>")
_DECLARED = re2.compile(r"(?mi)^[ \t]*<(?:!DOCTYPE|!ENTITY|\?xml)")
_PARAMETER = re2.compile(r"\s*<([a-z][a-z0-9_]{0,63})>")
_FENCE = re2.compile(r"(?ms)^[ \t]*```.*?^[ \t]*```[ \t]*$")
_SPACE = " \t\r\n"
_IGNORED = frozenset({"thinking"})
_DECODER = json.JSONDecoder()

BaseHash = Callable[[str], str]
"""The hash of what is at a path now; raises Refused. It is the base that the model was shown."""
Parameters = dict[str, Any]


@dataclass(slots=True)
class _Reading:
    base: BaseHash
    proposals: list[Parameters] = field(default_factory=list)
    plan: list[Parameters] = field(default_factory=list)
    looked: list[Any] = field(default_factory=list)


def read_calls(text: str, base: BaseHash, *, identity: str) -> Parameters:
    """The result, as a document that `parse_document` still has to check, of what a model wrote.

    Raises Refused with the line for a call that is cut off, nested, unknown, or holds no JSON.
    """
    if len(text) > MOST_CHARACTERS:
        raise Refused(f"is longer than {MOST_CHARACTERS} characters; shorten it")
    if found := _DECLARED.search(text):
        raise Refused(f"line {_line(text, found.start())}: a declaration of XML is not read; leave it out")
    reading = _Reading(base)
    for name, given, at in _calls(text):
        try:
            _TOOLS[name](reading, given)
        except (InputError, KeyError, TypeError, AttributeError) as problem:
            said = f"{problem} is missing" if isinstance(problem, KeyError) else str(problem)
            raise Refused(f"line {_line(text, at)}: {name}: {said}") from None
    ended = any(one["type"] == "completion" for one in reading.proposals)
    return {
        "version": 1,
        "id": identity,
        "proposals": reading.proposals,
        "task_state": {"plan": reading.plan, "looked": reading.looked},
        "tokens": {"input": 0, "output": 0, "cached": 0},
        "complete": ended,
    }


def _calls(text: str) -> list[tuple[str, Parameters, int]]:
    """All calls with their parameters and places."""
    found: list[tuple[str, Parameters, int]] = []
    fences, at = [one.span() for one in _FENCE.finditer(text)], 0
    while opening := _OPENING.search(text, at):
        while fences and fences[0][1] <= opening.start():
            fences.pop(0)
        if fences and fences[0][0] < opening.start():
            at = fences.pop(0)[1]  # what a model quotes is no call
            continue
        if len(found) >= _MOST_CALLS:
            raise Refused(f"has more than {_MOST_CALLS} calls; write fewer")
        name, place = opening.group(1), opening.start()
        if name in _IGNORED:
            at = _behind(text, f"</{name}>", opening.end(), name)
            continue
        if name not in _TOOLS:
            where = f"line {_line(text, opening.start(1))}"
            raise Refused(f"{where}: there is no tool {name!r}; {suggestion(name, _TOOLS)}")
        given, at = _parameters(text, opening.end(), name)
        found.append((name, given, place))
    return found


def _parameters(text: str, at: int, name: str) -> tuple[Parameters, int]:
    """The parameters of a call whose content begins here, and where it ends."""
    start = _skip(text, at)
    if text.startswith("{", start):
        given, end = _json_at(text, start, name)
        return given, _behind_now(text, f"</{name}>", end, name)
    given = {}
    while not text.startswith(f"</{name}>", start := _skip(text, start)):
        opening = _PARAMETER.match(text, start)
        if opening is None:
            raise _cut(text, at, name)
        key = opening.group(1)
        if key in _TOOLS:
            raise Refused(
                f"line {_line(text, start)}: {key} is nested in {name}; write one call after the other"
            )
        if key in given:
            raise Refused(f"line {_line(text, start)}: {key} is given twice; give it once")
        given[key], start = _value(text, opening.end(), key)
    return given, start + len(f"</{name}>")


def _value(text: str, at: int, key: str) -> tuple[Any, int]:
    """JSON where it is JSON to the closing tag, else the text up to it, as it is."""
    closing = f"</{key}>"
    try:
        value, end = _DECODER.raw_decode(text, _skip(text, at))
        if text.startswith(closing, behind := _skip(text, end)):
            check_shape(value)
            return value, behind + len(closing)
    except (ValueError, RecursionError):
        pass
    end = _behind(text, closing, at, key)
    return text[at : end - len(closing)], end


def _json_at(text: str, at: int, name: str) -> tuple[Parameters, int]:
    try:
        value, end = _DECODER.raw_decode(text, at)
        check_shape(value)
    except RecursionError:
        raise Refused(f"line {_line(text, at)}: {name}: its JSON is nested too deep; flatten it") from None
    except ValueError as error:
        said = f"its JSON is cut off or wrong ({str(error).partition(':')[0].lower()})"
        raise Refused(f"line {_line(text, at)}: {name}: {said}; write the call again, whole") from None
    return value, end


def _behind_now(text: str, closing: str, at: int, name: str) -> int:
    if not text.startswith(closing, at := _skip(text, at)):
        raise _cut(text, at, name)
    return at + len(closing)


def _behind(text: str, closing: str, at: int, name: str) -> int:
    found = text.find(closing, at)
    if found < 0:
        raise _cut(text, at, name)
    return found + len(closing)


def _cut(text: str, at: int, name: str) -> Refused:
    return Refused(
        f"line {_line(text, at)}: {name} is cut off: </{name}> is missing; write the call again, whole"
    )


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _plan(reading: _Reading, given: Parameters) -> None:
    reading.plan = [{"text": step, "state": "open"} for step in given.pop("steps")]
    _nothing_else(given)


def _look(reading: _Reading, given: Parameters) -> None:
    reading.looked.append(given.pop("path"))
    _nothing_else(given)


def _edit(reading: _Reading, given: Parameters) -> None:
    path = given.pop("path")
    safety = {"base_text": None, "anchors": given.pop("anchors", []), "after_hash": None}
    safety["before_hash"] = given.pop("before_hash", None) or reading.base(path)
    file = {"path": path, "edits": given.pop("edits"), "safety": safety}
    _nothing_else(given)
    reading.proposals.append({"type": "edit", "files": [file]})


def _object(op: str, **defaults: Any) -> Callable[[_Reading, Parameters], None]:
    def read(reading: _Reading, given: Parameters) -> None:
        if op != "create" and not given.get("before_hash"):
            given["before_hash"] = reading.base(given["path"])
        reading.proposals.append({"type": "object", "ops": [{**defaults, **given, "op": op}]})

    return read


def _resource(op: str, **defaults: Any) -> Callable[[_Reading, Parameters], None]:
    def read(reading: _Reading, given: Parameters) -> None:
        reading.proposals.append({"type": "resource", "ops": [{**defaults, **given, "op": op}]})

    return read


def _complete(reading: _Reading, given: Parameters) -> None:
    reading.proposals.append({"confidence": None, **given, "type": "completion"})


def _nothing_else(given: Parameters) -> None:
    for key in given:
        raise Refused(f"{key} is no parameter; leave it out")


_TOOLS: dict[str, Callable[[_Reading, Parameters], None]] = {
    "start_plan": _plan,
    "look": _look,
    "apply_edit": _edit,
    "create": _object("create", kind="file", text="", executable=False),
    "set": _object("set", text=None, executable=None),
    "rename": _object("rename"),
    "delete": _object("delete"),
    "search_resource": _resource("search", tags=[], limit=10),
    "insert_resource": _resource("insert"),
    "generate_resource": _resource("generate", tags=[], style=None, budget=None),
    "complete": _complete,
}
"""The tools by the names of their elements. What a call leaves out is as `docs/proposals.md` says."""
