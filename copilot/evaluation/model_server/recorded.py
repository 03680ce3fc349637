"""Exchanges with a real model as files, redacted, and what of a request may differ in a replay."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from copilot.errors import InputError
from copilot.safety.redact import Redactor

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

_VOLATILE = re.compile("|".join(f"(?P<k{n}>{text})" for n, text in enumerate(VOLATILE_TEXTS.values())))
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

    @property
    def streamed(self) -> bool:
        """Whether the answer came as server-sent events."""
        return "event-stream" in self.content_type


class Keeper:
    """Writes exchanges into a folder, redacted. `places` are texts with the names that stand for them."""

    def __init__(self, folder: Path, places: Mapping[str, str]) -> None:
        self.folder = folder
        self._places = {text: name for text, name in places.items() if text}
        self._redactor = Redactor()

    def keep(self, exchange: Exchange) -> Path:
        """Write it. Raises OSError."""
        path = self.folder / f"{exchange.number:04d}.json"
        path.write_text(
            json.dumps(self._cleaned(asdict(exchange)), ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
        )
        return path

    def _cleaned(self, value: Any) -> Any:
        if isinstance(value, str):
            for text, name in self._places.items():
                value = value.replace(text, name)
            return self._redactor.redact(value).text
        if isinstance(value, dict):
            return {key: self._cleaned(one) for key, one in value.items()}
        return [self._cleaned(one) for one in value] if isinstance(value, list) else value


def load_exchanges(folder: Path) -> list[Exchange]:
    """The exchanges of a folder, in order. Raises InputError."""
    paths = sorted(folder.glob("[0-9]*.json")) if folder.is_dir() else []
    if not paths:
        raise InputError(
            f"{folder}: holds no recorded exchanges; make some with --record {folder} --upstream URL"
        )
    found = []
    for path in paths:
        try:
            found.append(Exchange(**json.loads(path.read_text(encoding="utf-8"))))
        except (OSError, ValueError, TypeError) as error:
            raise InputError(f"{path}: is no recorded exchange: {error}") from error
    return found


def canonical(value: Any) -> Any:
    """A request without what may differ: volatile fields left out, volatile texts by their names."""
    if isinstance(value, str):
        return _VOLATILE.sub(lambda found: f"<{_NAMES[int((found.lastgroup or 'k0')[1:])]}>", value)
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
    """The first place where two texts differ, with a little around it."""
    before, after = (value if isinstance(value, str) else json.dumps(value) for value in (old, new))
    both = zip(before, after, strict=False)
    shortest = min(len(before), len(after))
    same = next((index for index, (one, other) in enumerate(both) if one != other), shortest)
    begin = max(0, same - 20)
    return f"{before[begin : same + 60]!r} is now {after[begin : same + 60]!r}"
