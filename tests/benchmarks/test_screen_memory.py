"""Memory of the scrollback, as a ratio to pyte's. (Speed is for `screen_speed.py`: no timed asserts.)"""

from __future__ import annotations

from tests.benchmarks.screen_speed import memory


def test_scrollback_takes_a_fifth_of_pytes_and_packed_a_twelfth() -> None:
    history, fresh, packed = memory(500)
    assert fresh * 5 < history
    assert packed * 12 < history
