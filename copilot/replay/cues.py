"""Words that all screens of one kind share and no other labelled screen has: what tells a kind apart.

Found in the texts of one region of labelled screens. A cue is literal: words without numbers, paths or names
in quotes, so that nothing on a screen becomes a pattern of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import re2

from copilot.detection.patterns import found

_MOST_WORDS = 5
_LEAST_LETTERS = 4
_MOST_CUES = 4
_VARIES = re2.compile(r"""[0-9/~\\"'`“”‘’<>\[\]{}=@]|^\S{25,}$""")
_APART = re2.compile(r"[·•|│┃()]|\s{2,}|…|\.\.\.|[,;:]\s")
_LETTERS = re2.compile(r"\pL")
_ASCII_WORD = re2.compile(r"^\w|\w$")
_KEYS = r"(?i)(esc(ape)?|ctrl|interrupt|cancel|stop)"
SPINNER = r"(?m:^\s*[⠁-⣿] \S)"
"""A braille spinner before words, as most spinners are drawn; its frames differ, so it is no phrase."""


def find_cues(shown: Sequence[str], elsewhere: Sequence[str], *, least: int = 2) -> tuple[str, ...]:
    """Patterns, the fewest that together are in each of `shown` and in none of `elsewhere`.

    Each is in at least `least` of them. Empty if there are no such.
    """
    left = list(shown)
    cues: list[str] = []
    candidates = _candidates(shown, elsewhere, least)
    while left and len(cues) < _MOST_CUES:
        best = max(candidates, key=lambda cue: _worth(cue, left), default="")
        rest = [text for text in left if not best or not found(best, text)]
        if len(rest) == len(left):
            return ()
        cues.append(best)
        left = rest
    return tuple(cues) if not left else ()


def _worth(cue: str, texts: Sequence[str]) -> tuple[int, bool, int]:
    """In how many texts it is; then keys that stop the work, and spinners: tips and messages come and go."""
    return sum(found(cue, text) for text in texts), cue == SPINNER or found(_KEYS, cue), len(cue)


def _candidates(shown: Sequence[str], elsewhere: Sequence[str], least: int) -> list[str]:
    patterns = {_pattern(words) for text in shown for words in _phrases(text)} | {SPINNER}
    return [
        pattern
        for pattern in sorted(patterns)
        if sum(found(pattern, text) for text in shown) >= least
        and not any(found(pattern, text) for text in elsewhere)
    ]


def _phrases(text: str) -> Iterator[tuple[str, ...]]:
    """Runs of up to five fixed words within each line."""
    for line in text.split("\n"):
        for part in _APART.split(line):
            words: list[str] = []
            for word in [*part.split(), "0"]:
                if not _VARIES.search(word):
                    words.append(word)
                    continue
                yield from _runs(words)
                words = []


def _runs(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for start in range(len(words)):
        for end in range(start + 1, min(start + _MOST_WORDS, len(words)) + 1):
            run = tuple(words[start:end])
            if len(_LETTERS.findall(" ".join(run))) >= _LEAST_LETTERS:
                yield run


def _pattern(words: Sequence[str]) -> str:
    body = r"\s+".join(re2.escape(word) for word in words)
    first, last = words[0][0], words[-1][-1]
    return ("\\b" if _ASCII_WORD.search(first) else "") + body + ("\\b" if _ASCII_WORD.search(last) else "")
