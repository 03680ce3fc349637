"""The CLI's own input box on the screen: where it is, and the text typed into it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from copilot.core.screen_rules import Composer
from copilot.core.snapshot import Style
from copilot.detection.patterns import compiled
from copilot.detection.rows import RowKind, Rows

_MAX_BODY = 30


@dataclass(frozen=True, slots=True)
class ComposerBox:
    """A composer on the screen. `top` is its first row, frame included, `bottom` its last."""

    top: int
    prompt_row: int
    bottom: int
    draft: str


def find_composer(rows: Rows, form: Composer) -> ComposerBox | None:
    """The lowest row that is the composer's prompt, with its frame and footer as the profile wants them."""
    if form.between_rules:
        return _between_rules(rows, form)
    if not form.prompt:
        return None
    pattern = compiled(form.prompt)
    below = 0
    for row in range(rows.last_text_row, -1, -1):
        if rows.kinds[row] is not RowKind.TEXT:
            continue
        match = pattern.search(rows.texts[row])
        fits = match is not None and not (form.bright and _dim(rows, row, match.start()))
        if form.at_cursor and (row != rows.snapshot.cursor.row or row != rows.last_text_row):
            fits = False
        box = _box(rows, row, match.end(), form) if match is not None and fits else None
        if box is not None:
            return box
        below += 1
        if below > form.within_rows:
            break
    return _behind_bar(rows, form) if form.bar else None


def _behind_bar(rows: Rows, form: Composer) -> ComposerBox | None:
    """The lowest box that is open to the right: an edge, rows that begin with the bar, an edge."""
    barred = [line.startswith(form.bar) for line in rows.snapshot.lines]
    bottom = len(barred) - 1
    while bottom > 0 and not barred[bottom]:
        bottom -= 1
    top = bottom
    while top > 0 and barred[top]:
        top -= 1
    closed = bottom + 1 < len(rows) and rows.kinds[bottom + 1] is RowKind.BOTTOM
    if top == bottom or not closed or rows.kinds[top] not in (RowKind.RULE, RowKind.TOP):
        return None
    if len(rows.text_between(bottom + 2, len(rows) - 1)) > form.within_rows:
        return None
    return ComposerBox(top, top + 1, bottom + 1, _draft(rows, range(top + 1, bottom + 1), {}, form))


def _between_rules(rows: Rows, form: Composer) -> ComposerBox | None:
    """The box between the two lowest rules, unless it is a dialog (it has text of its own)."""
    lines = [row for row, kind in enumerate(rows.kinds) if kind is RowKind.RULE]
    if len(lines) < 2:
        return None
    top, bottom = lines[-2:]
    under = rows.joined(bottom + 1, len(rows) - 1)
    if bottom - top < 2 or (form.footer and compiled(form.footer).search(under) is None):
        return None
    body = range(top + 1, bottom)
    if rows.kinds[top + 1] is RowKind.BLANK and any(rows.kinds[row] is RowKind.TEXT for row in body):
        return None
    return ComposerBox(top, top + 1, bottom, _draft(rows, body, {}, form))


def _dim(rows: Rows, row: int, start: int) -> bool:
    return any(style.dim for style in rows.styles_of(row, start, start + 1))


def _box(rows: Rows, row: int, start: int, form: Composer) -> ComposerBox | None:
    top, bottom = row, row
    starts = {row: start}
    if form.framed:
        if row == 0 or rows.kinds[row - 1] not in (RowKind.RULE, RowKind.TOP):
            return None
        bottom = row + 1
        while bottom < len(rows) and rows.kinds[bottom] not in (RowKind.RULE, RowKind.BOTTOM):
            bottom += 1
            if bottom - row > _MAX_BODY:
                return None
        if bottom >= len(rows):
            return None
        top = row - 1
        body = range(row, bottom)
    else:
        while bottom + 1 < len(rows) and rows.kinds[bottom + 1] is RowKind.TEXT:
            bottom += 1
        body = range(row, bottom + 1)
        if form.draft_above:
            while top > 0 and rows.same_frame(top - 1, row):
                top -= 1
            body = range(top, row)
        if form.at_cursor:
            starts |= _wrapped_prompts(rows, row, form)
            body = range(min(starts), row + 1)
            top = _below_rule(rows, body.start, form.below_rule)
    if form.footer:
        footer = (
            rows.joined(bottom + 1, len(rows) - 1) if form.framed else rows.joined(row + 1, len(rows) - 1)
        )
        if compiled(form.footer).search(footer) is None:
            return None
    return ComposerBox(top, row, bottom, _draft(rows, body, starts, form))


def _below_rule(rows: Rows, first: int, most: int) -> int:
    """The row under the full-width rule above, if nothing but rows with text is between; else `first`."""
    for row in range(first - 1, max(first - most - 2, -1), -1):
        if rows.kinds[row] is RowKind.RULE:
            return row + 1
        if rows.kinds[row] is not RowKind.TEXT:
            break
    return first


def _wrapped_prompts(rows: Rows, row: int, form: Composer) -> dict[int, int]:
    """Where the text begins in the rows above that run on into this one: a line editor repeats its prompt."""
    pattern = compiled(form.prompt)
    starts: dict[int, int] = {}
    while row > 0 and len(rows.texts[row - 1]) >= rows.columns - 1:
        match = pattern.search(rows.texts[row - 1])
        if match is None:
            break
        row -= 1
        starts[row] = match.end()
    return starts


def _draft(rows: Rows, body: range, starts: Mapping[int, int], form: Composer) -> str:
    """The text in the box, in each row from its start on, without dim text and placeholder."""
    parts = []
    for row in body:
        first = starts.get(row, 0)
        parts.append(_typed(rows, row, first, form.placeholder_colours))
        if form.placeholder and not form.framed and row == body.start:
            whole = rows.texts[row][first:].strip()
            if compiled(form.placeholder).search(whole):
                return ""
    draft = "\n".join(parts).strip()
    if form.placeholder and draft and compiled(form.placeholder).search(draft):
        return ""
    return draft


def _typed(rows: Rows, row: int, start: int, colours: tuple[str, ...]) -> str:
    text = rows.texts[row]
    styles = rows.snapshot.styles[row]
    columns = rows.columns_of(row, start, len(text))
    if len(columns) != len(text) - start:
        return text[start:]
    hint = [_is_hint(styles[column], colours) for column in columns]
    for index, column in enumerate(columns):
        follows = index + 1 < len(hint)
        if styles[column].reverse and not hint[index] and (not follows or hint[index + 1]):
            # the drawn cursor is on the first letter of a hint, or on a blank
            hint[index] = follows or not text[start + index].strip()
    return "".join(" " if hint[i] else text[start + i] for i in range(len(hint))).rstrip()


def _is_hint(style: Style, colours: tuple[str, ...]) -> bool:
    return style.dim or str(style.foreground) in colours
