"""The rules of redaction: vendor formats and contexts from `secrets.toml`, names, and randomness.

All matching of outside text is RE2, which is linear in time. One RE2 set finds in a single pass which
rules can match at all; only those run.
"""

from __future__ import annotations

import base64
import binascii
import functools
import math
import operator
import re
import string
import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import re2

from copilot.redaction.assigned import CALL, PLACEHOLDER, SECRET_HINT, assigned_spans, is_example
from copilot.redaction.cookies import COOKIE_HINT, cookie_spans
from copilot.redaction.phrases import CODES_HINT, code_spans, ends_in_phrase, seed_spans
from copilot.redaction.public import in_region, is_public, public_regions, said
from copilot.redaction.quoted import QUOTED_HINT, SAID_HINT, quoted_spans, said_spans

Span = tuple[int, int, str]
"""Start, end and kind of a secret."""

_OPEN_CALL = re2.compile(r"^[A-Za-z_][A-Za-z0-9_.]*\($")
"""`Environment.GetEnvironmentVariable(`, where a quoted name follows."""
_FOUND_BY = {
    "assignment": (SECRET_HINT, assigned_spans, "value"),
    "quoted": (QUOTED_HINT, quoted_spans, "value"),
    "said": (SAID_HINT, said_spans, "value"),
    "cookies": (COOKIE_HINT, cookie_spans, "cookie"),
    "codes": (CODES_HINT, code_spans, "recovery-code"),
    "seed": (r"[A-Za-z]{3,8}", seed_spans, "seed-phrase"),
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
_CUT_TOKEN = re2.compile(
    r"(?:(?:[A-Za-z][A-Za-z_\-+=~]*[0-9]|[0-9][0-9_\-+=~]*[A-Za-z])[A-Za-z0-9_\-+=~]{7,}|://[^\s/]*)[\s│┃|]*$"
)
_CLASSES = str.maketrans(
    dict.fromkeys(string.ascii_uppercase, "u")
    | dict.fromkeys(string.ascii_lowercase, "l")
    | dict.fromkeys(string.digits, "d")
    | dict.fromkeys("_-+/.~=", "o")
)
_PART_ENDS = re2.compile(r"[_\-+/.~=]+")
_PLAIN_PART = re2.compile(r"^(?:[A-Z]?[a-z]*|[A-Z]+|[0-9]+|[0-9a-f]{6,}|v[0-9]+|(?:[A-Z][a-z]{2,})+[0-9]?)$")
_LEAST_MIXED = 16
IN_TOKEN = r"[^ \t\n\f\r│┃|,;:(){}\[\]\"'`<>]"
"""What a word that may be part of a secret is made of."""
_MAY_BREAK = IN_TOKEN + r"[ \t│┃|]*[\r\n]+[ \t│┃|]*" + IN_TOKEN
"""In every text in which `redact_rows` finds a word that goes over a row's end."""
_CONTROL = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x{9b}]"
_MIXED = (
    "spoken",
    "spoken-bare",
    "labelled-password",
    "password-quoted",
    "short-label",
    "login-slash",
    "cookie-file",
)
_OPTIONS = (
    *(
        "secret-option",
        "login-password",
        "client-password",
        "mysql-password",
        "option-assignment",
        "pair",
        "call-pair",
    ),
    *("openssl-option", "archive-password", "archive-option", "htpasswd-option", "piped", "server-password"),
    *("net-use", "tool-assignment", "slash-password", "wifi-command"),
)
_MIXED_VALUE = re2.compile(r"[0-9]|[a-z][!#$%^&*+]+[A-Za-z]|[A-Z][!#$%^&*+]+[a-z]")
_NO_PASSWORD = re2.compile(
    r"(?i)^(?:[0-9]{1,4}[-/.:][0-9]{1,2}[-/.:].*|v?[0-9]+(?:\.[0-9]+)+|[~.]{0,2}/.*|[a-z][a-z0-9+.\-]*://[^@]*|[0-9]+(?:st|nd|rd|th|ms|s|m|h|d|kb|mb)"
    r"|[A-Za-z_][\w.\-]*\(.*|[\w./\-]+\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|md|txt|ya?ml|json|toml)(?::[0-9:]+)?)$"
)
"""A date, a version, a path, an address, a duration, a call, a place in a file."""
_FILE = re2.compile(
    r"\.(?:[ch](?:pp)?|[cm]?[jt]sx?|py|go|rs|rb|java|kt|swift|php|cs|md|txt|ya?ml|json|toml|sh|sql|log)$"
)
_CODE = re2.compile(r"^[A-Za-z_$][\w$.]*(?:[)}\]]|=>|\|\||&&|\?\.)")
"""A name in a program without blanks: `apiKey:t})=>e||t`."""
_DOTTED_NAME = re2.compile(r"^\+?[A-Za-z_$]+(?:\.[A-Za-z_$]+)+$")
_COUNT = re.compile(r"\{([0-9]+)(?:,[0-9]*)?\}")
"""The set gets the rules without counts: they match more, but each count makes a state for each character."""
_SET_MEMORY_BYTES = 256 << 20
"""A set that runs out of memory says «no match»; this is far above what the rules need (about 20 MB)."""


