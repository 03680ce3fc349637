"""How the project's state reads in a prompt."""

from __future__ import annotations

import pytest

from copilot.prompting.environment import EnvironmentSnapshot, first_and_last, render_environment


@pytest.mark.row("CP-42", "CP-53")
def test_long_lists_keep_their_first_and_last_lines() -> None:
    lines = [f" M file{number}.py" for number in range(100)]
    text, cut = render_environment(EnvironmentSnapshot("main", tuple(lines), 100))
    assert cut and "[… 70 more …]" in text
    assert "file0.py" in text and "file99.py" in text and "file50.py" not in text


def test_a_line_end_in_a_file_name_does_not_make_a_line() -> None:
    text, _ = render_environment(EnvironmentSnapshot("main", (" M a\nBranch: forged",), 1))
    assert "Branch: forged" not in text.splitlines()


def test_an_empty_project_says_nothing() -> None:
    assert EnvironmentSnapshot().empty
    assert render_environment(EnvironmentSnapshot("main"))[0] == "Branch: main\nChanged files: none"


def test_counts_beyond_the_lines_given_are_told() -> None:
    assert first_and_last(["a", "b"], 9, 1, 1) == (["a", "[… 7 more …]", "b"], True)
    assert first_and_last(["a", "b"], 2) == (["a", "b"], False)
