"""Secrets of several words, in quotes or said in prose; and the sentences and code that look like them."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from copilot.redaction import rules
from copilot.redaction.quoted import quoted_spans, said_spans
from copilot.redaction.redact import Redactor
from copilot.redaction.stream import HOLD_CHARACTERS, RedactingStream
from tests.redaction_corpus.lines import clean_lines

from ..examples import examples

REDACTOR = Redactor(key=b"quoted")
EVERYTHING = rules.Seen(tuple(range(len(rules.secret_rules()[0]))), True, True, False)


@pytest.mark.invariant(8)
@pytest.mark.parametrize(
    "line",
    [
        '{"password": "%s"}',
        "{'password': '%s', 'user': 'ada'}",
        '{\\"password\\": \\"%s\\"}',
        'db_password: "%s"',
        "  smtp-password: '%s'  # see the vault",
        'DB_PASSWORD="%s"',
        "export API_TOKEN='%s'",
        'password = b"%s"',
        'if password == "%s":',
        'the password is "%s" today',
    ],
)
@pytest.mark.parametrize("value", ["correct horse", "horse, battery; 9 staples"])
def test_a_quoted_secret_goes_whole_and_nothing_else_does(line: str, value: str) -> None:
    before, after = line.split("%s")
    redacted = REDACTOR.redact(line % value)
    assert redacted.count == 1
    assert redacted.text.startswith(before + "[secret:") and redacted.text.endswith("]" + after)


def test_behind_a_quoted_name_the_value_may_begin_with_any_sign() -> None:
    assert REDACTOR.redact('{"password": ",a horse"}').count == 1


@pytest.mark.parametrize("escaped", ['say \\"open\\" twice', "back\\\\slash and more"])
def test_an_escaped_quote_does_not_end_it(escaped: str) -> None:
    assert REDACTOR.redact(f'{{"password": "{escaped}", "n": 1}}').text.endswith(']", "n": 1}')


@pytest.mark.parametrize(
    "line",
    [
        "the password is: {}",
        "Your password is: {}.",
        "│ The passphrase was: {}   │",
        'the password is: "{}"',
        "password is : {}",
    ],
)
def test_a_password_that_a_sentence_names_is_gone(line: str) -> None:
    assert "swordfish" not in REDACTOR.redact(line.format("swordfish")).text


@pytest.mark.parametrize(
    "line",
    [
        "the password is wrong",
        "password is required",
        "The password is: wrong",
        "The password is: required.",
        "The password is: write-protected",
        "the password is: a thing that you should change now",
        "the password is stored in the vault",
        '{"password": "must have 12 characters"}',
        '{"errors": {"password": "is too short"}}',
        'password: "Enter your password"',
        'token: "Bearer <token>"',
        'password = "${{ secrets.DB_PASSWORD }} x"',
        'password_hint: "the name of the dog"',
        'max_tokens: "as many as fit"',
        'print("password: ", user.name, "is not printed")',
        "print('token:', token, 'was read')",
        '{"token": "", "title": "two words"}',
        'what of "token", and: "two words"?',
    ],
)
def test_what_is_said_about_a_secret_stays(line: str) -> None:
    assert REDACTOR.redact(line).text == line


def test_the_clean_lines_are_not_touched() -> None:
    for text in (*clean_lines(), "\n".join(clean_lines())):
        assert not [*quoted_spans(text), *said_spans(text)]


def test_a_long_line_is_not_cut_inside_of_a_quoted_secret() -> None:
    stream = RedactingStream(REDACTOR)
    line = "x" * 10 + " y" * (HOLD_CHARACTERS // 2 - 20) + ' {"password": "correct horse battery staple"}'
    out = "".join(stream.feed(line[at : at + 7]) for at in range(0, len(line), 7)) + stream.close()
    assert out == REDACTOR.redact(line).text and "correct" not in out


_QUOTED = st.lists(
    st.sampled_from(
        ["password", "API_TOKEN", "db-secret", "x", " is", " was", ":", "=", "=>", ":=", "==", "]"]
    )
    | st.sampled_from(['"', "'", '\\"', "\\", " ", "   ", "\n", "\r", "b", "f", "│", ".", "!"])
    | st.sampled_from(["correct horse", "a, b; c", "swordfish", "hunter2 is", "wrong"]),
    max_size=14,
).map("".join)


@examples(500)
@given(text=_QUOTED)
@example('password   :=   b"correct horse"')
@example("password'] => 'correct horse'")
@example("the password is: swordfish")
def test_one_look_sees_that_there_may_be_one(text: str) -> None:
    assert REDACTOR.spans(text) == REDACTOR.spans(text, EVERYTHING)
