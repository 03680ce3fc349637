"""What outside text may look like: on our own terminal, before a model, and as a reply to the child.

Textual, rich and `print` pass control characters of data straight to the user's terminal (an OSC 52 in a
file name writes the clipboard), and invisible characters carry words that no person sees. So every string
from outside goes through `safe_text` before it is shown, through `model_text` before a model reads it, and
a reply through `clean_reply` before it is typed (invariant 3). Source of the rules: Unicode 15 general
categories, UAX 9 (bidi controls), UTS 51 (emoji sequences), ECMA-48 (C0, C1).
"""

from __future__ import annotations

import unicodedata

MAX_REPLY_CHARACTERS = 10_000
MAX_LINE_BYTES = 4_000
"""A terminal in canonical mode keeps at most 4,095 bytes of a line and drops the rest silently."""

_ZWJ, _ZWNJ = "\u200d", "\u200c"
_EMOJI_SELECTORS = frozenset("\ufe0e\ufe0f")
_BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0\u2065")
"""Letters and marks that draw nothing although their category does not say so."""
_PASTE_MARKERS = ("[200~", "[201~")


class UnsafeReply(ValueError):
    """A reply that must not be typed; `reason` is one line for the person."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def safe_text(text: str) -> str:
    """`text` such that showing it can neither drive a terminal nor hide or reorder what is read.

    Newline and tab stay, and so do emoji sequences and joiners inside words. Every other control, format
    or unassigned character is replaced by a visible mark, so that a person sees that something was there.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        char if _is_plain(char) or _in_sequence(text, index) else _mark(char)
        for index, char in enumerate(text)
    )


def model_text(text: str) -> tuple[str, int]:
    """`text` without what a person could not see, and how many such characters there were.

    Private-use characters (icons of patched fonts) are removed too but not counted: they are visible.
    """
    if text.isascii() and text.isprintable():
        return text, 0
    kept: list[str] = []
    count = 0
    for index, char in enumerate(text):
        if unicodedata.category(char) == "Co":
            continue
        if _is_plain(char) or _in_sequence(text, index):
            kept.append(char)
        else:
            count += 1
    return "".join(kept), count


def clean_reply(text: str, *, multi_line: bool) -> str:
    """`text` itself if every character of it may be typed. Raises UnsafeReply with the reason otherwise.

    Nothing is repaired: a reply with a control character in it was not meant the way it would arrive. A
    tab is refused as well, because shells and line editors act on it.
    """
    if len(text) > MAX_REPLY_CHARACTERS:
        raise UnsafeReply(f"the reply has {len(text)} characters, more than {MAX_REPLY_CHARACTERS}")
    if "\n" in text and not multi_line:
        raise UnsafeReply("the reply has several lines and the prompt takes one")
    for index, char in enumerate(text):
        if char == "\n" or (char != "\t" and (_is_plain(char) or _in_sequence(text, index))):
            continue
        raise UnsafeReply(f"the reply has {_described(char)} at position {index + 1}")
    if any(marker in text for marker in _PASTE_MARKERS):
        raise UnsafeReply("the reply has a bracketed-paste marker in it")
    if any(len(line.encode("utf-8")) > MAX_LINE_BYTES for line in text.split("\n")):
        raise UnsafeReply(f"the reply has a line of more than {MAX_LINE_BYTES} bytes")
    return text


def folded(text: str) -> str:
    """`text` for matching words: invisible characters out, compatibility forms and case folded."""
    return unicodedata.normalize("NFKC", model_text(text)[0]).casefold()


def has_hidden(text: str) -> bool:
    """Whether `text` holds a character that `model_text` would count."""
    return model_text(text)[1] > 0


def mixed_script_word(text: str) -> str:
    """The first word that mixes Latin with Cyrillic or Greek letters (a look-alike), or ""."""
    if text.isascii():
        return ""
    for word in text.split():
        scripts = {unicodedata.name(char, "").split(" ")[0] for char in word if char.isalpha()}
        if "LATIN" in scripts and scripts & {"CYRILLIC", "GREEK"}:
            return word
    return ""


def _is_plain(char: str) -> bool:
    """Whether the character may stand anywhere: visible, or newline or tab."""
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


def _mark(char: str) -> str:
    if char < " ":
        return chr(0x2400 + ord(char))
    if char == "\x7f":
        return "\u2421"
    return f"\u2039U+{ord(char):04X}\u203a"


def _described(char: str) -> str:
    if char == "\x1b":
        return "an escape character"
    if unicodedata.category(char) == "Cc":
        return f"the control character U+{ord(char):04X}"
    return f"the invisible character U+{ord(char):04X}"
