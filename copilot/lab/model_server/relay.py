"""`RecordingProxy` records what a CLI and a real model say to each other; `Replay` says it again."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import reduce
from itertools import takewhile
from operator import getitem
from pathlib import Path
from typing import Any

import httpx2

from copilot.documents import parse_json, read_json
from copilot.errors import InputError
from copilot.lab.model_server.http import BadRequest, Connection, HttpRequest, Serving
from copilot.lab.model_server.requests import with_texts
from copilot.lab.model_server.script import PlaybookError
from copilot.plain_files import MIB, is_folder
from copilot.redaction.redact import Redactor

_MOST_BYTES = 32 * MIB
"""A request has the whole conversation, pictures too."""
VOLATILE_KEYS = (
    "metadata",
    "client_metadata",
    "prompt_cache_key",
    "safety_identifier",
    "session_id",
    "user_prompt_id",
)
"""Fields of a request that are a session's own: identities, counters. A replay does not look at them."""

VOLATILE_TEXTS = {
    "uuid": r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}",
    "moment": r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?)?",
    "day": r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, )?(?:January|February|March|April|May|June|July"
    r"|August|September|October|November|December) \d{1,2}, \d{4}",
    "commit": r"\b[0-9a-f]{40}\b|\b[0-9a-f]{7}(?= )",
    "temporary path": r"/tmp/[^\s\"'\\]*",
}
"""Parts of texts that differ from run to run; each is compared as the name in angle brackets."""

_VOLATILE = re.compile("|".join(f"({text})" for text in VOLATILE_TEXTS.values()))
_NAMES = tuple(VOLATILE_TEXTS)


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer. `request` is the parsed body, `answer` the whole body as text."""

    number: int
    method: str
    path: str
    request: Any
    status: int
    content_type: str
    answer: str


def load_exchanges(folder: Path) -> list[Exchange]:
    """The exchanges of a folder, in order. Raises InputError."""
    paths = sorted(folder.glob("[0-9]*.json")) if is_folder(folder) else []
    if not paths:
        raise InputError(
            f"{folder}: holds no recorded exchanges; make some with --record {folder} --upstream URL"
        )
    found = []
    for path in paths:
        try:
            found.append(Exchange(**read_json(path, _MOST_BYTES)))
        except TypeError as error:
            raise InputError(f"{path}: is no recorded exchange: {error}") from error
    return found


def canonical(value: Any) -> Any:
    """A request without what may differ: volatile fields left out, volatile texts by their names."""
    if isinstance(value, str):
        return _VOLATILE.sub(lambda found: f"<{_NAMES[(found.lastindex or 1) - 1]}>", value)
    if isinstance(value, dict):
        return {key: canonical(one) for key, one in value.items() if key not in VOLATILE_KEYS}
    return [canonical(one) for one in value] if isinstance(value, list) else value


def differences(old: Any, new: Any, place: str = "") -> list[str]:
    """Where two canonical values differ, a line each."""
    if isinstance(old, dict) and isinstance(new, dict):
        keys = sorted(old.keys() | new.keys())
        return [line for key in keys for line in differences(old.get(key), new.get(key), f"{place}.{key}")]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [
            line
            for index, (one, other) in enumerate(zip(old, new, strict=True))
            for line in differences(one, other, f"{place}[{index}]")
        ]
    if old == new:
        return []
    return [f"{place or 'the body'}: {_around(old, new)}"]


def _around(old: Any, new: Any) -> str:
    before, after = (value if isinstance(value, str) else json.dumps(value) for value in (old, new))
    pairs = zip(before, after, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    begin = max(0, same - 20)
    return f"{before[begin : same + 60]!r} is now {after[begin : same + 60]!r}"


_PIECES = ("text", "partial_json", "thinking", "content", "arguments", "delta", "input", "reasoning_content")
"""The keys under which vendors send pieces of text."""


def coalesced(stream: str) -> str:
    """A stream of server-sent events with the pieces of each text in one event.

    What is cut in pieces cannot be redacted, nor a path in it be replaced. Neighbouring events that differ
    only in a piece of text become one with the whole text.
    """
    done: list[tuple[str, Any]] = []
    for block in stream.replace("\r\n", "\n").split("\n\n"):
        if not block.strip():
            continue
        head, data = _read(block)
        if done and done[-1][0] == head and isinstance(data, dict):
            whole = _joined(done[-1][1], data)
            if whole is not None:
                done[-1] = head, whole
                continue
        done.append((head, data))
    return "".join(_written(head, data) for head, data in done)


def _read(block: str) -> tuple[str, Any]:
    """The lines before the data, and the data: a JSON object, or the text as it is."""
    lines = block.split("\n")
    head = "\n".join(line for line in lines if not line.startswith("data:"))
    text = "\n".join(line[5:].removeprefix(" ") for line in lines if line.startswith("data:"))
    try:
        return head, parse_json(text)
    except ValueError:
        return head, text


def _written(head: str, data: Any) -> str:
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    rows = [head] if head else []
    rows += [f"data: {line}" for line in text.split("\n")] if text or not head else []
    return "\n".join(rows) + "\n\n"


def _joined(one: Any, other: Any) -> Any:
    """Both as one event, or None if they differ in more than a piece of text (and in numbers)."""
    first, second = dict(_leaves(one)), dict(_leaves(other))
    pieces = (at for at, leaf in second.items() if at and at[-1] in _PIECES and isinstance(leaf, str))
    place = next(pieces, None)
    if place is None or first.keys() != second.keys() or not isinstance(first[place], str):
        return None
    if not all(_alike(leaf, second[at]) for at, leaf in first.items() if at != place):
        return None
    whole = copy.deepcopy(other)
    reduce(getitem, place[:-1], whole)[place[-1]] = first[place] + second[place]
    return whole


def _leaves(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The values of a JSON document that hold no others, each by its path."""
    if not value or not isinstance(value, (dict, list)):
        yield above, value
        return
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        yield from _leaves(item, (*above, key))


