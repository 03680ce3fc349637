"""What outside text may look like: on our own terminal, and before a model.

Textual, rich and `print` pass control characters of data straight to the user's terminal (an OSC 52 in a
file name writes the clipboard), and invisible characters carry words that no person sees. So every string
from outside goes through `safe_text` before it is shown, and through `model_text` before a model reads it.
What may be typed is `core.clean_reply`'s to say. Which characters are seen: `core.characters`.
"""

from __future__ import annotations

import unicodedata

from copilot.core.characters import is_seen


def safe_text(text: str) -> str:
    """`text` such that showing it can neither drive a terminal nor hide or reorder what is read.

    Newline and tab stay, and so do emoji sequences and joiners inside words. Every other control, format
    or unassigned character is replaced by a visible mark, so that a person sees that something was there.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(char if is_seen(text, index) else _mark(char) for index, char in enumerate(text))


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
        if is_seen(text, index):
            kept.append(char)
        else:
            count += 1
    return "".join(kept), count


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


def _mark(char: str) -> str:
    if char < " ":
        return chr(0x2400 + ord(char))
    if char == "\x7f":
        return "\u2421"
    return f"\u2039U+{ord(char):04X}\u203a"
