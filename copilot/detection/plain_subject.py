"""What a permission of a CLI that nobody measured is about, if every row of its dialog can be explained.

Such a dialog may show words of the model anywhere, so a row that looks like a command proves nothing while
another row is not understood. The top of the dialog must be certain; all its rows must be template words or
name the same one command or file, whole. Even then it is only unproven: `Subject.unproven`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from copilot.core.detection import Subject
from copilot.detection.choices import Choices
from copilot.detection.highlight import is_lit
from copilot.detection.offered import FORM as OFFERED
from copilot.detection.patterns import compiled, found
from copilot.detection.regions import Regions
from copilot.detection.rows import RowKind

_TEMPLATE_WORDS = frozenset(
    word
    for row in (
        "a about action agent allow allowed an and answer apply approval approve are argument",
        "arguments ask asks assistant authorization await awaiting bash being call calls can",
        "change changes code command commands confirm confirmation continue create creating",
        "decision details detected do does edit edits execute executing execution file files",
        "following for go grant has i in input is it like may needed needs new no now of ok okay",
        "on operation or overwrite parameters pending permission permissions permit please",
        "preview proceed read reading request requested requesting requests require required",
        "requires response review run running safe select shall shell should sure terminal that",
        "the these this those to tool tools update use user using waiting want wants will wish",
        "with would write writing you your",
    )
    for word in row.split(" ")
)
"""Rows of nothing but these say nothing of their own. None of them is a command that does anything."""
_TEMPLATE = compiled(r"^[\pL\s.,:;!?…'’()\-]*$")
_WORD = compiled(r"\pL+")
_ASKED_FOR = compiled(
    r"(?i)^\S{1,24} (?:needs|wants|requests|requires) (?:your )?(?:permission|approval)[.!:]?$"
)
"""`NAME needs permission`."""
_LEAD = compiled(r"^(?:[^\pL\pN\s$/.~(\[\"'`\-]\s?)+\s*")
"""Bullets and branches before the words of a row."""
_SHELL = compiled(r"^\$ (\S.*)$")
_LABELLED = compiled(r"^(?i:(command|cmd|file|path|file ?path|file ?name))\s?:\s+(\S.*)$")
_CALLED = compiled(r"^([A-Za-z][A-Za-z _-]{1,30})\((\S.*)\)$")
_ASKED = compiled(
    r"^(?i:do you want|would you like) (?i:me )?to "
    r"(?i:(create|write|edit|update|delete|read|overwrite)) (\S+)\?$"
)
_DONE = compiled(
    r"^(?i:(created?|creating|edit(?:ed|ing)?|update[ds]?|updating|writ(?:e|es|ing|ten))) (\S*[./]\S*)$"
)
_DONE_ACTS = {"c": "write", "w": "write", "e": "edit", "u": "edit"}
"""By the first letter of what is done to a file."""
_CONTENT = compiled(r"^(?:\d+\s|[+-]|@@\s|[─━═╌┄]+$)")
"""A row of a file's content, or of what changes in it."""
_TOOLS = {
    "shell": (
        "bash|shell|sh|terminal|command|commands|cmd|execute|exec|execute command|execute bash|run",
        "run command|run commands|run bash command|run shell command|bash command|shell command",
        "run in terminal|run terminal cmd",
    ),
    "write": ("write|write file|write to file|create|create file|new file",),
    "edit": (
        "edit|edit file|editor|update|update file|replace|replace in file|overwrite|str replace",
        "str replace editor|apply patch|apply diff|multiedit|patch|modify",
    ),
    "read": ("read|read file|view|view file",),
    "delete": ("delete|delete file|remove file",),
}
_ACTS = {name: act for act, rows in _TOOLS.items() for row in rows for name in row.split("|")}
"""What tools are called, in small letters with blanks: what they do."""
_FILES = frozenset({"file", "path", "file path", "filepath", "file name", "filename"})
_CHANGES = frozenset({"write", "edit"})
_SIDES = frozenset("│┃║▌▐")
_LEFT_OUT = ("…", "...")
_MARGIN = 4
"""A row that leaves fewer columns free may be cut or go on."""


@dataclass(frozen=True, slots=True)
class _Part:
    """What one row says: the act, if it names one, and what is acted on, if it names that."""

    row: int
    act: str = ""
    text: str = ""


def plain_subject(regions: Regions) -> Subject | None:
    """The one command or file that the dialog above the options names; None if that is not certain."""
    choices = regions.choices
    top = _top(choices.first_row, regions) if choices is not None and _is_drawn(choices, regions) else None
    if choices is None or top is None:
        return None
    parts = list(_parts(regions.rows.text_between(top, choices.first_row - 1), regions))
    if any(part is None for part in parts):
        return None
    return _agreed([part for part in parts if part is not None], regions)


def _is_drawn(choices: Choices, regions: Regions) -> bool:
    """Whether the options are drawn as a live list is: a picture of one, in a file, is plain text."""
    rows = regions.rows
    if choices.form != OFFERED:
        return choices.lit or is_lit(rows, choices)
    numbers = range(choices.first_row, choices.last_row + 1)
    return len({style for row in numbers for style in rows.styles_of(row, 0, len(rows.texts[row]))}) > 1


