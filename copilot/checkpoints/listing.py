"""The checkpoints of a run as a person chooses among them: a row for each reply and each new state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from copilot.checkpoints.checkpoint import Changes, Checkpoint
from copilot.core.checkpoints import Author, CheckpointMoment

_KINDS = ("created", "changed", "removed")
_TOGETHER = {("created", "changed"): "created", ("removed", "created"): "changed"}
"""What two changes of a path amount to, where that is not the second one."""
_AT_WORK = (CheckpointMoment.START, CheckpointMoment.REPLY)
"""After these the program may have changed files that no checkpoint shows yet."""


@dataclass(frozen=True, slots=True)
class Row:
    """A checkpoint, and what has changed from it to the next row, by whom, in that order."""

    checkpoint: Checkpoint
    since: tuple[tuple[Author, Changes], ...]


def rows_of(checkpoints: Sequence[Checkpoint]) -> list[Row]:
    """The first and the last, those before a reply or around an undo, and new states.

    One whose state is that of a reply right after it is left out: the reply's row is the same. So is one that
    was taken to look what an undo would do, if none followed.
    """
    seen = [one for place, one in enumerate(checkpoints) if not _only_looks(checkpoints, place)]
    kept = [one for place, one in enumerate(seen) if _is_listed(seen, place)]
    ends = [one.number for one in kept[1:]] + [len(checkpoints) - 1]
    return [
        Row(one, _together(checkpoints[one.number + 1 : end + 1]))
        for one, end in zip(kept, ends, strict=False)
    ]


def worth_returning(rows: Sequence[Row]) -> list[Row]:
    """Those after which the program, or an undo, changed files; the newest first.

    What the person changed stays in any case, so going back elsewhere does the same as to one of these.
    """
    found = [row for row in rows if any(author is not Author.PERSON for author, _ in row.since)]
    if rows and rows[-1].checkpoint.moment.what in _AT_WORK:
        found.append(rows[-1])
    return found[::-1]


def _only_looks(checkpoints: Sequence[Checkpoint], place: int) -> bool:
    one, following = checkpoints[place], checkpoints[place + 1 : place + 2]
    around_undo = Author.UNDO in (one.author, *(other.author for other in following))
    return one.moment.what == CheckpointMoment.UNDO and not around_undo


def _is_listed(checkpoints: Sequence[Checkpoint], place: int) -> bool:
    one = checkpoints[place]
    if place in (0, len(checkpoints) - 1):
        return True
    following = checkpoints[place + 1]
    if one.moment.what == CheckpointMoment.REPLY or Author.UNDO in (one.author, following.author):
        return True
    if following.moment.what == CheckpointMoment.REPLY and following.commit == one.commit:
        return False
    return one.commit != checkpoints[place - 1].commit


def _together(checkpoints: Sequence[Checkpoint]) -> tuple[tuple[Author, Changes], ...]:
    """What each author has changed in the end; nothing is left of a file that came and went."""
    authors: dict[Author, dict[str, str]] = {}
    for one in checkpoints:
        paths = authors.setdefault(one.author, {})
        for kind in _KINDS:
            for path in getattr(one.changes, kind):
                before = paths.pop(path, "")
                if (before, kind) != ("created", "removed"):
                    paths[path] = _TOGETHER.get((before, kind), kind)
    return tuple((author, _changes(paths)) for author, paths in authors.items() if paths)


def _changes(paths: dict[str, str]) -> Changes:
    return Changes(*(tuple(sorted(path for path in paths if paths[path] == kind)) for kind in _KINDS))
