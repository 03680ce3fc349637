"""The rules of redaction: vendor formats and contexts from `packs/secrets.toml`, names, and randomness.

All matching of outside text is RE2, which is linear in time. One RE2 set tells in a single pass which
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

Span = tuple[int, int, str]
"""Start, end and kind of a secret."""

_STRONG = (
    r"passw(?:or)?d|\bpass\b|\bpsk|passphrase|passcode|pwd|secret|token|api[_.\-]?key|apikey|access[_.\-]?key|private[_.\-]?key"
    r"|auth[_.\-]?key|account[_.\-]?key|master[_.\-]?key|encrypt(?:ion)?[_.\-]?key|sign(?:ing)?[_.\-]?key"
    r"|shared[_.\-]?key|app(?:lication)?[_.\-]?key|service[_.\-]?key|license[_.\-]?key|storage[_.\-]?key|credential"
)
_WEAK = (
    r"\bapi\b|[_.\-]key|[_.\-]auth|[_.\-]pass|_pw|salt|webhook|dsn|session|cookie|otp|jwt|bearer|[_.\-]pat|sas"
    r"|connection[_.\-]?string"
)
ASSIGNMENT = (
    r"(?i)([A-Za-z0-9_.\-]{0,60}?(?:" + _STRONG + "|" + _WEAK + r")[A-Za-z0-9_.\-]{0,40})"
    r"(?:\\?[\"'\]])*\s{0,3}(:=|=>|==?|:)\s{0,3}(\\?[\"'`])?([^\s\"'`,;\\]{5,512})"
)
_STRONG_NAME = re2.compile("(?i)" + _STRONG)
_PLAIN_NAME = re2.compile(
    r"(?i)((?-i:^(?:OLD)?PWD$)|tokeni[sz]|tokens$|token[_\-]?(?:count|type|limit|length|usage|budget|ttl|expir|name|url|uri|endpoint"
    r"|path|file|class|id$)|max[_\-]?token|min[_\-]?token|public[_\-]?key|key[_\-]?id$|secret[_\-]?(?:name|arn|ref|path)"
    r"|(?:password|secret|key)s?[_\-]?(?:field|label|reset|policy|strength|length|hint|help|prompt|input|confirm"
    r"|url|uri|path|file|min|max|name|type|valid|schema|expir|rotat|manager|changed|updated)|secretary|passwordless"
    r"|_url$|_uri$|_file$|_path$|_dir$|session[_\-]?(?:start|end|time|count|dir|name)|sasl|salt[_\-]?(?:len|round|stack))"
)
_PLACEHOLDER = re2.compile(
    r"(?i)^(?:\[secret:.*|[<{$(\[`].*|%[sd({].*|%[A-Za-z_]+%|\*+.*|\.{3}.*|x{4,}|-+|_+|.*\.\.\.$|(?:your|my|some|the|a|an|insert|enter|put|add|replace|use)[_\-].*"
    r"|true|false|null|nil|none|undefined|string|str|text|number|integer|boolean|bytes|required|optional|missing"
    r"|invalid|expired|changeme|change[_\-]me|example|placeholder|redacted|masked|hidden|empty|unset|default|env|secret"
    r"|password|passwd|token|value|file|vault|prompt|ask|input|username|user|admin|process\.env.*|os\.environ.*"
    r"|os\.getenv.*|env\..*|secrets?\..*|vars?\..*|config\..*|settings?\..*|self\..*|this\..*|req(?:uest)?\..*"
    r"|null[,;)]*|todo|fixme|n/a|found|not|is|was|must|should|failed|error|valid|read|write|bearer|basic|digest"
    r"|https?:(?://)?[^@?]*)$"
)
_WORDS = re2.compile(r"^[a-z]+(?:[_\-.:/][a-z0-9]+)+$")
_CALL = re2.compile(r"^[A-Za-z_][A-Za-z0-9_.]*(?:\(|\[|::|->)")
_OPEN_CALL = re2.compile(r"^[A-Za-z_][A-Za-z0-9_.]*\($")
"""`Environment.GetEnvironmentVariable(`, where a quoted name follows."""
_SCOPE = re2.compile(r"^:[A-Za-z_][A-Za-z0-9_]*(?:$|::|[<(\[.)])")
"""`token::Store`, `test_password.py::test_it`: a name inside of a name, and no value."""
_IDENTIFIER = re2.compile(r"^[A-Za-z_$@][A-Za-z0-9_.$\-]*[)\]}:>]*$")
_RANDOM = re2.compile(r"[A-Za-z0-9_\-+/.~]{24,}={0,2}")
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
    """The rules, and the RE2 set that tells which of them can match a text (same order)."""
    data = tomllib.loads((Path(__file__).parent / "packs" / "secrets.toml").read_text(encoding="utf-8"))
    rules: list[SecretRule] = []
    options = re2.Options()
    options.max_mem = _SET_MEMORY_BYTES
    chooser = re2.Set.SearchSet(options)
    for section in ("vendor", "context"):
        for kind, source in data[section].items():
            pattern = re2.compile(source)
            rules.append(SecretRule(kind, pattern, min(pattern.groups, 1), section == "context"))
            chooser.Add(source)
    rules.append(SecretRule("assignment", re2.compile(ASSIGNMENT), 4, True))
    chooser.Add(ASSIGNMENT)
    chooser.Compile()
    return tuple(rules), chooser


def rule_spans(text: str) -> Iterator[Span]:
    """The spans that vendor and context rules see as secret."""
    rules, chooser = secret_rules()
    for number in sorted(chooser.Match(text) or ()):
        rule = rules[number]
        for match in rule.pattern.finditer(text):
            start, end = match.span(rule.group)
            value = text[start:end]
            if rule.kind == "assignment":
                if _assigned_secret(match, text[end : end + 1]):
                    yield start, end, "value"
            elif rule.context:
                if _context_secret(rule.kind, value):
                    yield start, end, rule.kind
            elif len(set(value[-24:])) >= 6:
                yield start, end, rule.kind


def vendor_spans(text: str) -> Iterator[Span]:
    """The spans that are secret by their format alone."""
    rules, chooser = secret_rules()
    for number in sorted(chooser.Match(text) or ()):
        rule = rules[number]
        for match in rule.pattern.finditer(text) if not rule.context else ():
            start, end = match.span(rule.group)
            if len(set(text[start:end][-24:])) >= 6:
                yield start, end, rule.kind


def random_spans(text: str) -> Iterator[Span]:
    """The spans that look random: 24 characters or more of all classes with high entropy."""
    for match in _RANDOM.finditer(text):
        start, end = match.span()
        before = text[max(0, start - 8) : start].lower()
        whole = match.group().rstrip("=.")
        if before.endswith(_DIGEST_BEFORE) or whole.lower().startswith(_DIGEST_BEFORE):
            continue
        if (
            whole.count("/") <= len(whole) / 12
            and not whole.startswith(("/", "./", "../"))
            and looks_random(whole)
        ):
            yield start, end, "random"
            continue
        offset = start
        for piece in _pieces(match.group()):
            if looks_random(piece.strip("=.")):
                yield offset, offset + len(piece), "random"
            offset += len(piece) + 1


def looks_random(token: str) -> bool:
    """Whether a token mixes its characters as no name does (entropy in bits per character, class changes)."""
    if len(token) < 24 or not _has_all_classes(token):
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
    if called or _PLACEHOLDER.search(value) or len(set(value)) < 3:
        return False
    if kind == "user-option":
        return not value.isdigit()
    if kind in ("spoken", "spoken-bare", "named-phrase"):
        return any(char.isdigit() for char in value) and any(char.isalpha() for char in value)
    if kind in ("secret-option", "login-password", "client-password", "mysql-password"):
        return not (value.isupper() and value.replace("_", "").isalpha()) and not _CALL.search(value)
    if kind in ("authorization", "bearer", "basic"):
        return not value.isalpha() or (len(value) >= 16 and not value.islower())
    return True


def _assigned_secret(match: Any, after: str) -> bool:
    """Whether NAME = value is a secret, by the name, the way it is written and the look of the value."""
    name, operator, quote, value = match.group(1), match.group(2), match.group(3), match.group(4)
    no_secret = (
        _PLAIN_NAME.search(name)
        or _PLACEHOLDER.search(value)
        or len(set(value)) < 3
        or (quote and after not in ("", quote[-1], "\\"))
        or (not quote and (_CALL.search(value) or operator == "=="))
        or (match.end(2) == match.start(4) and operator == ":" and _SCOPE.search(value))
    )
    if no_secret:
        return False
    if not _STRONG_NAME.search(name):
        return _weakly_named(value)
    environment = name.upper() == name and match.group(0)[len(name) :].startswith("=")
    return _strongly_named(name, value, bool(quote), environment)


def _weakly_named(value: str) -> bool:
    """Under a name such as `sort_key` only what looks like a key counts."""
    mixed = any(char.isdigit() for char in value) and any(char.isalpha() for char in value)
    return len(value) >= 12 and mixed and "/" not in value[:2] and not _WORDS.search(value)


def _strongly_named(name: str, value: str, quoted: bool, environment: bool) -> bool:
    """Under a name such as `password`: what is not an identifier of a program, or is written as a literal."""
    digit = any(char.isdigit() for char in value)
    if _IDENTIFIER.search(value) and _STRONG_NAME.search(value) and not (digit and quoted):
        return False
    if value.isdigit():
        return len(value) >= 6 and not name.lower().endswith("token")
    if environment or quoted:
        return environment or digit or len(value) >= 8
    return (digit and any(char.isalpha() for char in value)) or not _IDENTIFIER.search(value)
