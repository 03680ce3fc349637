"""Keys, pastes, mouse and focus by the child's modes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from copilot.screen import TerminalScreen, encode_key, encode_keys, encode_paste
from copilot.screen.keys import CTRL, KeyModes
from copilot.screen.modes import (
    LEFT,
    MOTION,
    NONE,
    PRESS,
    RELEASE,
    WHEEL_UP,
    PointerModes,
    encode_focus,
    encode_mouse,
    encode_wheel_as_arrows,
)

LEGACY = KeyModes()
APPLICATION = KeyModes(application_cursor=True)
OTHER_1 = KeyModes(modify_other_keys=1)
OTHER_2 = KeyModes(modify_other_keys=2)
KITTY = KeyModes(kitty=1)
KITTY_ALL = KeyModes(kitty=8 | 1)
KITTY_TEXT = KeyModes(kitty=31)


@pytest.mark.parametrize(
    ("key", "modes", "expected"),
    [
        ("Enter", LEGACY, b"\r"),
        ("Esc", LEGACY, b"\x1b"),
        ("Tab", LEGACY, b"\t"),
        ("S-Tab", LEGACY, b"\x1b[Z"),
        ("Space", LEGACY, b" "),
        ("Backspace", LEGACY, b"\x7f"),
        ("C-c", LEGACY, b"\x03"),
        ("C-Space", LEGACY, b"\x00"),
        ("C-/", LEGACY, b"\x1f"),
        ("M-x", LEGACY, b"\x1bx"),
        ("M-Enter", LEGACY, b"\x1b\r"),
        ("S-Enter", LEGACY, b"\r"),
        ("Up", LEGACY, b"\x1b[A"),
        ("Up", APPLICATION, b"\x1bOA"),
        ("C-Up", APPLICATION, b"\x1b[1;5A"),
        ("S-M-Left", LEGACY, b"\x1b[1;4D"),
        ("Home", LEGACY, b"\x1b[H"),
        ("Delete", LEGACY, b"\x1b[3~"),
        ("C-PageUp", LEGACY, b"\x1b[5;5~"),
        ("F1", LEGACY, b"\x1bOP"),
        ("S-F1", LEGACY, b"\x1b[1;2P"),
        ("F5", LEGACY, b"\x1b[15~"),
        ("F20", LEGACY, b"\x1b[34~"),
        ("1", LEGACY, b"1"),
        ("é", LEGACY, "é".encode()),
        ("hello", LEGACY, b"hello"),
        ("S-Enter", OTHER_1, b"\x1b[27;2;13~"),
        ("C-c", OTHER_1, b"\x03"),
        ("S-Enter", OTHER_2, b"\x1b[27;2;13~"),
        ("C-c", OTHER_2, b"\x1b[27;5;99~"),
        ("S-Tab", OTHER_2, b"\x1b[Z"),
        ("Esc", KITTY, b"\x1b[27u"),
        ("Enter", KITTY, b"\r"),
        ("S-Enter", KITTY, b"\x1b[13;2u"),
        ("S-Tab", KITTY, b"\x1b[9;2u"),
        ("C-c", KITTY, b"\x1b[99;5u"),
        ("M-x", KITTY, b"\x1b[120;3u"),
        ("a", KITTY, b"a"),
        ("Up", KeyModes(application_cursor=True, kitty=1), b"\x1b[A"),
        ("F3", KITTY, b"\x1b[13~"),
        ("Enter", KITTY_ALL, b"\x1b[13u"),
        ("a", KITTY_ALL, b"\x1b[97u"),
        ("A", KITTY_ALL, b"\x1b[97;2u"),
        ("ab", KITTY_ALL, b"\x1b[97u\x1b[98u"),
        ("A", KITTY_TEXT, b"\x1b[97:65;2;65u"),
        ("a", KITTY_TEXT, b"\x1b[97;;97u"),
        ("Backspace", KITTY_TEXT, b"\x1b[127u"),
    ],
)
def test_key(key: str, modes: KeyModes, expected: bytes) -> None:
    assert encode_key(key, modes) == expected


def test_modes_come_from_the_screen() -> None:
    screen = TerminalScreen(80, 24)
    assert encode_keys(("Up", "Enter"), screen) == b"\x1b[A\r"
    screen.feed(b"\x1b[?1h")
    assert encode_keys(("Up",), screen) == b"\x1bOA"
    screen.feed(b"\x1b[>1u")
    assert encode_keys(("Up", "Esc"), screen) == b"\x1b[A\x1b[27u"
    screen.feed(b"\x1b[<u\x1b[?1l\x1b[>4;2m")
    assert encode_keys(("C-c",), screen) == b"\x1b[27;5;99~"


def test_the_keyboard_stack_is_one_per_screen() -> None:
    screen = TerminalScreen(80, 24)
    screen.feed(b"\x1b[>7u\x1b[?1049h")
    assert screen.key_modes.kitty == 0
    screen.feed(b"\x1b[>1u\x1b[=8;2u")
    assert screen.key_modes.kitty == 9
    screen.feed(b"\x1b[?1049l")
    assert screen.key_modes.kitty == 7
    screen.feed(b"\x1b[<99u")
    assert screen.key_modes.kitty == 0


@pytest.mark.invariant(3)
@pytest.mark.parametrize(
    "text",
    [
        "a\x1b[201~; rm -rf ~\r",
        "a\x1b[20\x1b[201~1~b",
        "a\x1b[2\x1b[20\x1b[200~0~01~b",
        "\x9b201~x",
        "\x03\x04\x1a\x15x",
        "\u0085x",
    ],
)
def test_a_paste_cannot_end_itself(text: str) -> None:
    data = encode_paste(text, bracketed=True)
    assert data.startswith(b"\x1b[200~")
    assert data.endswith(b"\x1b[201~")
    inside = data[6:-6].decode()
    assert not any(character < " " and character not in "\t\n" for character in inside)
    assert not any("\x7f" <= character <= "\x9f" for character in inside)
    assert "201~" not in inside


@pytest.mark.invariant(3)
@given(st.text(alphabet="\x1b[]201~0ab\n\x9b\r", max_size=60))
def test_no_paste_can_end_itself(text: str) -> None:
    data = encode_paste(text, bracketed=True)
    assert data.count(b"\x1b") == 2


def test_line_ends_of_a_paste() -> None:
    assert encode_paste("a\r\nb\rc", bracketed=True) == b"\x1b[200~a\nb\nc\x1b[201~"
    assert encode_paste("a\nb", bracketed=False) == b"a\rb"


def test_mouse() -> None:
    silent = PointerModes()
    assert encode_mouse(PRESS, LEFT, 0, 0, silent) == b""
    clicks = PointerModes(tracking=1000, sgr=True)
    assert encode_mouse(PRESS, LEFT, 2, 4, clicks) == b"\x1b[<0;3;5M"
    assert encode_mouse(RELEASE, LEFT, 2, 4, clicks) == b"\x1b[<0;3;5m"
    assert encode_mouse(PRESS, WHEEL_UP, 2, 4, clicks, CTRL) == b"\x1b[<80;3;5M"
    assert encode_mouse(MOTION, LEFT, 2, 4, clicks) == b""
    assert encode_mouse(MOTION, LEFT, 2, 4, PointerModes(1002, True)) == b"\x1b[<32;3;5M"
    assert encode_mouse(MOTION, NONE, 2, 4, PointerModes(1002, True)) == b""
    assert encode_mouse(MOTION, NONE, 2, 4, PointerModes(1003, True)) == b"\x1b[<35;3;5M"
    old = PointerModes(tracking=1000)
    assert encode_mouse(PRESS, LEFT, 2, 4, old) == b"\x1b[M #%"
    assert encode_mouse(RELEASE, LEFT, 2, 4, old) == b"\x1b[M##%"
    assert encode_mouse(PRESS, LEFT, 300, 4, old) == b""


def test_pointer_modes_come_from_the_screen() -> None:
    screen = TerminalScreen(80, 24)
    screen.feed(b"\x1b[?1000h\x1b[?1002h\x1b[?1003h\x1b[?1006h\x1b[?1004h\x1b[?1049h")
    assert screen.pointer_modes == PointerModes(1003, True, True, True)
    assert encode_focus(True, screen.pointer_modes) == b"\x1b[I"
    screen.feed(b"\x1b[?1003l\x1b[?1004l\x1b[?1049l")
    assert screen.pointer_modes == PointerModes(0, True, False, False)
    assert encode_focus(False, screen.pointer_modes) == b""


def test_the_wheel_scrolls_a_pager() -> None:
    screen = TerminalScreen(80, 24)
    screen.feed(b"\x1b[?1049h\x1b[?1h")
    assert encode_wheel_as_arrows(WHEEL_UP, screen.pointer_modes, screen.key_modes) == b"\x1bOA" * 3
    screen.feed(b"\x1b[?1000h")
    assert encode_wheel_as_arrows(WHEEL_UP, screen.pointer_modes, screen.key_modes) == b""
