"""Which files changed in a run, by whom, after which reply: as a section of the report.

From the records alone, which are redacted: counts and paths. The checkpoints hold the files as they are,
secrets included; nothing of them is ever read here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from copilot.core.checkpoints import Author
from copilot.engine.history import reply_words
from copilot.engine.ledger import FileChanges
from copilot.engine.review import RunReview
from copilot.recording.report_prompt import text

KINDS = ("created", "changed", "removed")
_MOST_PATHS = 50
"""Of each kind in one row."""
_MOST_ROWS = 200
_BY = {Author.PROGRAM: "the program", Author.PERSON: "the person"}


@dataclass(frozen=True, slots=True)
class FileRow:
    """What changed up to second `at`. `after` says what came before, `prompt` is its number, 0 for none.

    `paths` holds a word, the first paths, and how many more there are.
    """

    at: float
    by: str
    after: str
    prompt: int
    paths: tuple[tuple[str, tuple[str, ...], int], ...]


def file_rows(review: RunReview) -> list[FileRow]:
    """All changes in order of time, the first `_MOST_ROWS`, and the undos that the run was told of."""
    replies = {
        decision.number: (prompt.number, reply_words(decision.reply) if decision.reply else "a refusal")
        for prompt in review.prompts
        for _, decision in prompt.decisions
    }
    rows = [_row(one, replies) for one in review.files[:_MOST_ROWS]]
    rows += [
        FileRow(one.at, "an undo", f"checkpoint {one.checkpoint}", 0, (("put back", (), one.count),))
        for one in review.restored
    ]
    return sorted(rows, key=lambda row: row.at)


def _row(one: FileChanges, replies: dict[int, tuple[int, str]]) -> FileRow:
    prompt, reply = replies.get(one.before - 1, (0, ""))
    after = f"after the reply to prompt {prompt}: {reply}" if prompt else "before the first reply"
    paths = [(word, *_first(getattr(one, word))) for word in KINDS if getattr(one, word)]
    if one.unlisted:
        paths.append(("not listed", (), one.unlisted))
    return FileRow(one.at, _BY.get(one.author, one.author.value), after, prompt, tuple(paths))


def _first(paths: Sequence[str]) -> tuple[tuple[str, ...], int]:
    return tuple(paths[:_MOST_PATHS]), max(0, len(paths) - _MOST_PATHS)


def files_words(review: RunReview) -> dict[str, str]:
    """The files that the program changed, each counted once a kind, as heading and value; or nothing."""
    own = [one for one in review.files if one.author is Author.PROGRAM]
    if not own:
        return {}
    counts = {word: len({path for one in own for path in getattr(one, word)}) for word in KINDS}
    counts["not listed"] = sum(one.unlisted for one in own)
    said = [f"{count} {word}" for word, count in counts.items() if count]
    return {"Files": f"{', '.join(said)} by the program"}


def files_html(review: RunReview) -> Iterator[str]:
    """The section; nothing for a run without changes."""
    rows = file_rows(review)
    if not rows:
        return
    yield '<section id="files"><h2>Files</h2><p class="quiet">'
    yield "What changed in the project, from one checkpoint to the next. Paths only.</p><ul>"
    yield from map(_row_html, rows)
    left = len(review.files) - _MOST_ROWS
    yield f"</ul>{f'<p>… and {left} more times.</p>' if left > 0 else ''}</section>"


def _row_html(row: FileRow) -> str:
    after = text(row.after)
    link = f'<a href="#prompt-{row.prompt}">{after}</a>' if row.prompt else after
    parts = "".join(_paths_html(*one) for one in row.paths)
    return f'<li><span class="at">{row.at:.1f} s</span> {text(row.by)}, {link}<ul>{parts}</ul></li>'


def _paths_html(word: str, paths: Sequence[str], more: int) -> str:
    named = ", ".join(f"<code>{text(path)}</code>" for path in paths)
    return f'<li><span class="kind">{text(word)}</span> {named}{more_words(more, alone=not paths)}</li>'


def more_words(count: int, *, alone: bool) -> str:
    """How many paths there are besides those named before; `alone` if none is named."""
    if not count:
        return ""
    return f"{count} file{'' if count == 1 else 's'}" if alone else f" and {count} more"
