"""What the panel says about the risk: the verdict, its rule and reasons, and the part that decided it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from textual.content import Content

from copilot.core.detection import Detection
from copilot.core.risk import Risk, RiskLevel
from copilot.engine.view import SessionView
from copilot.guard.grants import GrantLine
from copilot.tui.describe import RISK_SHAPES, RISK_TONES, risk_style, shown_risk
from copilot.tui.mouse import pickable
from copilot.tui.text import CHOSEN_STYLE, clean, clean_line, noted
from copilot.tui.widgets.links import Piece

# Where the part of a command that decided its risk is on the screen, cell by cell, over wrapped rows.
#
# A dialog breaks a command where its box is full and frames it, so the text is compared without blanks
# and without the edges of boxes. What is not found for certain is not marked.


_EDGES = frozenset("│┃║▌▏▎▕")
LEAST_MARKED = RiskLevel.MEDIUM
"""Below this nothing needs to be pointed out in the terminal."""

_Place = tuple[int, int, str]
"""Row, column, and the character there."""


def risk_places(detection: Detection, risk: Risk, cells: Callable[[int], Sequence[str]]) -> tuple[Piece, ...]:
    """The cells of the deciding part of `risk`; empty if it is not plain where they are.

    `cells` gives the cells of a row of the screen, "" for the second half of a wide character.
    """
    if not risk.part.strip() or not detection.asks or risk.level < LEAST_MARKED:
        return ()
    subject = detection.subject
    rows = subject.rows if subject is not None and subject.rows else detection.evidence
    stream = _stream(sorted(set(rows)), cells)
    begin, end = _found(stream, subject.text if subject is not None else detection.question or "", risk)
    return tuple(_pieces(stream[begin:end], cells))


def _stream(rows: Iterable[int], cells: Callable[[int], Sequence[str]]) -> list[_Place]:
    return [
        (row, column, character)
        for row in rows
        for column, cell in enumerate(cells(row))
        for character in _bare(cell)
    ]


def _bare(text: str) -> str:
    """Without blanks and edges, letters in lower case where that keeps them one character."""
    kept = (character for character in text if not character.isspace() and character not in _EDGES)
    return "".join(low if len(low := character.lower()) == 1 else character for character in kept)


def _found(stream: list[_Place], whole: str, risk: Risk) -> tuple[int, int]:
    """Begin and end of the part in the stream; both 0 if it is not found, or found in several places."""
    shown, text, part = "".join(place[2] for place in stream), _bare(whole), _bare(risk.part)
    base = _only(shown, text)
    if base is not None and risk.start is not None:
        begin = base + len(_bare(whole[: risk.start]))
        return (begin, begin + len(part)) if shown[begin : begin + len(part)] == part else (0, 0)
    inside = _only(text, part) if base is not None else None
    begin_ = base + inside if base is not None and inside is not None else _only(shown, part)
    return (0, 0) if begin_ is None else (begin_, begin_ + len(part))


def _only(text: str, wanted: str) -> int | None:
    """Where `wanted` is in `text`, if it is there exactly once."""
    first = text.find(wanted) if wanted else -1
    return None if first < 0 or text.find(wanted, first + 1) >= 0 else first


def _pieces(places: Sequence[_Place], cells: Callable[[int], Sequence[str]]) -> Iterable[Piece]:
    """The places as one piece for each row, from the first to the last column."""
    for row in dict.fromkeys(place[0] for place in places):
        columns = [place[1] for place in places if place[0] == row]
        end, line = columns[-1] + 1, cells(row)
        while end < len(line) and line[end] == "":
            end += 1
        yield Piece(row, columns[0], end)


_LEAST_EXCERPT = 16
_BEFORE = 12
"""Cells before the deciding part that an excerpt keeps."""


def risk_chip(risk: Risk) -> Content:
    return _chip(risk.level, f"risk {risk.level.word}")


def _chip(level: RiskLevel, words: str) -> Content:
    # The shape is never reversed: a high bar would look like a low one.
    return Content.assemble(
        (f"{RISK_SHAPES[level]} ", f"bold ${RISK_TONES[level]}"), (words, risk_style(level))
    )


def short_risk(view: SessionView, *, marked: Risk | None = None, brief: bool = False) -> Content:
    """The level alone, of the `marked` option if there is one.

    Where saying yes is more than what would be sent, that of saying yes: of which `brief` leaves out
    the word "risk".
    """
    risk, risk_of_yes = marked or shown_risk(view), view.risk
    of_a_yes = risk_of_yes.level > RiskLevel.NONE and marked is None and _of_a_yes(view)
    if risk_of_yes.level <= risk.level and not of_a_yes:
        return risk_chip(risk)
    chip = _chip(risk_of_yes.level, risk_of_yes.level.word) if brief else risk_chip(risk_of_yes)
    return Content.assemble(("yes: ", "$quiet"), chip)


def _of_a_yes(view: SessionView) -> bool:
    """Whether the risk that is shown is that of saying yes, as no reply is decided about."""
    return view.decision is None and view.detection.asks


def risk_content(risk: Risk) -> Content:
    if not risk.reason:
        return risk_chip(risk)
    return Content.assemble(risk_chip(risk), (f"  {clean_line(risk.reason)}", ""))


def risk_block(view: SessionView, width: int, own: Risk | None = None) -> list[Content]:
    """The risk of what would be sent; `own` is that of an option that the person has marked.

    Where that is not what saying yes would be, that too; what decided.
    """
    risk, risk_of_yes = own or shown_risk(view), view.risk
    of_what = "the marked one: " if own else "saying yes: " if _of_a_yes(view) else ""
    lines = [_risk_row(of_what, risk, view, width)]
    if risk_of_yes.level > risk.level:
        lines.append(_risk_row("  saying yes: ", risk_of_yes, view, width))
    deciding = risk if own and own.part else risk_of_yes if risk_of_yes.part else risk
    text = judged_text(view)
    if deciding.rule and (deciding.part or view.detection.subject is not None):
        rule = Content.styled(f"  {clean_line(deciding.rule)}", "$quiet")
        beside = width - rule.cell_length - 4
        shown = marked(text, deciding, most=beside if beside >= _LEAST_EXCERPT else width - 2)
        lines.append(noted(Content("  "), shown, width, rule) if shown else rule)
    return lines


def _risk_row(of_what: str, risk: Risk, view: SessionView, width: int) -> Content:
    said = allowed_words(risk, view.grants) if risk.grants and risk.reasons else clean_line(risk.reason)
    head = Content.assemble((of_what, "$quiet"), risk_chip(risk))
    return noted(head + "  ", Content(said), width) if said else head


def judged_text(view: SessionView) -> str:
    """The text that was judged: the command or path, else the question."""
    subject = view.detection.subject
    return subject.text if subject is not None else view.detection.question or ""


def marked(text: str, risk: Risk, *, most: int | None = None) -> Content:
    """`text` with the deciding part marked; of `most` cells, on one line, the part in sight.

    A part that is not in the text word for word is shown by itself.
    """
    start = _start(text, risk)
    if start < 0:
        text, start = risk.part, 0
    tidy = clean if most is None else _one_line
    end = start + len(risk.part)
    before, part, after = tidy(text[:start]), tidy(text[start:end]), tidy(text[end:])
    if most is not None and len(before) + len(part) + len(after) > most and len(before) > _BEFORE:
        before = "… " + before[-_BEFORE:].partition(" ")[2]
    style = f"underline {risk_style(risk.level)}"
    whole = Content.assemble(before, (part, style), after)
    return whole if most is None else whole.truncate(most, ellipsis=True)


def _start(text: str, risk: Risk) -> int:
    """Where the deciding part begins in the text; -1 if it is not there. Words are kept folded."""
    if risk.start is not None and text.startswith(risk.part, risk.start):
        return risk.start
    folded = text.casefold()
    return folded.find(risk.part.casefold()) if len(folded) == len(text) else text.find(risk.part)


def _one_line(text: str) -> str:
    return clean(text).replace("\n", "⏎")


_SHAPES = {
    "open": ("●", "success"),
    "used up": ("○", "quiet"),
    "over": ("○", "quiet"),
    "revoked": ("✗", "warning"),
}
_WHO = {"you": "by you", "settings": "by your settings"}


def grant_content(line: GrantLine, width: int, *, chosen: bool) -> Content:
    """One grant in two lines: the rule, and what became of it."""
    shape, tone = _SHAPES.get(line.state, ("○", "quiet"))
    style = CHOSEN_STYLE if chosen else ""
    head = Content.assemble(
        (f" {'▸' if chosen else ' '} {shape} ", f"${tone}"), (clean_line(line.rule), style)
    )
    said = [line.state if line.state != "open" else "allowed", _WHO.get(line.by, clean_line(line.by))]
    said.append(f"used {line.used}×" if line.left is None else f"used {line.used}×, {line.left} left")
    if line.until is not None:
        said.append(f"until {_clock(line.until)}")
    elif line.state == "open":
        said.append("for this run")
    tail = Content.styled("     " + " · ".join(said), "$quiet")
    return Content("\n").join([head.truncate(width, ellipsis=True), tail.truncate(width, ellipsis=True)])


def grants_content(lines: tuple[GrantLine, ...], chosen: int, width: int) -> Content:
    """All of them; what to do where there are none."""
    if not lines:
        return Content.styled("Nothing is allowed beyond what the level sends.", "$quiet")
    return Content("\n").join(
        pickable(grant_content(line, width, chosen=index == chosen), index)
        for index, line in enumerate(lines)
    )


def allowed_words(risk: Risk, lines: Sequence[GrantLine]) -> str:
    """The reasons of a risk that a grant has lifted, with who allowed it and for how long."""
    used = [line for line in lines if line.rule in risk.grants]
    limits = {f"{_WHO.get(line.by, '')} {_span(line)}" for line in used}
    words = f" {limits.pop().strip()}" if len(limits) == 1 else ""
    first, *more = (clean_line(reason) for reason in sorted(risk.reasons, key=_is_plain))
    return "; ".join([first.replace(_LIFTED, f"allowed{words}, else high: ", 1), *more])


_LIFTED = "allowed: "
"""How the judge begins a reason that a grant has lifted."""


def _is_plain(reason: str) -> bool:
    return not reason.startswith(_LIFTED)


def _span(line: GrantLine) -> str:
    if line.until is not None:
        return f"until {_clock(line.until)}"
    if line.left is None:
        return "for this run"
    return "once" if line.left + line.used == 1 else f"{line.left + line.used} times"


def _clock(at: float) -> str:
    return datetime.fromtimestamp(at).strftime("%H:%M")
