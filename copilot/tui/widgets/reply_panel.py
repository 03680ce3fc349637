"""How the reply panel looks: options, reply, reason, risk, why held, countdown (`reply_panel.tcss`)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from textual.content import Content

from copilot.core.detection import Option
from copilot.core.plan_progress import of_plan_command
from copilot.core.reply import Proposal
from copilot.core.screen_kinds import ScreenKind
from copilot.tui.describe import countdown_left, model_name, question_line, subject_line, why_held_below_risk
from copilot.tui.model import CockpitModel
from copilot.tui.mouse import pickable
from copilot.tui.text import CHOSEN_STYLE, clean, clean_line, cut_to, hanging, noted, outside_line, rows_of
from copilot.tui.widgets.risk_text import risk_block, short_risk

_BAR_FULL, _BAR_EMPTY = "━", "╌"
_MANY_OPTIONS = 4
"""Rows for a list of which nothing is proposed, until keys go to the panel: the program shows it anyway."""
JUST_ENTER = "⏎ Enter alone"
"""How a reply without any text is shown."""


@dataclass(frozen=True, slots=True)
class Room:
    """The panel's inner size, whether it has the focus, whether it must repeat the question, and whether the
    reply is in its editor."""

    width: int = 76
    height: int = 10
    focused: bool = False
    asked: bool = True
    editing: bool = False


def reply_content(model: CockpitModel, room: Room) -> Content:
    """The panel's text, without the countdown: what would be sent, its risk, why it is held, its reason."""
    notes = [block for block in _notes(model, room) if block]
    reason = _reason(model)
    below = _rows(notes, room) + (rows_of(reason.whole(room.width), room.width) if reason else 0)
    if room.editing and model.answerable and not model.view.waiting_for_provider:
        return _edited_content(model, room, notes, reason)
    body = [block for block in _body(model, room, below) if block]
    said = [*body, *notes, *([reason] if reason else [])]
    roomy = len(said) + 3 <= room.height and _rows(body, room) + below < room.height
    gap = [Content("")] if body and len(said) > len(body) and roomy else []
    rows = _rows([*body, *gap, *notes], room)
    fitted = [reason.fitted(room, max(1, room.height - rows))] if reason else []
    return Content("\n").join([*body, *gap, *notes, *fitted])


def _edited_content(model: CockpitModel, room: Room, notes: list[Content], reason: _Reason | None) -> Content:
    """What is above the editor; last the option that the words go with, since the end stays in sight."""
    options = model.detection.options
    marked = model.marked_index()
    chosen = (
        [_OptionLine(options[marked], marked=True, proposed=False).whole(room.width)]
        if marked is not None
        else []
    )
    asked = question_line(model.view) if room.asked else ""
    head = [Content.styled(asked, "bold"), *notes] if asked else notes
    rows = _rows([*head, *chosen], room)
    if rows > room.height:
        head, chosen = _brief_head(model, room, len(chosen)), [line.truncate(room.width) for line in chosen]
        rows = len(head) + len(chosen)
    fitted = [reason.fitted(room, room.height - rows)] if reason and rows < room.height else []
    return Content("\n").join([*head, *fitted, *chosen])


def _brief_head(model: CockpitModel, room: Room, below: int) -> list[Content]:
    """The same where it would push the editor out of sight: what is asked about, and the risk, a row each."""
    has_risk = model.detection.asks and not model.secret
    risk = [short_risk(model.seen, marked=model.marked_risk)] if has_risk else []
    asked = [Content.styled(subject_line(model.view), "bold")] if room.asked else []
    lines = [*asked, *risk][: max(0, room.height - below)]
    return [line.truncate(room.width, ellipsis=True) for line in lines]


def _rows(blocks: list[Content], room: Room) -> int:
    return sum(rows_of(block, room.width) for block in blocks)


def _body(model: CockpitModel, room: Room, below: int) -> list[Content]:
    """What would be sent, over `below` rows of what is said about it."""
    view = model.view
    lines = expired(model)
    if lines and not (model.answerable and model.detection.asks):
        return lines
    lines = [Content("  ").join(lines).truncate(room.width, ellipsis=True)] if lines else []
    if not model.answerable:
        return [Content.styled(nothing_asked(model), "$quiet")]
    if room.asked and model.detection.asks and (question := question_line(view)):
        lines.append(Content.styled(question, "bold"))
    words = [_streaming(model)] if view.waiting_for_provider else _proposed_text(model, room)
    if model.detection.options:
        lines += _options(model, room, max(3, room.height - below - _rows([*lines, *words], room)))
    return [*lines, *words]


