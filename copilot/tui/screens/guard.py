"""The guard: the whole verdict on what is asked, and everything that is allowed in this run."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from copilot.core.decision import Autonomy
from copilot.safety.verdict import verdict_at
from copilot.session.view import SessionView
from copilot.tui.screens.dialog import Dialog
from copilot.tui.text import clean_line
from copilot.tui.widgets.grants_text import grants_content
from copilot.tui.widgets.risk_text import judged_text, marked, risk_chip
from copilot.tui.widgets.showing import show_content

_REFRESH_SECONDS = 0.5
_VERDICT_TONES = {"allow": "success", "hold": "warning", "forbid": "error"}
_NAMES = {"allow": "sends", "hold": "holds", "forbid": "forbids"}


def verdict_content(view: SessionView) -> Content:
    """Level, reasons, rule, the text with the deciding part, what each level would do, and the decision."""
    if not view.detection.asks:
        return Content.styled("Nothing is asked now.", "$quiet")
    risk, decision = view.danger, view.decision
    lines = [Content.assemble(risk_chip(risk), ("  if you say yes", "$quiet"))]
    lines += [Content.assemble("  · ", clean_line(reason)) for reason in risk.reasons]
    if text := judged_text(view):
        lines += [Content(""), marked(text, risk), Content("")]
    lines.append(Content.assemble(("rule     ", "$quiet"), clean_line(risk.rule) or "none"))
    if risk.grants:
        lines.append(
            Content.assemble(("rests on ", "$quiet"), clean_line(", ".join(dict.fromkeys(risk.grants))))
        )
    words = [(level.value, verdict_at(risk, level)) for level in Autonomy]
    told = [Content.styled(f"{level} {_NAMES[word]}", f"${_VERDICT_TONES[word]}") for level, word in words]
    lines.append(Content.assemble(("levels   ", "$quiet"), Content(" · ").join(told)))
    if decision is not None:
        said = f"{decision.verdict.value}: {clean_line(decision.reason)}"
        lines.append(
            Content.assemble(("decided  ", "$quiet"), said, (f"  {clean_line(decision.rule)}", "$quiet"))
        )
    return Content("\n").join(lines)


class GuardScreen(Dialog[str | None], inherit_bindings=False):
    """`u` allows what is asked (asked once more), ↑↓ choose a grant, `x` revokes it, Esc leaves.

    Gives "allow" if the person wants to allow what is asked.
    """

    def __init__(self, view: Callable[[], SessionView], revoke: Callable[[str], None]) -> None:
        super().__init__()
        self._view = view
        self._revoke = revoke
        self._chosen = 0

    def compose(self) -> ComposeResult:
        """Verdict above, grants below."""
        with VerticalScroll(classes="page", id="guard-box") as box:
            box.border_title = "the guard"
            box.border_subtitle = "Esc closes · u allows this · ↑↓ chooses · x revokes"
            yield Static(id="guard-verdict")
            yield Static(Content.styled("\nGrants of this run", "bold"))
            yield Static(id="guard-grants")

    def on_mount(self) -> None:
        """Follow what happens meanwhile."""
        self._show()
        self.set_interval(_REFRESH_SECONDS, self._show)

    def on_resize(self) -> None:
        """Lines are cut to the new width."""
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        view = self._view()
        self._chosen = max(0, min(self._chosen, len(view.grants) - 1))
        grants = self.query_one("#guard-grants", Static)
        show_content(self.query_one("#guard-verdict", Static), verdict_content(view))
        show_content(grants, grants_content(view.grants, self._chosen, max(20, grants.size.width)))

    def pick(self, index: int) -> None:
        """Mark that grant; it is revoked by the hint at the edge."""
        self._chosen = index
        self._show()

    def on_key(self, event: events.Key) -> None:
        """Choose, revoke, allow, leave."""
        event.stop()
        grants = self._view().grants
        self._chosen = max(0, min(self._chosen, len(grants) - 1))
        if event.key in ("escape", "q"):
            self.dismiss(None)
        elif event.key == "u":
            self.dismiss("allow")
        elif event.key in ("up", "k", "down", "j"):
            self._chosen += -1 if event.key in ("up", "k") else 1
        elif event.key in ("x", "delete") and grants:
            self._revoke(grants[self._chosen].rule)
        if self.is_current:
            self._show()
