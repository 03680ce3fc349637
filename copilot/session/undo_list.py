"""The rows of `copilot undo --list`, as a table and as JSON, and the words for checkpoints and paths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from copilot.checkpoints.checkpoint import Changes, Checkpoint
from copilot.checkpoints.listing import Row, rows_of
from copilot.core.checkpoints import Author, CheckpointMoment
from copilot.guard.text import safe_text

START = "start"
"""What the first checkpoint is called where one is to be named."""
_MOST_TEXT = 70
_WORDS = {
    CheckpointMoment.START.value: "start of the run",
    CheckpointMoment.WAITS.value: "it waits",
    CheckpointMoment.TURN.value: "end of a turn",
    CheckpointMoment.REPLY.value: "before",
    CheckpointMoment.COMMAND.value: "after",
    CheckpointMoment.END.value: "end of the run",
}
_HEADINGS = ("no", "at", "checkpoint", "files changed until the next")
_BY = {Author.PROGRAM: "program", Author.PERSON: "you", Author.UNDO: "undo"}


def table(checkpoints: Sequence[Checkpoint]) -> Iterator[str]:
    """The rows as lines with headings, safe to show."""
    cells = [_HEADINGS, *(_cells(row) for row in rows_of(checkpoints))]
    widths = [max(len(row[column]) for row in cells) for column in range(3)]
    for number, at, what, since in cells:
        line = f"{number.rjust(widths[0])}  {at.rjust(widths[1])}  {what.ljust(widths[2])}  {since}"
        yield line.rstrip()


def as_object(row: Row) -> dict[str, Any]:
    """A row for `--json`: `at` counts seconds of the run, `files` are counts by who changed them."""
    one = row.checkpoint
    return {
        "checkpoint": one.number,
        "at": round(one.moment.at, 3),
        "moment": one.moment.what,
        "author": one.author.value,
        "decision": one.moment.decision,
        "text": one.moment.text,
        "files": {author.value: _counts(changes) for author, changes in row.since},
    }


def _cells(row: Row) -> tuple[str, str, str, str]:
    one = row.checkpoint
    said = [f"{_BY.get(author, author.value)}: {changes_words(changes)}" for author, changes in row.since]
    return str(one.number), clock(one.moment.at), words(one), "; ".join(said)


def changes_words(changes: Changes) -> str:
    """`2 created, 1 changed`; empty for no changes."""
    return ", ".join(f"{count} {word}" for word, count in _counts(changes).items() if count)


def _counts(changes: Changes) -> dict[str, int]:
    return {
        "created": len(changes.created),
        "changed": len(changes.changed),
        "removed": len(changes.removed),
    }


def words(one: Checkpoint) -> str:
    """What a checkpoint is, in one safe line: the moment, and the reply or command."""
    text = one_line(one.moment.text)
    text = text if len(text) <= _MOST_TEXT else f"{text[: _MOST_TEXT - 1]}…"
    if one.moment.what == CheckpointMoment.UNDO.value:
        when = datetime.fromtimestamp(one.epoch).strftime("%Y-%m-%d %H:%M")  # the person's own time
        said = "undo" if one.author is Author.UNDO else "before an undo"
        return f"{said} ({when})" + (f": {text}" if text and one.author is Author.UNDO else "")
    said = _WORDS.get(one.moment.what, one_line(one.moment.what))
    return f"{said}: {text}" if text and said not in ("start of the run", "end of the run") else said


def clock(seconds: float) -> str:
    """`1:05`, or `1:02:03` from an hour on."""
    minutes, rest = divmod(int(max(0.0, seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def one_line(text: str) -> str:
    """Text from outside as one line that can be shown: paths and replies. Line ends and tabs become marks."""
    return safe_text(text.replace("\n", "\u240a").replace("\t", "\u2409"))
