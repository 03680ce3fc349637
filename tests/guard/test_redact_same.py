"""What redaction does quickly is what its rules say: against the plain way, which is slow, on made-up texts."""

from __future__ import annotations

from unittest import mock

import pytest
import re2
from hypothesis import example, given
from hypothesis import strategies as st

from copilot.redaction import redact, rules, stream
from copilot.redaction import rows as row_rules
from copilot.redaction.assigned import ASSIGNMENT, assigned_spans, assignments, is_secret
from copilot.redaction.public import is_public
from copilot.redaction.redact import Redactor
from tests.examples import examples
from tests.redaction_corpus.lines import clean_lines, fill, secrets

many = examples(300)
_PLAIN = re2.compile(ASSIGNMENT)
_PIECES = [
    *(
        "token",
        "API_KEY",
        "password",
        "pass",
        "psk",
        "session",
        "_pw",
        "api",
        "-key",
        "cookie",
        "connection-string",
    ),
    *("x", "name", "a_b-c.d", "ſ", "\u212a", "é", "x" * 61, "x" * 41, "9", "v" * 513, "q" * 506),
    *(":", "=", ":=", "=>", "==", "::", "=== ", ">"),
    *('"', "'", "`", "\\", '\\"', "]", '"]', ",", ";", "("),
    *(" ", "   ", "    ", "\n", "\n\n", "\t", "\r\n", "\f", "\v", "\xa0"),
    *("hunter2", "abcde", "abcd", "s3cret-Value"),
]
_NAME = st.sampled_from(
    ["token", "API_KEY", "psk", "a.pass", "x" * 60 + "token", "ſsecret", "session" + "y" * 39]
)
_MIDDLE = st.sampled_from(["=", ":", " : ", "::", '":\n\n\n', "'] => ", " == '", ":=\t", "\n=\n", "=     "])
_VALUE = st.sampled_from(
    ["hunter2", "abcde", "abcd", "abcdesecret=hunter2", "v" * 513 + "=token=abcdef", "key:abcdef"]
)
assigned = st.lists(
    st.builds("{}{}{}{}".format, _NAME, _MIDDLE, _VALUE, st.sampled_from([" ", "\n", "", "'", ", "])),
    max_size=8,
).map("".join)
pieces = st.lists(st.sampled_from(_PIECES), max_size=40).map("".join)
loose = st.text("ak=: \n\"'token", max_size=80)


def found(text: str) -> list[tuple[object, ...]]:
    """The matches as the pattern itself has them."""
    return [
        (
            *(match.start(), match.group(1), match.group(2), match.group(3) or "", match.group(4)),
            *(match.start(4), match.end(), match.end(2) == match.start(4)),
        )
        for match in _PLAIN.finditer(text)
    ]


def found_quickly(text: str) -> list[tuple[object, ...]]:
    return [
        (one.start, one.name, one.operator, one.quote, one.value, one.value_start, one.value_end, one.joined)
        for one in assignments(text)
    ]


@many
@given(text=st.one_of(assigned, pieces, loose))
@example("token=abcdesecret=hunter2 password=abcdef")
@example("x" * 61 + "token=abcdef")
@example("ſ\u212atoken=abcdef")
@example("token:\n\n\nhunter2")
@example("token=abcdef secret=\nhunter2")
@example("token=" + "v" * 508 + "token=abcdef")
def test_assignments_are_those_of_their_pattern(text: str) -> None:
    assert found_quickly(text) == found(text)


_SCOPES = st.lists(
    st.sampled_from(
        ["session", "a_token", "x", "::", "::", ":", "Test", "é", "9", "_a", "hunter2", "[1]", "(", "<T>"]
    )
    | st.sampled_from([".", ")", "-", " ", "\n", "=", "'", "w" * 507, "!"]),
    max_size=12,
).map("".join)


@many
@given(text=st.one_of(_SCOPES, assigned))
@example("session::Test")
@example("password::9hunter")
@example("password::hunter2!")
@example("token::a=hunter2")
@example("token::" + "w" * 509 + "!x")
@example("token::" + "w" * 510 + "!x")
@example("token::" + "w" * 511 + "!x")
@example("token::é12345")
@example("token::Abc:9defg")
def test_secret_values_are_those_of_all_assignments(text: str) -> None:
    every = [(one.value_start, one.value_end) for one in assignments(text) if is_secret(one, text)]
    assert list(assigned_spans(text)) == every


