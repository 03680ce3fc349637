"""Warnings about a plan: steps that wait for `completed` under a profile that never reads it."""

from __future__ import annotations

from copilot.core.plan import Plan
from copilot.core.profile import Profile
from copilot.core.screen_kinds import ScreenKind


def waits_for_completed(plan: Plan) -> list[str]:
    """The labels of steps whose turns end as `completed`, the default of `ends`."""
    return [
        plan.label(index)
        for index, step in enumerate(plan.steps)
        if step.last_prompt >= 0 and step.end.kind is ScreenKind.COMPLETED and not step.end.shows
    ]


def turn_end_note(plan: Plan, profile: Profile) -> str:
    """A warning if the profile has no rule for a completed turn; else empty.

    A warning only: the CLI itself may report the end of its turn.
    """
    waiting = waits_for_completed(plan)
    if not waiting or any(rule.kind == ScreenKind.COMPLETED for rule in profile.screen.rules):
        return ""
    more = f" and {len(waiting) - 1} more" if len(waiting) > 1 else ""
    return (
        f"plan step {waiting[0]}{more}: the profile {profile.name} does not read a turn as completed; "
        "write `ends: idle` there unless the CLI reports its own end"
    )


def turn_end_hint(plan: Plan) -> str:
    """The warning for an unknown profile; empty if every prompt has its own `ends`."""
    waiting = waits_for_completed(plan)
    if not waiting:
        return ""
    return (
        f"{len(waiting)} of {len(plan.steps)} steps wait for a turn read as completed; "
        "for a program without a profile of its own, such as a shell, write `ends: idle` there"
    )
