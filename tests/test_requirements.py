"""The list of rows with tests is itself checked: it sees the marks, and knows every row that is marked."""

from __future__ import annotations

import pytest

from tests.requirements import known_rows, main, marked_tests, marks_in

_SOURCE = """
import pytest
pytestmark = pytest.mark.row("CP-1")

@pytest.mark.row("CP-2", "CP-3")
@pytest.mark.parametrize("x", [1])
def test_a(x): ...

@pytest.mark.row("CP-9")
def helper(): ...

class TestB:
    async def test_c(self): ...
"""


def test_marks_of_tests_classes_and_modules_are_seen() -> None:
    assert dict(marks_in(_SOURCE)) == {"test_a": ["CP-1", "CP-2", "CP-3"], "TestB::test_c": ["CP-1"]}


def test_every_marked_row_is_known() -> None:
    assert set(marked_tests()) <= set(known_rows())


def test_the_listing_names_rows_with_and_without_tests(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    printed = capsys.readouterr().out
    assert "CP-9  --prompt takes a file or a text and never mixes them up\n    config/" in printed
    assert "rows have tests" in printed


def test_rows_are_numbered_without_gaps() -> None:
    numbers: dict[str, list[int]] = {}
    for row in known_rows():
        family, number = row.split("-")
        numbers.setdefault(family, []).append(int(number))
    assert {family: len(found) for family, found in numbers.items()} == {
        "SI": 41,
        "CP": 91,
        "VR": 31,
        "TB": 57,
        "PH": 47,
    }
    assert all(found == list(range(1, len(found) + 1)) for found in numbers.values())
