"""The rules of redaction: vendor formats and contexts from `secrets.toml`, names, and randomness.

All matching of outside text is RE2, which is linear in time. One RE2 set finds in a single pass which
rules can match at all; only those run.
"""

from __future__ import annotations

import functools
import itertools
import math
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import re2

from copilot.redaction.assigned import CALL, PLACEHOLDER, SECRET_HINT, assigned_spans
from copilot.redaction.quoted import QUOTED_HINT, SAID_HINT, quoted_spans, said_spans

Span = tuple[int, int, str]
"""Start, end and kind of a secret."""

_OPEN_CALL = re2.compile(r"^[A-Za-z_][A-Za-z0-9_.]*\($")
"""`Environment.GetEnvironmentVariable(`, where a quoted name follows."""
_FOUND_BY = {
    "assignment": (SECRET_HINT, assigned_spans),
    "quoted": (QUOTED_HINT, quoted_spans),
    "said": (SAID_HINT, said_spans),
}
"""Rules that are more than a pattern. The set is asked for a hint only: a fifth of the time."""
_RANDOM = re2.compile(
    r"[_\-+/.~]*(?:"
    r"[a-z][a-z_\-+/.~]*(?:[A-Z][A-Za-z_\-+/.~]*[0-9]|[0-9][0-9a-z_\-+/.~]*[A-Z])"
    r"|[A-Z][A-Z_\-+/.~]*(?:[a-z][A-Za-z_\-+/.~]*[0-9]|[0-9][0-9A-Z_\-+/.~]*[a-z])"
    r"|[0-9][0-9_\-+/.~]*(?:[a-z][0-9a-z_\-+/.~]*[A-Z]|[A-Z][0-9A-Z_\-+/.~]*[a-z])"
    r")[A-Za-z0-9_\-+/.~]*={0,2}"
)
"""A whole token with a small letter, a capital and a digit, in any order: nothing else can look random."""
_LEAST_RANDOM = 24
IN_TOKEN = r"[^ \t\n\f\r│┃|,;:(){}\[\]\"'`<>]"
"""What a word that may be part of a secret is made of."""
_MAY_BREAK = IN_TOKEN + r"[ \t│┃|]*[\r\n]+[ \t│┃|]*" + IN_TOKEN
"""In every text in which `redact_rows` finds a word that goes over a row's end."""
_CONTROL = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x{9b}]"
_SET_MEMORY_BYTES = 256 << 20
"""A set that runs out of memory says «no match»; this is far above what the rules need (about 20 MB)."""
_DIGEST_BEFORE = ("sha1-", "sha256-", "sha384-", "sha512-", "sha256:", "sha512:", "sha1:", "md5:")


@dataclass(frozen=True, slots=True)
class SecretRule:
    """One kind of secret: what it looks like and which group is the secret."""

    kind: str
    pattern: Any
    group: int
    context: bool


@functools.cache
def secret_rules() -> tuple[tuple[SecretRule, ...], Any]:
    """The rules, and the RE2 set that finds which of them can match a text (same order)."""
    data = tomllib.loads((Path(__file__).parent / "secrets.toml").read_text(encoding="utf-8"))
    rules: list[SecretRule] = []
    options = re2.Options()
    options.max_mem = _SET_MEMORY_BYTES
    chooser = re2.Set.SearchSet(options)
    for section in ("vendor", "context"):
        for kind, source in data[section].items():
            pattern = re2.compile(source)
            rules.append(SecretRule(kind, pattern, min(pattern.groups, 1), section == "context"))
            chooser.Add(source)
    for kind, (hint, _) in _FOUND_BY.items():
        rules.append(SecretRule(kind, None, 0, True))
        chooser.Add(hint)
    for source in (_RANDOM.pattern, _MAY_BREAK, _CONTROL):
        chooser.Add(source)
    chooser.Compile()
    return tuple(rules), chooser


@dataclass(frozen=True, slots=True)
class Seen:
    """What one look at a text finds possible in it; the rest need not be looked for."""

    rules: tuple[int, ...]
    random: bool
    breaks: bool
    controls: bool
    """Control characters, which the other three are not to be asked of."""


