"""What is asked: the words of the question, from a dialog, a line, or the end of a message in prose."""

from __future__ import annotations

from dataclasses import dataclass

from copilot.detection.choices import SCROLL_MARKS, Choices
from copilot.detection.patterns import compiled
from copilot.detection.regions import Region, Regions
from copilot.detection.rows import RowKind

_LAST_SENTENCE = compiled(r"(?:^|[.!?:…]['\")]?\s+|\n)([^\n]*?)$")
_ASKING_SENTENCE = compiled(r"(?:^|[.!:]\s+)([^.!?:]{8,}\?)\s")
"""A question that the paragraph goes on behind."""
_NOTED = compiled(r"^(?i:reason|note|why|hint|tip|warning):\s")
_SENTENCE_BREAK = compiled(r"[.!?…]['\")\]]?\s+")
_LIST_ITEM = compiled(r"^\s*(?:[-*•–]|\(?[0-9a-zA-Z]{1,2}[.)])\s+\S")
_YES_NO_TAIL = compiled(r"(?i)\?\s*[\[(]\s*y(?:es)?\s*/\s*no?\s*[\])]\s*$")
_ASKS = compiled(r"[?？]['\")\]*_]*\s*(?:[\[(][^\[\]()]{1,40}[\])]\s*)?$")
_CODE = compiled(
    r"^\s*(?:#[^0-9]|//|/\*|\*/|<!--|--\s|;;?\s|%\s|\"{3}|'{3}|REM\s)"
    r"|\s(?:#|//|/\*|<!--)\s?[^\s0-9]"
    r"|[;(){}\[\]=,'\"0-9]\s+--\s|^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER)\b.*\s--\s"
    r"|^\s*(?:let|const|var|return|yield|await|assert|def|fn|func)\b.*[)\]};]\?$"
)
"""A row of code that ends in a question mark: a comment, mostly, and not a question."""
_OFFERED = compiled(r"^\s*(\S.*\w.*[?:])\s+[\[(<]")
"""The question in the row that also offers the answers: `Execute? [Y/n/e]`."""
_TOGGLED = compiled(r"^\s*(?:[?◆]\s+)?(\S.*?)\s+›\s+\S+ / \S+$")
_LINE_LEAD = compiled(r"^\s*(?:[?◆▲◇✔✖]\s+|\(\d+/\d+\)\s+)")
_POINTER_LEAD = compiled(r"^\s*[>❯›]\s+")
_WIDE_GAP = compiled(r"\s{4,}")
_HINT_TAIL = compiled(
    r"\s*(?:›|…|»|‣)\s*(?:- Use arrow-keys\. Return to submit\.)?\s*$|\s*\(Use arrow keys[^)]*\)\s*$"
)
_ARROW_BEFORE_CHOICE = compiled(r"\s+[›‣]\s+([\[(].*)$")
_ARROW_TAIL = compiled(r"^(.*[?:])\s+[›‣](?:\s+.*)?$")
_DEFAULT_TAIL = compiled(r"^(.*[^?]:)\s+\([^()]*\)$")


@dataclass(frozen=True, slots=True)
class Question:
    """The words, and their rows."""

    text: str
    rows: tuple[int, ...] = ()


def matched_question(pattern: str, region: Region) -> str | None:
    """What a rule's pattern finds in its region: group 1 or all, of the last match."""
    last = None
    texts = (region.text,) if pattern.startswith("(?m") else (region.flat, region.text)
    for text in texts:
        for match in compiled(pattern).finditer(text):
            last = match
        if last is not None:
            break
    if last is None:
        return None
    words = last.group(1) if last.groups() and last.group(1) else last.group(0)
    return " ".join(str(words).split())


def dialog_question(regions: Regions, choices: Choices) -> Question | None:
    """The question above a list of options: the nearest paragraph that asks, else the nearest at all."""
    in_its_row = {"toggle": _TOGGLED, "offered": _OFFERED}.get(choices.form)
    asked = in_its_row.search(regions.rows.texts[choices.first_row]) if in_its_row is not None else None
    if asked is not None:
        return Question(_cleaned(asked.group(1)), (choices.first_row,))
    top = regions.region("dialog_body")
    if top is None or not top.rows:
        return None
    numbers = tuple(row for row in top.rows if _left_part(regions, (row,)) not in SCROLL_MARKS)
    paragraphs = _paragraphs(regions, numbers)
    if not paragraphs:
        return None
    near = [(_left_part(regions, rows), rows) for rows in reversed(paragraphs[-4:])]
    asking = [(text, rows) for text, rows in near if _ASKS.search(text) or text.endswith(":")]
    # `Reason: shall I clean up?` gives the reason of a question; it is not the question
    asking.sort(key=lambda one: _NOTED.search(one[0]) is not None)
    if asking:
        return Question(_cleaned(asking[0][0]), asking[0][1])
    for text, rows in near:
        sentence = _ASKING_SENTENCE.search(text)
        if sentence is not None:
            return Question(_cleaned(sentence.group(1)), rows)
    rows = paragraphs[-1]
    if len(paragraphs) > 1 and len(paragraphs[0]) == 1 and _left_part(regions, rows).endswith((".", "!")):
        rows = paragraphs[0]
    rows = _heading(regions, rows)
    return Question(_cleaned(_left_part(regions, rows)), rows)


