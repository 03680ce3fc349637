"""Bytes to readable text: the same whether all of it is looked at or only what needs it, and however it is cut."""

from __future__ import annotations

import re2
from hypothesis import example, given, settings
from hypothesis import strategies as st

from copilot.timebox.output_log import Cleaner, clean

many = settings(max_examples=100, deadline=None)
_PIECES = [
    *("plain", "é", "✓ ", "\U0001f600", "\n", "\r\n", "\r", "\t"),
    *(
        "\x1b[31m",
        "\x1b]0;title\x07",
        "\x1b]8;;x\x1b\\",
        "\x1b(B",
        "\x9b1m",
        "\x9dt\x9c",
        "\x1b",
        "\x9b",
        "\x1b[",
    ),
    *("\x00", "\x07", "\x0b", "\x7f", "\x85", "\x9f", "\xa0"),
]
texts = st.lists(st.sampled_from(_PIECES), max_size=20).map("".join)
_SEQUENCES = re2.compile(
    r"(?:\x1b\[|\x{9b})[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x{90}\x{98}\x{9d}-\x{9f}])[^\n\x07\x1b\x{9c}]*(?:\x07|\x1b\\|\x{9c})"
    r"|\x1b[ -/]*[0-~]"
)


def cleaned_plainly(text: str) -> str:
    text = _SEQUENCES.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return "".join(c for c in text if c in "\t\n" or not (c < " " or "\x7f" <= c <= "\x9f"))


@many
@given(text=texts)
@example("é\x7f")
@example("é\x9b1m")
@example("é\x0b")
def test_a_text_is_cleaned_as_by_every_step(text: str) -> None:
    assert clean(text) == cleaned_plainly(text)


@many
@given(text=texts)
def test_a_text_cut_anywhere_is_cleaned_as_the_whole(text: str) -> None:
    data = text.encode()
    whole = clean(text)
    for at in range(len(data) + 1):
        cleaner = Cleaner()
        assert cleaner.feed(data[:at]) + cleaner.feed(data[at:]) + cleaner.close() == whole
