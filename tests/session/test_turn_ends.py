"""A plan whose turns this profile never reads as completed is told at the start, not after a wait."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from copilot.session.start import prepare
from tests.session.live import run_settings

PLAN = (
    "name: n\nsteps:\n  - {name: look, run: ls}\n  - {name: one, send: date%s}\n  - {name: two, send: ls}\n"
)


def told(folder: Path, profile: str, plan: str) -> list[str]:
    path = folder / "plan.yml"
    path.write_text(plan)
    settings = run_settings(folder, sys.executable, profile=profile, plan=str(path))
    return [note for note in prepare(settings).notes if "ends:" in note]


@pytest.mark.parametrize(
    ("ends", "steps"),
    [("", "2/3: one and 1 more"), (", ends: idle", "3/3: two"), (", ends: {shows: x}", "3/3: two")],
)
def test_generic_is_told_at_the_start(ends: str, steps: str, tmp_path: Path, clean_user: Path) -> None:
    (note,) = told(tmp_path, "generic", PLAN % ends)
    assert note.startswith(f"plan step {steps}: the profile generic does not read a turn as completed")
    assert "write `ends: idle` there" in note


@pytest.mark.parametrize("profile", ["claude", "demo", "aider"])
def test_a_profile_that_reads_it_says_nothing(profile: str, tmp_path: Path, clean_user: Path) -> None:
    assert told(tmp_path, profile, PLAN % "") == []