@dataclass(frozen=True, slots=True)
class SecretRule:
    """One kind of secret: what it looks like and which group is the secret."""

    kind: str
    pattern: Any
    group: int
    context: bool


def _uncounted(count: re.Match[str]) -> str:
    return "*" if count.group(1) == "0" else "+"


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
            chooser.Add(_COUNT.sub(_uncounted, source))
    for kind, (hint, _, _) in _FOUND_BY.items():
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

    @property
    def calm(self) -> bool:
        """Whether nothing at all in the text is like a secret."""
        rules, _ = secret_rules()
        return not self.random and all(rules[number].kind == "seed" for number in self.rules)


def look(text: str) -> Seen:
    """One pass over the text for all that redaction looks for, known values aside."""
    rules, chooser = secret_rules()
    found = set(chooser.Match(text) or ())
    random, breaks, controls = (len(rules) + number in found for number in range(3))
    return Seen(tuple(sorted(n for n in found if n < len(rules))), random, breaks, controls)


def may_begin_secret(text: str) -> bool:
    """Whether a row that was cut at its end can be the beginning of a secret."""
    if text.count('"') % 2 or text.count("'") % 2:
        return True
    seen = look(text)
    rules, _ = secret_rules()
    return (
        any(rules[number].kind != "seed" for number in seen.rules)
        or _CUT_TOKEN.search(text) is not None
        or ends_in_phrase(text)
    )


def rule_spans(text: str, seen: Seen) -> Iterator[Span]:
    """The spans that vendor and context rules see as secret."""
    rules, _ = secret_rules()
    for number in seen.rules:
        rule = rules[number]
        if rule.kind in _FOUND_BY:
            _, find, kind = _FOUND_BY[rule.kind]
            yield from ((start, end, kind) for start, end in find(text))
            continue
        for match in rule.pattern.finditer(text):
            start, end = match.span(rule.group)
            value = text[start:end]
            if rule.kind == "set-command":
                start, value = _set_value(start, value)
            if _context_secret(rule.kind, value, match.group()) if rule.context else _is_varied(value):
                yield start, start + len(value), rule.kind


def _set_value(start: int, words: str) -> tuple[int, str]:
    """Where the value begins in `API_KEY value`, and the value; empty if the name is no variable's."""
    name, value = words.split(None, 1)
    begin = start + len(words) - len(value.lstrip("\"'"))
    value = value.lstrip("\"'")
    sure = name.isupper() or any(char.isdigit() for char in value)
    return begin, value if sure else ""


def vendor_spans(text: str, kinds: Collection[str] | None = None) -> Iterator[Span]:
    """The spans that are secret by their format alone; only of some kinds, if that is known."""
    rules, _ = secret_rules()
    seen = [rules[number] for number in look(text).rules] if kinds is None else rules
    for rule in seen:
        if rule.context or (kinds is not None and rule.kind not in kinds):
            continue
        for match in rule.pattern.finditer(text):
            start, end = match.span(rule.group)
            if _is_varied(text[start:end]):
                yield start, end, rule.kind


def _is_varied(value: str) -> bool:
    """Whether what has a vendor's format is more than the same few characters, as in an example."""
    return len(set(value[-24:])) >= 6 and not is_example(value)


def random_spans(text: str) -> Iterator[Span]:
    """The spans that look random, and that nothing marks as public."""
    return ((start, end, "random") for start, end, public in random_tokens(text) if not public)


