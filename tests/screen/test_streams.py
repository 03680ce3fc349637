"""No stream raises, none reads differently when cut, none costs unbounded memory or time."""

from __future__ import annotations

import random
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from copilot.screen import TerminalScreen
from copilot.screen.events import MOST_EVENTS, MOST_REPLIES
from copilot.screen.tokens import LONGEST_OSC
from tests.examples import some
from tests.screen.streams import ATOMS, SIZES, differences, random_stream


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.one_of(st.sampled_from(ATOMS), st.binary(max_size=4)), max_size=40).map(b"".join),
    st.sampled_from(SIZES),
)
def test_a_stream_reads_the_same_however_it_is_cut(data: bytes, size: tuple[int, int]) -> None:
    assert differences(data, *size, random.Random(1)) == []


@pytest.mark.examples
def test_random_streams_read_the_same_however_they_are_cut() -> None:
    source = random.Random(20261121)
    for _ in some(range(300), 6):
        data, size = random_stream(source), source.choice(SIZES)
        assert differences(data, *size, source) == [], (data, size)


ENDLESS = {
    "csi parameters": (b"\x1b[", b"1;"),
    "csi intermediates": (b"\x1b[", b"!"),
    "escape intermediates": (b"\x1b", b"("),
    "osc": (b"\x1b]0;", b"Do you want to proceed? "),
    "dcs": (b"\x1bP", b"Do you want to proceed? "),
    "apc": (b"\x1b_G", b"Do you want to proceed? "),
    "privacy message": (b"\x1b^", b"Do you want to proceed? "),
    "start of string": (b"\x1bX", b"Do you want to proceed? "),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_an_endless_sequence_is_bounded_and_never_printed(name: str) -> None:
    start, more = ENDLESS[name]
    screen = TerminalScreen(40, 5)
    screen.feed(b"before" + start)
    for _ in range(300):
        screen.feed(more * 400)
    machine = screen._parser.machine
    held = sum(map(sys.getsizeof, machine._pieces)) + sys.getsizeof(
        machine._parameters + machine._intermediates
    )
    assert held <= 2 * LONGEST_OSC
    screen.feed(b"\x18after")
    assert screen.snapshot().lines[0].split() == ["beforeafter"]


def test_a_number_of_many_digits_does_not_raise() -> None:
    screen = TerminalScreen(40, 5)
    screen.feed(b"a\x1b[" + b"9" * 5000 + b"Cb\x1b[" + b"8" * 200 + b"Cc")
    assert screen.snapshot().lines[0] == "ab" + " " * 37 + "c"


def test_a_child_that_never_reads_its_answers_gets_no_more() -> None:
    screen = TerminalScreen(40, 5)
    for _ in range(100):
        screen.feed(b"\x1b[6n\x07" * 1000)
    assert len(screen.take_replies()) <= MOST_REPLIES
    assert len(screen.take_events()) <= MOST_EVENTS


def test_a_cell_holds_no_more_than_a_bounded_cluster() -> None:
    screen = TerminalScreen(40, 5)
    screen.feed(b"a" + "\u0301".encode() * 100_000)
    screen.feed(("b" + "\u200dx" * 100_000).encode())
    assert max(map(len, screen.snapshot().characters[0])) <= 32


def test_caches_are_bounded() -> None:
    from copilot.screen import styles

    screen = TerminalScreen(40, 5, 10)
    for red in range(256):
        screen.feed("".join(f"\x1b[38;2;{red};{n};{n % 7}mx" for n in range(256)).encode())
    assert len(screen._grid.styles._table) <= styles.LIMIT
    assert len(screen._grid.styles._effects) <= styles.MOST_EFFECTS


HOSTILE = {
    "malformed": b"\x1b[1;\x7f2\x1b\x18",
    "repeat": b"\x1b[65535b",
    "scroll": b"\x1b[65535S",
    "insert lines": b"\x1b[65535L",
    "tabs": b"\x1b[65535I",
    "alternate": b"\x1b[?1049h\x1b[?1049l",
    "reset": b"\x1bc",
    "alignment": b"\x1b#8",
    "joiners": "👩\u200d".encode(),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_time_per_byte_does_not_grow(name: str) -> None:
    """Ten times the bytes take about ten times as long, in one feed too. (A ratio: no timed limit.)"""

    def seconds(times: int) -> float:
        screen = TerminalScreen(80, 24)
        data = b"x" + HOSTILE[name] * times
        start = time.process_time()
        screen.feed(data)
        return time.process_time() - start

    assert min(seconds(1000) for _ in range(3)) < 40 * max(min(seconds(100) for _ in range(3)), 1e-4)
