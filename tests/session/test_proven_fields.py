"""Words are typed only where they are text: a dialog that acts on letters gets none of them (invariant 12).

From the outside: the headless command, a child on a terminal that obeys single letters, what the child got.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.fakes import key_dialogs
from tests.front_door import copilot

PLAN = """version: 1
name: words
steps:
  - {name: say, send: "Say why, anyway; try only yellow"}
"""
LETTERS = set("jzwlh")


def run(folder: Path, *screens: str, level: str = "full") -> tuple[int, list[str]]:
    (folder / "out").mkdir()
    (folder / "plan.yaml").write_text(PLAN, encoding="utf-8")
    words = ["--headless", "--autonomy", level, "--provider", "rules", "--profile", "generic"]
    words += ["--plan", "plan.yaml", "--timeout", "40s", "--log", "run"]
    ended = copilot(*words, "--", sys.executable, key_dialogs.__file__, *screens, cwd=folder)
    return ended.code, (folder / "typed").read_text("utf-8").split("\n")


@pytest.mark.invariant(12)
@pytest.mark.parametrize("level", ["full", "assist"])
@pytest.mark.parametrize("screen", ["cline", "below"])
def test_a_plan_prompt_is_not_typed_at_a_dialog_of_letters(screen: str, level: str, tmp_path: Path) -> None:
    code, typed = run(tmp_path, screen, level=level)
    assert (tmp_path / "out").is_dir()
    assert set(typed[0]) <= {"n"}
    assert code in (1, 3)


@pytest.mark.invariant(12)
@pytest.mark.parametrize("first", ["first", "asked"])
def test_a_follow_up_is_not_typed_at_a_dialog_of_letters(first: str, tmp_path: Path) -> None:
    _, typed = run(tmp_path, first, "cline")
    assert (tmp_path / "out").is_dir()
    assert typed[0] == "n" and set(typed[1]) <= {"n"}


@pytest.mark.waits
@pytest.mark.invariant(12)
@pytest.mark.parametrize("screen", ["silent"])
def test_where_nothing_is_offered_one_harmless_letter_is_all_that_is_typed(
    screen: str, tmp_path: Path
) -> None:
    code, typed = run(tmp_path, screen)
    assert (tmp_path / "out").is_dir()
    assert set(typed[0]) <= LETTERS and len(typed[0]) <= 1
    assert code == 3


@pytest.mark.invariant(12)
def test_a_composer_that_shows_the_letter_gets_the_text(tmp_path: Path) -> None:
    run(tmp_path)
    assert (tmp_path / "said").read_text("utf-8") == "Say why, anyway; try only yellow"
