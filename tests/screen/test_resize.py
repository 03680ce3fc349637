"""Resizing: the main screen wraps anew, nothing is lost, the cursor stays with its text."""

from __future__ import annotations

import random

import pytest

from copilot.screen import TerminalScreen
from tests.screen.streams import random_stream

WORDS = ["alpha", "beta", "gamma", "delta", "epsilon", "漢字", "zeta", "eta", "👍🏽", "theta"]


def all_text(screen: TerminalScreen) -> list[str]:
    """Logical lines of scrollback and screen, trailing blanks cut."""
    rows = [screen.scrollback_row(y) for y in range(len(screen.scrollback))]
    rows += [screen.visible_row(y) for y in range(screen.lines)]
    lines, line = [], ""
    for row in rows:
        line += "".join(cell for cell in row.chars if type(cell) is str)
        if not row.wrapped:
            lines.append(line.rstrip())
            line = ""
    while lines and not lines[-1]:
        lines.pop()
    return lines


def shown(screen: TerminalScreen) -> list[str]:
    return [line.rstrip() for line in screen.snapshot().lines]


def test_narrow_and_wide_again() -> None:
    screen = TerminalScreen(20, 4)
    screen.feed(b"one two three four\r\nfive\r\n$ ")
    screen.resize(10, 4)
    assert shown(screen) == ["one two th", "ree four", "five", "$"]
    assert screen.snapshot().cursor[:2] == (3, 2)
    screen.resize(20, 4)
    assert shown(screen) == ["one two three four", "five", "$", ""]


def test_rows_go_to_the_scrollback_and_come_back() -> None:
    screen = TerminalScreen(10, 5)
    screen.feed(b"1\r\n2\r\n3\r\n4\r\n5")
    screen.resize(10, 3)
    assert shown(screen) == ["3", "4", "5"]
    assert len(screen.scrollback) == 2
    screen.resize(10, 5)
    assert shown(screen) == ["1", "2", "3", "4", "5"]


def test_blank_rows_go_first() -> None:
    screen = TerminalScreen(10, 24)
    screen.feed(b"top")
    screen.resize(10, 5)
    assert shown(screen)[0] == "top"
    assert not screen.scrollback


def test_a_cleared_screen_stays_cleared() -> None:
    screen = TerminalScreen(10, 3)
    screen.feed(b"1\r\n2\r\n3\r\n4\r\n5\x1b[H\x1b[2J$ ")
    screen.resize(12, 6)
    assert shown(screen)[0] == "$"


def test_a_wide_character_at_the_edge_leaves_no_blank_behind() -> None:
    screen = TerminalScreen(5, 3)
    screen.feed("abcd漢e".encode())
    assert shown(screen)[:2] == ["abcd", "漢e"]
    screen.resize(10, 3)
    assert shown(screen)[0] == "abcd漢e"
    screen.resize(5, 3)
    assert shown(screen)[:2] == ["abcd", "漢e"]


def test_the_alternate_screen_is_cut_and_the_main_one_wrapped() -> None:
    screen = TerminalScreen(20, 4)
    screen.feed(b"one two three four\r\n$ \x1b[?1049h\x1b[2;1Hmenu of many words\x1b[4;1Hlast")
    screen.resize(8, 3)
    assert shown(screen) == ["menu of", "", "last"]
    screen.feed(b"\x1b[?1049l")
    assert shown(screen) == ["three fo", "ur", "$"]
    screen.feed(b"ls")
    assert shown(screen)[-1] == "$ ls"


def test_nothing_is_lost_whatever_the_sizes() -> None:
    source = random.Random(7)
    for _ in range(60):
        screen = TerminalScreen(source.randint(4, 40), source.randint(2, 12), 500)
        text = [" ".join(source.choices(WORDS, k=source.randint(0, 9))) for _ in range(12)]
        screen.feed("\r\n".join(text).encode())
        before = all_text(screen)
        for _ in range(4):
            screen.resize(source.randint(2, 40), source.randint(1, 12))
            assert all_text(screen) == before
            cursor = screen.snapshot().cursor
            assert 0 <= cursor.row < screen.lines
            assert 0 <= cursor.column < screen.columns


def test_random_streams_and_sizes_raise_nothing() -> None:
    source = random.Random(11)
    for _ in range(150):
        screen = TerminalScreen(10, 4, 20)
        for _ in range(4):
            screen.feed(random_stream(source))
            screen.resize(source.randint(1, 30), source.randint(1, 12))
            snapshot = screen.snapshot()
            assert len(snapshot.lines) == screen.lines
            assert {len(row) for row in snapshot.characters} == {screen.columns}
            assert {len(row) for row in snapshot.styles} == {screen.columns}


@pytest.mark.parametrize("packed", [False, True])
def test_packed_rows_are_the_same_rows(packed: bool) -> None:
    screen = TerminalScreen(20, 3, 500)
    for n in range(60):
        screen.feed(f"\x1b[3{n % 8}mline {n} \x1b[1m漢字\x1b[0m e\u0301nd\r\n".encode())
    if packed:
        while screen.tidy():
            pass
    row = screen.scrollback_row(10)
    assert "".join(row.chars) == "line 10 漢字 e\u0301nd"
    assert row.styles[0].foreground == 2
    assert row.styles[-1].foreground == "default"
    assert row.picture_of(20).text == "line 10 漢字 e\u0301nd    "
    screen.resize(10, 3)
    assert all_text(screen)[10] == "line 10 漢字 e\u0301nd"


def test_packed_rows_know_where_a_wide_character_did_not_fit() -> None:
    screen = TerminalScreen(5, 2, 100)
    screen.feed("abcd漢ef\r\n".encode() + b"x\r\n" * 12)
    while screen.tidy():
        pass
    screen.resize(20, 2)
    assert "".join(screen.scrollback_row(0).chars) == "abcd漢ef"
