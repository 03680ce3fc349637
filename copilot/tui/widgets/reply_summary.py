"""The reply in one line: what the compact strip says, and the one line where that is all of ours."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content

from copilot.tui.describe import KIND_WORDS, countdown_left, why_held
from copilot.tui.model import CockpitModel
from copilot.tui.text import clean_line, outside_line
from copilot.tui.widgets.reply_text import (
    JUST_ENTER,
    countdown_bar,
    expired,
    nothing_asked,
    readable_stream,
)
from copilot.tui.widgets.risk_text import short_risk

_UNBOUND = 10_000
_LEAST_REPLY, _LEAST_HELD, _LEAST_WHY = 36, 12, 16
_LEAST_BAR = 8


def reply_summary(model: CockpitModel, width: int = _UNBOUND) -> Content:
    """Risk and what holds it stand before the reply: that may be long, and its end is what is cut."""
    view = model.seen
    if lines := expired(model):
        return _joined(lines)
    if not model.answerable:
        return Content.styled(nothing_asked(model), "$quiet")
    if view.waiting_for_provider:
        tail = clean_line(readable_stream(model.streamed))[-60:] or "a reply is being written …"
        return Content.assemble(("◌ ", "$primary"), (tail, "$quiet"))
    reply = _reply(model)
    parts: list[Content] = []
    if place := model.drafts.place:
        parts.append(Content.styled(f"draft {place}", "$quiet"))
    parts += _risk(model)
    if held := why_held(model):
        kept = min(_LEAST_REPLY, reply.cell_length) if reply else 0
        why = Content.assemble(("▲ ", "$warning"), held)
        parts.append(_cut(why, max(_LEAST_HELD, _left(parts, width) - kept - 2)))
    if reply:
        parts.append(_cut(reply, _left(parts, width)))
    if not held and view.proposal is not None and _left(parts, width) >= _LEAST_WHY:
        parts.append(_cut(outside_line(view.proposal.reason, "$quiet"), _left(parts, width)))
    if not parts:
        parts.append(Content.styled(f"{KIND_WORDS[model.detection.kind]}: type in the terminal", "$quiet"))
    return _joined(part for part in parts if part.plain)


def reply_is_cut(model: CockpitModel, width: int) -> bool:
    """Whether the line of so many cells shows only the beginning of the reply."""
    if not model.answerable or model.seen.waiting_for_provider or expired(model):
        return False
    return _reply(model).plain not in reply_summary(model, width).plain


def counting_summary(model: CockpitModel, now: float, width: int) -> Content:
    """The reply and its risk while it is about to be sent. That any key stops it is told by the key bar."""
    parts = _risk(model)
    seconds = Content.styled(f" {countdown_left(model.view, now)} s", "bold $accent")
    beside = seconds.cell_length + _LEAST_BAR + 2
    if reply := _reply(model):
        parts.insert(0, _cut(reply, _left(parts, width) - beside))
    bar = countdown_bar(model, now, _left(parts, width) - seconds.cell_length)
    return _joined([*parts, bar + seconds])


def _reply(model: CockpitModel) -> Content:
    reply = model.reply_to_send(from_panel=False)
    if reply is None:
        return Content("")
    return Content.assemble(("◆ ", "bold $accent"), outside_line(str(reply) or JUST_ENTER, "bold"))


def _risk(model: CockpitModel) -> list[Content]:
    return [short_risk(model.seen)] if model.detection.asks and not model.secret else []


def _left(parts: list[Content], width: int) -> int:
    """The cells that are left behind these parts and the gap."""
    return width - sum(part.cell_length + 2 for part in parts)


def _cut(part: Content, cells: int) -> Content:
    return part.truncate(max(1, cells), ellipsis=True)


def _joined(parts: Iterable[Content]) -> Content:
    return Content("  ").join(parts)