def _agreed(parts: list[_Part], regions: Regions) -> Subject | None:
    acts = {part.act for part in parts if part.act}
    texts = {part.text for part in parts if part.text}
    if acts == {"write", "edit"}:
        acts = {"edit"}
    if len(acts) != 1 or len(texts) != 1:
        return None
    rows = tuple(part.row for part in parts if part.text)
    return Subject(acts.pop(), texts.pop(), any(_is_cut(row, regions) for row in rows), rows, unproven=True)


def _is_cut(row: int, regions: Regions) -> bool:
    """Whether it may go on: it is shortened, fills its row, or the next row may be its wrapped end."""
    text = regions.rows.texts[row]
    left = _limit(row, regions) - regions.rows.columns_of(row, 0, len(text)).stop - _MARGIN
    below = regions.rows.texts[row + 1] if row + 1 < len(regions.rows) else ""
    wrapped = bool(below.strip()) and len(below.split()[0]) + 1 > left
    return left < 0 or wrapped or any(mark in text for mark in _LEFT_OUT)


def _limit(row: int, regions: Regions) -> int:
    """The column where the row's room ends: that of the frame's right side, if there is one."""
    line = regions.snapshot.lines[row].rstrip()
    return len(line) - 1 if line[-1:] in _SIDES else regions.rows.columns


def _parts(numbers: tuple[int, ...], regions: Regions) -> Iterator[_Part | None]:
    """What each row says that says anything; None for a row that is not understood."""
    act, argument = "", -1
    named = False
    for row in numbers:
        text = regions.rows.texts[row].strip()
        bare = _LEAD.sub("", text).strip()
        part = _named(row, bare)
        if part is None and row == argument:
            part = _Part(row, act, bare)
        if part is not None:
            named = named or bool(part.text)
            act = part.act or act
            argument = _next_text(row, regions) if part.act and not part.text else -1
            yield part
        elif _is_template(bare) or (named and act in _CHANGES and found(_CONTENT.pattern, text)):
            continue
        else:
            yield None


def _named(row: int, text: str) -> _Part | None:
    """The act or the thing that a row names by its form."""
    shell, done = _SHELL.search(text), _DONE.search(text)
    if shell is not None:
        return _Part(row, "shell", str(shell.group(1)))
    if done is not None:
        return _Part(row, _DONE_ACTS[str(done.group(1))[0].lower()], str(done.group(2)))
    labelled = _LABELLED.search(text)
    if labelled is not None:
        name = str(labelled.group(1)).lower()
        return _Part(row, "" if name in _FILES else "shell", str(labelled.group(2)))
    for pattern in (_CALLED, _ASKED):
        match = pattern.search(text)
        act = _ACTS.get(_name(str(match.group(1))), "") if match is not None else ""
        if match is not None and act:
            return _Part(row, act, str(match.group(2)))
    act = _ACTS.get(_name(text), "")
    return _Part(row, act) if act else None


def _name(text: str) -> str:
    return " ".join(text.replace("_", " ").replace("-", " ").casefold().split())


def _next_text(row: int, regions: Regions) -> int:
    return next((number for number in regions.rows.text_rows if number > row), -1)


def _is_template(text: str) -> bool:
    if _ASKED_FOR.search(text):
        return True
    words = [str(match.group(0)).casefold() for match in _WORD.finditer(text)]
    return _TEMPLATE.search(text) is not None and all(word in _TEMPLATE_WORDS for word in words)


def _top(options_row: int, regions: Regions) -> int | None:
    """The first row of the dialog, if something shows where it begins: a frame, a band, a line, a gap."""
    band = _band_top(options_row, regions)
    if band is not None:
        return band
    region = regions.region("dialog")
    if region is None or not region.rows:
        return None
    rows, first = regions.rows, region.rows[0]
    if rows.framed[options_row]:
        return first if rows.framed[first] else None
    above = [rows.kinds[row] for row in range(first - 1, -1, -1)]
    edge = next((kind for kind in above if kind is not RowKind.BLANK), None)
    gap = next((count for count, kind in enumerate(above) if kind is not RowKind.BLANK), len(above))
    above_row = _text_above(first, regions)
    if found(regions.rules.form.message, rows.texts[above_row]) and _CALLED.search(
        _LEAD.sub("", rows.texts[above_row].strip())
    ):
        return above_row
    certain = edge in (None, RowKind.RULE, RowKind.BOTTOM) or gap >= regions.rules.form.dialog_gap
    return first if certain else None


def _text_above(row: int, regions: Regions) -> int:
    return next((number for number in reversed(regions.rows.text_rows) if number < row), row)


def _band_top(options_row: int, regions: Regions) -> int | None:
    """The first row of the band of another background that holds the options."""
    grounds = [styles[0].background for styles in regions.snapshot.styles]
    own = grounds[options_row]
    row = options_row
    while row > 0 and grounds[row - 1] == own:
        row -= 1
    return row if own != "default" and row > 0 else None