def look(text: str) -> Seen:
    """One pass over the text for all that redaction looks for, known values aside."""
    rules, chooser = secret_rules()
    found = set(chooser.Match(text) or ())
    random, breaks, controls = (len(rules) + number in found for number in range(3))
    return Seen(tuple(sorted(n for n in found if n < len(rules))), random, breaks, controls)


def rule_spans(text: str, seen: Seen) -> Iterator[Span]:
    """The spans that vendor and context rules see as secret."""
    rules, _ = secret_rules()
    for number in seen.rules:
        rule = rules[number]
        if rule.kind in _FOUND_BY:
            yield from ((start, end, "value") for start, end in _FOUND_BY[rule.kind][1](text))
            continue
        for match in rule.pattern.finditer(text):
            start, end = match.span(rule.group)
            value = text[start:end]
            if _context_secret(rule.kind, value) if rule.context else _is_varied(value):
                yield start, end, rule.kind


def vendor_spans(text: str) -> Iterator[Span]:
    """The spans that are secret by their format alone."""
    rules, _ = secret_rules()
    for number in look(text).rules:
        rule = rules[number]
        for match in rule.pattern.finditer(text) if not rule.context else ():
            start, end = match.span(rule.group)
            if _is_varied(text[start:end]):
                yield start, end, rule.kind


def _is_varied(value: str) -> bool:
    """Whether what has a vendor's format is more than the same few characters, as in an example."""
    return len(set(value[-24:])) >= 6


def random_spans(text: str) -> Iterator[Span]:
    """The spans that look random: 24 characters or more of all classes with high entropy."""
    for match in _RANDOM.finditer(text):
        start, end = match.span()
        if end - start >= _LEAST_RANDOM and len(match.group().rstrip("=")) >= _LEAST_RANDOM:
            yield from random_in(text, start, end)


def random_in(text: str, start: int, end: int) -> Iterator[Span]:
    """The spans that look random in one token (with the `=` behind it): all of it, or pieces."""
    token = text[start:end]
    before = text[max(0, start - 8) : start].lower()
    whole = token.rstrip("=.")
    if before.endswith(_DIGEST_BEFORE) or whole.lower().startswith(_DIGEST_BEFORE):
        return
    if (
        whole.count("/") <= len(whole) / 12
        and not whole.startswith(("/", "./", "../"))
        and looks_random(whole)
    ):
        yield start, end, "random"
        return
    offset = start
    for piece in _pieces(token):
        if looks_random(piece.strip("=.")):
            yield offset, offset + len(piece), "random"
        offset += len(piece) + 1


def looks_random(token: str) -> bool:
    """Whether a token mixes its characters as no name does (entropy in bits per character, class changes)."""
    if len(token) < _LEAST_RANDOM or not _has_all_classes(token):
        return False
    size = len(token)
    entropy = -sum(count / size * math.log2(count / size) for count in Counter(token).values())
    if entropy < 4.0:
        return False
    classes = [_char_class(char) for char in token if char.isalnum()]
    changes = sum(a != b for a, b in itertools.pairwise(classes))
    return changes >= 0.36 * len(classes)


def _pieces(token: str) -> list[str]:
    for separator in "=./":
        token = token.replace(separator, "\n")
    return token.split("\n")


def _has_all_classes(token: str) -> bool:
    kinds = {_char_class(char) for char in token}
    return {"u", "l", "d"} <= kinds


def _char_class(char: str) -> str:
    if char.isdigit():
        return "d"
    return "u" if char.isupper() else "l" if char.islower() else "o"


def _context_secret(kind: str, value: str) -> bool:
    called = kind == "header" and _OPEN_CALL.search(value)
    if called or PLACEHOLDER.search(value) or len(set(value)) < 3:
        return False
    if kind == "user-option":
        return not value.isdigit()
    if kind in ("spoken", "spoken-bare"):
        return any(char.isdigit() for char in value) and any(char.isalpha() for char in value)
    if kind in ("secret-option", "login-password", "client-password", "mysql-password"):
        return not (value.isupper() and value.replace("_", "").isalpha()) and not CALL.search(value)
    if kind in ("authorization", "bearer", "basic"):
        return not value.isalpha() or (len(value) >= 16 and not value.islower())
    return True
