"""Choices that the last rows offer in a line or one below another, wherever the cursor is.

`[y] Approve   [n] Deny`, `(a)pprove (r)eject`, `y: approve  n: deny`, `Approve | Deny`, `[Y/n/e]`. A program
that draws such rows acts on single keys, whatever looks like an input field beside them.

Rows above a line editor's prompt are history, so only the row directly above the cursor's line counts there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from copilot.core.detection import Option
from copilot.detection.choices import Choices
from copilot.detection.highlight import is_hint
from copilot.detection.inline_choices import yes_no
from copilot.detection.patterns import compiled
from copilot.detection.rows import RowKind, Rows

FORM = "offered"
REACH = 8
"""The most rows with text below such a row: a composer, a footer, a status line."""
_BETWEEN = 2
"""The most blank rows between the rows of one list."""
_MOST_WORDS = 7
_SHORT_WORDS = 2
_LONGEST_SEGMENT = 48

_YES = compiled(
    r"(?i)^\W*(y|yes|yep|yeah|ok|okay|sure|approve|allow|accept|agree|authori[sz]e|grant|permit|confirm|run"
    r"|execute|proceed|continue|go ahead|apply|submit|trust|always|once|do it|keep|save|overwrite|replace"
    r"|delete|remove|install|update|send|merge|commit|push|enable)\b"
)
_NO = compiled(
    r"(?i)^\W*(n|no|nope|never|deny|reject|refuse|decline|disallow|disagree|cancel|abort|skip|stop|quit|exit"
    r"|don'?t|do not|dismiss|discard|block|leave|back|ignore|later|not now|disable|revoke|close)\b"
)
_KEY = r"(?:[A-Za-z0-9?!]|(?i:esc|escape|enter|return|ret|tab|space)|[⏎↵]|\^[A-Z]|(?i:ctrl)[+-][A-Za-z])"
_BRACKETED = compiled(rf"[\[(<{{]\s?({_KEY})\s?[\])>}}]\s?")
"""A key in brackets; what follows directly goes on with its word: `[Y]es`, `(r)eject`."""
_MARKED = compiled(rf"(?:^|[\s·•|,;/])({_KEY})(?:\s?[:=→]\s*|\)\s+|\.\s+|\s[-–—]\s|\s+to\s+)")
"""`y: approve`, `y = yes`, `n) deny`, `y → approve`, `y - approve`, `y to approve`."""
_BARE = compiled(r"(?:^|\s{2,}|\s[·•|,/]\s)([a-z])\s([A-Za-z])")
"""`y approve · n deny`: a letter and its word."""
_INLINE = compiled(
    r"(?i)(?:(?:^|[^\w\])])[\[(<{]\s*((?:[a-z?!]|yes|no|always|never|all|none|edit|quit|once|skip|abort|cancel)"
    r"(?:\s?[/|,]\s?(?:[a-z?!]|[a-z']{2,12}))+)\s*[\])>}]|(?:^|\s)(y(?:es)?(?:/[a-z?!]|/[a-z']{2,12})+))"
    r"\s*[?:>.]*\s*$"
)
"""`[Y/n/c/e/a/?]` or `y/n/a` at the end of its row: nothing was answered there."""
_CUT = compiled(r"\s{2,}|\s+[|/·•]\s+|\s*[\])>}]\s*[\[(<{]\s*|\s*[,;]\s+(?:or\s+)?")
_SEGMENTS = compiled(r"\s{3,}|\s{2,}|\s+[|/·•]\s+|\s*[\])>}]\s+[\[(<{]\s*")
_LETTERS_ALONE = compiled(r"^[\[(<{]\s?[A-Za-z?!]\s?[\])>}].*[\[(<{]\s?[A-Za-z?!]\s?[\])>}]")
"""A row that begins with a letter in brackets and names another one."""
_LETTERED = compiled(r"^\s*\[[A-Za-z?]\]\s+\S")
"""A row that is one option with its key in square brackets."""
_EDGES = "[](){}<>❯›▸»►→●○◉◯◆◇▶·•|*- \t"
_NAMES = {
    "esc": "Esc",
    "escape": "Esc",
    "enter": "Enter",
    "return": "Enter",
    "ret": "Enter",
    "⏎": "Enter",
    "↵": "Enter",
    "tab": "Tab",
    "space": "Space",
}
_BARE_MARK = compiled(
    r"(?i)^\W{0,3}(?:(?:your )?(?:answer|choice|reply|response|selection|input)\s*)?[>?:❯›»$#=\-]*\s*$"
)
"""A line that holds no more than a mark: the question is above it."""


@dataclass(frozen=True, slots=True)
class _Row:
    """What one row offers."""

    row: int
    options: tuple[Option, ...]
    keyed: bool


def find_offered(rows: Rows, line_mode: bool, drawn: bool, box: int | None) -> Choices | None:
    """The lowest choices that the last rows offer, None if they offer none.

    With `line_mode` a line editor waits at the cursor. With `drawn` the program places its rows itself; else
    text below a row came after it, and was not waited for. `box` is the first row of an input box: a list
    above it that may as well be prose does not count, nor one with other words between.
    """
    if line_mode:
        return _above_the_line(rows)
    last = rows.text_rows[-(REACH + 1) :] if drawn else rows.text_rows[-1:]
    for row in reversed(last):
        found = _offers(rows, row)
        if found is None or (box is not None and row < box and not _closes(rows, row, box)):
            continue
        whole = _in_one_row(rows, found) or _one_below_another(rows, found, box is not None)
        if whole is not None:
            return whole
    return None


def _closes(rows: Rows, row: int, box: int) -> bool:
    """Whether only hints follow the row down to the box: in colours, dim, or at the right edge.

    A row that begins like a composer's is what a person said to it.
    """
    return all(
        rows.indent(other) * 2 > rows.columns
        or (
            not _SAID.search(rows.texts[other])
            and all(is_hint(style) for style in rows.styles_of(other, 0, len(rows.texts[other])))
        )
        for other in rows.text_between(row + 1, box - 1)
    )


def _above_the_line(rows: Rows) -> Choices | None:
    """What the cursor's line offers, or the row above if that line holds nothing but a mark."""
    row = rows.snapshot.cursor.row
    if not 0 <= row < len(rows):
        return None
    here = _offers(rows, row)
    choices = _in_one_row(rows, here) if here is not None else None
    if choices is not None or not _BARE_MARK.search(rows.texts[row].strip()):
        return choices
    above = next(
        (number for number in range(row - 1, max(row - 3, -1), -1) if rows.texts[number].strip()), -1
    )
    found = _offers(rows, above) if above >= 0 else None
    if found is None:
        return None
    below = _one_below_another(rows, found, False) if _LETTERED.search(rows.texts[above]) else None
    return _in_one_row(rows, found) or below


