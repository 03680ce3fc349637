"""Several sessions in one cockpit: what each is called, how it stands, which needs a person. Texts alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from textual.content import Content

from copilot.tui.describe import Badge, badge, question_line, why_held
from copilot.tui.model import CockpitModel
from copilot.tui.text import clean_line
from copilot.tui.widgets.risk_text import short_risk


@dataclass(frozen=True, slots=True)
class TabState:
    """One session at a glance. `number` counts from 1."""

    number: int
    name: str
    badge: Badge
    needs_person: bool = False
    question: str = ""
    reply: str = ""
    why: str = ""
    risk: Content = field(default_factory=Content)


def tab_state(number: int, name: str, model: CockpitModel, now: float, *, over: bool) -> TabState:
    """How a session stands now; `over`: it has ended and is only still shown."""
    proposal = model.proposal
    return TabState(
        number,
        clean_line(name),
        badge(model, now),
        needs_person=model.needs_person and not over,
        question=question_line(model.view) if model.detection.asks else "",
        reply=clean_line(str(proposal.reply)) if proposal is not None else "",
        why=why_held(model),
        risk=short_risk(model.seen) if model.detection.asks and not model.secret else Content(""),
    )


def tab_name(profile: str, folder: str) -> str:
    """What a session is called: its CLI and the folder it works in."""
    place = PurePath(folder).name
    return f"{profile}:{place}" if place else profile


def next_needing(states: Sequence[TabState], here: int) -> int | None:
    """The index of the next session that needs a person, after the one at `here`, round the end."""
    order = [*range(here + 1, len(states)), *range(here + 1)]
    return next((index for index in order if states[index].needs_person and index != here), None)
