"""The status bar and the key bar of a replay."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from copilot.recording.story import Story
from copilot.tui.replay.describe import STATES
from copilot.tui.replay.keys import ACTIONS, Place, shown
from copilot.tui.replay.model import ReplayModel, clock
from copilot.tui.text import clean_line


def status_content(model: ReplayModel, width: int, note: str, indexed: float) -> Content:
    """One line: playing or not, where, which prompt, what it is; a note takes the place of the name."""
    moment = model.moment
    sign = STATES[moment.state]
    shape = "▶" if model.playing else "■"
    speed = f"{model.speed:g}x" + ("" if model.skips_idle else " all")
    parts = [
        Content.assemble((f" {shape} {speed} ", "bold $on-badge on $primary")),
        Content.assemble((f"{sign.shape} {sign.word}", f"bold ${sign.tone}")),
        Content.styled(f"{clock(model.at)} / {clock(model.duration)}", "bold"),
    ]
    place = prompt_place(model.story, model.at)
    if place:
        parts.append(Content(place))
    if indexed < 1:
        parts.append(Content.styled(f"reading {indexed:.0%}", "$warning"))
    if model.query:
        found = f"{len(model.hits)} found" + ("…" if model.searching else "")
        parts.append(Content.assemble(("/", "$primary"), clean_line(model.query), (f" {found}", "$warning")))
    left = Content.styled(" │ ", "$rule").join(parts)
    room = width - left.cell_length - 2
    right = Content.styled(clean_line(note or model.recorded.name), "bold $accent" if note else "$quiet")
    if room < 8:
        return left.truncate(width, ellipsis=True) if not note else right.truncate(width, ellipsis=True)
    right = right.truncate(room, ellipsis=True)
    return Content.assemble(left, " " * (width - left.cell_length - right.cell_length), right)


def prompt_place(story: Story, at: float) -> str:
    """Which prompt of how many, counted up to that moment."""
    passed = sum(prompt.at <= at + 1e-6 for prompt in story.prompts)
    return f"prompt {passed}/{len(story.prompts)}" if story.prompts else ""


class StatusLine(Static):
    """Shows `status_content`."""

    def show(self, model: ReplayModel, note: str, indexed: float) -> None:
        """Show where the review stands."""
        content = status_content(model, max(20, self.size.width), note, indexed)
        shown_content = self.content
        if not (isinstance(shown_content, Content) and content.is_same(shown_content)):
            self.update(content)


class ReplayKeys(Static):
    """The keys that do something now; each can be clicked."""

    @dataclass
    class Chosen(Message):
        """An offer was clicked."""

        action: str

    _spans: tuple[tuple[int, int, str], ...] = ()

    def show(self, place: Place, typed: str = "", what: str = "") -> None:
        """Show the keys of `place`; while a text is typed, the text behind the word for what it is."""
        word = "REPLAY" if place is Place.PLAYER else what.upper()
        parts = [Content.styled(f" {word} ", "bold $on-badge on $accent"), Content(" ")]
        if place is Place.TYPING:
            parts.append(Content.assemble((clean_line(typed), "bold"), ("▏  ", "$accent")))
        used = sum(part.cell_length for part in parts)
        offers = [action for action in ACTIONS if action.place is place and action.label]
        last = [action for action in offers if action.id in ("help", "quit")]
        first = [action for action in offers if action not in last]
        room = max(10, self.size.width)
        reserve = sum(len(shown(action.keys[0])) + len(action.label) + 3 for action in last)
        spans = []
        for action in [*first, *last]:
            cell = Content.assemble((shown(action.keys[0]), "bold $primary"), f" {action.label}  ")
            if action in first and used + cell.cell_length + reserve > room:
                continue
            spans.append((used, used + cell.cell_length - 2, action.id))
            used += cell.cell_length
            parts.append(cell)
        self._spans = tuple(spans)
        self.update(Content.assemble(*parts))

    def on_click(self, event: events.Click) -> None:
        """Choose the offer under the pointer."""
        for start, end, action in self._spans:
            if start <= event.x < end:
                self.post_message(self.Chosen(action))