def _alike(one: Any, other: Any) -> bool:
    numbers = isinstance(one, (int, float)) and isinstance(other, (int, float))
    return bool(one == other) or (numbers and not isinstance(one, bool))


_NOT_PASSED_ON = frozenset({"host", "content-length", "connection", "accept-encoding", "transfer-encoding"})
_SECONDS = 600.0
_CWD = "{{cwd}}"


class RecordingProxy(Serving):
    """Passes every request on to `upstream`, its answer back as it comes; keeps both in `folder`, redacted.

    `cwd` is written as `{{cwd}}`. Keys are passed on and never written. The folder must be new or empty.
    """

    def __init__(self, folder: Path, upstream: str, *, cwd: Path | str = "", port: int = 0) -> None:
        super().__init__(port)
        if not upstream.startswith(("http://", "https://")):
            raise InputError(f"--upstream {upstream!r}: must be a URL that begins with http:// or https://")
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"--record {folder}: cannot be made: {error.strerror}") from error
        if any(folder.iterdir()):
            raise InputError(f"--record {folder}: is not empty; give a new folder")
        self.exchanges = 0
        self._upstream = upstream.rstrip("/")
        self._folder = folder
        self._as_kept = _kept_form(cwd)

    async def handle(self, http: HttpRequest, answer: Connection) -> None:
        """Pass it on. Raises ClientGone, and BadRequest where upstream cannot be reached."""
        self.exchanges += 1
        number = self.exchanges
        url = f"{self._upstream}{http.path}{'?' + http.query if http.query else ''}"
        headers = {name: value for name, value in http.headers.items() if name not in _NOT_PASSED_ON}
        headers["accept-encoding"] = "identity"
        whole = bytearray()
        try:
            async with (
                httpx2.AsyncClient(timeout=_SECONDS, trust_env=False) as client,
                client.stream(http.method, url, headers=headers, content=http.raw_body) as response,
            ):
                kind = response.headers.get("content-type", "application/json")
                await answer.start_stream(kind, response.status_code)
                async for data in response.aiter_bytes():
                    whole += data
                    await answer.send(data)
                await answer.end_stream()
        except httpx2.HTTPError as error:
            raise BadRequest(502, f"upstream cannot be reached: {error or type(error).__name__}") from error
        body = _body(http)
        text = whole.decode("utf-8", "replace")
        text = coalesced(text) if "event-stream" in kind else text
        exchange = Exchange(number, http.method, http.path, body, response.status_code, kind, text)
        kept = with_texts(asdict(exchange), self._as_kept)
        document = json.dumps(kept, ensure_ascii=False, indent=1) + "\n"
        (self._folder / f"{number:04d}.json").write_text(document, encoding="utf-8")

    def summary(self) -> str:
        return f"{self.exchanges} exchanges recorded"


class Replay(Serving):
    """Answers from recorded exchanges, each once. A request that differs from its record is a failure.

    Which record answers: the first unused one of this method and path whose request is the same but for
    volatile parts; else the first unused of that path, with the differences listed.
    """

    def __init__(self, folder: Path, *, cwd: Path | str = "", port: int = 0) -> None:
        super().__init__(port)
        self._left = load_exchanges(folder)
        self._cwd = str(cwd)
        self._as_kept = _kept_form(cwd)
        self.failures: list[str] = []
        self.replayed = 0

    async def handle(self, http: HttpRequest, answer: Connection) -> None:
        """Say again what was said. Raises ClientGone and BadRequest."""
        asked = canonical(with_texts(_body(http), self._as_kept))
        fitting = [one for one in self._left if (one.method, one.path) == (http.method, http.path)]
        same = [one for one in fitting if canonical(one.request) == asked]
        if not fitting:
            self.failures.append(f"{http.method} {http.path}: no recorded exchange is left for it")
            raise BadRequest(400, f"replay: {self.failures[-1]}")
        chosen = (same or fitting)[0]
        if not same:
            lines = differences(canonical(chosen.request), asked)
            self.failures += [f"exchange {chosen.number}: {line}" for line in lines[:5]]
        self._left.remove(chosen)
        self.replayed += 1
        text = chosen.answer.replace(_CWD, self._cwd) if self._cwd else chosen.answer
        await answer.start_stream(chosen.content_type, chosen.status)
        await answer.send(text.encode("utf-8", "surrogatepass"))
        await answer.end_stream()

    def problems(self) -> list[str]:
        left = [f"exchange {one.number}: {one.method} {one.path} never came" for one in self._left]
        return [*self.failures, *self.faults, *left]

    def summary(self) -> str:
        return f"{self.replayed} requests, all as recorded"

    def check_at_exit(self) -> None:
        if lines := self.problems():
            raise PlaybookError("the run was not as recorded:\n" + "\n".join(f"- {line}" for line in lines))


def _kept_form(cwd: Path | str) -> Callable[[str], str]:
    """How a text is written into a record: redacted, and with `{{cwd}}` for this folder."""
    redactor, place = Redactor(), str(cwd)
    return lambda text: redactor.redact(text.replace(place, _CWD) if place else text).text


def _body(http: HttpRequest) -> Any:
    try:
        return http.json()
    except BadRequest:
        return http.raw_body.decode("utf-8", "replace")
