"""The screen of a replay: terminal, panel, timeline, bars. What keys do is in `actions.py`."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from copilot.detection import Examiner
from copilot.engine.review import Prompt
from copilot.replay.redetect import Change
from copilot.replay.verdicts import VerdictBook
from copilot.tui.keymap import Place
from copilot.tui.layout import LEAST_COLUMNS, LEAST_LINES, Form
from copilot.tui.replay.actions import ReplayActions
from copilot.tui.replay.bars import ReplayKeys, StatusLine, Timeline, repeats, strip_text
from copilot.tui.replay.keys import KEYMAP
from copilot.tui.replay.model import ReplayModel
from copilot.tui.replay.panel import done_content, plan_content, seen_content
from copilot.tui.replay.picture import ReplayPicture
from copilot.tui.screens.dialog import BelowDialogs
from copilot.tui.text import show_content

FRAME_SECONDS = 1 / 30
_NOTE_SECONDS = 5.0
_WIDE_COLUMNS, _TALL_LINES = 132, 36
_PANEL_EDGES = 5
"""Border, padding and scroll bar."""
_FAR_BYTES = 3_000_000
"""More than this is not read while a person waits: the index gets there soon."""


class ReplayScreen(BelowDialogs, inherit_bindings=False):
    """The review of one recording. `search` starts a search, `examiner` reads screens for `explain`."""

    def __init__(
        self,
        model: ReplayModel,
        book: VerdictBook,
        changes: Sequence[Change],
        search: Callable[[str], None],
        examiner: Examiner | None,
    ) -> None:
        super().__init__()
        self.model = model
        self.book = book
        self.changes = tuple(changes)
        self.note_text = ""
        self._actions = ReplayActions(self, search, examiner)
        self.actions = self._actions.actions
        """What carries out each action of the registry, by its id."""
        self._ticked_at = 0.0
        self._note_until = 0.0
        self._shown_at: float | None = None
        self._request_of: tuple[int, str] = (0, "")

    def compose(self) -> ComposeResult:
        """Everything is always mounted; the form decides what shows, and where."""
        with Container(id="replay-main"):
            yield ReplayPicture(self.model.player, id="replay-terminal")
            with VerticalScroll(id="replay-panel", can_focus=False) as panel:
                panel.border_title = "what was seen and done"
                yield Static(id="replay-seen")
                yield Static(id="replay-done")
        yield Static(id="replay-strip")
        yield Timeline(id="replay-timeline")
        yield StatusLine(id="replay-status")
        yield ReplayKeys(id="replay-keys")
        yield Static(id="replay-too-small")

    def on_mount(self) -> None:
        self._arrange(self.app.size.width, self.app.size.height)
        self._ticked_at = time.monotonic()
        self.set_interval(FRAME_SECONDS, self._tick)

    # Keys

    @property
    def place(self) -> Place:
        return Place.TYPING if self._actions.typing else Place.PLAYER

    def on_key(self, event: events.Key) -> None:
        """Every key means what the registry says, or nothing."""
        event.stop()
        action = KEYMAP.action_for(self.place, event.key)
        if action is not None:
            self._actions.do(action.id, event.key)
        elif self.place is Place.TYPING:
            self._actions.type_key(event)

    @on(ReplayKeys.Chosen)
    def _chosen(self, message: ReplayKeys.Chosen) -> None:
        self._actions.do(message.action)

    @on(Timeline.Wanted)
    def _wanted(self, message: Timeline.Wanted) -> None:
        self._actions.go(message.at)

    # Layout

    def on_resize(self, event: events.Resize) -> None:
        self._arrange(event.size.width, event.size.height)

    def _arrange(self, columns: int, lines: int) -> None:
        form = _form(columns, lines)
        for one in (Form.WIDE, Form.TALL, Form.COMPACT, Form.TOO_SMALL):
            self.set_class(one is form, f"-{one.value}")
        panel = self.query_one("#replay-panel")
        if form is Form.WIDE:
            panel.styles.width, panel.styles.height = min(84, max(46, columns * 36 // 100)), "1fr"
        elif form is Form.TALL:
            panel.styles.width, panel.styles.height = "1fr", max(10, lines * 34 // 100)
        else:
            panel.styles.width, panel.styles.height = "1fr", "70%"
        self.query_one("#replay-too-small", Static).update(
            f"The window is {columns}x{lines}.\nA replay needs {LEAST_COLUMNS}x{LEAST_LINES} or more."
        )
        self.call_after_refresh(self.show_all, jumped=True)

    # Time

    def _tick(self) -> None:
        now = time.monotonic()
        passed, self._ticked_at = now - self._ticked_at, now
        if self.note_text and now > self._note_until:
            self.note_text = ""
            self.show_bars()
        if self.model.playing:
            self.model.tick(min(passed, 0.5))
            self.show_all()

    # Showing

    def note(self, text: str) -> None:
        """Show `text` in the status bar for a few seconds."""
        self.note_text = text
        self._note_until = time.monotonic() + _NOTE_SECONDS
        self.show_bars()

    def show_all(self, *, jumped: bool = False) -> None:
        """Bring everything to the model's moment; after a jump the terminal shows what matters there."""
        model = self.model
        self._seek()
        moment = model.moment
        picture = self.query_one(ReplayPicture)
        picture.query_text = model.query
        picture.show_moment(moment, jumped=jumped)
        prompt = moment.prompt
        # While the moment's terminal is not there yet, no row of it is either.
        # A panel that has not been opened yet has no width; it will be as wide as the window.
        width = max(20, self.query_one("#replay-seen").content_size.width or self.size.width - _PANEL_EDGES)
        row_text = (lambda row: "") if self.waits_for_index else picture.recorded_row
        seen = seen_content(moment, row_text, width)
        done = done_content(
            moment,
            verdict=self.book.on(prompt) if prompt is not None else None,
            changes=self._changes_at(prompt),
            model_saw=self._model_saw(prompt),
        )
        plan = plan_content(model.review.plan, model.at)
        # In a small window one is below the other: there the decision comes before the plan.
        small = self.has_class("-compact")
        self._update("#replay-seen", seen if small else _apart(seen, plan))
        self._update("#replay-done", _apart(done, plan) if small else done)
        self._update("#replay-strip", self._strip())
        self.show_bars()

    def _seek(self) -> None:
        """Have the terminal of that moment; if it is far from any keyframe, once the index is there."""
        model = self.model
        player = model.player
        if player.index.complete or player.distance(model.at) <= _FAR_BYTES:
            player.seek(model.at)
            self._shown_at = model.at
        else:
            self._shown_at = None
            self.note("the recording is still being read: this moment comes in a second")

    @property
    def waits_for_index(self) -> bool:
        """Whether the terminal shows another moment than the wanted one."""
        return self._shown_at is None

    def _strip(self) -> Content:
        """The moment in one line, for small windows."""
        text = strip_text(self.model.moment)
        return Content(text).truncate(max(20, self.size.width - 2), ellipsis=True)

    def show_bars(self) -> None:
        model = self.model
        hits = model.hits if model.query else ()
        self.query_one(Timeline).show(model.review, model.at, hits)
        small = self.has_class("-compact")
        note = "" if small and repeats(self.note_text, model.review, model.moment) else self.note_text
        self.query_one(StatusLine).show(model, note, model.player.index.share)
        self.query_one(ReplayKeys).show(self.place, self._actions.typed, self._actions.typing, small=small)

    def _update(self, name: str, content: Content) -> None:
        show_content(self.query_one(name, Static), content)

    def _changes_at(self, prompt: Prompt | None) -> list[Change]:
        """What is otherwise today at this prompt."""
        number = prompt.number if prompt is not None else -1
        return [change for change in self.changes if change.prompt == number]

    def _model_saw(self, prompt: Prompt | None) -> str:
        """The user prompt that the model got for this prompt, read once."""
        if prompt is None or not prompt.requests:
            return ""
        number = prompt.requests[-1]
        if self._request_of[0] != number:
            request = self.model.recorded.request(number)
            self._request_of = number, request.user if request is not None else ""
        return self._request_of[1]


def _apart(*parts: Content) -> Content:
    """The parts that say anything, with an empty line between them."""
    return Content("\n\n").join([part for part in parts if part.plain])


def _form(columns: int, lines: int) -> Form:
    if columns < LEAST_COLUMNS or lines < LEAST_LINES:
        return Form.TOO_SMALL
    if columns >= _WIDE_COLUMNS and lines >= 20:
        return Form.WIDE
    return Form.TALL if lines >= _TALL_LINES and columns >= 80 else Form.COMPACT
