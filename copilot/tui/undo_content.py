"""What an undo would do, read file by file, and its words and colours. No widgets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from textual.content import Content

from copilot.checkpoints.checkpoint import Checkpoint, Uncovered
from copilot.checkpoints.undo import FileUndo, UndoPlan, UndoResult
from copilot.session.front_end import UndoControls
from copilot.tui.describe import elapsed
from copilot.tui.text import CHOSEN_STYLE, clean, clean_line, cut_at_word, hanging, outside_line
from copilot.tui.undo_lines import UndoLine

MOST_FILES = 40
"""Of more files than this the diff is not read; all are counted."""
MOST_ROWS = 120
"""Rows of one file's diff."""
MOST_CHARACTERS = 60_000
"""Of one file's diff; what is behind them is only counted."""
DONE_BY = {"restore": "restored", "remove": "removed", "merge": "merged"}
"""The actions of a plan that change a file, and how they are said."""


@dataclass(frozen=True, slots=True)
class FileDiff:
    """One file's diff without its head. `more` counts the rows that are cut off."""

    file: FileUndo
    rows: tuple[str, ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True)
class UndoPreview:
    """A plan with the diffs of its first files. `unread` counts the files behind them."""

    plan: UndoPlan
    diffs: tuple[FileDiff, ...]
    unread: int
    uncovered: tuple[Uncovered, ...]

    def files(self, *actions: str) -> tuple[FileUndo, ...]:
        """The plan's files with these actions."""
        return tuple(one for one in self.plan.files if one.action in actions)

    @property
    def changing(self) -> tuple[FileUndo, ...]:
        """The files that would be changed."""
        return self.files(*DONE_BY)


async def read_preview(
    controls: UndoControls, target: Checkpoint, wanted: Callable[[], bool]
) -> UndoPreview | None:
    """Plan it, and read the diffs; None as soon as it is not `wanted` any more. Raises CopilotError."""
    plan = await controls.plan(target)
    changing = [one for one in plan.files if one.action in DONE_BY]
    diffs = []
    for file in changing[:MOST_FILES]:
        if not wanted():
            return None
        diffs.append(cut_diff(file, await controls.diff(plan, file.path)))
    uncovered = await controls.uncovered()
    if not wanted():
        return None
    return UndoPreview(plan, tuple(diffs), len(changing) - len(diffs), uncovered)


def cut_diff(file: FileUndo, text: str) -> FileDiff:
    """The rows of a unified diff behind its two lines of names, at most MOST_ROWS of them."""
    head = 0
    for name in ("--- ", "+++ "):
        if text.startswith(name, head):
            head = text.find("\n", head) + 1 or len(text)
    end = head + MOST_CHARACTERS
    rows = text[head:end].rstrip("\n").split("\n") if text[head:end].strip() else []
    behind = text[end:].rstrip("\n")
    more = behind.count("\n") + (1 if behind else 0)
    return FileDiff(file, tuple(rows[:MOST_ROWS]), max(0, len(rows) - MOST_ROWS) + more)


_LEAST_WORDS = 16
"""Columns that the words of a line keep; what changed since is said shorter before they get less."""
_MOST_NAMED = 5
_LONGEST_ROW = 400
_DIFF_STYLES = {"+": "$success", "-": "$error", "@": "$accent"}


def line_content(line: UndoLine, width: int, *, chosen: bool) -> Content:
    """One row: number, time, which moment it was, what was changed since."""
    mark, style = ("▸", CHOSEN_STYLE) if chosen else (" ", "")
    head = f"{mark}{line.target.number:>3} {elapsed(line.at):>7}  "
    room = width - len(head) - 2
    whole = ", ".join(map(str, line.since)) or "not counted yet"
    count = sum(one.count for one in line.since)
    tail = whole if room - len(whole) >= _LEAST_WORDS else files_said(count) if count else ""
    words = cut_at_word(Content(line.words), max(1, room - len(tail)))
    between = " " * max(2, width - len(head) - words.cell_length - len(tail))
    row = Content.assemble((head, style or "$quiet"), (words.plain, style or "bold"), (between, style))
    return (row + Content.styled(tail, style or "$quiet")).truncate(max(1, width))


def files_said(count: int) -> str:
    """`1 file`, `3 files`."""
    return f"{count} file{'' if count == 1 else 's'}"


def head_content(line: UndoLine, preview: UndoPreview) -> Content:
    """Which checkpoint, and what would become of how many files."""
    counts = [(word, len(preview.files(action))) for action, word in DONE_BY.items()]
    said = " · ".join(f"{count} {word}" for word, count in counts if count) or "nothing to put back"
    refused = len(preview.files("refuse"))
    parts = [Content.assemble((f"back to {line.target.number}: ", "$quiet"), (said, "bold"))]
    if refused:
        parts.append(Content.styled(f" · ▲ {refused} refused", "bold $warning"))
    return Content("").join(parts)


