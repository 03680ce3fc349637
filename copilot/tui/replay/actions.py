"""What the keys of a replay do."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from textual import events
from textual.containers import VerticalScroll
from textual.content import Content

from copilot.core.provider_registry import what_it_saw
from copilot.detection import Examiner
from copilot.engine.review import Prompt, Sort
from copilot.errors import InputError
from copilot.replay.recorded import moment
from copilot.replay.undoing import StoredUndo
from copilot.replay.verdicts import Word
from copilot.tui.replay.describe import mark_words
from copilot.tui.replay.dialogs import Said, VerdictScreen, help_content
from copilot.tui.replay.keys import KEYMAP, shown_keys
from copilot.tui.replay.model import EVERY_SORT, LONG_STEP_SECONDS, SHORT_STEP_SECONDS, clock
from copilot.tui.replay.picture import ReplayPicture
from copilot.tui.screens.dialog import Page
from copilot.tui.screens.explain import explain_content
from copilot.tui.screens.undo import open_undo
from copilot.tui.text import outside

if TYPE_CHECKING:
    from copilot.tui.replay.screen import ReplayScreen

_PAN_COLUMNS = 8
_JUMPS: dict[str, tuple[tuple[Sort, ...], str]] = {
    "prompt": ((Sort.PROMPT,), "no prompt"),
    "decision": ((Sort.DECISION, Sort.HELD), "no decision"),
    "held": ((Sort.HELD,), "nothing held"),
    "person": ((Sort.PERSON,), "nothing that a person did"),
    "change": ((Sort.CHANGE,), "nothing that today would be otherwise"),
    "mark": (EVERY_SORT, "no mark"),
}
"""Marks that keys lead to, and what to say where none is."""


class ReplayActions:
    """Carries out the actions of the registry. `search` starts a search, `examiner` reads screens."""

    def __init__(
        self, screen: ReplayScreen, search: Callable[[str], None], examiner: Examiner | None
    ) -> None:
        self._screen = screen
        self._model = screen.model
        self._start_search = search
        self._examiner = examiner
        self._key = ""
        self._stored_undo: StoredUndo | None = None
        self.typing = ""
        """What is being typed: `search`, `go to`, or nothing."""
        self.typed = ""
        self.actions: dict[str, Callable[[], object]] = {
            **self._playing(),
            **self._jumping(),
            **self._looking(),
            "search": partial(self._ask, "search"),
            "go_to": partial(self._ask, "go to"),
            "enter_text": self._enter_text,
            "leave_text": self._leave_text,
            "verdict": self._give_verdict,
            "context": self._show_context,
            "explain": self._show_rules,
            "undo": self._undo,
            "help": self._show_help,
            "theme": self._switch_theme,
            "quit": lambda: screen.app.exit(0),
        }

    def do(self, name: str, key: str = "") -> None:
        self._key = key
        self.actions[name]()

    # Playing

    def _playing(self) -> dict[str, Callable[[], object]]:
        player = self._model.player
        return {
            "play": self._play,
            "faster": partial(self._change_speed, 1),
            "slower": partial(self._change_speed, -1),
            "idle": self._skip_idle,
            "on": partial(self._step, SHORT_STEP_SECONDS),
            "back": partial(self._step, -SHORT_STEP_SECONDS),
            "far_on": partial(self._step, LONG_STEP_SECONDS),
            "far_back": partial(self._step, -LONG_STEP_SECONDS),
            "frame_on": partial(self._to_frame, player.frame_after, "nothing is drawn after this"),
            "frame_back": partial(self._to_frame, player.frame_before, "nothing was drawn before this"),
        }

    def _play(self) -> None:
        self._model.toggle()
        self._screen.show_all()

    def _change_speed(self, by: int) -> None:
        self._model.change_speed(by)
        self._screen.show_all()

    def _skip_idle(self) -> None:
        self._model.skips_idle = not self._model.skips_idle
        self._screen.note("idle times are skipped" if self._model.skips_idle else "idle times are played")

    def _step(self, seconds: float) -> None:
        self.go(self._model.at + seconds)

    def _to_frame(self, find: Callable[[float], float | None], otherwise: str) -> None:
        at = find(self._model.at)
        if at is None:
            self._screen.note(otherwise)
        else:
            self.go(at)

    # Jumping

    def _jumping(self) -> dict[str, Callable[[], object]]:
        jumps: dict[str, Callable[[], object]] = {
            "start": partial(self.go, 0.0),
            "end": lambda: self.go(self._model.duration),
            "tenth": lambda: self.go(self._model.duration * int(self._key or "0") / 10),
            "next_match": partial(self._to_match, True),
            "previous_match": partial(self._to_match, False),
        }
        for what in _JUMPS:
            jumps[f"next_{what}"] = partial(self._jump, True, what)
            jumps[f"previous_{what}"] = partial(self._jump, False, what)
        return jumps

    def go(self, at: float) -> None:
        """Stop, and show that moment."""
        self._model.playing = False
        self._model.go(at)
        self._screen.show_all(jumped=True)

    def _jump(self, forward: bool, what: str) -> None:
        sorts, none = _JUMPS[what]
        mark = self._model.jump(forward, *sorts)
        if mark is None:
            self._screen.note(f"{none} {'after' if forward else 'before'} this")
            return
        self._screen.show_all(jumped=True)
        self._screen.note(mark_words(self._model.review, mark))

    def _to_match(self, forward: bool) -> None:
        if not self._model.query:
            self._ask("search")
        elif self._model.jump_to_hit(forward):
            self._screen.show_all(jumped=True)
        else:
            self._screen.note("nothing found" + (" yet" if self._model.searching else ""))

    # Typing

    def _ask(self, what: str) -> None:
        self.typing, self.typed = what, ""
        self._screen.show_all()

    def type_key(self, event: events.Key) -> None:
        if event.key in ("backspace", "ctrl+h"):
            self.typed = self.typed[:-1]
        elif event.is_printable and event.character is not None:
            self.typed += event.character
        self._screen.show_all()

    def _leave_text(self) -> None:
        if self.typing == "search":
            self._search("")
        self.typing = self.typed = ""
        self._screen.show_all()

    def _enter_text(self) -> None:
        what, text = self.typing, self.typed
        self.typing = self.typed = ""
        if what == "search":
            self._search(text)
            self._screen.show_all()
            return
        at = moment(text, self._model.duration)
        if at is None:
            self._screen.note(f"{text!r} is no time: 90, 1:30, 1:02:03 or 50%")
        else:
            self.go(at)

    def _search(self, text: str) -> None:
        """Search for `text` from now on; an empty one ends the search."""
        self._model.query, self._model.hits = text, []
        self._start_search(text)

    # Reviewing

    def _reviewed(self) -> Prompt | None:
        """The prompt of this moment, else the last one before."""
        model = self._model
        if model.moment.prompt is not None:
            return model.moment.prompt
        passed = [prompt for prompt in model.review.prompts if prompt.at <= model.at]
        return passed[-1] if passed else None

    def _give_verdict(self) -> None:
        prompt = self._reviewed()
        if prompt is None:
            self._screen.note("no prompt has come up to this moment")
            return
        self._model.playing = False

        def say(said: Said | None) -> None:
            if said is not None:
                self._say(prompt, said)

        self._screen.app.push_screen(VerdictScreen(prompt), say)

    def _say(self, prompt: Prompt, said: Said) -> None:
        try:
            self._screen.book.say(prompt, said.word, said.kind, said.note)
        except InputError as problem:
            self._screen.note(str(problem))
            return
        taken_back = said.word is Word.WITHDRAWN
        self._screen.note(f"prompt {prompt.number}: {'taken back' if taken_back else said.word.value}")
        self._screen.show_all()

    def _show_context(self) -> None:
        """The exact prompt that the model saw, and what it answered."""
        prompt = self._reviewed()
        content = self._seen_by_model(prompt) if prompt is not None else None
        if content is None or prompt is None:
            self._screen.note("no model was asked here")
        else:
            self._screen.app.push_screen(Page(what_it_saw(prompt.provider), lambda _: content, closed_by="c"))

    def _seen_by_model(self, prompt: Prompt) -> Content | None:
        parts: list[Content] = []
        for number in prompt.requests:
            request = self._model.recorded.request(number)
            if request is None:
                continue
            parts += [Content.styled(f"request {number}: system", "bold $primary"), outside(request.system)]
            parts += [Content.styled("user", "bold $primary"), outside(request.user)]
            answer = self._model.recorded.answer(number)
            if answer:
                parts += [Content.styled("the answer", "bold $primary"), outside(answer)]
        return Content("\n").join(parts) if parts else None

    def _show_rules(self) -> None:
        """Every rule on the screen of this moment."""
        screen = self._screen
        if self._examiner is None:
            screen.note("the recording is of no CLI that is known: --profile names one")
            return
        if screen.waits_for_index:
            screen.note("the recording is still being read: this moment is not shown yet")
            return
        examination = self._examiner.examine(self._model.player.screen.snapshot())
        title = f"every rule at {clock(self._model.at)}"
        screen.app.push_screen(Page(title, partial(explain_content, examination), closed_by="e"))

    def _undo(self) -> None:
        """Offer to put the project's files back, as they were in the run."""
        recorded = self._model.recorded
        if recorded.run is None:
            self._screen.note("this recording is of no run: there is nothing to undo")
            return
        if self._stored_undo is None:
            self._stored_undo = StoredUndo.of(recorded.path)
        if self._stored_undo is None:
            self._screen.note("no checkpoints in this run")
            return
        self._model.playing = False
        open_undo(
            self._screen.app, self._stored_undo, self._screen.note, key=shown_keys(KEYMAP.action("undo"))
        )

    # Looking

    def _looking(self) -> dict[str, Callable[[], object]]:
        return {
            "panel": lambda: self._screen.toggle_class("-panel-open"),
            "panel_up": lambda: self._panel.scroll_up(animate=False),
            "panel_down": lambda: self._panel.scroll_down(animate=False),
            "panel_page_up": lambda: self._panel.scroll_page_up(animate=False),
            "panel_page_down": lambda: self._panel.scroll_page_down(animate=False),
            "pan_up": lambda: self._picture.pan(lines=-self._half_a_page),
            "pan_down": lambda: self._picture.pan(lines=self._half_a_page),
            "pan_left": lambda: self._picture.pan(columns=-_PAN_COLUMNS),
            "pan_right": lambda: self._picture.pan(columns=_PAN_COLUMNS),
        }

    @property
    def _panel(self) -> VerticalScroll:
        return self._screen.query_one("#replay-panel", VerticalScroll)

    @property
    def _picture(self) -> ReplayPicture:
        return self._screen.query_one(ReplayPicture)

    @property
    def _half_a_page(self) -> int:
        return max(1, self._picture.size.height // 2)

    def _switch_theme(self) -> None:
        app = self._screen.app
        app.theme = "copilot-light" if app.theme == "copilot-dark" else "copilot-dark"

    def _show_help(self) -> None:
        self._screen.app.push_screen(Page("keys", help_content, closed_by="question_mark"))
