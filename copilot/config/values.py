"""What may be set and in which form: one schema for flags, environment variables and settings files."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, BeforeValidator, ConfigDict

from copilot.core.provider_registry import MODEL_PROVIDERS, PROVIDERS
from copilot.core.reply import Autonomy

ENVELOPES = ("off", "project")
NETWORKS = ("all", "model-only", "none")
"""From the widest to the narrowest."""
_UNITS = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0}
_AMOUNT = r"(\d+(?:\.\d+)?)"
_DURATION = re.compile(rf"(?:{_AMOUNT}d)?(?:{_AMOUNT}h)?(?:{_AMOUNT}m)?(?:{_AMOUNT}s?)?", re.ASCII)
_HOST = re.compile(r"(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*(?::\d{1,5})?", re.ASCII | re.IGNORECASE)
_LONGEST_SECONDS = 30 * 86400.0


def parse_duration(text: str) -> float:
    """Seconds in `text`; units fall from days to seconds, and a bare number is seconds.

    Raises ValueError, with the forms that are understood, for anything else, for zero, and for more than
    30 days (a slip of the unit more likely than a wish).
    """
    folded = "".join(text.split()).lower()
    match = _DURATION.fullmatch(folded)
    if not folded or match is None:
        raise ValueError(f"{text!r} is no duration; write it like 45m, 30s, 1h30m or 90 (seconds)")
    amounts = zip(_UNITS.values(), match.groups(), strict=True)
    seconds = sum(unit * float(amount) for unit, amount in amounts if amount)
    if not 0 < seconds <= _LONGEST_SECONDS:
        raise ValueError(f"{text!r} must be longer than zero and at most 30d")
    return seconds


def say_duration(seconds: float) -> str:
    """The same the other way round, without fractions of a second: `1h30m`, `45s`."""
    rest = max(0, round(seconds))
    parts = []
    for unit in ("h", "m"):
        amount, rest = divmod(rest, int(_UNITS[unit]))
        if amount:
            parts.append(f"{amount}{unit}")
    if rest or not parts:
        parts.append(f"{rest}s")
    return "".join(parts)


ENVIRONMENT_PREFIX = "COPILOT_"
_MOST_SHOWN = 60
_MOST_DIGITS = 18
_SWITCHES = {
    **dict.fromkeys(("true", "1", "yes", "y", "on", "t"), True),
    **dict.fromkeys(("false", "0", "no", "n", "off", "f"), False),
}
"""How people write a switch in an environment variable."""


def _shown(value: object) -> str:
    """The value as it was written, at most so much of it."""
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 1]}…"


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{_shown(value)} is no text; put it in quotes")
    return value


def _some_text(value: object) -> str:
    if not _text(value):
        raise ValueError("is empty; write something, or leave it out")
    return _text(value)


def _whole(least: int, most: int) -> BeforeValidator:
    """A whole number between these, both included."""

    def checked(value: object) -> int:
        text = str(value).strip()
        plain = text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS
        if isinstance(value, bool) or not plain or not least <= int(text) <= most:
            raise ValueError(f"{_shown(value)} is no whole number from {least} to {most}")
        return int(text)

    return BeforeValidator(checked)


def _one_of(words: tuple[str, ...]) -> BeforeValidator:
    def checked(value: object) -> object:
        if value not in words:
            given = str(value)
            choices = ", ".join(words)
            raise ValueError(f"invalid choice {given!r} (choose from {choices}){nearest(given, words)}")
        return value

    return BeforeValidator(checked)


def _switch(value: object) -> bool:
    known = _SWITCHES.get(str(value).strip().lower()) if isinstance(value, bool | int | str) else None
    if known is None:
        raise ValueError(f"{_shown(value)} is neither true nor false")
    return known


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError("write a duration like 45m, 30s, 1h30m or 90 (seconds)")
    return parse_duration(str(value))


def _money(value: object) -> float:
    text = str(value).strip().removeprefix("$")
    try:
        amount = math.nan if isinstance(value, bool) else float(text)
    except ValueError:
        amount = math.nan
    if not math.isfinite(amount) or amount <= 0:
        raise ValueError(f"{text!r} is no amount; write dollars above zero, like 0.50")
    return amount


def _address(value: object) -> str:
    parts = urlsplit(str(value))
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("write a whole address, like http://127.0.0.1:8080/v1")
    if parts.username or parts.password:
        raise ValueError("an address must hold no user name or password; give the key by the environment")
    return str(value)


def _rules(value: object) -> tuple[str, ...]:
    """Several rules: a list, or one text with a rule on each line (as an environment variable holds them)."""
    items = value.splitlines() if isinstance(value, str) else value
    if not isinstance(items, list | tuple) or not all(isinstance(item, str) for item in items):
        raise ValueError("write a list of rules, each a text")
    return tuple(item.strip() for item in items if item.strip())


def _hosts(value: object) -> tuple[str, ...]:
    """Names of hosts, some with a port."""
    hosts = _rules(value)
    if not all(_HOST.fullmatch(host) for host in hosts):
        raise ValueError(
            "holds what is no host; write names like api.example.com, *.example.com or name:8080"
        )
    return hosts


def _variables(value: object) -> tuple[str, ...]:
    """Names of variables: a list, or one text with commas. A bad one is not repeated: it may be a key."""
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list | tuple) or not all(isinstance(item, str) for item in items):
        raise ValueError("write a list of names of variables, like OPENAI_API_KEY, or all")
    names = tuple(name for item in items for name in item.replace(",", " ").split())
    if not all(name.isidentifier() and name.isascii() for name in names):
        raise ValueError("holds what is no name of a variable; write names like OPENAI_API_KEY, or all")
    return names


Seconds = Annotated[float, BeforeValidator(_seconds)]
Money = Annotated[float, BeforeValidator(_money)]
Address = Annotated[str, BeforeValidator(_address)]
Rules = Annotated[tuple[str, ...], BeforeValidator(_rules)]
Hosts = Annotated[tuple[str, ...], BeforeValidator(_hosts)]
Variables = Annotated[tuple[str, ...], BeforeValidator(_variables)]
AnyText = Annotated[str, BeforeValidator(_text)]
Text = Annotated[str, BeforeValidator(_some_text)]
Switch = Annotated[bool, BeforeValidator(_switch)]


class Values(BaseModel):
    """The settings that one source gives; what it does not give is None.

    Keys are those of the options with `_` for `-`. `KEYS_OF_FILES` are the ones that a file may hold.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    profile: Text | None = None
    autonomy: Autonomy | None = None
    prompt: AnyText | None = None
    plan: Text | None = None
    provider: Annotated[str, _one_of(PROVIDERS)] | None = None
    model: Text | None = None
    base_url: Address | None = None
    playbook: Text | None = None
    cwd: Text | None = None
    log: Text | None = None
    max_steps: Annotated[int, _whole(1, 100_000)] | None = None
    timeout: Seconds | None = None
    max_cost: Money | None = None
    reply_deadline: Seconds | None = None
    second_opinion: Literal["off", "model"] | None = None
    second_opinion_provider: Annotated[str, _one_of(MODEL_PROVIDERS)] | None = None
    second_opinion_model: Text | None = None
    second_opinion_base_url: Address | None = None
    second_opinion_deadline: Seconds | None = None
    dry_run: Switch | None = None
    no_upload: Switch | None = None
    checkpoints: Literal["on", "off"] | None = None
    allow: Rules | None = None
    pass_keys: Variables | None = None
    envelope: Annotated[str, _one_of(ENVELOPES)] | None = None
    network: Annotated[str, _one_of(NETWORKS)] | None = None
    envelope_write: Rules | None = None
    envelope_read: Rules | None = None
    envelope_hosts: Hosts | None = None
    trust: Switch | None = None
    resume: Text | None = None
    detectors: Text | None = None
    headless: Switch | None = None
    json_lines: Switch | None = None
    columns: Annotated[int, _whole(20, 500)] | None = None
    lines: Annotated[int, _whole(5, 300)] | None = None

    def given(self) -> dict[str, Any]:
        """What this source gives."""
        return {key: value for key, value in self.model_dump(exclude_unset=True).items() if value is not None}


PATH_KEYS = frozenset({"plan", "playbook", "detectors", "log"})
"""Keys whose values are paths, relative to the file or the folder that they are given in."""

KEYS_OF_A_RUN = frozenset({"cwd", "log", "trust", "resume", "headless", "json_lines"})
"""Keys that belong to one run; a file cannot hold them."""

KEYS = tuple(Values.model_fields)
KEYS_OF_FILES = tuple(key for key in KEYS if key not in KEYS_OF_A_RUN)


def nearest(word: str, words: Iterable[str]) -> str:
    """` (did you mean ...?)` with the most similar of `words`, or nothing if none is similar."""
    close = difflib.get_close_matches(word, list(words), n=1, cutoff=0.65)
    return f" (did you mean {close[0]!r}?)" if close else ""
