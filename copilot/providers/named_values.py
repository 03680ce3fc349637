"""`NAME: VALUE` lines of the governing prompt, and which of them an input asks for, however it words it.

"Enter file path:", "What is the path of the file?" and "File path" name the same thing: what is left of them
without brackets, verbs that ask and small words. Two lines that fit are none.
"""

from __future__ import annotations

from dataclasses import dataclass

from copilot.guard.text import folded
from copilot.prompting.patterns import pattern

_BRACKETS = pattern(r"\([^()]*\)|\[[^\[\]]*\]|<[^<>]*>")
_DIRECTIVE = pattern(r'(?i)^\s*(?:[-*+]\s+)?when\s+"')
_WORDS = pattern(r"[^\pL\pN]+")
_ASKING = "enter provide type use specify input give write supply state set choose pick please want like"
_SMALL = frozenset(
    f"{_ASKING} s a an the your my our its this that of for to in on with as and is are be should shall would"
    " will do does you i we me us it now here which what".split(" ")
)
_SAME = {
    **{"directory": "folder", "dir": "folder", "repo": "repository", "msg": "message", "desc": "description"},
    **{"filename": "file name", "filepath": "file path", "pathname": "path", "email": "e mail"},
    **{"username": "user name", "hostname": "host name", "db": "database"},
}
_DEFAULT = pattern(r"[\[(]\s*(?:default\s*[:=]?\s*)?([^\[\]()]{1,60}?)\s*[\])]\s*[:?>]*\s*$")
_HINT = pattern(
    r"(?i)^(?:optional|required|recommended|hidden|none|empty|leave .*|press .*|enter .*|e\.?g\.?\W.*"
    r"|max\b.*|min\b.*|relative\b.*|absolute\b.*|in .*"
    r"|comma.*|separated.*|\d+\s*(?:-|–|\.\.|to)\s*\d+|.*[,|].*"
    r"|\w{1,3}(?:\s*/\s*\w{1,3})+|(?:yes|no)\s*/\s*(?:yes|no))$"
)


@dataclass(frozen=True, slots=True)
class NamedValue:
    """A line `NAME: VALUE`: its number, and the words of its name."""

    line: int
    name: frozenset[str]
    value: str


def values_for(question: str, governing: str) -> list[NamedValue]:
    """The lines whose name is what the question asks for."""
    wanted = words_of(question)
    return [one for one in _named_values(governing) if one.name == wanted]


def shown_default(question: str) -> str:
    """What Enter alone gives by the brackets at a question's end; empty if they hold a hint or choices."""
    match = _DEFAULT.search(question)
    shown = match.group(1) if match is not None else ""
    return "" if _HINT.search(shown) else shown


def words_of(text: str) -> frozenset[str]:
    """What a question or a name is about, as a set of words."""
    bare = _BRACKETS.sub(" ", folded(text)).replace("e-mail", "email")
    words = " ".join(_SAME.get(word, word) for word in _WORDS.split(bare))
    return frozenset(word for word in words.split() if word not in _SMALL)


def _named_values(governing: str) -> list[NamedValue]:
    found = []
    for number, line in enumerate(governing.splitlines(), 1):
        name, colon, value = line.strip().lstrip("-*+ ").partition(":")
        words = words_of(name)
        if colon and words and value.strip() and not _DIRECTIVE.search(line):
            found.append(NamedValue(number, words, value.strip()))
    return found
