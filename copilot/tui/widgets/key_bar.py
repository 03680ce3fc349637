"""The key bar: the mode we are in, and the keys that do something now. All of it from the registry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from copilot.tui.keymap import DEFAULT_KEYMAP, Action, Keymap, Place, shown
from copilot.tui.text import HERE_STYLE, badge_style, outside, show_content


@dataclass(frozen=True, slots=True)
class KeyHint:
    """One offer: key, word, the action's id."""

    key: str
    word: str
    action: str

    @property
    def cells(self) -> int:
        """The columns that it takes, the gap behind it included."""
        return len(self.key) + 1 + len(self.word) + 2


class KeyHints(Static):
    """One line of what `show_hints` is given. Says `Chosen` when one is clicked."""

    @dataclass
    class Chosen(Message):
        """An offer was clicked."""

        action: str

    _spans: tuple[tuple[int, int, str], ...] = ()

    def show_hints(self, before: Iterable[Content], offers: Iterable[KeyHint]) -> None:
        """Show `before`, then the offers."""
        parts = list(before)
        used = sum(part.cell_length for part in parts)
        spans = []
        for offer in offers:
            cell = Content.assemble((offer.key, "bold $primary"), f" {offer.word}  ")
            spans.append((used, used + cell.cell_length - 2, offer.action))
            used += cell.cell_length
            parts.append(cell)
        self._spans = tuple(spans)
        show_content(self, Content.assemble(*parts), layout=False)

    def on_click(self, event: events.Click) -> None:
        for start, end, action in self._spans:
            if start <= event.x < end:
                self.post_message(self.Chosen(action))


_MOST_QUERY = 32
_CHIPS = {
    Place.TERMINAL: ("TERMINAL", HERE_STYLE),
    Place.LEADER: ("CO-PILOT", badge_style("accent")),
    Place.REPLY: ("REPLY", badge_style("primary")),
    Place.EDIT: ("EDIT", badge_style("primary")),
    Place.INSTRUCT: ("INSTRUCT", badge_style("primary")),
    Place.SCROLL: ("SCROLL", badge_style("warning")),
    Place.SEARCH: ("SEARCH", badge_style("warning")),
}


_ALWAYS = frozenset({"help", "back"})
_OF_A_LIVING_RUN = frozenset({"autonomy", "focus_reply"})
BOX_KEYS = "its keys stand at its edge; Esc closes it"
"""What is said of the keys of most boxes."""
_BOX = Content.assemble((" BOX ", HERE_STYLE), " ")


@dataclass(frozen=True, slots=True)
class Offered:
    """Ids of actions that the bar offers more than usual, and of those that would only be refused now.

    `kept` stay when there is no room for all. `zoomed`: the key that zooms takes it back. `runs`: what would
    be sent is a command, which copilot itself runs.
    """

    more: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    zoomed: bool = False
    kept: frozenset[str] = frozenset()
    runs: bool = False


def hints_for(
    place: Place,
    *,
    prompt: bool,
    over: bool = False,
    keymap: Keymap = DEFAULT_KEYMAP,
    offered: Offered = Offered(),
) -> list[KeyHint]:
    """What the bar offers; in the terminal what the leader would. Once a run is over: first to leave.

    Both arrows are shown at the first.
    """
    asked = Place.LEADER if place is Place.TERMINAL else place
    hints = [
        KeyHint(shown(key), _word(action, offered), action.id)
        for action in keymap.actions
        if (action.footer or action.id in offered.more) and action.id not in offered.without
        if not (over and action.id in _OF_A_LIVING_RUN)
        if (prompt or not action.prompt) and (key := action.key(asked)) is not None
        if key != "down" and not (place is Place.TERMINAL and action.id == "back")
    ]
    if offered.zoomed:  # the way back first
        hints.sort(key=lambda hint: hint.action != "zoom")
    return sorted(hints, key=lambda hint: hint.action != "quit") if over else hints


def _word(action: Action, offered: Offered) -> str:
    if action.id == "send" and offered.runs:
        return "run"
    return "unzoom" if action.id == "zoom" and offered.zoomed else action.label


def fitting(hints: Sequence[KeyHint], room: int, keep: frozenset[str] = frozenset()) -> list[KeyHint]:
    """As many hints as fit, from the first; help, the way back and those to `keep` stay in any case."""
    kept, used = [], 0
    last = [hint for hint in hints if hint.action in _ALWAYS | keep]
    reserve = sum(hint.cells for hint in last)
    for hint in hints:
        if hint in last:
            continue
        if used + hint.cells + reserve > room:
            break
        kept.append(hint)
        used += hint.cells
    return kept + last


def search_content(query: str, count: str, *, typing: bool) -> Content:
    """What is searched for, its end if it is long, and which match of how many is looked at."""
    shown_query = query if len(query) <= _MOST_QUERY else f"…{query[1 - _MOST_QUERY :]}"
    return Content.assemble(
        ("/", "bold $primary"),
        outside(shown_query, "bold"),
        ("▏" if typing else "", "$accent"),
        "  ",
        (count, "$warning" if count else ""),
        "   " if count else " ",
    )


class KeyBar(KeyHints):
    """One line; its offers can be clicked."""

    keymap = DEFAULT_KEYMAP
    _before: Sequence[Content] = ()
    _hints: Sequence[KeyHint] = ()
    _keep: frozenset[str] = frozenset()

    def show(
        self,
        place: Place,
        leader: str,
        *,
        prompt: bool,
        counting: bool,
        over: bool = False,
        search: tuple[str, str] | None = None,
        offered: Offered = Offered(),
        box: str = "",
        back: str = "",
        asked: Content | None = None,
    ) -> None:
        """Show what the keys do in `place`. In the terminal only keys after the leader are shown.

        `counting`: a countdown runs, and any key stops it.

        `box`: one lies over all, and keys are its; what is said of them.

        `asked` comes first where this line takes the place of the one that shows it.

        `back` is how far back one looks. `search` is what is searched for, and which match of how many is
        looked at.
        """
        word, style = _CHIPS[place]
        parts: list[Content] = [Content.styled(f" {word} ", style), Content(" ")]
        if counting:
            parts.append(Content.styled(" ANY KEY STOPS THE COUNTDOWN ", badge_style("accent")))
            self._hints = []
            self.show_hints(parts, ())
            return
        if box:
            self._hints = []
            self.show_hints([_BOX, Content.styled(box, "$quiet")], ())
            return
        if asked is not None:
            parts = [asked, Content("  ")]
        if place is Place.TERMINAL:
            parts.append(Content.assemble((leader, "bold $accent"), (" then  ", "$quiet")))
        if search is not None:
            parts.append(search_content(*search, typing=place is Place.SEARCH))
        elif back:
            parts.append(Content.styled(f"{back}   ", "$warning"))
        self._before, self._keep = parts, offered.kept
        self._hints = hints_for(place, prompt=prompt, over=over, keymap=self.keymap, offered=offered)
        self._show_fitting()

    def _show_fitting(self) -> None:
        used = sum(part.cell_length for part in self._before)
        self.show_hints(self._before, fitting(self._hints, max(10, self.size.width - used), self._keep))

    def on_resize(self) -> None:
        """A bar that was out of sight had no width until now."""
        if self._hints:
            self._show_fitting()
