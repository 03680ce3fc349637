"""The table of `make drift`: a row for each version, made of what `profiles test --json` prints, and kept."""

from __future__ import annotations

from typing import Any

from tests.real.drift import Row, row_of, rows_in, table

OUTCOME: dict[str, Any] = {
    "version": "1.2",
    "failure": "",
    "absent": {},
    "not_reached": [],
    "dialogs": [
        {"dialog": "write", "differences": []},
        {"dialog": "run", "differences": [{"aspect": "subject"}, {"aspect": "subject"}]},
    ],
}


def test_a_row_says_what_differs_and_what_was_not_reached() -> None:
    row = row_of("small", OUTCOME, "2026-11-24")
    assert (row.dialogs, row.outcome) == ("1 of 2", "differs in run: subject")
    failed = {**OUTCOME, "dialogs": [], "failure": "small: no | such option", "not_reached": ["write", "run"]}
    row = row_of("small", failed, "2026-11-24")
    assert row.dialogs == "0 of 2"
    assert "our recipe failed: small: no / such option; not reached: write, run" in row.markdown()
    assert row_of("small", {**OUTCOME, "dialogs": []}, "2026-11-24").outcome == "as measured"


def test_a_table_is_read_back_and_has_the_newest_version_first() -> None:
    rows = [
        Row("b", "0.9.1", "d", "1 of 1", "x"),
        Row("b", "0.10", "d", "1 of 1", "y"),
        Row("a", "1", "d", "0 of 1", "z"),
    ]
    read = list(rows_in(table(rows)))
    assert [(row.name, row.version) for row in read] == [("a", "1"), ("b", "0.10"), ("b", "0.9.1")]
    assert table(read) == table(rows)
