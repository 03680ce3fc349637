"""The context panel: exactly what the model saw, each part with its share of the tokens, and what was cut."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from copilot.core.provider_registry import asks_a_model, what_it_saw
from copilot.core.reply import Autonomy, PromptPart, ReplyRequest
from copilot.engine.view import SessionView
from copilot.tui.describe import count, model_name, money
from copilot.tui.text import clean, clean_line
from copilot.tui.widgets.key_bar import KeyHints

_BAR_CELLS = 10
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def why_nothing(view: SessionView) -> str:
    """Why there is nothing that a model saw."""
    if view.provider == "rules":
        return "Offline rules write the replies; no model is asked."
    if view.autonomy is Autonomy.WATCH:
        return "At level watch, no model is asked."
    return "No model was asked about this." if view.tokens else "No model has been asked yet."


def context_summary(view: SessionView) -> Content:
    """Parts with bars and shares; no texts."""
    request = view.request
    if request is None:
        return Content.styled(why_nothing(view), "$quiet")
    sent = _sent(view, request)
    total = sum(part.tokens for part in sent)
    lines = [_totals(view, request, total)]
    if not asks_a_model(view.provider):
        return Content("\n").join([*lines, *_warnings(request)])
    percents = _percents([part.tokens for part in sent])
    lines += [_part_line(part, total, percent) for part, percent in zip(sent, percents, strict=True)]
    return Content("\n").join([*lines, *_warnings(request)])


def _warnings(request: ReplyRequest) -> list[Content]:
    return [Content.styled(f"! {clean_line(warning)}", "$warning") for warning in request.warnings]


def context_whole(view: SessionView) -> Content:
    """Everything that was sent, part by part, word for word (redacted as it was).

    What is no model gets no system prompt, and counts no tokens.
    """
    request = view.request
    if request is None:
        return Content.styled(why_nothing(view), "$quiet")
    blocks = [context_summary(view)]
    if view.governing_version > 1:
        blocks.append(Content.styled(f"governing prompt: version {view.governing_version}", "$accent"))
    by_model = asks_a_model(view.provider)
    for part in _sent(view, request):
        details = [f"{count(part.tokens)} tokens"] if by_model else []
        details += ["cut to fit"] if part.cut else []
        blocks += [Content(""), _heading(clean_line(part.name), " · ".join(details))]
        blocks.append(Content(clean(part.text).rstrip("\n")))
    return Content("\n").join(blocks)


def _sent(view: SessionView, request: ReplyRequest) -> tuple[PromptPart, ...]:
    """What went to the provider; the system prompt is for models only."""
    if not (asks_a_model(view.provider) and request.system):
        return request.parts
    return (PromptPart("system", request.system, request.system_tokens), *request.parts)


def _heading(name: str, detail: str) -> Content:
    return Content.assemble(("── ", "$rule"), (name, "bold $primary"), (f"  {detail}", "$quiet"))


def _totals(view: SessionView, request: ReplyRequest, total: int) -> Content:
    who = clean_line(" ".join(part for part in (view.provider, model_name(view.model)) if part))
    redacted = f"{request.redactions} redacted · " if request.redactions else ""
    tokens = f" · {count(total)} tokens" if asks_a_model(view.provider) else ", no model is asked"
    said = f"{who}{tokens}\n{redacted}{money(view.cost_usd)} in all"
    if not _in_use(view):
        said += "\nfor the last reply; nothing is asked now"
    return Content.styled(said, "$quiet")


def _in_use(view: SessionView) -> bool:
    """Whether the request is that of what is asked now."""
    return view.detection.asks or view.waiting_for_provider


def _percents(tokens: Sequence[int]) -> list[int]:
    """Whole percents that are 100 together: the largest remainders are rounded up."""
    total = sum(tokens)
    if not total:
        return [0] * len(tokens)
    percents = [100 * count // total for count in tokens]
    by_remainder = sorted(range(len(tokens)), key=lambda index: -(100 * tokens[index] % total))
    for index in by_remainder[: 100 - sum(percents)]:
        percents[index] += 1
    return percents


def _part_line(part: PromptPart, total: int, percent: int) -> Content:
    share = part.tokens / total if total else 0.0
    return Content.assemble(
        (_bar(share), "$primary"),
        (f" {percent:>3}% ", "$quiet"),
        clean_line(part.name),
        (" ✂ cut" if part.cut else "", "$warning"),
    )


def _bar(share: float) -> str:
    eighths = round(share * _BAR_CELLS * 8)
    whole, rest = divmod(eighths, 8)
    return ("█" * whole + (_EIGHTHS[rest] if rest else "")).ljust(_BAR_CELLS)


class ContextPanel(VerticalScroll, can_focus=False, inherit_bindings=False):
    """All of it, scrolled by the wheel; the same as a page of its own is a key away."""

    BORDER_TITLE = "what the model saw"

    _shown: tuple[object, ...] | None = None

    def compose(self) -> ComposeResult:
        yield Static(id="context-text")

    def show(self, view: SessionView) -> None:
        seen = view.request, view.cost_usd, view.governing_version, view.provider, view.autonomy
        wanted = (*seen, _in_use(view))
        if wanted != self._shown:
            self._shown = wanted
            self.border_title = what_it_saw(view.provider)
            self.query_one("#context-text", Static).update(context_whole(view))

    def on_click(self) -> None:
        self.post_message(KeyHints.Chosen("context"))
