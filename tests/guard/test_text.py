"""What outside text may look like on our terminal, before a model, and as a reply (invariant 3)."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from copilot.core.reply_keys import MAX_REPLY_CHARACTERS, UnsafeReply, clean_reply
from copilot.guard.text import folded, mixed_script_word, model_text, safe_text

HIDDEN = [
    "\x00", "\x07", "\x1b", "\x7f", "\x9b", "\x85", "\r", "\u200b", "\u200e", "\u202e", "\u2066", "\u2028",
    "\u2029", "\ufeff", "\u00ad", "\u2060", "\u061c", "\u180e", "\u3164", "\U000e0041", "\U000e0100", "\ufe01",
]  # fmt: skip

KEPT = [
    "plain", "a\tb\nc", "äöü ñ", "日本語", "│ ❯ 1. Yes", "⚠️ careful", "👩‍💻 codes", "👨‍👩‍👧", "🏳️‍🌈", "1️⃣", "می‌خواهم",
    "क्‍ष", "✔︎ done", "e\u0301",
]  # fmt: skip


@pytest.mark.parametrize("char", HIDDEN)
def test_hidden_characters_are_marked_dropped_and_refused(char: str) -> None:
    """Each of them is visible to the person, gone and counted for the model, refused as a reply."""
    text = f"a{char}b"
    assert char not in safe_text(text)
    assert len(safe_text(text)) > 2
    assert model_text(text) == ("ab", 1)
    with pytest.raises(UnsafeReply):
        clean_reply(text, multi_line=True)


@pytest.mark.parametrize("text", KEPT)
def test_normal_text_stays(text: str) -> None:
    """Letters of all scripts, box drawing and emoji sequences are left alone."""
    assert safe_text(text) == text
    assert model_text(text) == (text, 0)


def test_a_joiner_between_letters_does_not_split_a_word_for_the_guard() -> None:
    """Words cannot be hidden by what no person sees, nor by look-alike forms."""
    assert folded("de\u200dlete") == "delete"
    assert folded("ｄｅＬｅｔｅ") == "delete"
    assert mixed_script_word("please dеlete it") == "dеlete"
    assert mixed_script_word("удалить all") == ""


@pytest.mark.invariant(3)
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("yes\n", "several lines"),
        ("y\r", "control character U+000D"),
        ("a\x1b[201~rm", "escape character"),
        ("a[201~b", "paste marker"),
        ("a\tb", "control character U+0009"),
        ("an icon \ue0b0", "private character U+E0B0"),
        ("half \ud83d", "invisible character U+D83D"),
        ("x" * 4_001, "more than 4000 bytes"),
        ("x" * (MAX_REPLY_CHARACTERS + 1), "more than"),
    ],
)
@pytest.mark.row("CP-38")
def test_replies_that_must_not_be_typed(text: str, reason: str) -> None:
    with pytest.raises(UnsafeReply, match=re.escape(reason)):
        clean_reply(text, multi_line=False)


def test_a_reply_of_several_lines_where_the_prompt_takes_them() -> None:
    assert clean_reply("one\ntwo", multi_line=True) == "one\ntwo"


@pytest.mark.invariant(3)
@given(st.text())
def test_whatever_passes_is_printable(text: str) -> None:
    """No generated reply that passes has a byte that a terminal or line discipline acts on."""
    try:
        clean = clean_reply(text, multi_line=False)
    except UnsafeReply:
        return
    assert all(unicodedata.category(char) not in {"Cc", "Cs", "Cn", "Zl", "Zp"} for char in clean)


@given(st.text())
def test_safe_text_is_stable_and_never_controls(text: str) -> None:
    shown = safe_text(text)
    assert safe_text(shown) == shown
    assert all(char in "\n\t" or unicodedata.category(char) not in {"Cc", "Cs"} for char in shown)
