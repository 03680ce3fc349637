"""Redaction of a stream in pieces: nothing lost, nothing reordered, no secret however it is split."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from copilot.recording.output_recorder import kept_bytes_decoder, to_bytes, to_text
from copilot.recording.stream_redactor import HELD_CHARACTERS, StreamRedactor

SECRET = "tok_0123456789abcdef"


def redact(text: str) -> str:
    """A stand-in for the guard's redactor: a token, a keyword with its value, a block of several lines."""
    text = re.sub(r"(?s)<key>.*?</key>", "[key]", text)
    text = re.sub(r"(password: )\S+", r"\1[password]", text)
    return text.replace(SECRET, "[token]")


def streamed(pieces: list[str], *, quiet: set[int] = frozenset()) -> list[tuple[float, str]]:  # type: ignore[assignment]
    redactor = StreamRedactor(redact)
    out = []
    for number, piece in enumerate(pieces):
        redactor.add(float(number), piece)
        out += redactor.take(quiet=number in quiet)
    out += redactor.take(final=True)
    assert redactor.added == redactor.given == sum(map(len, pieces))
    return out


@given(st.lists(st.text(st.sampled_from("ab \n\x1b[;m\t─"), max_size=30), max_size=30), st.data())
def test_clean_text_keeps_its_order_and_its_times(pieces: list[str], data: st.DataObject) -> None:
    quiet = data.draw(st.sets(st.integers(0, 30)))
    out = streamed(pieces, quiet=quiet)
    assert "".join(text for _, text in out) == "".join(pieces)
    assert [at for at, _ in out] == sorted(at for at, _ in out)
    for number, piece in enumerate(pieces):
        assert "".join(text for at, text in out if at == number) == piece


@pytest.mark.row("CP-55")
@given(
    st.integers(1, len(SECRET) - 1),
    st.text("xy \n", max_size=200),
    st.text("xy \n", max_size=200),
    st.booleans(),
)
def test_a_secret_split_anywhere_is_caught_even_across_a_pause(
    cut: int, before: str, after: str, pause: bool
) -> None:
    pieces = [before + " " + SECRET[:cut], SECRET[cut:] + " " + after]
    out = "".join(text for _, text in streamed(pieces, quiet={0, 1} if pause else set()))
    assert out == f"{before} [token] {after}"


@pytest.mark.row("CP-55")
def test_a_secret_split_into_single_characters_amid_a_flood_is_caught() -> None:
    pieces = ["line of output\n" * 400, *("the " + SECRET + " ends\n"), "line of output\n" * 2000]
    out = "".join(text for _, text in streamed(pieces, quiet=set(range(1, 20))))
    assert out == redact("".join(pieces)) and SECRET[:8] not in out


@pytest.mark.row("CP-55")
def test_a_value_after_its_keyword_was_given_out_is_caught() -> None:
    out = streamed(["password: ", "hunter2", "\nnext\n"], quiet={0, 1})
    assert "".join(text for _, text in out) == "password: [password]\nnext\n"
    assert out[0] == (0.0, "password: "), "what stands on the screen is not withheld for ever"


@pytest.mark.row("CP-55")
def test_a_block_of_several_lines_is_caught_over_many_pieces() -> None:
    block = "<key>\n" + "abcdefgh\n" * 300 + "</key>\n"
    pieces = ["before\n", *[block[n : n + 100] for n in range(0, len(block), 100)], "after\n" * 2000]
    out = "".join(text for _, text in streamed(pieces))
    assert out == "before\n[key]\n" + "after\n" * 2000


def test_little_is_withheld_and_a_word_without_end_is_not_held_for_ever() -> None:
    redactor = StreamRedactor(redact)
    for number in range(100):
        redactor.add(number, "x" * 1000)
        redactor.take()
    assert redactor.added - redactor.given <= 2 * HELD_CHARACTERS
    redactor.add(101, " done and a_last_word")
    redactor.take(quiet=True)
    assert redactor.added - redactor.given == len("a_last_word")


@given(st.lists(st.binary(max_size=20), max_size=10))
def test_bytes_survive_as_text(pieces: list[bytes]) -> None:
    decoder = kept_bytes_decoder()
    text = "".join(decoder.decode(piece) for piece in pieces) + decoder.decode(b"", True)
    text.encode()
    data = b"".join(pieces)
    assert to_bytes(text) == data
    assert ("\ufffd" in to_text(text)) or to_text(text).encode() == data
