"""The guard: the whole verdict on what is asked, and everything that is allowed in this run."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from copilot.core.reply import Autonomy
from copilot.core.risk import Risk
from copilot.engine.view import SessionView
from copilot.guard.command_risk import verdict_at
from copilot.session.front_end import GrantControls
from copilot.tui.mouse import pickable
from copilot.tui.screens.dialog import Choice, Dialog
from copilot.tui.text import CHOSEN_STYLE, clean_line, show_content
from copilot.tui.widgets.risk_text import grant_content, grants_content, judged_text, marked, risk_chip

_REFRESH_SECONDS = 0.5
_VERDICT_TONES = {"allow": "success", "hold": "warning", "forbid": "error"}
_HINTS = ("Esc closes", "u allows this", "↑↓ chooses", "x revokes")
_NAMES = {"allow": "sends", "hold": "holds", "forbid": "forbids"}


def verdict_content(view: SessionView) -> Content:
    """Level, reasons, rule, the text with the deciding part, what each level would do, and the decision."""
    if not view.detection.asks:
        return Content.styled("Nothing is asked now.", "$quiet")
    risk, decision = _risk(view), view.decision
    lines = [Content.assemble(risk_chip(risk), ("  if you say yes", "$quiet"))]
    lines += [Content.assemble("  · ", clean_line(reason)) for reason in risk.reasons]
    if text := judged_text(view):
        lines += [Content(""), marked(text, risk), Content("")]
    lines.append(Content.assemble(("rule     ", "$quiet"), clean_line(risk.rule) or "none"))
    if risk.grants:
        lines.append(
            Content.assemble(("rests on ", "$quiet"), clean_line(", ".join(dict.fromkeys(risk.grants))))
        )
    words = [(level.value, _verdict(view, level)) for level in Autonomy]
    levels = [Content.styled(f"{level} {_NAMES[word]}", f"${_VERDICT_TONES[word]}") for level, word in words]
    lines.append(Content.assemble(("levels   ", "$quiet"), Content(" · ").join(levels)))
    if decision is not None:
        said = f"{decision.verdict.value}: {clean_line(decision.reason)}"
        lines.append(
            Content.assemble(("decided  ", "$quiet"), said, (f"  {clean_line(decision.rule)}", "$quiet"))
        )
    return Content("\n").join(lines)


def _verdict(view: SessionView, level: Autonomy) -> str:
    """What policy does with a yes at that level, under this profile."""
    acting = Autonomy.SUGGEST if level.acts and view.only_suggests else level
    return verdict_at(_risk(view), acting, view.limits, view.detection.kind)


def _risk(view: SessionView) -> Risk:
    """What policy rules by: the risk of a yes, or that of the option decided on where its words say more."""
    decided = view.decision.risk if view.decision is not None else view.risk
    return max(view.risk, decided, key=lambda risk: risk.level)


class GuardScreen(Dialog[str | None], inherit_bindings=False):
    """`u` allows what is asked (asked once more), ↑↓ choose a grant, `x` revokes it, Esc leaves.

    Gives "allow" if the person wants to allow what is asked.
    """

    def __init__(self, view: Callable[[], SessionView], grants: GrantControls) -> None:
        super().__init__()
        self._view = view
        self._grants = grants
        self._chosen = 0
        self._offered_of: tuple[object, ...] = ()

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="page", id="guard-box") as box:
            box.border_title = "the guard"
            yield Static(id="guard-verdict")
            yield Static(Content.styled("\nGrants of this run", "bold"))
            yield Static(id="guard-grants")

    def on_mount(self) -> None:
        self._show()
        self.set_interval(_REFRESH_SECONDS, self._show)

    def on_resize(self) -> None:
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        view = self._view()
        self._chosen = max(0, min(self._chosen, len(view.grants) - 1))
        grants = self.query_one("#guard-grants", Static)
        self._show_hints(view)
        show_content(self.query_one("#guard-verdict", Static), verdict_content(view))
        show_content(grants, grants_content(view.grants, self._chosen, max(20, grants.size.width)))

    def _show_hints(self, view: SessionView) -> None:
        """Only keys that do something; a grant is looked for again when what it rests on changes."""
        rests_on = (view.detection.identity, view.risk, view.decision, view.autonomy, view.grants)
        if rests_on == self._offered_of:
            return
        self._offered_of = rests_on
        useless = set() if self._grants.offer().rules else {"u allows this"}
        useless |= set() if view.grants else {"x revokes"}
        words = (hint if view.grants or hint != "↑↓ chooses" else "↑↓ scroll" for hint in _HINTS)
        self.query_one("#guard-box").border_subtitle = " · ".join(
            hint for hint in words if hint not in useless
        )

    def _move(self, by: int) -> None:
        """To the next grant; where none is, on in the text."""
        grants, box = self._view().grants, self.query_one("#guard-box")
        if not grants:
            box.scroll_relative(y=by, animate=False)
            return
        self._chosen = max(0, min(self._chosen + by, len(grants) - 1))
        width = max(20, self.query_one("#guard-grants", Static).size.width)
        lines = [grant_content(line, width, chosen=False) for line in grants]
        self.keep_line_in_sight("#guard-grants", lines, self._chosen)

    def pick(self, index: int) -> None:
        """Mark that grant; it is revoked by the hint at the edge."""
        self._chosen = index
        self._show()

    def on_key(self, event: events.Key) -> None:
        event.stop()
        grants = self._view().grants
        self._chosen = max(0, min(self._chosen, len(grants) - 1))
        if event.key in ("escape", "q"):
            self.dismiss(None)
        elif event.key == "u":
            self.dismiss("allow")
        elif event.key in ("up", "k", "down", "j"):
            self._move(-1 if event.key in ("up", "k") else 1)
        elif event.key in ("pageup", "pagedown"):
            box: Widget = self.query_one("#guard-box")
            box.scroll_relative(y=box.size.height * (-1 if event.key == "pageup" else 1), animate=False)
        elif event.key in ("x", "delete") and grants:
            self._grants.revoke(grants[self._chosen].rule)
        if self.is_current:
            self._show()


SPANS = (("times=1", "once"), ("for=30m", "for 30 minutes"), ("", "for this run"))
"""Limits of a grant, and their words."""


class AllowScreen(Choice[str | None], inherit_bindings=False):
    """How long it is allowed; keys 1 to 3 choose too. Gives the limits."""

    list_id = "#allow-spans"
    wraps = True

    def __init__(self, rules: tuple[str, ...]) -> None:
        super().__init__()
        self._rules = rules

    def compose(self) -> ComposeResult:
        with Container(classes="dialog") as box:
            box.border_title = "allow exactly this?"
            box.border_subtitle = "Esc allows nothing · 1-3 or ↑↓ · Enter allows it"
            for rule in self._rules:
                yield Static(Content.styled(clean_line(rule), "bold $warning"))
            yield Static(
                Content.styled(
                    "\nIts risk then counts as medium instead of high. Anything else, and the same with "
                    "other words, stays held.\n",
                    "$quiet",
                )
            )
            yield Static(id="allow-spans")

    def lines(self) -> list[Content]:
        lines = []
        for index, (_, words) in enumerate(SPANS):
            mark, style = ("▸", CHOSEN_STYLE) if index == self.chosen else (" ", "")
            lines.append(pickable(Content.styled(f" {mark} {index + 1} {words} ", style), index))
        return lines

    def take(self) -> None:
        self.dismiss(SPANS[self.chosen][0])

    def other_key(self, key: str) -> None:
        if key in ("1", "2", "3"):
            self.choose(int(key) - 1)
