"""Keys, pastes, mouse and focus as the bytes that the child expects, by the modes it has set.

Key names are those of the recordings: `Enter Esc Tab Space Backspace Up Down Left Right Home End PageUp
PageDown Insert Delete F1 ... F24`, a single character for itself, modifiers in front: `C-c`, `S-Tab`, `M-x`,
`C-S-Up`. Formats: xterm's ctlseqs (legacy, modifyOtherKeys) and the kitty keyboard protocol.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

SHIFT, ALT, CTRL = 1, 2, 4
DISAMBIGUATE, EVENT_TYPES, ALTERNATES, ALL_AS_ESCAPES, WITH_TEXT = 1, 2, 4, 8, 16
"""Flags of the kitty keyboard protocol."""

_LETTERS = {"Up": "A", "Down": "B", "Right": "C", "Left": "D", "Home": "H", "End": "F"}
_FIRST_FUNCTIONS = {"F1": "P", "F2": "Q", "F3": "R", "F4": "S"}
_NUMBERS = {"Insert": 2, "Delete": 3, "PageUp": 5, "PageDown": 6} | {
    f"F{n}": code
    for n, code in enumerate((15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34), 5)
}
_SIMPLE = {"Enter": 13, "Tab": 9, "Esc": 27, "Backspace": 127, "Space": 32}
_ALIASES = {"Escape": "Esc", "Return": "Enter", "Del": "Delete", "PgUp": "PageUp", "PgDn": "PageDown"}
KEY_NAMES = (*_SIMPLE, *_LETTERS, *_FIRST_FUNCTIONS, *_NUMBERS, *_ALIASES)
"""Every name of a key; modifiers come first."""
_MODIFIERS = {"S": SHIFT, "M": ALT, "C": CTRL}
_PREFIXES = re.compile(r"((?:[SMC]-)*)(.+)", re.DOTALL).fullmatch
_CONTROLS = ((" @2", 0), ("[3", 27), ("\\4", 28), ("]5", 29), ("^6", 30), ("_/7", 31), ("?8", 127))
_CONTROL_PUNCTUATION = {character: code for characters, code in _CONTROLS for character in characters}


@dataclass(frozen=True, slots=True)
class KeyModes:
    """What the child has set, as far as keys, mouse and focus depend on it."""

    application_cursor: bool = False
    new_line: bool = False
    modify_other_keys: int = 0
    kitty: int = 0


class HasKeyModes(Protocol):
    """A `TerminalScreen`, as far as it matters here."""

    @property
    def key_modes(self) -> KeyModes: ...


def encode_keys(keys: Iterable[str], screen: HasKeyModes) -> bytes:
    """Several keys, each a name or literal text, in the modes that `screen` is in now."""
    modes = screen.key_modes
    return b"".join(encode_key(key, modes) for key in keys)


def encode_key(key: str, modes: KeyModes = KeyModes()) -> bytes:
    """One key. What is no key name is literal text, typed as it is."""
    found = _PREFIXES(key)
    if found is None:
        return b""
    prefixes, name = found.groups()
    name = _ALIASES.get(name, name)
    modifiers = 0
    for prefix in prefixes[::2]:
        modifiers |= _MODIFIERS[prefix]
    if name in _LETTERS or name in _FIRST_FUNCTIONS or name in _NUMBERS:
        return _functional(name, modifiers, modes).encode()
    if name in _SIMPLE or len(name) == 1:
        return _character(_SIMPLE.get(name) or ord(name), modifiers, modes).encode()
    if modes.kitty & ALL_AS_ESCAPES:
        return "".join(_kitty(ord(character), 0, modes.kitty) for character in key).encode()
    return key.encode()


def _functional(name: str, modifiers: int, modes: KeyModes) -> str:
    if name in _NUMBERS:
        return f"\x1b[{_NUMBERS[name]}{_with(modifiers)}~"
    letter = _LETTERS.get(name) or _FIRST_FUNCTIONS[name]
    if modes.kitty and name == "F3":
        return f"\x1b[13{_with(modifiers)}~"
    if modifiers:
        return f"\x1b[1;{modifiers + 1}{letter}"
    legacy = not modes.kitty and (name in _FIRST_FUNCTIONS or modes.application_cursor)
    return ("\x1bO" if legacy else "\x1b[") + letter


def _with(modifiers: int) -> str:
    return f";{modifiers + 1}" if modifiers else ""


def _character(code: int, modifiers: int, modes: KeyModes) -> str:
    if modes.kitty and _needs_kitty(code, modifiers, modes.kitty):
        return _kitty(code, modifiers, modes.kitty)
    if modes.modify_other_keys and _needs_other(code, modifiers, modes.modify_other_keys):
        return f"\x1b[27;{modifiers + 1};{code}~"
    if code == 9 and modifiers & SHIFT:
        text = "\x1b[Z"
    elif code == 127:
        text = "\x08" if modifiers & CTRL else "\x7f"
    elif code == 13:
        text = "\r\n" if modes.new_line else "\r"
    elif modifiers & CTRL:
        text = _control(chr(code))
    else:
        text = _shifted(chr(code)) if modifiers & SHIFT else chr(code)
    return "\x1b" + text if modifiers & ALT else text


def _control(character: str) -> str:
    if character in _CONTROL_PUNCTUATION:
        return chr(_CONTROL_PUNCTUATION[character])
    if character.isascii() and character.isalpha():
        return chr(ord(character) & 0x1F)
    return character


def _shifted(character: str) -> str:
    upper = character.upper()
    return upper if len(upper) == 1 else character


def _needs_kitty(code: int, modifiers: int, flags: int) -> bool:
    """Whether a key goes as an escape code under these kitty flags."""
    if flags & ALL_AS_ESCAPES:
        return True
    if not flags & DISAMBIGUATE:
        return False
    if code == 27:
        return True
    if code in (9, 13, 127):
        return modifiers != 0
    return bool(modifiers & (ALT | CTRL))


def _kitty(code: int, modifiers: int, flags: int) -> str:
    character = chr(code)
    lower = character.lower()
    if len(lower) == 1 and lower != character:
        modifiers |= SHIFT
        code = ord(lower)
    shifted = _shifted(chr(code)) if modifiers & SHIFT else ""
    number = (
        f"{code}:{ord(shifted)}" if flags & ALTERNATES and shifted and shifted != chr(code) else str(code)
    )
    text = shifted or chr(code)
    printable = text >= " " and text != "\x7f" and not modifiers & (ALT | CTRL)
    if flags & ALL_AS_ESCAPES and flags & WITH_TEXT and printable:
        return f"\x1b[{number};{modifiers + 1 if modifiers else ''};{ord(text)}u"
    return f"\x1b[{number}{_with(modifiers)}u"


def _needs_other(code: int, modifiers: int, level: int) -> bool:
    """Whether a modified key goes as `CSI 27 ; modifiers ; code ~` (modifyOtherKeys)."""
    if not modifiers or (code == 9 and modifiers == SHIFT):
        return False
    if level >= 2:
        return modifiers != SHIFT or code in (13, 127, 27)
    character = chr(code)
    plain = character in _CONTROL_PUNCTUATION or character.isalpha() or code in (27, 127)
    return code in (9, 13) or (bool(modifiers & CTRL) and not plain)


_MARKERS = re.compile("(?:\x1b\\[|\x9b)20[01]~")
_UNTYPEABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def encode_paste(text: str, bracketed: bool) -> bytes:
    """A paste. No marker that would end it early survives, however nested, nor any control character
    but tab and line end. `bracketed` only if the child has mode 2004 on; else a line end is Enter."""
    while _MARKERS.search(text):
        text = _MARKERS.sub("", text)
    text = _UNTYPEABLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    if bracketed:
        return b"\x1b[200~" + text.encode() + b"\x1b[201~"
    return text.replace("\n", "\r").encode()