def test_assignments_of_the_corpus_are_those_of_their_pattern() -> None:
    text = "\n".join([*(line for _, line, _ in secrets()), *clean_lines()])
    assert found(text), "the corpus has some"
    assert found_quickly(text) == found(text)
    for line in text.split("\n"):
        assert found_quickly(line) == found(line)


_TOKEN = re2.compile(r"[A-Za-z0-9_\-+/.~]{24,}={0,2}")
tokens = st.lists(
    st.one_of(
        st.text("abcXYZ0189_-+/.~=", max_size=40),
        st.text("abcdefghijklmABCDEFGHIJKLM0123456789", min_size=20, max_size=60),
        st.sampled_from([" ", "\n", ":", "sha256-", "é", "=="]),
    ),
    max_size=6,
).map("".join)


def random_plainly(text: str) -> list[tuple[int, int, str]]:
    spans: list[tuple[int, int, str]] = []
    for match in _TOKEN.finditer(text):
        if not is_public(text, *match.span()):
            found = rules.random_in(text, *match.span())
            spans += [span for span in found if span[:2] == match.span() or not is_public(text, *span[:2])]
    return spans


@many
@given(text=tokens)
@example("aB3dE6gH9jK2mN5pQ8sT1vW4")
@example("aB3dE6gH9jK2mN5pQ8sT1vW==")
def test_random_tokens_are_those_of_every_long_token(text: str) -> None:
    assert list(rules.random_spans(text)) == random_plainly(text)


_IN_TOKEN = r"[^\s│┃|,;:(){}\[\]\"'`<>]"
_BREAK = re2.compile(_IN_TOKEN + r"([ \t│┃|]{0,4}(?:\r+\n?|\n)[ \t│┃|]{0,60})" + _IN_TOKEN)
rows = st.lists(
    st.sampled_from(
        [
            "a",
            "bc",
            "ghp_x",
            "é",
            ":",
            "]",
            "(",
            "\n",
            "\n",
            "\n",
            " ",
            "    ",
            "│",
            " │ ",
            "\t",
            "\f",
            "\xa0",
        ]
    )
    | st.sampled_from(["\r", "\r\n", "\r\n", " " * 59, " " * 60]),
    max_size=30,
).map("".join)
crlf_rows = rows.map(lambda text: text.replace("\r", "").replace("\n", "\r\n"))


@many
@given(text=rows | crlf_rows)
@example("a\nb\nc\nd")
@example("a\r\nb\r\nc \r\n d")
@example("a\r\r\nb")
@example("a\r\n\r\nb")
@example("a\n    \r\nb")
@example("a\f\nb\n\fc")
@example("a│\nb")
@example("a    \n" + " " * 60 + "b")
@example("a     \nb\n" + " " * 61 + "c")
def test_row_breaks_are_those_of_their_pattern_at_every_place(text: str) -> None:
    found = [(at, _BREAK.match(text[at:])) for at in range(len(text))]
    breaks = [(at + match.start(1), at + match.end(1)) for at, match in found if match]
    assert [match.span() for match in row_rules._BREAK.finditer(text)] == breaks
    assert rules.look(text).breaks or not breaks


KNOWN = fill("{w14}x", "known")
REDACTOR = Redactor({"APP_PASSWORD": KNOWN}, key=b"same")
EVERYTHING = rules.Seen(tuple(range(len(rules.secret_rules()[0]))), True, True, False)
corpus = st.lists(
    st.sampled_from([line for _, line, _ in secrets()] + clean_lines())
    | st.sampled_from(
        [KNOWN[:6] + "\n  " + KNOWN[6:], "ghp_abcdefghij\nklmnopqrstuvwxyz12\n", "\n", " │ ", "\x1b[1m"]
    ),
    max_size=5,
).map("\n".join)


scoped = st.lists(
    st.sampled_from(["token", "session", "API_KEY", "'", "]", ":", "::", "=", " ", "\n", "x"])
    | st.sampled_from(
        ["Store", "s3cret$Value", "hunter2+", "abc-def9", "(", "<", "[", ".", ")", "/", ",", "é"]
    ),
    max_size=12,
).map("".join)


