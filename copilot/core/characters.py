"""Which characters a person can see: the one rule behind what is shown, what a model reads and what is typed.

Source: Unicode 15 general categories, UAX 9 (bidi controls), UTS 51 (emoji sequences), ECMA-48 (C0, C1).
"""

from __future__ import annotations

import unicodedata

_ZWJ, _ZWNJ = "\u200d", "\u200c"
_EMOJI_SELECTORS = frozenset("\ufe0e\ufe0f")
_BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0\u2065")
"""Letters and marks that draw nothing although their category does not say so."""


def is_seen(text: str, index: int) -> bool:
    """Whether the character at `index` can be seen, is newline or tab, or joins signs that can be seen."""
    return _is_plain(text[index]) or _in_sequence(text, index)


def described(char: str) -> str:
    """What an unseen character is, for a person."""
    if char == "\x1b":
        return "an escape character (U+001B)"
    category = unicodedata.category(char)
    if category == "Cc":
        return f"the control character U+{ord(char):04X}"
    if category == "Co":
        return f"the private character U+{ord(char):04X}"
    return f"the invisible character U+{ord(char):04X}"


def _is_plain(char: str) -> bool:
    """Whether the character is allowed in any text: visible, or newline or tab."""
    if char in "\n\t" or " " <= char <= "~":
        return True
    if char in _BLANK_LETTERS or _is_selector(char):
        return False
    return unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"}


def _is_selector(char: str) -> bool:
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


def _in_sequence(text: str, index: int) -> bool:
    """Whether the joiner or selector at `index` is part of a sequence that a font draws as one sign."""
    char = text[index]
    before = text[index - 1] if index else ""
    after = text[index + 1] if index + 1 < len(text) else ""
    if char in _EMOJI_SELECTORS:
        return bool(before) and (_is_symbol(before) or before in "0123456789#*")
    if char not in (_ZWJ, _ZWNJ):
        return False
    if char == _ZWJ and after and _is_symbol(after):
        base = text[index - 2] if before in _EMOJI_SELECTORS and index > 1 else before
        return bool(base) and _is_symbol(base)
    return bool(before and after) and _is_joining_letter(before) and _is_joining_letter(after)


def _is_symbol(char: str) -> bool:
    return not char.isascii() and unicodedata.category(char) in {"So", "Sk", "Sm", "Po", "Pd"}


def _is_joining_letter(char: str) -> bool:
    """A letter or mark of the scripts that use joiners for spelling (Arabic to Sinhala, Mongolian)."""
    in_range = "\u0600" <= char <= "\u0dff" or "\u1800" <= char <= "\u18af"
    return in_range and unicodedata.category(char)[0] in "LM"
