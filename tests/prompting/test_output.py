"""Recent output: noise goes, repeats fold, what is too long is summarised and says so."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from copilot.prompting.output import trim_output, without_noise
from copilot.prompting.system_prompt import sentences, shortened, units
from copilot.prompting.tokens import estimate_tokens


def test_spinners_rules_and_footers_go() -> None:
    lines = [
        "Reading app.py",
        "✻ Baking… (5s · ↓ 130 tokens)",
        "⠙ Thinking... (esc to cancel, 4s)",
        "• Working (3s • esc to interrupt)",
        "────────────",
        "? for shortcuts",
        "⠋",
        "Done. (it says: press esc to close)",
    ]
    assert without_noise(lines) == ["Reading app.py", "Done. (it says: press esc to close)"]


def test_progress_keeps_its_last_state_and_repeats_get_a_count() -> None:
    lines = [
        "npm install",
        "  10% [###    ]",
        "  55% [####   ]",
        " 100% [#######]",
        "warn",
        "warn",
        "warn",
        "",
        "",
        "end",
    ]
    assert without_noise(lines) == ["npm install", " 100% [#######]", "warn  [3 times]", "", "end"]


def test_a_screen_drawn_again_is_told_once() -> None:
    screen = ["Title", "first row", "second row", "prompt >"]
    assert without_noise([*screen, *screen, *screen, "after"]) == [*screen, "after"]


def test_lines_that_tell_something_stay() -> None:
    lines = [
        "a = b",
        "+ added",
        "- removed",
        "3 passed in 0.2s",
        "Are you sure?",
        "| a | b |",
        "error: x (see y)",
    ]
    assert without_noise(lines) == lines


def test_short_output_is_left_whole() -> None:
    trimmed = trim_output("one\ntwo\n", 100, estimate_tokens)
    assert trimmed.render() == "one\ntwo" and not trimmed.cut


def test_the_end_is_whole_and_telling_lines_of_the_rest_are_kept() -> None:
    text = "\n".join(["ERROR: disk full", *(f"Copied file number {n} to the target." for n in range(500))])
    trimmed = trim_output(text, 400, estimate_tokens)
    assert trimmed.tail.endswith("Copied file number 499 to the target.")
    assert trimmed.summary == "ERROR: disk full"
    assert trimmed.left_out == 501 - 1 - len(trimmed.tail.splitlines())


def test_a_wrapped_sentence_is_never_split() -> None:
    pair = "I have looked at all of file {} and will now\nrun the tests to be sure."
    text = "\n\n".join(pair.format(number) for number in range(100))
    trimmed = trim_output(text, 120, estimate_tokens)
    assert trimmed.cut
    assert trimmed.tail.startswith("I have looked"), "begins with the beginning of a sentence"


@given(st.lists(st.text(alphabet="ab .?%\n⠙─(1/", max_size=30), max_size=60), st.integers(0, 200))
def test_any_output_fits_its_budget(lines: list[str], budget: int) -> None:
    text = "\n".join(lines)
    trimmed = trim_output(text, budget, estimate_tokens)
    if budget >= 60:
        assert estimate_tokens(trimmed.render()) <= budget
    assert set(trimmed.tail.splitlines()) <= {line.rstrip() for line in without_noise(text.splitlines())} | {
        ""
    }


def test_sentences_and_shortening() -> None:
    assert sentences("One. Two? Three") == ["One.", "Two?", "Three"]
    assert shortened("One. Two. Three?", 8) == ("[…] Three?", True)
    assert shortened("short", 11) == ("short", False)
    assert shortened("x" * 50, 11) == ("[a text of 50 characters]", True)
    assert units(["a line that goes on and", "on.", "", "- item", "- item two"]) == [
        ("a line that goes on and", "on."),
        ("- item",),
        ("- item two",),
    ]