def expired(model: CockpitModel) -> list[Content]:
    """Why the last reply died, and that reply struck through; nothing if none did."""
    stale, reply = model.view.stale, model.expired.reply if model.expired is not None else None
    if not stale:
        return []
    why = Content.assemble(("✗ expired  ", "bold $warning"), outside_line(stale, "italic $quiet"))
    if reply is None or not str(reply):
        return [why]
    return [why, Content.assemble(("it was  ", "$quiet"), outside_line(str(reply), "strike $quiet"))]


def nothing_asked(model: CockpitModel) -> str:
    if model.over:
        leave = model.offers.get("quit")
        return f"The run is over; {leave} leaves." if leave else "The run is over."
    if model.view.state.value == "ANSWERING":
        return "» The reply is being typed and checked."
    if model.needs_person and model.detection.kind is ScreenKind.UNKNOWN:
        say = model.offers.get("label")
        return "Answer it in the terminal" + (f", or {say} to say what it is." if say else ".")
    return "Nothing is asked. A reply will be drafted here when something is."


def _options(model: CockpitModel, room: Room, most: int) -> list[Content]:
    """One line for each option; of many only those near the mark."""
    marked, proposed = model.marked_index(), model.proposed_index()
    shows_mark = room.focused or proposed is not None or model.chosen is not None
    total = len(model.detection.options)
    if total > _MANY_OPTIONS and not shows_mark:
        most = min(most, _MANY_OPTIONS)
    shown = most if total <= most else max(2, most - 1)
    first = max(0, min((marked or 0) - shown // 2, total - shown))
    last = min(total, first + shown)
    options = [
        _OptionLine(option, marked=shows_mark and index == marked, proposed=index == proposed)
        for index, option in enumerate(model.detection.options)
    ]
    lines = [one.cut(room.width) for one in options[first:last]]
    if total <= most:
        # A label that is cut may lose what it grants: whole, over several rows, where there is room for all.
        whole = [one.whole(room.width) for one in options]
        lines = whole if _rows(whole, room) <= most else lines
    lines = [pickable(line, index) for index, line in enumerate(lines, first)]
    if last - first < total:
        lines.append(Content.styled(f"   {first + 1}-{last} of {total}", "$quiet"))
    return lines


@dataclass(frozen=True, slots=True)
class _OptionLine:
    """An option as it is shown: its mark and key, its label, whether it is the proposed one."""

    option: Option
    marked: bool
    proposed: bool

    def whole(self, width: int) -> Content:
        """Over as many rows as it takes, each begun where the label begins."""
        return hanging(self._head(), self._label() + self._tail(), width)

    def cut(self, width: int) -> Content:
        tail = self._tail()
        line = self._head() + self._label()
        return line.truncate(max(12, width - tail.cell_length), ellipsis=True) + tail

    def _styled(self, text: str) -> Content:
        return Content.styled(text, CHOSEN_STYLE) if self.marked else Content(text)

    def _head(self) -> Content:
        return self._styled(f" {'▸' if self.marked else ' '} {before_label(self.option)}")

    def _label(self) -> Content:
        return self._styled(f"{clean_line(self.option.label)} ")

    def _tail(self) -> Content:
        return Content.styled(" ◆ proposed", "bold $accent") if self.proposed else Content("")


def before_label(option: Option) -> str:
    """What comes before an option's label: its key, its tick."""
    key = clean_line(option.key or "")
    tick = "" if option.checked is None else ("[x] " if option.checked else "[ ] ")
    return f"{key + ' ' if len(key) == 1 else ''}{tick}"


_MEMBER = re.compile(r'"(choice|text|reason|clarification)"\s*:\s*"((?:[^"\\]|\\.)*)')


def readable_stream(raw: str) -> str:
    """What has come of a structured reply so far, without its brackets and quotes; prose as it is."""
    if not raw.lstrip().startswith("{"):
        return raw
    members = [(name, value.replace("\\n", "\n").replace('\\"', '"')) for name, value in _MEMBER.findall(raw)]
    return "\n".join(f"{name}: {value}" for name, value in members) or "…"


def _streaming(model: CockpitModel) -> Content:
    if not model.streamed:
        return Content.styled("◌ a reply is being written …", "$primary")
    return Content.assemble(("◌ ", "$primary"), (clean(readable_stream(model.streamed)), "$quiet"))


def _proposed_text(model: CockpitModel, room: Room) -> list[Content]:
    proposal = model.proposal
    if proposal is None:
        return [] if model.secret or model.detection.options else [_by_hand(model, room)]
    if proposal.reply.text is None:
        return []
    if not proposal.reply.text and proposal.reply.choice is None:
        return [Content.assemble(("┃ ", "$accent"), (JUST_ENTER, "bold"), ("  takes the default", "$quiet"))]
    lead = "with the words" if proposal.reply.choice is not None else ""
    by_us = of_plan_command(model.detection)
    lead = "run by copilot, not typed at the program" if by_us else lead
    block = [Content.styled(lead, "$quiet")] if lead else []
    bar = Content.styled("$ " if by_us else "┃ ", "$accent")
    rows = clean(proposal.reply.text).split("\n")
    return [*block, *(hanging(bar, Content.styled(row, "bold"), room.width, again=bar) for row in rows)]


def where_keys_go(model: CockpitModel) -> str:
    """What to do where nothing is drafted."""
    return f"keys look back; {model.back_key} returns" if model.back_key else "type in the terminal"


def _by_hand(model: CockpitModel, room: Room) -> Content:
    """A bare key is named only where it is ours: elsewhere it would be typed at the program."""
    if model.back_key:
        return Content.styled(f"No reply is drafted; {where_keys_go(model)}.", "$quiet")
    write = (model.panel_keys if room.focused else model.offers).get("edit")
    here = f", or {write} to write one here" if write else ""
    return Content.styled(f"No reply is drafted; type in the terminal{here}.", "$quiet")


def _notes(model: CockpitModel, room: Room) -> list[Content]:
    view = model.seen
    if not model.answerable or (view.stale and not model.detection.asks):
        return []
    lines = []
    if model.detection.asks and not model.secret:
        lines += risk_block(view, room.width, model.marked_risk)
    if held := _held(model):
        keys = model.panel_keys if room.focused else model.offers
        allow = keys.get("allow") if model.may_allow else None
        hint = Content.assemble((f"  {allow}", "bold $primary"), (" allows exactly this", "$quiet"))
        word = "▲ held  " if view.proposal is not None else "▲ your turn  "
        lines.append(
            noted(Content.styled(word, "bold $warning"), Content(held), room.width, hint if allow else None)
        )
    if view.dry_run:
        lines.append(Content.styled("dry run: nothing is typed", "bold $accent"))
    return lines


def _held(model: CockpitModel) -> str:
    """Why it is held, where that is shown."""
    held = why_held_below_risk(model)
    return "" if model.counting_down or held in model.seen.stale else held


@dataclass(frozen=True, slots=True)
class _Reason:
    """Why this reply, and who says so."""

    said: str
    by: Content

    def whole(self, width: int, *, by: bool = True) -> Content:
        """In rows; who said it is on one of them."""
        tail = self.by if by and self.by.plain else None
        return noted(Content.styled("≡ why  ", "$quiet"), Content(self.said), width, tail)

    def fitted(self, room: Room, rows: int) -> Content:
        """In so many rows: without who gave it if that does not fit, and cut only if it must be."""
        whole = self.whole(room.width)
        if room.focused or len(whole.split("\n")) <= rows:
            return whole
        return cut_to(self.whole(room.width, by=False), rows, room.width)


def _reason(model: CockpitModel) -> _Reason | None:
    proposal = model.seen.proposal
    if not model.answerable or (model.seen.stale and not model.detection.asks):
        return None
    if proposal is None or not proposal.reason or clean_line(proposal.reason) == _held(model):
        return None
    return _Reason(clean_line(proposal.reason), Content.styled(_by(proposal), "$quiet"))


def _by(proposal: Proposal) -> str:
    who = clean_line(model_name(proposal.model) or proposal.provider)
    sure = f", {proposal.confidence:.0%} sure" if proposal.confidence < 1 else ""
    return f" ({who}{sure})" if who else ""


def countdown_content(model: CockpitModel, now: float, width: int, *, brief: bool = False) -> Content:
    """The countdown as a bar that runs out; empty if none runs. `brief`: without what is shown elsewhere."""
    if not model.counting_down:
        return Content("")
    words = f"▶ {'' if brief else 'sends '}in {countdown_left(model.view, now)} s "
    tail = "" if brief else "  any key stops it"
    bar = _countdown_bar(model, now, width - len(words) - len(tail) - 2)
    return Content.assemble((words, "bold $accent"), bar, (tail, "bold"))


def _countdown_bar(model: CockpitModel, now: float, cells: int) -> Content:
    view, cells = model.view, max(4, cells)
    whole = view.decision.countdown_seconds if view.decision and view.decision.countdown_seconds else 3.0
    share = min(1.0, max(0.0, ((view.countdown_ends_at or now) - now) / whole))
    full = round(cells * share)
    return Content.assemble((_BAR_FULL * full, "$accent"), (_BAR_EMPTY * (cells - full), "$rule"))
