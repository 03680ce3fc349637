"""What of a model's answer is accepted, what is repaired, and what is held."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from copilot.core.reply import AnswerForm, Reply, ReplyRequest
from copilot.errors import ProviderError
from copilot.prompting.answer import Answer, read_answer
from tests.prompting.make import detection, request

YES_NO = request(detection("yes_no", "Proceed? [Y/n]", "yes", "no"))
BARE_YES_NO = request(detection("yes_no", "Proceed? [Y/n]"))
MENU = request(detection("menu", "Choose", "React", "Next.js", "Express"))
PERMISSION = request(detection("permission", "Proceed?", "Yes", "Yes, and don't ask again", "No"))
TEXT = request(detection("question", "Which name?"))
INPUT = request(detection("text_input", "version: (1.0.0)"))
MULTI = request(detection("text_input", "message:", multi_line=True))
NUMERIC = request(detection("menu", "Pages", "8", "16"))
CONTINUE = request(detection("press_key", "Press any key"))


def answer(made: ReplyRequest, **fields: object) -> Answer:
    whole = {"choice": None, "text": None, "reason": "r", "confidence": 0.9, "needs_human": False, **fields}
    return read_answer(json.dumps(whole), made)


def held(raw: str, made: ReplyRequest) -> str:
    """Why `raw` is held."""
    with pytest.raises(ProviderError) as problem:
        read_answer(raw, made)
    return str(problem.value)


@pytest.mark.row("CP-35")
@pytest.mark.parametrize(
    ("word", "label"), [("y", "yes"), ("n", "no"), ("Yes", "yes"), ("NO", "no"), ("no", "no")]
)
def test_yes_no_takes_y_n_or_the_labels(word: str, label: str) -> None:
    assert answer(YES_NO, choice=word).reply == Reply(choice=label)
    assert read_answer(word, YES_NO).reply == Reply(choice=label)
    assert read_answer(word, BARE_YES_NO).reply == Reply(text=label[0])


@pytest.mark.row("CP-34", "CP-35")
@pytest.mark.parametrize("raw", ["Sure! y", "y.", "`y`", '"y"', "The answer is y", "Answer: yes", "**y**"])
def test_a_lead_in_is_repaired_when_one_meaning_is_left(raw: str) -> None:
    assert read_answer(raw, YES_NO).reply == Reply(choice="yes")


@pytest.mark.row("CP-34", "CP-35")
@pytest.mark.parametrize(
    "raw",
    [
        "Sure, no",
        "yes and no",
        "y or n",
        "I would not say y",
        "maybe",
        "y\nn",
        "no problem: y",
        "yy",
        "Yes!? n",
        "1",
    ],
)
def test_what_has_two_meanings_is_held(raw: str) -> None:
    assert held(raw, YES_NO)


@pytest.mark.row("CP-35")
@given(st.text(max_size=40))
def test_whatever_comes_a_yes_no_reply_is_y_or_n_or_held(raw: str) -> None:
    try:
        found = read_answer(raw, BARE_YES_NO)
    except ProviderError as problem:
        assert str(problem)
    else:
        assert found.reply.text in ("y", "n") or found.needs_human


@pytest.mark.row("CP-36")
@pytest.mark.parametrize("words", ["Next.js", "next.js", "2", "2.", "2. Next.js"])
def test_a_list_takes_label_or_number(words: str) -> None:
    assert answer(MENU, choice=words).reply == Reply(choice="Next.js")
    assert read_answer(words, MENU).reply == Reply(choice="Next.js")
    assert answer(MENU, choice=2).reply == Reply(choice="Next.js")


@pytest.mark.row("CP-36")
@pytest.mark.parametrize(
    "words", ["0", "4", "-1", "99999", "2. React", "Vue", "React, Express", "1 2", "٢", "", "2.0"]
)
def test_a_choice_out_of_range_is_held(words: str) -> None:
    with pytest.raises(ProviderError):
        answer(MENU, choice=words)


@pytest.mark.row("CP-36")
def test_labels_that_are_numbers_are_never_taken_for_places() -> None:
    assert answer(NUMERIC, choice="16").reply == Reply(choice="16")
    assert "none of the listed" in held("1", NUMERIC)


@pytest.mark.invariant(4)
@pytest.mark.row("CP-36")
@given(
    st.text(max_size=60) | st.sampled_from(['{"choice": "Yes"', '{"choice": 7}', "yes please", "No, wait"])
)
def test_whatever_comes_a_choice_is_a_listed_label_or_held(raw: str) -> None:
    try:
        found = read_answer(raw, PERMISSION)
    except ProviderError:
        return
    assert found.reply.choice in PERMISSION.choices or (found.needs_human and found.reply == Reply())
    assert found.reply.text is None


def test_words_at_a_list_are_held_and_a_label_in_text_is_taken() -> None:
    with pytest.raises(ProviderError):
        answer(PERMISSION, text="no, do not do that")
    assert answer(PERMISSION, text="No").reply == Reply(choice="No")
    with pytest.raises(ProviderError, match="contradict"):
        answer(PERMISSION, choice="Yes", text="No")
    assert answer(PERMISSION, choice="No", text="use pnpm instead").reply == Reply("No", "use pnpm instead")
    with pytest.raises(ProviderError):
        answer(PERMISSION, choice="No", text="a\nb")


@pytest.mark.row("CP-38")
@pytest.mark.invariant(3)
@pytest.mark.parametrize(
    "text",
    [
        "a\nb",
        "a\rb",
        "a\x1b[201~b",
        "a\x03",
        "a\u202eb",
        "a\u200bb",
        "a\x85b",
        "a\u2028b",
        "a\U000e0041",
        "  ",
        "a\tb",
        "x" * 4001,
    ],
)
def test_a_text_is_one_printable_line(text: str) -> None:
    with pytest.raises(ProviderError):
        answer(TEXT, text=text)


@pytest.mark.invariant(3)
@given(st.text(min_size=1, max_size=80))
def test_no_text_with_controls_passes(text: str) -> None:
    import unicodedata

    for made in (TEXT, MULTI):
        try:
            found = answer(made, text=text)
        except ProviderError:
            continue
        typed = found.reply.text or ""
        allowed = "\n\t" if made.form is AnswerForm.MULTI_LINE else ""
        assert all(unicodedata.category(c) not in ("Cc", "Cf", "Zl", "Zp") or c in allowed for c in typed)


@pytest.mark.row("CP-38")
def test_several_lines_pass_only_where_they_are_asked_for() -> None:
    assert answer(MULTI, text="Fix it\r\n\r\nBecause.").reply == Reply(text="Fix it\n\nBecause.")


def test_an_empty_text_accepts_a_default_and_nothing_else() -> None:
    assert answer(INPUT, text="").reply == Reply(text="")
    with pytest.raises(ProviderError, match="empty"):
        answer(TEXT, text="")
    assert held("", INPUT) == "the answer is empty"


@pytest.mark.row("CP-39")
@pytest.mark.parametrize("made", [TEXT, MENU, YES_NO, MULTI])
def test_a_question_back_goes_to_the_person_and_is_never_typed(made: ReplyRequest) -> None:
    for found in (answer(made, text="? Which of the two"), read_answer("? Which of the two", made)):
        assert found.needs_human and found.clarification == "Which of the two" and found.reply == Reply()
    assert "without a question" in held("?", made)


def test_needs_human_survives_an_unusable_reply() -> None:
    found = answer(MENU, choice="whatever", needs_human=True)
    assert found.needs_human and found.reply == Reply()
    assert answer(MENU, choice="React", needs_human=True).reply == Reply(choice="React")


@pytest.mark.row("CP-34")
@pytest.mark.parametrize(
    "frame",
    [
        "{}",
        "```json\n{}\n```",
        "Here is my answer:\n{}\nHope that helps!",
        "<think>yes { or no }</think>{}",
        "\n\n  {}  ",
    ],
)
def test_one_json_object_is_found_wherever_it_stands(frame: str) -> None:
    raw = frame.replace(
        "{}", '{"choice": "No", "text": null, "reason": "ok {fine}", "confidence": 1, "needs_human": false}'
    )
    assert read_answer(raw, PERMISSION) == Answer(Reply(choice="No"), "ok {fine}", 1.0, False)


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ('{"choice": "No"', "malformed"),
        ('{"choice": "No", "choice": "Yes"}', "twice"),
        ('{"choice": "No"} {"choice": "Yes"}', "several"),
        ('{"choice": "No", "confidence": 95}', "confidence"),
        ('{"choice": "No", "confidence": NaN}', "NaN"),
        ('{"choice": "No", "confidence": true}', "confidence"),
        ('{"choice": "No", "needs_human": "false"}', "needs_human"),
        ('{"choice": ["No"]}', "choice"),
        ('{"choice": true}', "choice"),
        ('{"answer": "No"}', "another form"),
        ("[" * 5000, "none of the listed|not one of"),
        ('{"choice":' * 3000, "malformed"),
        ("{" + '"a":' + "1" * 5000 + "}", "malformed|another form"),
        ("x" * 300_000, "characters long"),
        ("I'm sorry, I can't help with that.", "refused"),
        ("Sorry, as an AI I will not choose", "refused"),
    ],
)
def test_malformed_answers_are_held_with_a_reason(raw: str, why: str) -> None:
    import re

    assert re.search(why, held(raw, PERMISSION))


def test_plain_text_is_typed_only_if_it_reads_like_a_reply() -> None:
    assert read_answer("MIT", TEXT).confidence >= 0.5
    assert read_answer("Here is what I would type: MIT", TEXT).confidence < 0.5, "policy holds that"
    assert "malformed" in held("```\nMIT\n```", TEXT)
    assert "several lines" in held("MIT\nbecause", TEXT)
    assert read_answer("MIT", TEXT).reply == Reply(text="MIT")


def test_going_on_is_a_choice() -> None:
    assert answer(CONTINUE, choice="continue").reply == Reply(choice="continue")
    with pytest.raises(ProviderError):
        answer(CONTINUE, text="q")


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=8),
        lambda x: (
            st.lists(x)
            | st.dictionaries(st.sampled_from(["choice", "text", "reason", "confidence", "needs_human"]), x)
        ),
    )
)
def test_no_json_whatever_ends_in_another_exception(value: object) -> None:
    for made in (MENU, TEXT, YES_NO, MULTI):
        try:
            read_answer(json.dumps(value), made)
        except ProviderError as problem:
            assert "\n" not in str(problem)
