"""What the reply panel and the compact strip say: options, reply, reason, risk, why held, countdown."""

from __future__ import annotations

from textual.content import Content

from copilot.core.reply import Proposal
from copilot.core.risk import Risk
from copilot.tui.describe import KIND_WORDS, RISK_SHAPES, RISK_TONES, countdown_left, question_line, shown_risk, why_held
from copilot.tui.model import CockpitModel
from copilot.tui.text import clean, clean_line, outside_line

_BAR_FULL, _BAR_EMPTY = "━", "╌"


def reply_content(model: CockpitModel, *, focused: bool) -> Content:
    """The panel's text, without the countdown."""
    blocks = [*_body(model, focused=focused), *_notes(model)]
    return Content("\n").join(block for block in blocks if block)


def _body(model: CockpitModel, *, focused: bool) -> list[Content]:
    view = model.view
    if view.stale:
        return [Content.styled("✗ expired", "bold $warning"), outside_line(view.stale, "italic $quiet")]
    if not model.answerable:
        return [Content.styled(_nothing(model), "$quiet")]
    if model.detection.asks and (question := question_line(view)):
        lines = [Content.styled(question, "bold")]
    else:
        lines = []
    if model.detection.options:
        lines += _options(model, focused=focused)
    if view.waiting_for_provider:
        return [*lines, _streaming(model)]
    return [*lines, *_proposed_text(model)]


def _nothing(model: CockpitModel) -> str:
    if model.over:
        return "The run is over."
    if model.view.state.value == "ANSWERING":
        return "» The reply is being typed and checked."
    return "Nothing is asked. A reply will be drafted here when something is."


def _options(model: CockpitModel, *, focused: bool) -> list[Content]:
    marked, proposed = model.marked_index(), model.proposed_index()
    lines = []
    for index, option in enumerate(model.detection.options):
        mark = "▸" if index == marked and (focused or proposed is not None or model.chosen is not None) else " "
        key = clean_line(option.key or "")
        key = f"{key} " if len(key) == 1 else ""
        tick = "" if option.checked is None else ("[x] " if option.checked else "[ ] ")
        text = f" {mark} {key}{tick}{clean_line(option.label)}"
        tail = Content.styled(" ◆ proposed", "bold $accent") if index == proposed else Content("")
        style = "bold on $chosen" if mark == "▸" else ""
        lines.append(Content.assemble((text, style), tail))
    return lines


def _streaming(model: CockpitModel) -> Content:
    if not model.streamed:
        return Content.styled("◌ a reply is being written …", "$primary")
    return Content.assemble(("◌ ", "$primary"), (clean(model.streamed), "$quiet"))


def _proposed_text(model: CockpitModel) -> list[Content]:
    proposal = model.view.proposal
    if proposal is None:
        return [] if model.secret or model.detection.options else [_by_hand()]
    if proposal.reply.text is None:
        return []
    lead = "with the words" if proposal.reply.choice is not None else ""
    block = [Content.styled(lead, "$quiet")] if lead else []
    rows = clean(proposal.reply.text).split("\n")
    return [*block, *(Content.assemble(("┃ ", "$accent"), (row, "bold")) for row in rows)]


def _by_hand() -> Content:
    return Content.styled("No reply is drafted; type in the terminal, or e to write one here.", "$quiet")


def _notes(model: CockpitModel) -> list[Content]:
    view = model.view
    if view.stale or not model.answerable:
        return []
    lines = []
    proposal = view.proposal
    if proposal is not None and proposal.reason:
        lines.append(Content.assemble(("why   ", "$quiet"), clean_line(proposal.reason), (_by(proposal), "$quiet")))
    if model.detection.asks:
        lines.append(risk_content(shown_risk(view)))
    held = why_held(model)
    if held and not model.counting_down:
        lines.append(Content.assemble(("▲ held ", "bold $warning"), held))
    if view.dry_run:
        lines.append(Content.styled("dry run: nothing is typed", "bold $accent"))
    return lines


def _by(proposal: Proposal) -> str:
    who = clean_line(proposal.model or proposal.provider)
    sure = f", {proposal.confidence:.0%} sure" if proposal.confidence < 1 else ""
    return f" ({who}{sure})" if who else ""


def risk_content(risk: Risk, *, short: bool = False) -> Content:
    """The risk by shape, word and colour, with its reason."""
    chip = Content.styled(f"{RISK_SHAPES[risk.level]} risk {risk.level.word}", f"bold ${RISK_TONES[risk.level]}")
    if short or not risk.reason:
        return chip
    return Content.assemble(chip, (f"  {clean_line(risk.reason)}", ""))


def countdown_content(model: CockpitModel, now: float, width: int) -> Content:
    """The countdown as a bar that runs out; empty if none runs."""
    view = model.view
    if view.countdown_ends_at is None:
        return Content("")
    left = countdown_left(view, now)
    words = f"▶ sends in {left} s "
    tail = "  any key stops it"
    cells = max(4, width - len(words) - len(tail) - 2)
    whole = view.decision.countdown_seconds if view.decision and view.decision.countdown_seconds else 3.0
    share = min(1.0, max(0.0, (view.countdown_ends_at - now) / whole))
    full = round(cells * share)
    return Content.assemble(
        (words, "bold $accent"),
        (_BAR_FULL * full, "$accent"),
        (_BAR_EMPTY * (cells - full), "$rule"),
        (tail, "$quiet"),
    )


def reply_summary(model: CockpitModel) -> Content:
    """The reply in one line, for the compact strip."""
    view = model.view
    if view.stale:
        return Content.assemble(("✗ expired ", "bold $warning"), outside_line(view.stale, "italic $quiet"))
    if not model.answerable:
        return Content.styled(_nothing(model), "$quiet")
    if view.waiting_for_provider:
        tail = clean_line(model.streamed)[-60:] or "a reply is being written …"
        return Content.assemble(("◌ ", "$primary"), (tail, "$quiet"))
    parts: list[Content] = []
    if (reply := model.reply_to_send(from_panel=False)) is not None:
        parts.append(Content.assemble(("◆ ", "bold $accent"), outside_line(str(reply) or "Enter", "bold")))
    if model.detection.asks:
        parts.append(risk_content(shown_risk(view), short=True))
    if held := why_held(model):
        parts.append(Content.assemble(("▲ ", "$warning"), held))
    elif view.proposal is not None and view.proposal.reason:
        parts.append(outside_line(view.proposal.reason, "$quiet"))
    if not parts:
        parts.append(Content.styled(f"{KIND_WORDS[model.detection.kind]}: type in the terminal", "$quiet"))
    return Content("  ").join(parts)
