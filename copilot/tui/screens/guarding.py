"""What a person does about the guard: look at its verdict, allow what is asked, take back what is allowed."""

from __future__ import annotations

from copilot.tui.keymap import Place
from copilot.tui.screens.allow import AllowScreen
from copilot.tui.screens.cockpit import CockpitScreen
from copilot.tui.screens.guard import GuardScreen
from copilot.tui.text import clean_line


class GuardActions(CockpitScreen, inherit_bindings=False):
    """The actions on risk and grants."""

    def do_guard(self) -> None:
        """The whole verdict, and the grants."""
        self.app.push_screen(GuardScreen(lambda: self.model.view, self.session.grants), self._guard_left)

    def _guard_left(self, wish: str | None) -> None:
        if wish == "allow":
            self.do_allow()

    def do_allow(self) -> None:
        """Offer exactly what is asked; it counts once it is confirmed."""
        offer, identity = self.session.grants.offer(), self.model.detection.identity
        if not offer.rules:
            keys = self.model.panel_keys if self.place is Place.REPLY else self.model.offers
            raises = f"; {keys['autonomy']} raises the level" if offer.by_level else ""
            self.decline(clean_line(offer.refusal) + raises)
            return

        def confirmed(limits: str | None) -> None:
            if limits is not None:
                self.session.grants.allow(offer.rules, limits, identity=identity)

        self.app.push_screen(AllowScreen(offer.rules), confirmed)
