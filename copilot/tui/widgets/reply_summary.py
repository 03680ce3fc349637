"""The reply in one line: what the compact strip says, and the one line where that is all of ours."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from copilot.core.plan_progress import shown_kind
from copilot.tui.describe import badge, why_held
from copilot.tui.model import CockpitModel
from copilot.tui.text import clean_line, cut_at_word, outside_line
from copilot.tui.widgets.reply_panel import (
    JUST_ENTER,
    countdown_content,
    expired,
    nothing_asked,
    readable_stream,
    where_keys_go,
)
from copilot.tui.widgets.risk_text import short_risk

_LEAST_FIRST, _LEAST_WHY, _LEAST_BAR = 16, 20, 22
"""Cells of a reply, of why it is held, and of its countdown that stay where there is not room for all."""
_FIRST_BESIDE_WHY = 24
"""A reply cut to fewer cells than these says nothing: then it has the place of why it is held."""


def reply_summary(model: CockpitModel, width: int) -> Content:
    """Of `width` cells. The reply is cut before its risk and why it is held."""
    view = model.seen
    risk = _risk(model)
    if lines := expired(model):
        return _one_line(Content("  ").join(lines), risk, width)
    if not model.answerable:
        return Content.styled(nothing_asked(model), "$quiet")
    if view.waiting_for_provider:
        tail = clean_line(readable_stream(model.streamed))[-60:] or "a reply is being written …"
        return _one_line(Content.assemble(("◌ ", "$primary"), (tail, "$quiet")), risk, width)
    why: list[Content] = []
    if held := why_held(model):
        why = [Content.assemble(("▲ ", "$warning"), held)]
    elif view.proposal is not None and view.proposal.reason:
        why = [outside_line(view.proposal.reason, "$quiet")]
    place = [Content.styled(f"draft {place}", "$quiet")] if (place := model.drafts.place) else []
    if reply := _reply(model):
        first = Content("  ").join([*place, reply])
        whole = sum(part.cell_length + 2 for part in (first, *risk, *why)) - 2
        return _one_line(first, risk if whole <= width else _risk(model, brief=True), width, why)
    if not (place or risk or why):
        return Content.styled(f"{shown_kind(model.detection)}: {where_keys_go(model)}", "$quiet")
    return Content("  ").join([*place, *risk, *why])


def short_summary(model: CockpitModel, now: float) -> Content:
    """State, reply and risk in few cells, for the line that has keys as well."""
    state, reply = badge(model, now), _reply(model)
    head = Content.styled(f"{state.shape} {state.word}", f"bold ${state.tone}")
    cut = [reply.truncate(_LEAST_FIRST, ellipsis=True)] if reply else []
    return Content(" ").join([head, *cut, *_risk(model, brief=True)])


def counting_summary(model: CockpitModel, now: float, width: int) -> Content:
    """The reply and its risk while it is about to be sent. The key bar says that any key stops it."""
    reply = _one_line(_reply(model), _risk(model), width - _LEAST_BAR)
    return Content("  ").join(
        [reply, countdown_content(model, now, width - reply.cell_length - 2, brief=True)]
    )


def reply_is_cut(model: CockpitModel, width: int) -> bool:
    """Whether the line of so many cells shows only the beginning of the reply."""
    if not model.answerable or model.seen.waiting_for_provider or expired(model):
        return False
    return _reply(model).plain not in reply_summary(model, width).plain


def _reply(model: CockpitModel) -> Content:
    reply = model.reply_to_send(from_panel=False)
    if reply is None:
        return Content("")
    return Content.assemble(("◆ ", "bold $accent"), outside_line(str(reply) or JUST_ENTER, "bold"))


def _risk(model: CockpitModel, *, brief: bool = False) -> list[Content]:
    has_risk = model.detection.asks and not model.secret and model.answerable
    return [short_risk(model.seen, marked=model.marked_risk, brief=brief)] if has_risk else []


def _one_line(first: Content, risk: list[Content], width: int, why: Sequence[Content] = ()) -> Content:
    """`first`, the risk, and why it is held; too long, it is cut, and the reason cut or left out."""
    taken = sum(part.cell_length + 2 for part in risk)
    beside = sum(min(part.cell_length, _LEAST_WHY) + 2 for part in why)
    long = first.cell_length > _LEAST_FIRST
    if long and width - taken - beside < min(first.cell_length, _FIRST_BESIDE_WHY):
        why, beside = (), 0
    taken += beside
    parts = [first, *risk, *why]
    if first.cell_length > width - taken:
        parts[0] = first.truncate(max(_LEAST_FIRST, width - taken), ellipsis=True)
    if why:
        parts[-1] = cut_at_word(parts[-1], width - sum(part.cell_length + 2 for part in parts[:-1]))
    return Content("  ").join(parts)
