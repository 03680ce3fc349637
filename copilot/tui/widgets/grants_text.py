"""The grants of a run as lines: what is allowed, how often still, until when, and who gave it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from textual.content import Content

from copilot.core.risk import Risk
from copilot.guard.grants_book import GrantLine
from copilot.tui.picking import pickable
from copilot.tui.text import CHOSEN_STYLE, clean_line

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
    told = {f"{_WHO.get(line.by, '')} {_span(line)}" for line in used}
    words = f" {told.pop().strip()}" if len(told) == 1 else ""
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
