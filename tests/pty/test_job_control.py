"""A stop must not be for good: only a shell with job control brings us back."""

from __future__ import annotations

import subprocess
import sys

import pytest

ASK = "from copilot.supervision.process_tree import shell_behind; print(shell_behind())"


@pytest.mark.parametrize(
    ("own_session", "own_group", "expected"),
    [
        pytest.param(True, False, "False", id="nobody-behind"),
        pytest.param(False, True, "True", id="job-of-a-shell"),
    ],
)
def test_a_shell_is_found(own_session: bool, own_group: bool, expected: str) -> None:
    answer = subprocess.run(
        [sys.executable, "-c", ASK],
        capture_output=True,
        text=True,
        check=True,
        timeout=200,
        start_new_session=own_session,
        process_group=0 if own_group else None,
    )
    assert answer.stdout.strip() == expected


def test_a_wrapper_in_the_same_group_is_looked_through() -> None:
    wrapper = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {ASK!r}])"
    answer = subprocess.run(
        [sys.executable, "-c", wrapper],
        capture_output=True,
        text=True,
        check=True,
        timeout=200,
        process_group=0,
    )
    assert answer.stdout.strip() == "True"