def _in_one_row(rows: Rows, found: _Row) -> Choices | None:
    """Two options or more in one row: letters are enough where brackets name them, words must decide."""
    text = rows.texts[found.row].strip()
    letters = _LETTERS_ALONE.search(text) is not None
    if len(found.options) < 2 or not (letters or _decides(found.options) or _INLINE.search(text)):
        return None
    return Choices(FORM, found.options, found.row, found.row)


def _one_below_another(rows: Rows, lowest: _Row, boxed: bool) -> Choices | None:
    """The rows from `lowest` upwards that offer one option each."""
    items = [lowest]
    row, blanks = lowest.row - 1, 0
    while row >= 0 and blanks <= _BETWEEN and len(lowest.options) == 1:
        blank = rows.kinds[row] is not RowKind.TEXT
        found = None if blank else _offers(rows, row)
        if not blank and (found is None or len(found.options) != 1 or found.keyed is not lowest.keyed):
            break
        items += [found] if found is not None else []
        blanks = blanks + 1 if blank else 0
        row -= 1
    options = tuple(item.options[0] for item in reversed(items) if item.options)
    lettered = all(_LETTERED.search(rows.texts[item.row]) for item in items)
    if (
        len(items) < 2
        or not (lettered or _decides(options))
        or len({option.key for option in options if option.key}) == 1
    ):
        return None
    if lettered and len({option.key for option in options}) != len(options):
        return None
    digits = all(option.key is not None and option.key[:1].isdigit() for option in options)
    bulleted = any(not rows.texts[item.row].lstrip()[0].isalpha() for item in items)
    long = any(len(option.label.split()) > _SHORT_WORDS for option in options)
    if boxed and (digits or (not lowest.keyed and (bulleted or long))):
        return None
    return Choices(FORM, options, items[-1].row, lowest.row)


