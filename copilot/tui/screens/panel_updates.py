"""Brings panels and bars of a session's screen up to date with its model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.timer import Timer

from copilot.core.plan_progress import of_plan_command
from copilot.core.reply import Autonomy
from copilot.core.screen_kinds import ScreenKind
from copilot.tui.keymap import Place
from copilot.tui.layout import Form
from copilot.tui.screens.dialog import PALETTE_KEYS, Palette
from copilot.tui.widgets.key_bar import BOX_KEYS, Offered
from copilot.tui.widgets.reply_summary import short_summary

if TYPE_CHECKING:
    from copilot.tui.screens.session import SessionScreen

TICK_SECONDS = 1.0
_STILL_TICK_SECONDS = 5.0
"""While nothing works the clocks go on in steps: a frame each second would be most of an idle run. While
something works, the status bar's do; the detector's shows the seconds."""
_SOON_SECONDS = 0.15


class PanelUpdates:
    """Each method redraws what it names; `show_soon` waits while the terminal is flooded."""

    def __init__(self, screen: SessionScreen) -> None:
        self._screen = screen
        self._session = screen.session
        self._model = screen.model
        self._panels = screen.panels
        self._placement = screen.placement
        self._timer: Timer | None = None
        self._ticked_at = 0.0
        self.ended_at: float | None = None
        """When the run ended, in seconds of the session's clock: the clocks stop there."""
        self.another_waits = False
        """Whether another session needs the person."""

    # Time

    def tick(self) -> None:
        if not self._panels.mounted:
            return
        now, view = self._session.clock(), self._model.view
        works = self._model.detection.kind is ScreenKind.BUSY
        works = works or view.waiting_for_provider or view.waiting_for_opinion
        in_step = now - self._ticked_at >= _STILL_TICK_SECONDS
        if in_step or (works and not self._placement.clock_in_sight):
            self._ticked_at = now
            self.show_status()
        if (in_step or works) and not self._model.over:
            self.show_detection()

    def tick_countdown(self) -> None:
        if not self._panels.mounted:
            return
        self.show_reply()
        self.show_detection()
        if not self._placement.badge_in_sight:  # the status bar shows the seconds
            self.show_status()

    def show_soon(self) -> None:
        """Show all at once; in a flood after the echo of a key, since panels take longer than it does."""
        flooded = self._panels.mounted and self._panels.terminal.pacer.floods(self._session.clock())
        if not flooded:
            self.show_all()
        elif self._timer is None:
            self._timer = self._screen.set_timer(_SOON_SECONDS, self.show_late)

    def show_late(self) -> None:
        self._timer = None
        self.show_all()

    # Panels

    def show_all(self) -> None:
        if not self._panels.mounted:
            return
        self.show_detection()
        self.show_reply()
        self.show_status()
        self.show_keys()
        self._panels.context.show(self._model.view)
        self._panels.terminal.show_evidence(self._model)

    def show_detection(self) -> None:
        now = self._session.clock()
        if self._placement.form is Form.COMPACT:
            self._panels.strip.show(self._model, now)
        self._panels.detector.show(self._model, now, self._panels.terminal.row_text)

    def show_reply(self) -> None:
        now, panel = self._session.clock(), self._panels.reply
        panel.show(self._model, now, focused=self._screen.focused is panel)
        if self._placement.form is Form.COMPACT:
            self._panels.strip.show(self._model, now)

    def show_status(self) -> None:
        if not self._panels.mounted:
            return
        now = self._session.clock() if self.ended_at is None else self.ended_at
        self._panels.status.alone = not self._placement.badge_in_sight
        self._panels.status.show(self._model, now)
        if self._placement.layout.timeline:
            self._panels.timeline.show(self._screen.line, now)

    # Keys

    def show_keys(self) -> None:
        if not self._panels.mounted:
            return
        screen, model, terminal = self._screen, self._model, self._panels.terminal
        place, search = screen.place, terminal.search
        alone = self._placement.form is Form.LINE
        screen.set_class(alone and place is not Place.TERMINAL, "-keys-wanted")
        self._update_back_key()
        screen.notes.place_changed(place)
        self._panels.keys.show(
            place,
            screen.options.leader_label,
            prompt=model.answerable and not model.secret and model.at_issue,
            counting=screen.countdown.stoppable,
            over=model.over or screen.exit_code is not None,
            search=None if search is None else (search.query, search.count),
            offered=self._offered(place),
            box=self._box_keys(),
            back=terminal.how_far_back,
            asked=self._asked_beside_keys(place),
        )

    def _asked_beside_keys(self, place: Place) -> Content | None:
        """What the keys would act on, where they take the place of the only line of ours."""
        covered = self._placement.form is Form.LINE and place is Place.LEADER
        if not covered or not self._model.at_issue:
            return None
        return short_summary(self._model, self._session.clock())

    def _update_back_key(self) -> None:
        """While keys look back, the reply panel must not say that they are typed."""
        place = self._screen.place
        looks = place in (Place.SCROLL, Place.SEARCH)
        back = self._screen.options.keymap.shown_in(place)["back"] if looks else ""
        if back != self._model.back_key:
            self._model.back_key = back
            self.show_reply()

    def _box_keys(self) -> str:
        """What to say of the keys of a box that lies over all; empty if none does."""
        screen, top = self._screen, self._screen.app.screen
        if top is screen or screen not in screen.app.screen_stack:
            return ""
        return PALETTE_KEYS if isinstance(top, Palette) else BOX_KEYS

    def _offered(self, place: Place) -> Offered:
        """Actions that the key bar adds or leaves out now."""
        zoomed = self._screen.has_class("-panel-zoom") or self._placement.zoomed
        form = self._placement.form
        cut = form is Form.LINE or (form is Form.COMPACT and self._panels.strip.cuts_reply)
        kept = {"focus_reply"} if cut else set()
        if self.another_waits:
            kept.add("next_needed")
        return Offered(
            frozenset(self._added()),
            frozenset(self._refused(place)),
            zoomed,
            frozenset(kept),
            runs=of_plan_command(self._model.detection),
        )

    def _added(self) -> set[str]:
        """Actions that do something now and are not always offered."""
        model, added = self._model, set[str]()
        if model.drafts.place and not model.view.waiting_for_provider:
            added.add("earlier")
        if model.detection.kind is ScreenKind.UNKNOWN and model.view.unknown:
            added.add("label")
        if self._panels.tabs.display:
            added |= {"next_needed", "queue"}
        return added

    def _refused(self, place: Place) -> set[str]:
        """Actions that would only be refused now."""
        model, search = self._model, self._panels.terminal.search
        refused = {
            "send": model.reply_to_send(from_panel=place is Place.REPLY) is None,
            "dismiss": model.proposal is None and not model.view.waiting_for_provider,
            "ask_again": model.view.autonomy is Autonomy.WATCH,
            "choose_up": not model.detection.options,
            "edit": bool(model.no_words),
            "find_next": search is None or not search.query,
            "find_previous": search is None or not search.query,
        }
        return {action for action, is_refused in refused.items() if is_refused}
