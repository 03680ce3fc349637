"""`docs/architecture.md` says what the code says: states, kinds, levels, exit codes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from copilot import errors
from copilot.core.reply import Autonomy
from copilot.core.screen_kinds import (
    WAITING_KINDS,
    ScreenKind,
)
from tests.docs_tables import TABLES, written

DOCUMENT = (Path(__file__).resolve().parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return DOCUMENT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def first_cells(title: str) -> list[str]:
    """The first cell of each row of the table under a heading, without its head."""
    rows = re.findall(r"^\| `?([^`|]+?)`? \|", section(title), re.M)
    return rows[1:]


def test_every_kind_is_listed_with_whether_it_waits() -> None:
    assert first_cells("Kinds of screen") == [kind.value for kind in ScreenKind]
    for kind in ScreenKind:
        (row,) = [line for line in DOCUMENT.splitlines() if line.startswith(f"| `{kind.value}` |")]
        waits = row.rstrip("| ").rpartition("|")[2].strip()
        assert waits.startswith(("yes", "if")) == (kind in WAITING_KINDS), row


def test_every_level_is_listed() -> None:
    assert first_cells("Autonomy levels") == [level.value for level in Autonomy]


def test_every_exit_code_is_listed() -> None:
    codes = sorted(value for name, value in vars(errors).items() if name.startswith("EXIT_"))
    assert [int(cell) for cell in first_cells("Public interface")] == codes


@pytest.mark.parametrize(("document", "name"), TABLES)
def test_a_table_is_made_from_its_registry(document: str, name: str) -> None:
    assert written(document, name) == TABLES[document, name](), "run: python -m tests.docs_tables"


def test_every_invariant_is_numbered() -> None:
    numbers = re.findall(r"^(\d+)\. ", section("Safety invariants"), re.M)
    assert numbers == [str(number) for number in range(1, 13)]
