"""Which checkpoints a person may go back to, and their words. No widgets.

Of checkpoints between which the program changed nothing one line is made: going back to any of them does the
same, since what the person changed stays in any case.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from copilot.checkpoints.checkpoint import Changes, Checkpoint
from copilot.core.checkpoints import Author
from copilot.tui.text import clean_line

_AT_WORK = ("start", "reply")
"""After these the program may have changed files that no checkpoint shows yet."""


@dataclass(frozen=True, slots=True)
class Since:
    """What one author changed from a line's checkpoint to the next line's, in numbers of paths."""

    author: Author
    created: int
    changed: int
    removed: int

    @property
    def count(self) -> int:
        """All of them."""
        return self.created + self.changed + self.removed

    def __str__(self) -> str:
        counts = {"created": self.created, "changed": self.changed, "removed": self.removed}
        said = " ".join(f"{count} {word}" for word, count in counts.items() if count)
        return f"{self.author.value}: {said}"


@dataclass(frozen=True, slots=True)
class UndoLine:
    """A checkpoint to go back to. `at` is its second of the run; `since` is empty if it is not known yet."""

    target: Checkpoint
    at: float
    words: str
    since: tuple[Since, ...]


def undo_lines(checkpoints: Sequence[Checkpoint]) -> tuple[UndoLine, ...]:
    """The checkpoints after which the program, or an undo, changed files; the newest first."""
    lines: list[UndoLine] = []
    began = checkpoints[0] if checkpoints else None
    standing: Checkpoint | None = None
    passed = _Passed()
    looks = _only_looks(checkpoints)
    for one in checkpoints:
        passed.add(one)
        if one.number in looks:
            continue
        if standing is not None and began is not None and (since := passed.since()):
            lines.append(UndoLine(standing, _at(standing, began), words_of(standing), since))
        passed, standing = _Passed(), one
    if standing is not None and began is not None:
        since = passed.since()
        if since or standing.moment.what in _AT_WORK:
            lines.append(UndoLine(standing, _at(standing, began), words_of(standing), since))
    return tuple(reversed(lines))


def _only_looks(checkpoints: Sequence[Checkpoint]) -> frozenset[int]:
    """Checkpoints that were taken to look what an undo would do, and none followed."""
    looks = set()
    for number, one in enumerate(checkpoints):
        after = checkpoints[number + 1].author if number + 1 < len(checkpoints) else None
        if one.moment.what == "undo" and one.author is not Author.UNDO and after is not Author.UNDO:
            looks.add(one.number)
    return frozenset(looks)


def _at(one: Checkpoint, began: Checkpoint) -> float:
    """An undo by another process does not know the run's clock."""
    return one.epoch - began.epoch if one.moment.what == "undo" else one.moment.at


_WORDS = {
    "start": "start of the run",
    "waits": "as it asked",
    "turn": "end of its turn",
    "command": "after a command",
    "end": "end of the run",
}


def words_of(one: Checkpoint) -> str:
    """When it was taken, and the reply, question or command of that moment, as one safe line."""
    moment = one.moment
    if moment.what == "undo":
        return "after an undo" if one.author is Author.UNDO else "before an undo"
    said = (
        f"before reply {moment.decision}" if moment.what == "reply" else _WORDS.get(moment.what, moment.what)
    )
    text = "" if moment.what == "turn" else clean_line(moment.text)
    return f"{said}: {text}" if text else clean_line(said)


@dataclass(slots=True)
class _Passed:
    """What was changed since a line's checkpoint, by the program and by undo, path by path."""

    _kinds: dict[Author, dict[str, str]] = field(default_factory=dict)

    def add(self, one: Checkpoint) -> None:
        if one.author not in (Author.PROGRAM, Author.UNDO) or not one.changes:
            return
        kinds = self._kinds.setdefault(one.author, {})
        for word, path in _each(one.changes):
            before = kinds.pop(path, "")
            if before == "created" and word == "removed":
                continue
            kinds[path] = _TOGETHER.get((before, word), word)

    def since(self) -> tuple[Since, ...]:
        return tuple(
            Since(author, *(list(kinds.values()).count(word) for word in ("created", "changed", "removed")))
            for author, kinds in self._kinds.items()
            if kinds
        )


_TOGETHER = {("created", "changed"): "created", ("removed", "created"): "changed"}
"""What two changes of a path amount to, where that is not the second one."""


def _each(changes: Changes) -> Iterable[tuple[str, str]]:
    for word in ("created", "changed", "removed"):
        for path in getattr(changes, word):
            yield word, path
