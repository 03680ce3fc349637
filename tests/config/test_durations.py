from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from copilot.config.values import parse_duration, say_duration


@pytest.mark.row("CP-16")
@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("45m", 2700),
        ("30s", 30),
        ("1h30m", 5400),
        ("90", 90),
        ("1.5h", 5400),
        ("1H 5M", 3900),
        ("2d", 172800),
    ],
)
def test_units_are_read(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.row("CP-16")
@pytest.mark.parametrize(
    "text", ["", "0", "0m", "-5m", "5x", "m", "5m3h", "1e3", "45 minutes", "31d", "nan", "٣m"]
)
def test_anything_else_is_refused_with_the_forms_that_work(text: str) -> None:
    with pytest.raises(ValueError, match=r"45m|longer than zero"):
        parse_duration(text)


@given(st.integers(min_value=1, max_value=86_400))
def test_what_is_said_is_read_back(seconds: int) -> None:
    assert parse_duration(say_duration(seconds)) == seconds
