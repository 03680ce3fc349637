"""`clean_reply`: may this text be typed into the child? (invariant 3)

The one home of the rule. The reading of a model's answer asks it first; the planning of keys asks it again,
whoever made the reply.
"""

from __future__ import annotations

import unicodedata

from copilot.core.characters import described, is_seen

MAX_REPLY_CHARACTERS = 10_000
MAX_LINE_BYTES = 4_000
"""A terminal in canonical mode keeps at most 4,095 bytes of a line and drops the rest silently."""

_PASTE_MARKERS = ("[200~", "[201~")


class UnsafeReply(ValueError):
    """A reply that must not be typed; `reason` is one line for the person."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def clean_reply(text: str, *, multi_line: bool) -> str:
    """`text` itself if every character of it may be typed. Raises UnsafeReply with the reason otherwise.

    Nothing is repaired: a reply with a control character in it was not meant the way it would arrive. A
    tab is refused as well, because shells and line editors act on it, and so are private characters, of
    which nobody can tell what they are.
    """
    if len(text) > MAX_REPLY_CHARACTERS:
        raise UnsafeReply(f"the reply has {len(text)} characters, more than {MAX_REPLY_CHARACTERS}")
    if "\n" in text and not multi_line:
        raise UnsafeReply("the reply has several lines and the prompt takes one")
    if not (text.isascii() and text.isprintable()):
        for index, char in enumerate(text):
            if char != "\n" and (char == "\t" or not _may_be_typed(text, index)):
                raise UnsafeReply(f"the reply has {described(char)} at position {index + 1}")
    if any(marker in text for marker in _PASTE_MARKERS):
        raise UnsafeReply("the reply has a bracketed-paste marker in it")
    if any(len(line.encode("utf-8")) > MAX_LINE_BYTES for line in text.split("\n")):
        raise UnsafeReply(f"the reply has a line of more than {MAX_LINE_BYTES} bytes")
    return text


def _may_be_typed(text: str, index: int) -> bool:
    return is_seen(text, index) and unicodedata.category(text[index]) != "Co"
