"""The words of a jq or yq program: paths and a closed list of functions that only compute.

jq reads files by `import`, `include` and `input_filename`, and the environment by `env`; yq evaluates and
loads (`eval`, `load`, `strenv`). What is not in the list is not let by (jq(1), yq's operators).
"""

from __future__ import annotations

import re2

_FIELD = re2.compile(r"\.[A-Za-z_][A-Za-z0-9_]*")
_WORD = re2.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_VARIABLE = re2.compile(r"\$[a-z_][A-Za-z0-9_]*")
_NUMBER = re2.compile(r"[0-9]+(?:\.[0-9]+)?")
_KEY = re2.compile(r"[A-Za-z_][A-Za-z0-9_-]*\s*:")
_SIGNS = frozenset("()[]{}|,:.?;+-*/%=<>! \t\n&")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_BOTH = _set(
    "add all and any as contains del else end false first flatten from_entries group_by has if join "
    "keys keys_unsorted last length map match max max_by min min_by not null or path reduce reverse "
    "select sort sort_by split sub tag test then to_entries true type unique unique_by with_entries"
)
_JQ = _BOTH | _set(
    "GROUP_BY IN INDEX abs arrays ascii ascii_downcase ascii_upcase booleans break bsearch capture "
    "catch ceil combinations date dateadd datesub elif empty endswith error exp explode floor foreach "
    "fromdate fromjson getpath gmtime gsub have_literal_numbers implode in index indices "
    "inside isnan isvalid iterables label leaf_paths limit localtime log ltrim ltrimstr map_values "
    "mktime nan now nth nulls numbers objects paths pick pow recurse_down rindex round "
    "rtrim rtrimstr scalars scan splits sqrt startswith strftime strings strptime toarray todate "
    "tojson tonumber tostring transpose trim try values walk"
)
_FORMATS = re2.compile(r"@(?:csv|tsv|json|text|html|uri|sh|base64|base64d|yaml|props)\b")


_UNREAD = "a program that is not understood"


def jq_refusal(program: str, *, yq: bool = False) -> str:
    """Why a program may do more than compute on its input, or ""."""
    known = _BOTH if yq else _JQ
    position = 0
    opened = [""]  # the brackets that are open: of the program, and of each one in a string
    while position < len(program):
        char = program[position]
        closes_string = char == ")" and len(opened) > 1 and not opened[-1]
        if char == '"' or closes_string:
            if closes_string:
                opened.pop()
            position, more = _string(program, position + 1)
            if position < 0:
                return _UNREAD
            opened += [""] if more else []
            continue
        if char in "([{":
            opened[-1] += char
        elif char in ")]}":
            if opened[-1][-1:] + char not in ("()", "[]", "{}"):
                return _UNREAD
            opened[-1] = opened[-1][:-1]
        length, refusal = _word(program, position, known, in_object=opened[-1].endswith("{"))
        if refusal:
            return refusal
        position += length
    return _UNREAD if len(opened) > 1 or opened[0] else ""


def _word(text: str, position: int, known: frozenset[str], *, in_object: bool) -> tuple[int, str]:
    """How long the word at `position` is, and why it is not let by."""
    rest = text[position : position + 200]
    if text.startswith("//", position):
        return 2, ""
    for pattern in (_FIELD, _KEY, _VARIABLE, _NUMBER, _FORMATS):
        match = pattern.match(rest)
        if match and not match.group().startswith(("$__", "$ENV")):
            if pattern is _KEY and not (in_object and _is_key(text, position)):
                continue
            return int(match.end()), ""
    match = _WORD.match(rest)
    if match:
        word = match.group()
        bad = word not in known or rest[len(word) : len(word) + 2] == "::"
        return len(word), f"a program with {word}" if bad else ""
    return 1, "" if text[position] in _SIGNS else f"a program with {text[position]!r}"


def _is_key(text: str, position: int) -> bool:
    """Whether a word before a colon inside `{}` is the key of an object: only after `{` or `,`."""
    return text[:position].rstrip()[-1:] in ("{", ",")


def _string(text: str, position: int) -> tuple[int, bool]:
    """The position after a string, or after the `\\(` that opens a program in it; -1 if it does not end."""
    while position < len(text):
        if text.startswith("\\(", position):
            return position + 2, True
        if text[position] == "\\":
            position += 2
        elif text[position] == '"':
            return position + 1, False
        else:
            position += 1
    return -1, False
