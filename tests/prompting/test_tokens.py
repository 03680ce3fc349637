"""The estimate and its correction."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from copilot.prompting.tokens import Calibration, estimate_tokens


@given(st.text())
def test_the_estimate_is_bytes_by_three_and_a_half_rounded_up(text: str) -> None:
    import math

    assert estimate_tokens(text) == math.ceil(len(text.encode("utf-8", "surrogatepass")) / 3.5)


def test_a_lone_surrogate_is_counted_not_raised() -> None:
    assert estimate_tokens("\ud800") == 1


def test_the_first_report_counts_whole_and_later_ones_half() -> None:
    known = Calibration().updated("m", 1000, 800)
    assert known.scaled("m", 1000) == 800 and known.scaled("other", 1000) == 1000
    assert known.updated("m", 1000, 600).ratio("m") == 0.7


def test_nonsense_teaches_nothing() -> None:
    known = Calibration()
    assert known.updated("m", 0, 5) is known and known.updated("m", 1000, 0) is known
    assert known.updated("m", 100, 10**9).ratio("m") == 4.0