def _decides(options: tuple[Option, ...]) -> bool:
    labels = [option.label for option in options]
    return any(_YES.search(label) for label in labels) and any(_NO.search(label) for label in labels)


def _offers(rows: Rows, row: int) -> _Row | None:
    text = rows.texts[row].strip()
    if not text:
        return None
    inline = _INLINE.search(text)
    listed = str(inline.group(1) or inline.group(2)) if inline is not None else ""
    if listed and not _TUPLE.search(text):
        options = yes_no(text) if _YES_OR_NO.search(listed) else ()
        names = [part.strip() for part in _SLASH.split(listed)]
        return _Row(row, options or tuple(Option(name, f"{name} Enter") for name in names), True)
    keyed = tuple(_keyed(text))
    if keyed:
        return _Row(row, keyed, True)
    words = tuple(_words(text))
    return _Row(row, words, False) if words else None


_SAID = compiled(r"^\s{0,3}[>❯›]\s")
_TUPLE = compiled(r"\b(?:in|for|return|yield|def|lambda)\s+\(?\w[^\[]*:?\s*$|=\s*[\[(]")
"""Code, not a question: `for x in (a, b):`."""
_YES_OR_NO = compiled(r"(?i)^y(?:es)?\s?[/|,]\s?n(?:o)?\b")
_SLASH = compiled(r"\s?[/|,]\s?")


def _keyed(text: str) -> Iterator[Option]:
    """The options of a row that names a key for each; a row with other text before the first is a sentence
    about keys only where each key is in brackets."""
    for pattern in (_BRACKETED, _MARKED, _BARE):
        found = [match for match in pattern.finditer(text) if _is_no_index(text, match.start())]
        if not found:
            continue
        if pattern is not _BRACKETED and _LETTER.search(text[: found[0].start(1)]) and len(found) < 2:
            continue
        options = []
        for number, match in enumerate(found):
            end = found[number + 1].start() if number + 1 < len(found) else len(text)
            start = match.start(2) if pattern is _BARE else match.end()
            key, label = (
                str(match.group(1)),
                _CUT.split(text[start:end].strip(), 1)[0].strip(" ,;·•|/").removesuffix(" or"),
            )
            if pattern is _BRACKETED and text[match.end() - 1 : match.end()] in ("]", ")", ">", "}"):
                goes_on = text[match.end() : match.end() + 1].islower()
                label, key = (key + label, key.lower()) if goes_on else (label, key)
            if label and len(label.split()) <= _MOST_WORDS:
                options.append(Option(label, _key_of(key)))
        if len(options) == len(found):
            yield from options
            return


def _is_no_index(text: str, start: int) -> bool:
    """Whether a bracket opens there that is no index: `list[i]`."""
    return start == 0 or not (text[start - 1].isalnum() and text[start] in "[(<{")


_LETTER = compiled(r"\pL{2}")


def _key_of(shown: str) -> str:
    lower = shown.lower()
    if lower in _NAMES:
        return _NAMES[lower]
    if len(shown) > 1:
        return f"C-{lower[-1]}"
    return f"{shown} Enter"


def _words(text: str) -> Iterator[Option]:
    """The options of a row that holds nothing but short words which decide: `Approve   Deny`."""
    parts = [part.strip(_EDGES) for part in _SEGMENTS.split(text)]
    parts = [part for part in parts if part]
    fits = all(len(part) <= _LONGEST_SEGMENT and len(part.split()) <= _MOST_WORDS for part in parts)
    decides = all(_YES.search(part) or _NO.search(part) for part in parts)
    if parts and fits and decides and text[-1] not in ".:;?!,":
        yield from (Option(part) for part in parts)
