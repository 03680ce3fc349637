"""The start screen: which coding CLI, at which level. Shown when `copilot` is started without one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import Input, Static

from copilot.core.reply import Autonomy
from copilot.errors import InputError
from copilot.tui.current_size import CurrentSizeScreen
from copilot.tui.mouse import key_at, pickable, picked
from copilot.tui.screens.autonomy import LEVELS, levels_content
from copilot.tui.start_offer import StartChoice, StartOffer
from copilot.tui.text import CHOSEN_STYLE, clean_line, outside_line
from copilot.tui.widgets.text_boxes import LineBox

_ROOMY_EDGES = 5
"""Lines that a frame, padding and a line before the keys take (`styles/start.tcss`)."""
_DETAIL_CELLS = 48


class StartScreen(CurrentSizeScreen[StartChoice | None]):
    """Arrows choose the program, 1 to 4 the level, Enter starts, q leaves.

    With `offers_in` the folder can be changed (`f`): it gives the offers there, or raises InputError.
    """

    AUTO_FOCUS = ""

    def __init__(
        self,
        offers: Sequence[StartOffer],
        *,
        folder: str = "",
        offers_in: Callable[[str], Sequence[StartOffer]] | None = None,
    ) -> None:
        super().__init__()
        self.folder = folder
        self._offers_in = offers_in
        self._take(offers)
        levels = [offer.settings.autonomy for offer in self.offers if offer.settings is not None]
        self.level = levels[0] if levels else Autonomy.SUGGEST

    def _take(self, offers: Sequence[StartOffer]) -> None:
        self.offers = tuple(offers)
        startable = [index for index, offer in enumerate(self.offers) if offer.there]
        self.chosen = startable[0] if startable else 0

    def compose(self) -> ComposeResult:
        with Container(id="start"):
            yield Static(_heading(), id="start-heading")
            yield Static("which program", classes="section")
            yield Static(id="start-offers")
            if self._offers_in is not None:
                yield Static("in which folder", classes="section")
                yield Static(id="start-folder")
                folder = LineBox(id="start-folder-input", compact=True)
                folder.display = False
                yield folder
            yield Static("how much is sent without you", classes="section")
            yield Static(id="start-levels")
            yield Static("who writes the replies", classes="section", id="start-writer-head")
            yield Static(id="start-writer")
            yield Static(id="start-keys")

    def on_mount(self) -> None:
        self._show()

    def on_resize(self) -> None:
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        """Where the content leaves no room for a frame and the space in it there is none."""
        heading, keys = self.query_one("#start-heading"), self.query_one("#start-keys")
        content = keys.virtual_region.bottom - heading.virtual_region.y - keys.styles.margin.top
        self.set_class(content + _ROOMY_EDGES > self.size.height, "-short")

    def _show(self) -> None:
        self.query_one("#start-offers", Static).update(offers_content(self.offers, self.chosen))
        self.query_one("#start-levels", Static).update(levels_content(self.level))
        self._show_writer()
        self._show_keys()
        if self._offers_in is not None:
            self.query_one("#start-folder", Static).update(
                Content.assemble("   ", outside_line(self.folder, "bold"))
            )

    def _show_writer(self) -> None:
        """Of the program that is chosen; another may have a provider of its own."""
        writer = writer_content(self.offers[self.chosen].writer if self.offers else ())
        self.query_one("#start-writer", Static).update(writer)
        for part in ("#start-writer-head", "#start-writer"):
            self.query_one(part).display = bool(writer)

    def _show_keys(self) -> None:
        """Only keys that do something now."""
        if isinstance(self.focused, Input):
            pairs = [("Enter", "looks there"), ("Esc", "leaves it as it was")]
        else:
            pairs = [("1-4", "level"), ("Enter", "start"), ("q", "leave")]
            if self._offers_in is not None:
                pairs.insert(1, ("f", "folder"))
            if sum(offer.there for offer in self.offers) > 1:
                pairs.insert(0, ("↑↓", "program"))
        hints = [Content.assemble((key, "bold $primary"), f" {word}") for key, word in pairs]
        self.query_one("#start-keys", Static).update(Content("  ").join(hints))

    def _edit_folder(self) -> None:
        field = self.query_one("#start-folder-input", Input)
        field.value = self.folder
        field.display = True
        self.set_focus(field)
        self._show_keys()

    def _close_field(self) -> None:
        self.query_one("#start-folder-input", Input).display = False
        self.set_focus(None)

    @on(Input.Submitted)
    def _folder_written(self, message: Input.Submitted) -> None:
        """Look what there is in that folder."""
        folder = Path(message.value.strip()).expanduser()
        if self._offers_in is None:
            return
        try:
            if not folder.is_dir():
                raise InputError(f"{folder}: no such folder")
            offers = self._offers_in(str(folder.resolve()))
        except InputError as problem:
            fault = Content.styled(f"   {clean_line(str(problem))}", "$error")
            self.query_one("#start-folder", Static).update(fault)
            return
        self.folder = str(folder.resolve())
        self._take(offers)
        self._close_field()
        self._show()

    def on_click(self, event: events.Click) -> None:
        """Choose the program or the level under the pointer, or do what the hint there says."""
        index, place = picked(event), self.get_widget_at(*event.screen_offset)[0].id
        if place == "start-keys":
            hints = self.query_one("#start-keys", Static).content
            column = event.screen_x - self.query_one("#start-keys").content_region.x
            key = key_at(hints.plain, column) if isinstance(hints, Content) else None
            if key is not None:
                self.post_message(events.Key(key, None))
        elif index is not None and place == "start-offers":
            self.chosen = index
            self._show()
        elif index is not None:
            self.level = LEVELS[index]
            self._show()

    def on_key(self, event: events.Key) -> None:
        if isinstance(self.focused, Input):
            if event.key == "escape":
                event.stop()
                self._close_field()
                self._show()
            return
        event.stop()
        if event.key in ("q", "escape", "ctrl+c"):
            self.dismiss(None)
        elif event.key == "enter":
            self._start()
        elif event.key in ("up", "k", "down", "j"):
            self._move(-1 if event.key in ("up", "k") else 1)
        elif event.key in ("1", "2", "3", "4"):
            self.level = LEVELS[int(event.key) - 1]
            self._show()
        elif event.key == "f" and self._offers_in is not None:
            event.prevent_default()
            self._edit_folder()
        elif event.key in ("left", "right"):
            step = -1 if event.key == "left" else 1
            self.level = LEVELS[(LEVELS.index(self.level) + step) % len(LEVELS)]
            self._show()

    def _move(self, step: int) -> None:
        for distance in range(1, len(self.offers) + 1):
            index = (self.chosen + step * distance) % len(self.offers)
            if self.offers[index].there:
                self.chosen = index
                break
        self._show()

    def _start(self) -> None:
        if not self.offers:
            return
        offer = self.offers[self.chosen]
        if offer.settings is not None:
            self.dismiss(StartChoice(settings=replace(offer.settings, autonomy=self.level)))
        elif offer.command:
            self.dismiss(StartChoice(command=(*offer.command, "--autonomy", self.level.value)))


def _heading() -> Content:
    return Content.assemble(
        ("copilot", "bold $primary"),
        (" runs a coding CLI under your rules. It sees each question,\n", ""),
        ("drafts the answer, and sends or holds it as you allow.", ""),
    )


def writer_content(lines: Sequence[str]) -> Content:
    """Who really writes, by the settings; below it how another is chosen."""
    return Content("\n").join(
        Content.assemble("   ", outside_line(line, "$quiet" if number else "bold"))
        for number, line in enumerate(lines)
    )


def offers_content(offers: Sequence[StartOffer], chosen: int) -> Content:
    """One line per program; what is not installed is said to be so."""
    if not offers:
        return Content.styled(
            "No coding CLI was found. `copilot doctor` says what is looked for.", "$warning"
        )
    width = max(len(clean_line(offer.title)) for offer in offers)
    lines = []
    for index, offer in enumerate(offers):
        here = index == chosen and offer.there
        mark, style = ("▸", CHOSEN_STYLE) if here else (" ", "" if offer.there else "$quiet")
        head = f" {mark} {clean_line(offer.title):<{width}} "
        detail = _tail(offer.detail) if offer.settings is not None else offer.detail
        said = (
            Content.styled(" ", style),
            outside_line(detail, style or "$quiet"),
            Content.styled(" ", style),
        )
        line = Content.assemble((head, style), *said)
        lines.append(pickable(line, index) if offer.there else line)
    return Content("\n").join(lines)


def _tail(path: str) -> str:
    """The end of a long path: each program stays on its line."""
    return path if len(path) <= _DETAIL_CELLS else f"…{path[1 - _DETAIL_CELLS :]}"
