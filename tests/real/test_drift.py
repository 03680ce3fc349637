"""`copilot profiles test` on real CLIs: nothing on the pinned version, and exactly what an altered profile breaks."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from copilot.lab.clis import WALKS
from tests.real.conftest import programs_of
from tests.real.run import COPILOT

pytestmark = [pytest.mark.real_cli, pytest.mark.timeout(300)]
PROFILES = Path(__file__).parents[2] / "profiles"


def drift(name: str, target: str, folder: Path) -> tuple[int, dict[str, Any]]:
    """Exit code and outcome of the walk of one CLI."""
    path = os.pathsep.join([str(programs_of(name)), os.environ["PATH"]])
    command = [str(COPILOT), "profiles", "test", target, "--json", "--save", str(folder)]
    environment = {**os.environ, "PATH": path}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=280, check=False)
    print(done.stdout, done.stderr, sep="\n")
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize("name", sorted(WALKS))
def test_the_pinned_version_is_as_it_was_measured(name: str, tmp_path: Path) -> None:
    code, outcome = drift(name, name, tmp_path)
    assert [one for dialog in outcome["dialogs"] for one in dialog["differences"]] == []
    assert code == 0
    assert len(list(Path(outcome["screens"]).glob("*.cast"))) == len(outcome["dialogs"]) + 1


ALTERED = {
    "claude": (
        [
            (r"\bauto[- ]?mode\b", "x{9}"),
            ('"claude.menu.ask"\nkind = "menu"', '"claude.menu.ask"\nkind = "yes_no"'),
        ],
        {("command", "widening"), ("menu", "kind")},
    ),
    "codex": ([("don'?t ask again", "x{9}")], {("write", "widening"), ("command", "widening")}),
}
"""What is changed in each profile, and the differences that must be told."""


@pytest.mark.parametrize("name", sorted(ALTERED))
def test_an_altered_profile_gives_exactly_its_differences(name: str, tmp_path: Path) -> None:
    text = (PROFILES / f"{name}.toml").read_text("utf-8")
    changes, expected = ALTERED[name]
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / f"{name}.toml"
    path.write_text(text, "utf-8")
    code, outcome = drift(name, str(path), tmp_path / "out")
    told = {(one["station"], one["aspect"]) for dialog in outcome["dialogs"] for one in dialog["differences"]}
    assert told == expected
    assert code == 1
