"""Secrets by the name they are given to: `API_KEY=...`, `password: "..."`, in any language's spelling.

`ASSIGNMENT` says what counts as one. As a single pattern it is slow: its counted repeats make more states
than RE2 keeps, and each character then costs microseconds. So a pattern without counts says which lines can
have one at all, only those are searched, from the significant word of the name on, and the counted ends
are added by hand. The matches are those of `ASSIGNMENT`, one by one (`tests/guard/test_redact_same.py`).
"""

from __future__ import annotations

import string
from collections.abc import Iterator
from dataclasses import dataclass

import re2

from copilot.redaction.public import in_region, public_regions

_STRONG = (
    r"passw(?:or)?d|\bpass\b|(?:ssh|db|user|admin|root|smtp|mail|become|sudo|ftp|ldap|proxy|login)[_.\-]?pass\b|\bpsk"
    r"|passphrase|passcode|pwd|secret|token|api[_.\-]?key|apikey|access[_.\-]?key|private[_.\-]?key"
    r"|auth[_.\-]?key|account[_.\-]?key|master[_.\-]?key|encrypt(?:ion)?[_.\-]?key|sign(?:ing)?[_.\-]?key"
    r"|shared[_.\-]?key|app(?:lication)?[_.\-]?key|service[_.\-]?key|license[_.\-]?key|storage[_.\-]?key|credential"
)
_WEAK = (
    r"\bapi\b|[_.\-]key|[_.\-]auth|[_.\-]pass|_pw|salt|webhook|dsn|session|cookie|otp|jwt|bearer|[_.\-]pat|sas"
    r"|connection[_.\-]?string"
)
STRONG = "(?:" + _STRONG + ")"
"""What a name has in it that can only be that of a secret."""
_TELLING = "(?:" + _STRONG + "|" + _WEAK + ")"
CLOSING = r"(?:\\?[\"'\]])*"
_OPERATOR = r"\s{0,3}(:=|=>|==?|:)\s{0,3}"
_VALUE = r"[^\s\"'`,;\\]"
_MOST_BEFORE, _MOST_AFTER, _LEAST_VALUE, _MOST_VALUE = 60, 40, 5, 512
ASSIGNMENT = (
    rf"(?i)([A-Za-z0-9_.\-]{{0,{_MOST_BEFORE}}}?{_TELLING}[A-Za-z0-9_.\-]{{0,{_MOST_AFTER}}})"
    rf"{CLOSING}{_OPERATOR}(\\?[\"'`])?({_VALUE}{{{_LEAST_VALUE},{_MOST_VALUE}}})"
)
_NAMED = rf"(?i){_TELLING}[A-Za-z0-9_.\-]*{CLOSING}\s*"
_HINT = re2.compile(_NAMED + "[:=]")
"""In every assignment, up to the first character of its operator; without a count."""
_NO_SCOPE = r"[^A-Za-z0-9_:<(\[.) \n\t\r\f\"'`,;\\]"
SECRET_HINT = _NAMED + (rf"(?:=|:(?:[^:]|$)|::(?:[^a-z_]|$)|::[a-z_][a-z0-9_]*(?:{_NO_SCOPE}|:(?:[^:]|$)))")
"""In every assignment that can be secret: not if `::` and a name follow (`_SCOPE`), as names of tests do."""
_CORE = re2.compile(
    rf"(?i)({_TELLING}[A-Za-z0-9_.\-]{{0,{_MOST_AFTER}}})"
    rf"{CLOSING}{_OPERATOR}(\\?[\"'`])?({_VALUE}{{{_LEAST_VALUE}}})"
)
_NOT_IN_VALUE = " \n\t\r\f\"'`,;\\"
_IN_NAME = string.ascii_letters + string.digits + "_.-\u017f\u212a"
"""With the two letters that are a small s and k when case does not count."""
_BEGINS_IDENTIFIER = string.ascii_letters + "_"
_IN_IDENTIFIER = _BEGINS_IDENTIFIER + string.digits
_TO_VALUE = ":=> \t\n\f\r"
_MOST_TO_VALUE = 8
"""From the operator's first character to the value: its second, three blanks, a quote with its backslash."""
_STRONG_NAME = re2.compile("(?i)" + _STRONG)
_PLAIN_NAME = re2.compile(
    r"(?i)(tokeni[sz]|tokens$|(?:^|[_\-.])(?:next|prev(?:ious)?|page|continuation|sync)[_\-]?(?:page[_\-]?)?token$|token[_\-]?(?:count|type|limit|length|usage|budget|ttl|expir|name|url|uri|endpoint"
    r"|path|file|class|id$)|max[_\-]?token|min[_\-]?token|public[_\-]?key|key[_\-]?id$|secret[_\-]?(?:name|arn|ref|path)"
    r"|(?:password|secret|key)s?[_\-]?(?:field|label|reset|policy|strength|length|hint|help|prompt|input|confirm"
    r"|url|uri|path|file|min|max|name|type|valid|schema|expir|rotat|manager|changed|updated)|secretary|passwordless"
    r"|_url$|_uri$|_file$|_path$|_dir$|session[_\-]?(?:start|end|time|count|dir|name)|sasl|salt[_\-]?(?:len|round|stack))"
)
PLACEHOLDER = re2.compile(
    r"(?i)^(?:\[secret:.*|[<{$(\[`].*|%[sd({].*|%[A-Za-z_]+%|\*+.*|\.{3}.*|x{4,}|-+|_+|.*\.\.\.$|(?:your|my|some|the|a|an|insert|enter|put|add|replace|use)[_\-].*"
    r"|true|false|null|nil|none|undefined|string|str|text|number|integer|boolean|bytes|required|optional|missing"
    r"|invalid|expired|changeme|change[_\-]me|example|placeholder|redacted|masked|hidden|empty|unset|default|env|secret"
    r"|password|passwd|token|value|file|vault|prompt|ask|input|username|user|admin|process\.env.*|os\.environ.*"
    r"|os\.getenv.*|env\..*|secrets?\..*|vars?\..*|config\..*|settings?\..*|self\..*|this\..*|req(?:uest)?\..*"
    r"|null[,;)]*|!vault|#[0-9a-f]{3,8}|[0-9]{1,6}:[0-9]{1,6}[:),]*|\[?u?int[0-9]*(?:array)?\]?|float[0-9]+(?:array)?|bytes[0-9]+|todo|fixme|n/a|found|not|is|was|must|should|failed|error|valid|read|write|bearer|basic|digest"
    r"|https?:(?://)?[^@?]*|(?:wss?|ftp|ssh|git|file)://[^@]*"
    r"|[a-z_][a-z0-9_\-]*@[a-z0-9.\-]+:[~/][^\s:@]*[$#%>]?|(?:ba|z|da|k|fi)?sh-[0-9.]+[$#%])$"
)
"""The last two are a shell's own prompt, which often comes right after `Password: `."""
_EXAMPLE = re2.compile(
    r"(?i)(?:^|[-_. /])(?:your|my)[-_. ](?:[a-z]+[-_. ]?)*$|(?-i:EXAMPLE(?:KEY)?)$"
    r"|^[a-z_.\-]*[-_](?:goes[-_])?here$|^[a-z]{1,8}[-_.](?:[a-z0-9]{1,6}[-_.])*(?:x{3,}|\.{3}|…|\*{3,})(?:[-_.](?:[xy]+|\*+))*$"
)
"""What documents have in the place of a key: `sk-your-key-here`, `ghp_xxxx`, `AKIAIOSFODNN7EXAMPLE`."""
_FILE_NAME = re2.compile(
    r"^[A-Za-z0-9_=./+\-]+\.(?:whl|tar|t?gz|zip|jar|py|[cm]?[jt]sx?|json|ya?ml|toml|txt|md|go|rs|rb|java|css|html|lock)$"
)
_GENERIC = re2.compile(
    r"^[A-Za-z_][A-Za-z0-9_.:]*<[A-Za-z_&\[(][^<>]*>[)\]{}?]*$|^[A-Za-z_$][\w$.]*[)}\]]*=>"
    r"|^[A-Za-z_$][\w$.]*(?:\|\||&&)[\w$.|&]*[)}\]]|^[A-Za-z_$]+\?\.[A-Za-z_$]+[)\]]*$"
    r"|^&(?:'[a-z]+|mut)?(?:str|\[?u8|[A-Z][A-Za-z]*)[\])>]*$"
)
"""A type or a function: `Option<String>`, `t})=>e||t`, `&str`."""
_PROSE = re2.compile(r"^ [A-Za-z]+(?: [a-z]|[.!?]?(?:\n|$))")
_TEST_NAME = re2.compile(
    r"^(?:Test[A-Z][A-Za-z0-9_]*(?:/|$)|(?i:test|should|when|given|returns?|rejects?|accepts?|does|is|has|it|must|can)(?:_[A-Za-z0-9]+){3,}$)"
)
_SECRET_AT_END = re2.compile(r"(?i)(?:passw(?:or)?d|passphrase|passcode|pwd|[_.\-]pass|secret|api[_\-]?key)$")
"""`public_key_password` is the name of a password."""
_PLAIN_WEAK_NAME = re2.compile(
    r"(?i)(?:^|[_\-.])(?:verif(?:y|ication)|pub(?:lic)?|host|sort|partition|primary|foreign|cache|routing|idempotency"
    r"|unique|composite)[_\-]?key$|certificate|authority"
)
_NEXT_NAME = re2.compile(r"^[A-Za-z_][A-Za-z0-9_.\-]*\s*[:=]")
_UUID = re2.compile(r"(?i)^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
_CONFIGURED = re2.compile(r"(?i)(?:passw(?:or)?d|pass|passphrase|pwd|psk)$")
CALL = re2.compile(r"^[A-Za-z_][A-Za-z0-9_.]*(?:\(|\[|::|->)")
_WORDS = re2.compile(r"^[a-z]+(?:[_\-.:/][a-z0-9]+)+$")
_SCOPE = re2.compile(r"^:[A-Za-z_][A-Za-z0-9_]*(?:$|::|[<(\[.)])")
"""`token::Store`, `test_password.py::test_it`: a name inside of a name, and no value."""
_IDENTIFIER = re2.compile(r"^[A-Za-z_$@][A-Za-z0-9_.$\-]*[)\]}:>]*$")


@dataclass(frozen=True, slots=True)
class Assignment:
    """One match of `ASSIGNMENT`: its four groups, and where name and value lie in the text."""

    start: int
    name: str
    operator: str
    quote: str
    value: str
    value_start: int
    joined: bool
    """Nothing is between operator and value."""

    @property
    def value_end(self) -> int:
        """Where the value, and with it the match, ends."""
        return self.value_start + len(self.value)


def assigned_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where the values of assignments that are secret lie."""
    public: list[tuple[int, int]] | None = None
    for start, end, after in _regions(text):
        if after >= 0 and _names_a_scope(text, after):
            continue
        for one in _assignments_in(text[start:end], start):
            if not is_secret(one, text):
                continue
            if not _STRONG_NAME.search(one.name):
                public = sorted(public_regions(text)) if public is None else public
                if in_region(public, one.value_start):
                    continue
            yield one.value_start, one.value_end


def assignments(text: str) -> Iterator[Assignment]:
    """The matches of `ASSIGNMENT`, in their order."""
    for start, end, _ in _regions(text):
        yield from _assignments_in(text[start:end], start)


def _regions(text: str) -> Iterator[tuple[int, int, int]]:
    """The whole lines that can have an assignment, so that none goes over the edge of them.

    And behind which character of the text its operator begins, if they can have one only; else -1.
    """
    start, end, only = 0, -1, -1
    for match in _HINT.finditer(text):
        operator = match.end()
        if match.start() > end:
            if end >= 0:
                yield start, end, only
            start, only = text.rfind("\n", 0, match.start()) + 1, operator
        else:
            only = -1
        between = text[operator : operator + _MOST_TO_VALUE]
        after = operator + len(between) - len(between.lstrip(_TO_VALUE))
        if after < end:
            continue
        newline = text.find("\n", after)
        end = newline if newline >= 0 else len(text)
    if end >= 0:
        yield start, end, only


def _names_a_scope(text: str, after: int) -> bool:
    """Whether `::` and a name follow: what `_SCOPE` says, in a tenth of the time.

    The names of tests are full of that, and of words such as `session`.
    """
    if text[after - 1 : after + 1] != "::":
        return False
    value = text[after + 1 : after + _MOST_VALUE]
    name = value[: _goes_on(value)]
    rest = name.lstrip(_IN_IDENTIFIER)
    begins = name[:1] in _BEGINS_IDENTIFIER if name else False
    return begins and (not rest or rest.startswith(("::", "<", "(", "[", ".", ")")))


def _assignments_in(text: str, offset: int) -> Iterator[Assignment]:
    """The matches in some lines that begin at `offset`."""
    floor, again = 0, True
    while again:
        again = False
        # With one character before it for `\b`. RE2 itself would count all characters up to the floor.
        cut = max(floor - 1, 0)
        for match in _CORE.finditer(text[cut:], floor - cut):
            found = cut + match.start()
            if found < floor:
                # It began inside the value before, which `_CORE` cuts short.
                again = True
                break
            lowest = max(floor, found - _MOST_BEFORE)
            begin = lowest + len(text[lowest:found].rstrip(_IN_NAME))
            end, value_start = cut + match.end(), cut + match.start(4)
            floor = end + _goes_on(text[end : end + _MOST_VALUE - _LEAST_VALUE])
            start, value = offset + begin, text[value_start:floor]
            name, operator, quote = text[begin : cut + match.end(1)], match.group(2), match.group(3) or ""
            joined = cut + match.end(2) == value_start
            yield Assignment(start, name, operator, quote, value, offset + value_start, joined)


def _goes_on(text: str) -> int:
    """How many characters of it belong to a value that has begun."""
    for char in _NOT_IN_VALUE:
        text = text.partition(char)[0]
    return len(text)


def is_secret(one: Assignment, text: str) -> bool:
    """Whether the value is one, by the name, the way it is written and how it looks."""
    name, value = one.name, one.value
    after = text[one.value_end : one.value_end + 1]
    name_end = one.start + len(name)
    no_secret = (
        len(set(value)) < 3
        or (name in ("PWD", "OLDPWD") and value[0] in "/~$.")
        or is_example(value)
        or _TEST_NAME.search(value)
        or (not one.quote and (_GENERIC.search(value) or _FILE_NAME.search(value)))
        or (one.quote and one.operator == ":" and value.isalpha() and _goes_on_in_prose(text, one.value_end))
        or (not one.joined and "\n" in text[name_end : one.value_start] and _NEXT_NAME.search(value))
        or text[max(0, one.start - 9) : one.start].lower() in ("checksum/", "checksum-")
        or (one.quote and after not in ("", one.quote[-1], "\\"))
        or (not one.quote and one.operator == "==")
        or (one.joined and one.operator == ":" and value[0] == ":" and _SCOPE.search(value))
        or is_plain_name(name)
        or PLACEHOLDER.search(value)
        or (not one.quote and CALL.search(value))
    )
    if no_secret:
        return False
    if not _STRONG_NAME.search(name):
        return _weakly_named(value) and not _PLAIN_WEAK_NAME.search(name)
    if _is_configured(one, text):
        return True
    return _strongly_named(
        name, value, bool(one.quote), text[name_end : name_end + 1] == "=" and name.upper() == name
    )


def is_example(value: str) -> bool:
    """Whether it stands in a document in the place of a key."""
    return _EXAMPLE.search(value) is not None


def _goes_on_in_prose(text: str, value_end: int) -> bool:
    """Whether a word follows the closing quote: `secret: "rotation" should keep the key`."""
    return _PROSE.search(text[value_end + 1 : value_end + 40]) is not None


def _is_configured(one: Assignment, text: str) -> bool:
    """Whether it is a line of a configuration by itself: `store.password=swordfish`, a word though it is."""
    begin = text.rfind("\n", 0, one.start) + 1
    after = text[one.value_end : one.value_end + 2].lstrip(" \r")
    return (
        one.operator == "="
        and one.joined
        and not one.quote
        and len(one.value) >= 8
        and one.value.isalpha()
        and one.value.islower()
        and _CONFIGURED.search(one.name) is not None
        and not text[begin : one.start].strip(" \t│┃|+>")
        and after[:1] in ("", "\n", "│", "┃", "|")
        and not _STRONG_NAME.search(one.value)
    )


def is_plain_name(name: str) -> bool:
    """Whether a name that has a word for secrets in it is that of something else: `max_tokens`."""
    return _PLAIN_NAME.search(name) is not None and not _SECRET_AT_END.search(name)


def names_a_secret(text: str) -> bool:
    """Whether a word for secrets is in a text."""
    return _STRONG_NAME.search(text) is not None


def _weakly_named(value: str) -> bool:
    """Under a name such as `sort_key` only what looks like a key counts."""
    mixed = any(char.isdigit() for char in value) and any(char.isalpha() for char in value)
    return (
        len(value) >= 12
        and mixed
        and "/" not in value[:2]
        and not _WORDS.search(value)
        and not _UUID.search(value)
    )


def _strongly_named(name: str, value: str, quoted: bool, environment: bool) -> bool:
    """Under a name such as `password`: what is not an identifier of a program, or is written as a literal."""
    digit = any(char.isdigit() for char in value)
    if _IDENTIFIER.search(value) and _STRONG_NAME.search(value) and not digit:
        return False
    if value.isdigit():
        return len(value) >= 6 and not name.lower().endswith("token")
    if environment or quoted:
        return environment or digit or len(value) >= 8
    return (digit and any(char.isalpha() for char in value)) or not _IDENTIFIER.search(value)
