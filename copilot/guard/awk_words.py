"""The words of an awk program: only those that compute and print may run unasked.

Read as awk reads it (POSIX awk, lexical conventions): strings and regular expressions are words, so that a
brace or `>` in one of them means nothing. Where a slash could be either, the program is not understood.
"""

from __future__ import annotations

import re2

MAX_PROGRAM = 2_000
"""Characters; a longer program is not read."""
_WORD = re2.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NUMBER = re2.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_KEYWORDS = _set(
    "BEGIN BEGINFILE END ENDFILE break continue delete do else exit for if in next nextfile print "
    "printf return while"
)
_CALLS = _set(
    "and asort asorti atan2 compl cos do else exit exp for gensub gsub if in index int isarray length "
    "log lshift match mktime or patsplit print printf rand return rshift sin split sprintf sqrt srand "
    "strftime strtonum sub substr systime tolower toupper typeof while xor"
)
_REFUSED = _set("ARGC ARGV ENVIRON FUNCTAB PROCINFO SYMTAB close fflush func function getline system")
_SIGNS = ("&&", "||", "==", "!=", "<=", ">=", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "**", "!~",
          *"{}()[];,+-*%^!<>?:~$=\n")  # fmt: skip


def awk_refusal(program: str) -> str:
    """Why an awk program may do more than compute and print, or ""."""
    tokens = _tokens(program) if len(program) <= MAX_PROGRAM else None
    if tokens is None:
        return "an awk program that is not understood"
    if _loops_without_end(tokens):
        return "an awk program that may not end"
    open_signs: list[str] = []
    for index, (kind, text) in enumerate(tokens):
        following = tokens[index + 1][1] if index + 1 < len(tokens) else ""
        if kind == "word":
            prints = text in ("print", "printf") and "(" in open_signs
            if text in _REFUSED or prints or (following == "(" and text not in _CALLS):
                # `for (print "x" > "file"; …)` writes: what is in parentheses is no comparison then.
                return f"an awk program with {text}"
        elif text in ("(", "{", "["):
            open_signs.append(text)
        elif text in (")", "}", "]"):
            if not open_signs or open_signs.pop() + text not in ("()", "{}", "[]"):
                return "an awk program that is not understood"
        elif text == ">" and open_signs and open_signs[-1] == "{":
            return "an awk program that can write"
    return "an awk program that is not understood" if open_signs else ""


def _loops_without_end(tokens: list[tuple[str, str]]) -> bool:
    """Whether it loops other than over an array or up to something (`for (i = 1; i <= NF; i++)`)."""
    texts = [text for _, text in tokens]
    if {"while", "do"} & set(texts):
        return True
    return any(text == "for" and not _is_counted(texts[index + 1 :]) for index, text in enumerate(texts))


def _is_counted(texts: list[str]) -> bool:
    inside = texts[1 : texts.index(")") if ")" in texts else 0]
    if inside[1:2] == ["in"]:
        return True
    parts = " ".join(inside).split(" ; ")
    return len(parts) == 3 and bool(_COUNTER.fullmatch(parts[1])) and bool(_STEP.fullmatch(parts[2]))


_COUNTER = re2.compile(r"[A-Za-z_]\w* (?:<|>|<=|>=) .+")
_STEP = re2.compile(r"(?:[A-Za-z_]\w* (?:\+\+|--)|(?:\+\+|--) [A-Za-z_]\w*|[A-Za-z_]\w* [+-]= [0-9]+)")


def _tokens(program: str) -> list[tuple[str, str]] | None:
    """The words with their kind; None where a character fits nowhere."""
    found: list[tuple[str, str]] = []
    position = 0
    while position < len(program):
        char = program[position]
        if char in " \t" or program.startswith("\\\n", position):
            position += 1 if char in " \t" else 2
            continue
        if char == "#":
            end = program.find("\n", position)
            position = len(program) if end < 0 else end
            continue
        token, position = _token(program, position, found)
        if token is None:
            return None
        found.append(token)
    return found


def _token(program: str, position: int, before: list[tuple[str, str]]) -> tuple[tuple[str, str] | None, int]:
    char = program[position]
    if char == '"':
        end = _closing(program, position + 1, '"')
        return (("string", program[position:end]) if end else None), end
    if char == "/":
        kind, text = before[-1] if before else ("sign", "")
        branches = text == ")" and any(
            one in (("word", "if"), ("word", "while"), ("word", "for")) for one in before
        )
        if text in ("++", "--", "$", "length") or branches:
            return None, position
        if kind in ("number", "string") or text in (")", "]") or (kind == "word" and text not in _KEYWORDS):
            return ("sign", "/"), position + 1
        end = _closing(program, position + 1, "/")
        # A bracket may hide the end of the expression: awks differ, so neither reading may matter.
        text = program[position:end]
        return (("regex", text) if end and "[" not in _plain_brackets(text) else None), end
    for kind, pattern in (("word", _WORD), ("number", _NUMBER)):
        match = pattern.match(program[position : position + 200])
        if match:
            return (kind, match.group()), position + int(match.end())
    sign = next((one for one in _SIGNS if program.startswith(one, position)), None)
    return (("sign", sign) if sign else None), position + len(sign or "")


_ITEM = r"(?:\[:[a-z]+:\]|[^\]\[/\\\n]|\\[^/\n])"
_BRACKET = re2.compile(rf"\[(?:\^?\]|\^{_ITEM}|\[:[a-z]+:\]|[^\]\[\^/\\\n]|\\[^/\n]){_ITEM}*\]")


def _plain_brackets(text: str) -> str:
    """A regular expression without its bracket expressions that hold no slash, and without escapes."""
    return str(re2.sub(r"\\.", "", _BRACKET.sub("", text)))


def _closing(program: str, position: int, mark: str) -> int:
    """The position after the closing mark, or 0. Backslashes escape, a line end refuses."""
    while position < len(program):
        char = program[position]
        if char == "\\":
            position += 2
            continue
        if char == "\n":
            return 0
        if char == mark:
            return position + 1
        position += 1
    return 0