def random_tokens(text: str) -> Iterator[tuple[int, int, bool]]:
    """What looks random: 24 characters or more of all classes with high entropy. And whether it is public."""
    regions: list[tuple[int, int]] | None = None
    for match in _RANDOM.finditer(text):
        start, end = match.span()
        if end - start < _LEAST_RANDOM or len(match.group().rstrip("=")) < _LEAST_RANDOM:
            continue
        found = [span[:2] for span in random_in(text, start, end)]
        if not found:
            continue
        if regions is None:
            regions = sorted(public_regions(text))
        if in_region(regions, start) or is_public(text, start, end) or _says_no_secret(match.group()):
            yield start, end, True
            continue
        for part in found:
            yield *part, part != (start, end) and is_public(text, *part)


def _says_no_secret(token: str) -> bool:
    """Whether it is readable text in base64 in which there is no secret."""
    text = said(token)
    return bool(text) and not any(rule_spans(text, look(text))) and not any(random_spans(text))


def random_in(text: str, start: int, end: int) -> Iterator[Span]:
    """The spans that look random in one token (with the `=` behind it): all of it, or pieces."""
    token = text[start:end]
    whole = token.rstrip("=.")
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
    size = len(token)
    if size < _LEAST_RANDOM:
        return False
    classes = token.translate(_CLASSES)
    if "u" not in classes or "l" not in classes or "d" not in classes:
        return False
    classes = classes.replace("o", "")
    if sum(map(operator.ne, classes, classes[1:])) < 0.36 * len(classes) or _is_composed(token):
        return False
    return -sum(count / size * math.log2(count / size) for count in Counter(token).values()) >= 4.0


def _is_composed(token: str) -> bool:
    """Whether hardly more than words, numbers and hex digits is in it: `Linux-node-83db48f`."""
    rest = [piece for piece in _PART_ENDS.split(token) if not _PLAIN_PART.search(piece)]
    return sum(map(len, rest)) < _LEAST_MIXED


def _pieces(token: str) -> list[str]:
    for separator in "=./":
        token = token.replace(separator, "\n")
    return token.split("\n")


def _context_secret(kind: str, value: str, match: str) -> bool:
    called = kind == "header" and (_OPEN_CALL.search(value) or _CODE.search(value))
    if called or PLACEHOLDER.search(value) or is_example(value) or len(set(value)) < 3:
        return False
    judge = _JUDGES.get(kind)
    return judge is None or judge(value, match)


def _is_mixed(value: str, _: str) -> bool:
    """Whether no word of a sentence, date or place is like it."""
    letter = any(char.isalpha() for char in value)
    return letter and _MIXED_VALUE.search(value) is not None and not _NO_PASSWORD.search(value)


def _is_option(value: str, _: str) -> bool:
    """Whether it is no placeholder in capitals, and no call."""
    return not (value.isupper() and value.replace("_", "").isalpha()) and not CALL.search(value)


def _is_credential(value: str, _: str) -> bool:
    """Whether what follows `Bearer` is more than a word."""
    plain = value.isalpha() and (len(value) < 16 or value.islower())
    return not plain and not _DOTTED_NAME.search(value)


def _is_password_line(value: str, line: str) -> bool:
    """Whether `host:port:base:user:password` is that, and not a place in a file with a remark."""
    host, port, base, *_ = line.strip(" \t│┃|>+\n\"'").removeprefix("\\n").split(":")
    if base.isdigit() or _FILE.search(host):
        return False
    return port.startswith(("5", "6", "*")) or any(char.isdigit() for char in value)


def _is_login(value: str, _: str) -> bool:
    """Whether it is `user:password` in base64."""
    try:
        return b":" in base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except binascii.Error:
        return False


_JUDGES: dict[str, Callable[[str, str], bool]] = {
    **dict.fromkeys(_MIXED, _is_mixed),
    **dict.fromkeys(_OPTIONS, _is_option),
    **dict.fromkeys(("authorization", "bearer", "basic"), _is_credential),
    "user-option": lambda value, _: not value.isdigit(),
    "spoken-short": lambda value, _: (
        {"u", "l", "d"} <= set(value.translate(_CLASSES)) and not value[0].isdigit()
    ),
    "pgpass": _is_password_line,
    "docker-auth": _is_login,
}
"""What else a value and its context must be, by kind."""
