"""What follows when something was allowed, or is allowed no more."""

from __future__ import annotations

from copilot.core.effects import Effect
from copilot.core.events import GrantChanged
from copilot.core.reactions.person import rule_anew
from copilot.core.run import Run

USED = "used"


def grant_changed(run: Run, event: GrantChanged) -> list[Effect]:
    """If it is about the present prompt, its risk is another one, and what is not sent yet is ruled anew."""
    if not event.identity or event.identity != run.detection.identity:
        return []
    run.danger = event.danger
    over = run.typist is not None or run.ending is not None or run.leaving
    mine = run.detection.asks and run.detection.identity != run.owned_by_person
    if over or not mine or run.proposal is None or event.change == USED:
        return []
    return [*run.stop_asking(), *rule_anew(run, run.proposal)]