def _heading(regions: Regions, numbers: tuple[int, ...]) -> tuple[int, ...]:
    """The leading rows of a paragraph that are drawn otherwise than the rest, if there are such; else all."""
    looks = [regions.rows.styles_of(row, 0, regions.rows.columns)[:1] for row in numbers]
    count = next((n for n, look in enumerate(looks) if look != looks[0]), 0)
    return numbers[:count] if count else numbers


def _left_part(regions: Regions, numbers: tuple[int, ...]) -> str:
    """The rows joined, without the text behind a wide gap: another panel, a hint at the right edge."""
    parts = (_WIDE_GAP.split(regions.rows.texts[row].strip(), 1)[0] for row in numbers)
    return " ".join(part for part in parts if part)


def _paragraphs(regions: Regions, numbers: tuple[int, ...]) -> list[tuple[int, ...]]:
    groups: list[list[int]] = []
    for row in numbers:
        if groups and groups[-1][-1] == row - 1:
            groups[-1].append(row)
        else:
            groups.append([row])
    return [tuple(group) for group in groups]


def _joined(regions: Regions, numbers: tuple[int, ...]) -> str:
    return " ".join(regions.rows.texts[row].strip() for row in numbers)


def _cleaned(text: str) -> str:
    text = _POINTER_LEAD.sub("", _LINE_LEAD.sub("", text))
    return " ".join(_HINT_TAIL.sub("", text).split())


def line_question(text: str) -> str:
    """The words of a one-line prompt: without the library's marks, hints and a default in brackets."""
    line = _LINE_LEAD.sub("", text.strip())
    line = _ARROW_BEFORE_CHOICE.sub(r" \1", line)
    line = _HINT_TAIL.sub("", line)
    arrow = _ARROW_TAIL.search(line)
    if arrow is not None:
        line = arrow.group(1)
    default = _DEFAULT_TAIL.search(line)
    if default is not None:
        line = default.group(1)
    return " ".join(line.split())


def prose_question(regions: Regions) -> Question | None:
    """The question that the CLI's last message ends with, or that is right above its closing list."""
    bounds = regions.message_rows
    if bounds is None:
        return None
    rows = regions.rows
    numbers = tuple(
        row for row in range(bounds[0], bounds[1] + 1) if rows.kinds[row] in (RowKind.TEXT, RowKind.BLANK)
    )
    paragraphs = _paragraphs(regions, tuple(row for row in numbers if rows.kinds[row] is RowKind.TEXT))
    for index, group in enumerate(reversed(paragraphs)):
        text = _without_glyph(regions, group)
        if _ASKS.search(text):
            return None if _CODE.search(rows.texts[group[-1]]) else Question(_last_sentence(text), group)
        listed = [row for row in group if _LIST_ITEM.search(rows.texts[row])]
        if not listed:
            return None
        lead = tuple(row for row in group if row < listed[0])
        if lead and _ASKS.search(_without_glyph(regions, lead)):
            return Question(_last_sentence(_without_glyph(regions, lead)), lead)
        if lead or index >= 8:
            return None
    return None


def _without_glyph(regions: Regions, numbers: tuple[int, ...]) -> str:
    text = _joined(regions, numbers)
    glyph = regions.rules.form.message
    match = compiled(glyph).search(text) if glyph else None
    return text[match.end() :].strip() if match is not None and match.start() == 0 else text


def _last_sentence(text: str) -> str:
    """The last sentence of a paragraph that asks, with `(yes/no)` behind it if that is there."""
    body = text
    start = 0
    for match in _SENTENCE_BREAK.finditer(body):
        if match.end() < len(body) and body[match.end()] not in "[(":
            start = match.end()
    return " ".join(body[start:].split())


def asks_yes_or_no(question: str) -> bool:
    """Whether a question in prose names yes and no as its answers."""
    return _YES_NO_TAIL.search(question) is not None
