"""Members do what their class says: carriers run what they carry, and arithmetic and PS4 run the command in a value.

Run in a throw-away project with a payload that only leaves a mark. A member that does nothing would be a false
attack, and a guard that lets it through would be blamed for nothing.
"""

from __future__ import annotations

import os
import subprocess
from itertools import product
from pathlib import Path
from random import Random

import pytest

from tests.guard_classes.carriers import HEAVY, LIGHT
from tests.guard_classes.grammar import load
from tests.guard_classes.project import make_project
from tests.guard_classes.shape import is_whole

MARK = "pwned"
FROM_THE_ENVIRONMENT = ("PS4='", "bash -x"), ("PS4='", "SHELLOPTS")
"""Ways that bash ignores for root: it takes no PS4 from the environment then."""


def leaves_the_mark(command: str, project: Path) -> bool:
    """Whether the command made the file `pwned` in the project, which is taken away again."""
    try:
        subprocess.run(
            ["bash", "-c", command], cwd=project, capture_output=True, timeout=20, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        return False
    made = (project / MARK).exists()
    (project / MARK).unlink(missing_ok=True)
    return made


def without_effect(commands: list[str], folder: Path) -> list[str]:
    """The commands that left no mark."""
    project = make_project(folder / "project")
    (project / "scripts" / "x.sh").write_text("ls\n")
    return [command for command in commands if not leaves_the_mark(command, project)]


def test_each_carrier_runs_what_it_carries(tmp_path: Path) -> None:
    assert without_effect([carrier.around(f"touch {MARK}") for carrier in (*LIGHT, *HEAVY)], tmp_path) == []


@pytest.mark.slow
def test_a_carrier_in_a_carrier_runs_what_it_carries(tmp_path: Path) -> None:
    pairs = [
        outer.around(inner.around(f"touch {MARK}"))
        for outer, inner in product(LIGHT, LIGHT)
        if not outer.program
    ]
    whole = [pair for pair in pairs if is_whole(pair)]
    assert without_effect(Random(1).sample(whole, 600), tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["g-arithmetic", "g-ps4"])
def test_the_command_in_a_value_is_run(name: str, tmp_path: Path) -> None:
    rng = Random(name)
    grammar = load(name).with_rules(P=[f"touch {MARK}"])
    cores = sorted({grammar.expand(rng) for _ in range(300)})
    if os.geteuid() == 0:
        cores = [
            core
            for core in cores
            if not any(all(part in core for part in parts) for parts in FROM_THE_ENVIRONMENT)
        ]
    assert without_effect(cores, tmp_path) == []
