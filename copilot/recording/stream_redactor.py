"""Redaction of a stream that arrives in pieces: a secret that is split over pieces is caught all the same.

The end of what has come is held back until more follows or it has been quiet for a while; even then the last
unbroken word stays, since it may be half of a secret. What was given out is remembered for a while, so that
`password: ` given out before its value still marks the value.
"""

from __future__ import annotations

from collections.abc import Callable

HELD_CHARACTERS = 4096
"""Held back while output flows: more than the longest secret, a private key with its two lines."""
REMEMBERED_CHARACTERS = 1024

Piece = tuple[float, str]
"""When it came, and the text."""


class StreamRedactor:
    """Turns timed pieces of text into timed pieces of redacted text. What `redact` raises passes through.

    `added` and `given` count the original characters that came in and that were given out.
    """

    def __init__(self, redact: Callable[[str], str]) -> None:
        self.added = 0
        self.given = 0
        self._redact = redact
        self._pieces: list[Piece] = []
        self._remembered = ""

    def add(self, at: float, text: str) -> None:
        """More text came in."""
        if text:
            self._pieces.append((at, text))
            self.added += len(text)

    def take(
        self, *, quiet: bool = False, final: bool = False, older_than: float = float("-inf")
    ) -> list[Piece]:
        """What may be given out by now. `quiet`: nothing came for a while; `final`: nothing will.

        Text that came before `older_than` need not wait for more: a process that is killed would lose it.
        Text without secrets keeps its pieces and their times; where one is found, it becomes one piece.
        """
        whole = "".join(text for _, text in self._pieces)
        most = len(whole)
        if not final:
            enough = len(whole) if quiet else max(self._aged(older_than), len(whole) - HELD_CHARACTERS)
            most = _end_of_words(whole[: max(enough, 0)])
        if most <= 0:
            return []
        seen = self._remembered + whole
        if self._redact(seen) == seen:
            return self._give(most)
        cut = most if final else self._safe_cut(whole, most)
        if cut == 0:
            return []
        before = self._redact(self._remembered)
        redacted = _beyond(before, self._redact(self._remembered + whole[:cut]))
        given = self._give(cut)
        return [(given[-1][0], redacted)] if redacted else []

    def _aged(self, older_than: float) -> int:
        """How many characters came before that time."""
        return sum(len(text) for at, text in self._pieces if at < older_than)

    def _safe_cut(self, whole: str, most: int) -> int:
        """The longest beginning that can be redacted by itself without changing what the rest becomes."""
        everything = self._redact(whole)
        cut = most
        for _ in range(8):
            if self._redact(whole[:cut]) + self._redact(whole[cut:]) == everything:
                return cut
            cut = _end_of_words(whole[: max(cut - 1 - cut // 4, 0)])
            if cut <= 0:
                break
        # A secret longer than all that may be held: everything goes, redacted as far as it can be seen.
        return len(whole) if len(whole) > 4 * HELD_CHARACTERS else 0

    def _give(self, count: int) -> list[Piece]:
        """Take the first `count` characters out of what is held, each with its own time."""
        given: list[Piece] = []
        while count and self._pieces:
            at, text = self._pieces[0]
            if len(text) <= count:
                given.append(self._pieces.pop(0))
            else:
                given.append((at, text[:count]))
                self._pieces[0] = (at, text[count:])
            count -= len(given[-1][1])
        text = "".join(text for _, text in given)
        self.given += len(text)
        self._remembered = (self._remembered + text)[-REMEMBERED_CHARACTERS:]
        return given


def _end_of_words(text: str) -> int:
    """Where the last unbroken word of `text` begins: everything before may be given out.

    A word longer than the most that is held back counts as broken.
    """
    floor = max(len(text) - HELD_CHARACTERS, 0)
    position = len(text)
    while position > floor and not (text[position - 1].isspace() or text[position - 1] < " "):
        position -= 1
    return position


def _beyond(before: str, everything: str) -> str:
    """What `everything` has beyond `before`, of which it should be a continuation."""
    if everything.startswith(before):
        return everything[len(before) :]
    same = 0
    for one, other in zip(before, everything, strict=False):
        if one != other:
            break
        same += 1
    return everything[same:]