@many
@given(text=st.one_of(corpus, assigned, scoped, tokens, rows))
@example(fill("ghp_{A12}", "a") + "\n" + fill("{A26}", "b"))
def test_one_look_leaves_nothing_out(text: str) -> None:
    """Against every rule run on every text."""
    assert REDACTOR.spans(text) == REDACTOR.spans(text, EVERYTHING)


short_rows = st.lists(
    st.sampled_from(
        ["a", "bc", "hunter2", KNOWN[:3], KNOWN[3:], KNOWN[3:7], KNOWN[7:], fill("ghp_{A36}", "s")[:18]]
    )
    | st.sampled_from([fill("ghp_{A36}", "s")[18:], " ", " ", "\n", "\n", "\r\n", "\n  ", " \n", "│", "\t"]),
    max_size=16,
).map("".join)


split = st.builds(
    lambda secret, cut, between, ends: ends[0] + secret[:cut] + between + secret[cut:] + ends[1],
    st.sampled_from([KNOWN, *sorted({secret for _, _, secret in secrets() if " " not in secret})]),
    st.integers(1, 40),
    st.sampled_from(["\n", "\r\n", "\n  ", " \n", "\t\n", " │\n│ "]),
    st.tuples(
        st.sampled_from(["", "x ", "│ ", "\n", "word\n", "two words\n", "x", "a=", "│"]),
        st.sampled_from(["", " y", " │", "\n", " \nz w", "\nmore", "\n\nmore"]),
    ),
)


@many
@given(text=st.one_of(short_rows, split, st.lists(split, max_size=3).map("\n".join), corpus, rows))
@example(f"x {KNOWN[:3]}\n{KNOWN[3:7]}\n {KNOWN[7:]} y")
@example(f"word\n{KNOWN[:3]}\n\n{KNOWN[3:7]}\n{KNOWN[7:]}")
def test_a_look_at_joined_rows_leaves_out_no_secret_over_a_rows_end(text: str) -> None:
    quickly = REDACTOR.spans(text)
    every = {rule.kind for rule in rules.secret_rules()[0] if not rule.context}
    with mock.patch.object(row_rules, "_kinds_in", return_value=every):
        assert REDACTOR.spans(text) == quickly


_ESCAPES = re2.compile(
    r"(?:\x1b\[|\x{9b})[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
)
controlled = st.text("\x1b\x1b\x1b\x9b[]PX^_\\\x07\x00\x7f\n\r 0;?m~/(aé", max_size=40)


@examples(3000)
@given(text=controlled)
@example("\x1b[12;")
@example("\x9b12;\x9b1m")
@example("\x1b]0;title\x1b[1m\x07")
def test_escapes_are_those_of_their_pattern_in_re2(text: str) -> None:
    ours = [match.span() for match in redact._ESCAPES.finditer(text)]
    assert ours == [match.span() for match in _ESCAPES.finditer(text)]


def test_escapes_are_seen_wherever_they_are() -> None:
    token = fill("ghp_{A36}", "colour")
    for sign in [*map(chr, (*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), 0x7F)), "\x1b[1m", "\x9b1m"]:
        text = f"a {token[:20]}{sign}{token[20:]} b"
        assert REDACTOR.redact(text).count == 1, repr(sign)


entries = st.lists(
    st.sampled_from(["machine", "login", "default", "h", "me", "password p", "MACHINE"])
    | st.sampled_from([" ", " ", "\n", "\n", "\n \n", "\n\n\n", "\r\n", "\xa0", "\t"]),
    max_size=16,
).map("".join)


@examples(2000)
@given(text=entries)
@example("machine\n\nh\n\nlogin\n\nme\n\nand")
def test_an_open_entry_is_in_the_last_lines(text: str) -> None:
    last = stream._last_lines(text, stream._ENTRY_LINES)
    everywhere = stream._OPEN_ENTRY.search(text)
    there = stream._OPEN_ENTRY.search(text[last:])
    assert (there is None) == (everywhere is None)
    if there is not None and everywhere is not None:
        assert last + there.start() - everywhere.start() in (0, 1)


@pytest.mark.parametrize("row", ["password=x ", "word ", 'password: "two words 1" '])
def test_what_is_remembered_of_an_endless_row_is_limited(row: str) -> None:
    long = stream.RedactingStream(Redactor(key=b"test"))
    for _ in range(20):
        long.feed(row * 100)
    assert 0 < len(long._before) <= 512
