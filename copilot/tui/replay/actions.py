"""What the keys of a replay do: one method per action of the registry."""

from __future__ import annotations

from collections.abc import Callable

from textual import events, on
from textual.containers import VerticalScroll
from textual.content import Content

from copilot.core.reply_request import what_it_saw
from copilot.detection import Examiner
from copilot.engine.review import Prompt, Sort
from copilot.errors import InputError
from copilot.replay.recorded import moment
from copilot.replay.verdicts import Word
from copilot.tui.replay.bars import ReplayKeys
from copilot.tui.replay.describe import mark_words
from copilot.tui.replay.dialogs import PageScreen, Said, VerdictScreen, help_content
from copilot.tui.replay.keys import action_for
from copilot.tui.replay.model import EVERY_SORT, LONG_STEP_SECONDS, SHORT_STEP_SECONDS, clock
from copilot.tui.replay.picture import ReplayPicture
from copilot.tui.replay.screen import ReplayView
from copilot.tui.screens.dialog import page_columns
from copilot.tui.screens.explain import explain_content
from copilot.tui.text import outside

_PAN_COLUMNS = 8
_SORTS = {
    "prompt": (Sort.PROMPT,),
    "decision": (Sort.DECISION, Sort.HELD),
    "held": (Sort.HELD,),
    "person": (Sort.PERSON,),
    "change": (Sort.CHANGE,),
    "mark": EVERY_SORT,
}

_NOTHING = {
    "prompt": "no prompt",
    "decision": "no decision",
    "held": "nothing held",
    "person": "nothing that a person did",
    "change": "nothing that today would be otherwise",
    "mark": "no mark",
}


