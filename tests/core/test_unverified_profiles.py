"""A profile that was never measured only suggests, whoever asks for more."""

from __future__ import annotations

import pytest

from copilot.core import events as ev
from copilot.core.orchestrator import handle
from copilot.core.profile import Profile
from copilot.core.reply import Autonomy
from copilot.core.run import Run

ACTING = [Autonomy.ASSIST, Autonomy.FULL]


@pytest.mark.invariant(1)
@pytest.mark.parametrize("level", ACTING)
def test_a_run_with_an_unverified_profile_starts_at_suggest(level: Autonomy) -> None:
    assert Run(profile=Profile("x", unverified=True), autonomy=level).situation.autonomy is Autonomy.SUGGEST
    assert Run(profile=Profile("x"), autonomy=level).situation.autonomy is level


@pytest.mark.invariant(1)
@pytest.mark.parametrize("level", ACTING)
def test_no_key_of_the_person_raises_it_later(level: Autonomy) -> None:
    run = Run(profile=Profile("x", unverified=True), autonomy=Autonomy.WATCH)
    handle(run, ev.AutonomyChanged(at=1.0, level=level))
    assert run.situation.autonomy is Autonomy.SUGGEST


@pytest.mark.parametrize("level", [Autonomy.WATCH, Autonomy.SUGGEST])
def test_what_sends_nothing_stays_as_it_was_chosen(level: Autonomy) -> None:
    assert Run(profile=Profile("x", unverified=True), autonomy=level).autonomy is level
