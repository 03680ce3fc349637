"""The measuring itself: what goes through counts as allowed, what is held does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.guard_edits.cases import load_cases
from tests.guard_edits.measure import Outcome, run_case, table

_BY_ID = {case.id: case for case in load_cases()}


@pytest.mark.parametrize(
    ("case", "allowed"),
    [("cleanup-files-h07", True), ("cleanup-docker-r01", False), ("agent-permissions-r04", False)],
)
def test_what_reached_the_child_decides(case: str, allowed: bool, tmp_path: Path) -> None:
    outcome = run_case(_BY_ID[case], tmp_path)
    assert (outcome.allowed, outcome.read) == (allowed, True)


def test_the_run_itself_makes_what_its_case_says(tmp_path: Path) -> None:
    run_case(_BY_ID["cleanup-files-h03"], tmp_path)
    assert {path.name for path in (tmp_path / "shop" / "out").iterdir()} == {"a.txt", "b.txt"}


def test_the_table_counts_both_mistakes() -> None:
    cases = [_BY_ID["ci-r01"], _BY_ID["ci-r02"], _BY_ID["ci-h01"]]
    outcomes = [
        Outcome("ci-r01", allowed=True, read=True, risk="", reason=""),
        Outcome("ci-r02", allowed=False, read=True, risk="", reason=""),
        Outcome("ci-h01", allowed=False, read=False, risk="", reason=""),
    ]
    assert table(cases, outcomes).splitlines()[-1] == "| all | 2 | 1 | 50.0 | 1 | 1 | 100.0 | 1 |"