class ReplayScreen(ReplayView, inherit_bindings=False):
    """The review of one recording. `look_for` starts a search, `examiner` reads screens for `explain`."""

    look_for: Callable[[str], None] = staticmethod(lambda text: None)
    examiner: Examiner | None = None

    def on_key(self, event: events.Key) -> None:
        """Every key means what the registry says, or nothing."""
        event.stop()
        action = action_for(self.place, event.key)
        if action is None:
            if self.typing:
                self._type(event)
            return
        if action.id == "tenth":
            self._go(self.model.duration * int(event.key) / 10)
            return
        self.do(action.id)

    @on(ReplayKeys.Chosen)
    def _chosen(self, message: ReplayKeys.Chosen) -> None:
        self.do(message.action)

    def do(self, name: str) -> None:
        """Do the action of that id."""
        direction, _, what = name.partition("_")
        if direction in ("next", "previous") and what in _SORTS:
            self._jump(direction == "next", what)
        else:
            getattr(self, f"do_{name}")()

    # Playing

    def do_play(self) -> None:
        """Play or stop."""
        self.model.toggle()
        self.show_all()

    def do_on(self) -> None:
        """A little on."""
        self._go(self.model.at + SHORT_STEP_SECONDS)

    def do_back(self) -> None:
        """A little back."""
        self._go(self.model.at - SHORT_STEP_SECONDS)

    def do_far_on(self) -> None:
        """Far on."""
        self._go(self.model.at + LONG_STEP_SECONDS)

    def do_far_back(self) -> None:
        """Far back."""
        self._go(self.model.at - LONG_STEP_SECONDS)

    def do_frame_on(self) -> None:
        """To the next output."""
        self._go_if(self.model.player.frame_after(self.model.at), "nothing is drawn after this")

    def do_frame_back(self) -> None:
        """To the output before."""
        self._go_if(self.model.player.frame_before(self.model.at), "nothing was drawn before this")

    def do_start(self) -> None:
        """To the beginning."""
        self._go(0.0)

    def do_end(self) -> None:
        """To the end."""
        self._go(self.model.duration)

    def do_faster(self) -> None:
        """Twice as fast."""
        self.model.change_speed(1)
        self.show_all()

    def do_slower(self) -> None:
        """Half as fast."""
        self.model.change_speed(-1)
        self.show_all()

    def do_idle(self) -> None:
        """Skip idle times, or do not."""
        self.model.skips_idle = not self.model.skips_idle
        self.note("idle times are skipped" if self.model.skips_idle else "idle times are played")

    # Jumping

    def _go(self, at: float) -> None:
        self.model.playing = False
        self.model.go(at)
        self.show_all(jumped=True)

    def _go_if(self, at: float | None, otherwise: str) -> None:
        if at is None:
            self.note(otherwise)
        else:
            self._go(at)

    def _jump(self, forward: bool, what: str) -> None:
        mark = self.model.jump(forward, *_SORTS[what])
        if mark is None:
            self.note(f"{_NOTHING[what]} {'after' if forward else 'before'} this")
            return
        self.show_all(jumped=True)
        self.note(mark_words(self.model.story, mark))

    def do_next_match(self) -> None:
        """To the next place of the text."""
        self._to_match(True)

    def do_previous_match(self) -> None:
        """To the place of the text before."""
        self._to_match(False)

    def _to_match(self, forward: bool) -> None:
        if not self.model.query:
            self.do_search()
        elif self.model.jump_to_hit(forward):
            self.show_all(jumped=True)
        else:
            self.note("nothing found" + (" yet" if self.model.searching else ""))

    # Typing

    def do_search(self) -> None:
        """Ask for a text."""
        self._ask("search")

    def do_go_to(self) -> None:
        """Ask for a time."""
        self._ask("go to")

    def _ask(self, what: str) -> None:
        self.typing, self.typed = what, ""
        self.show_all()

    def _type(self, event: events.Key) -> None:
        if event.key in ("backspace", "ctrl+h"):
            self.typed = self.typed[:-1]
        elif event.is_printable and event.character is not None:
            self.typed += event.character
        self.show_all()

    def do_leave_text(self) -> None:
        """Leave what is typed; a search is over."""
        if self.typing == "search":
            self._search("")
        self.typing = self.typed = ""
        self.show_all()

    def do_enter_text(self) -> None:
        """Take what is typed."""
        what, text = self.typing, self.typed
        self.typing = self.typed = ""
        if what == "search":
            self._search(text)
            self.show_all()
            return
        at = moment(text, self.model.duration)
        if at is None:
            self.note(f"{text!r} is no time: 90, 1:30, 1:02:03 or 50%")
        else:
            self._go(at)

    def _search(self, text: str) -> None:
        """Look for `text` from now on; an empty one ends the search."""
        self.model.query, self.model.hits = text, []
        self.look_for(text)

    # Reviewing

    @property
    def reviewed(self) -> Prompt | None:
        """The prompt that stands here, else the last one before."""
        model = self.model
        if model.moment.prompt is not None:
            return model.moment.prompt
        passed = [prompt for prompt in model.story.prompts if prompt.at <= model.at]
        return passed[-1] if passed else None

    def do_verdict(self) -> None:
        """Ask for a verdict on the prompt that stands here, else on the last one."""
        prompt = self.reviewed
        if prompt is None:
            self.note("no prompt has come up to this moment")
            return
        self.model.playing = False

        def say(said: Said | None) -> None:
            if said is not None:
                self._say(prompt, said)

        self.app.push_screen(VerdictScreen(prompt), say)

    def _say(self, prompt: Prompt, said: Said) -> None:
        try:
            self.book.say(prompt, said.word, said.kind, said.note)
        except InputError as problem:
            self.note(str(problem))
            return
        taken_back = said.word is Word.WITHDRAWN
        self.note(f"prompt {prompt.number}: {'taken back' if taken_back else said.word.value}")
        self.show_all()

    def do_context(self) -> None:
        """The exact prompt that the model saw, and what it answered."""
        prompt = self.reviewed
        content = self._seen_by_model(prompt) if prompt is not None else None
        if content is None or prompt is None:
            self.note("no model was asked here")
        else:
            self.app.push_screen(PageScreen(what_it_saw(prompt.provider), content, closed_by="c"))

    def _seen_by_model(self, prompt: Prompt) -> Content | None:
        parts: list[Content] = []
        for number in prompt.requests:
            request = self.model.recorded.request(number)
            if request is None:
                continue
            parts += [Content.styled(f"request {number}: system", "bold $primary"), outside(request.system)]
            parts += [Content.styled("user", "bold $primary"), outside(request.user)]
            answer = self.model.recorded.answer(number)
            if answer:
                parts += [Content.styled("the answer", "bold $primary"), outside(answer)]
        return Content("\n").join(parts) if parts else None

    def do_explain(self) -> None:
        """Every rule on the screen of this moment."""
        if self.examiner is None:
            self.note("the recording is of no CLI that is known: --profile names one")
            return
        if self.waits_for_index:
            self.note("the recording is still being read: this moment is not shown yet")
            return
        examination = self.examiner.examine(self.model.player.screen.snapshot())
        title = f"every rule at {clock(self.model.at)}"
        self.app.push_screen(
            PageScreen(title, explain_content(examination, page_columns(self.app.size.width)), closed_by="e")
        )

    # Looking

    def do_panel(self) -> None:
        """Show or hide the panel; it is always there in larger windows."""
        self.toggle_class("-panel-open")

    @property
    def _panel(self) -> VerticalScroll:
        return self.query_one("#replay-panel", VerticalScroll)

    def do_panel_up(self) -> None:
        """The panel a line up."""
        self._panel.scroll_up(animate=False)

    def do_panel_down(self) -> None:
        """The panel a line down."""
        self._panel.scroll_down(animate=False)

    def do_panel_page_up(self) -> None:
        """The panel a page up."""
        self._panel.scroll_page_up(animate=False)

    def do_panel_page_down(self) -> None:
        """The panel a page down."""
        self._panel.scroll_page_down(animate=False)

    def do_pan_up(self) -> None:
        """Further up."""
        self.query_one(ReplayPicture).pan(lines=-max(1, self.query_one(ReplayPicture).size.height // 2))

    def do_pan_down(self) -> None:
        """Further down."""
        self.query_one(ReplayPicture).pan(lines=max(1, self.query_one(ReplayPicture).size.height // 2))

    def do_pan_left(self) -> None:
        """Further left."""
        self.query_one(ReplayPicture).pan(columns=-_PAN_COLUMNS)

    def do_pan_right(self) -> None:
        """Further right."""
        self.query_one(ReplayPicture).pan(columns=_PAN_COLUMNS)

    def do_theme(self) -> None:
        """Between dark and light."""
        dark = self.app.theme == "copilot-dark"
        self.app.theme = "copilot-light" if dark else "copilot-dark"

    def do_help(self) -> None:
        """Every key."""
        content = help_content(page_columns(self.app.size.width))
        self.app.push_screen(PageScreen("keys", content, closed_by="question_mark"))

    def do_quit(self) -> None:
        """Leave."""
        self.app.exit(0)