def preview_content(preview: UndoPreview, width: int) -> Content:
    """What stays as it is and why, the diff of each file, and what no checkpoint keeps."""
    parts = [Content("\n").join(_refused(preview.files("refuse"), width))]
    parts += [Content("\n").join(_diff(diff)) for diff in preview.diffs]
    if preview.unread:
        parts.append(Content.styled(f"and {files_said(preview.unread)} more", "$quiet"))
    parts.append(_named("stays: ", [f"{one.path} ({one.why})" for one in preview.files("keep")], width))
    uncovered = [f"{one.path} ({one.why})" for one in preview.uncovered]
    parts.append(_named("in no checkpoint, so undo leaves it: ", uncovered, width))
    return Content("\n\n").join([part for part in parts if part.plain])


def _refused(files: Iterable[FileUndo], width: int) -> Iterator[Content]:
    for file in files:
        head = Content.styled("▲ ", "bold $warning")
        stays = Content.assemble((clean_line(file.path), "bold"), f" stays as it is: {clean_line(file.why)}")
        yield hanging(head, stays, width)


def _diff(diff: FileDiff) -> Iterator[Content]:
    yield file_content(diff.file)
    for row in diff.rows:
        cut = "…" if len(row) > _LONGEST_ROW else ""
        yield Content.styled(clean(row[:_LONGEST_ROW]) + cut, _DIFF_STYLES.get(row[:1], "$quiet"))
    if diff.more:
        yield Content.styled(f"… {diff.more} more rows", "$quiet")


def file_content(file: FileUndo) -> Content:
    """A file, what becomes of it, and how many lines of it."""
    why = f" {clean_line(file.why)}" if file.why else ""
    parts: list[tuple[str, str]] = [
        (clean_line(file.path), "bold"),
        (f"  {DONE_BY[file.action]}{why}", "$quiet"),
    ]
    if file.added:
        parts.append((f"  +{file.added}", "$success"))
    if file.removed:
        parts.append((f"  -{file.removed}", "$error"))
    return Content.assemble(*parts)


def _named(said: str, names: Sequence[str], width: int) -> Content:
    """The first few of them, and how many more there are; nothing if there are none."""
    if not names:
        return Content("")
    more = len(names) - _MOST_NAMED
    listed = ", ".join(clean_line(name) for name in names[:_MOST_NAMED])
    words = said + listed + (f" and {more} more" if more > 0 else "")
    return hanging(Content.styled("· ", "$quiet"), Content.styled(words, "$quiet"), width)


def asked_content(preview: UndoPreview, width: int) -> Content:
    """The files that are about to be changed, and those that are not, before the last question."""
    changing, refused = preview.changing, len(preview.files("refuse"))
    lines = [file_content(file).truncate(width, ellipsis=True) for file in changing[:_MOST_NAMED]]
    if len(changing) > _MOST_NAMED:
        lines.append(Content.styled(f"and {len(changing) - _MOST_NAMED} more", "$quiet"))
    if refused:
        lines.append(Content.styled(f"▲ {files_said(refused)} stays as it is", "$warning"))
    return Content("\n").join(
        [*lines, Content(""), Content.styled("This can be undone in the same way.", "$quiet")]
    )


def done_words(result: UndoResult, key: str, *, informs: bool) -> str:
    """What was done, whether the program gets word of it, and how it is taken back, in one line."""
    done = [*result.restored, *result.removed, *result.merged]
    files = [path for path in done if not path.endswith("/")] or done
    said = [f"{files_said(len(files))} put back"]
    said += [f"{len(result.merged)} merged"] if result.merged else []
    said += [f"{len(result.refused)} refused"] if result.refused else []
    line = ", ".join(said)
    if not done:
        return line
    return f"{line}{', and the program is told once it is ready' if informs else ''}; {key} undoes that"


def refused_content(result: UndoResult, width: int) -> Content:
    """Each file that was not put back, why, and where its other version is."""
    lines = [
        Content("These files are as they were. The version that each would have got is kept."),
        Content(""),
    ]
    for path, why, place in result.refused:
        lines.append(hanging(Content.styled("▲ ", "bold $warning"), outside_line(path, "bold"), width))
        lines.append(hanging(Content("  "), outside_line(why), width))
        if place:
            lines.append(hanging(Content.styled("  other version: ", "$quiet"), outside_line(place), width))
    return Content("\n").join(lines)
