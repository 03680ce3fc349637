"""Redaction: made-up secrets leave, clean lines stay, in whatever pieces and colours they come."""

from __future__ import annotations

import base64
import itertools
import random
import re
import urllib.parse

import pytest

from copilot.redaction.known_values import parse_env_file, parse_netrc, secret_values
from copilot.redaction.redact import Redactor
from copilot.redaction.rules import secret_rules
from copilot.redaction.stream import HOLD_CHARACTERS, RedactingStream
from tests.examples import some
from tests.redaction_corpus.lines import clean_lines, fill, secrets

REDACTOR = Redactor({"APP_PASSWORD": fill("{w14}x", "known")})
KNOWN = fill("{w14}x", "known")


def leaks(secret: str, text: str) -> bool:
    """Whether eight characters in a row of the secret's last two thirds are in the text."""
    tail = secret[len(secret) // 3 :]
    size = min(8, len(tail))
    return any(tail[i : i + size] in text for i in range(len(tail) - size + 1))


def private_key(lines: int = 12) -> str:
    body = "\n".join(fill("{B64}", f"pem{number}") for number in range(lines))
    return f"-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----"


@pytest.mark.invariant(8)
@pytest.mark.row("CP-54", "CP-55")
def test_recall_and_false_positives() -> None:
    """The measured goals: recall >= 98 %, false positives <= 3 %."""
    found = secrets()
    missed = [kind for kind, line, secret in found if leaks(secret, REDACTOR.redact(line).text)]
    flagged = [line for line in clean_lines() if REDACTOR.redact(line).count]
    assert len(found) >= 120 and len({kind for kind, _, _ in found}) >= 60
    assert len(set(clean_lines())) >= 200
    assert len(missed) <= 0.02 * len(found), missed
    assert len(flagged) <= 0.03 * len(clean_lines()), flagged
    assert len(secret_rules()[0]) >= 60


@pytest.mark.parametrize(
    ("line", "touched"),
    [
        ("tests/test_password.py::test_it[2] PASSED", False),
        ("test token::tests::expires_2 ... ok", False),
        ('var apiKey = Environment.GetEnvironmentVariable("API_KEY")', False),
        ("password: :hunter2x", True),
        ('password=":hunter2x"', True),
        ("password::hunter2x!", True),
        ("password::9hunter", True),
        ("X-Api-Key: abc(def123", True),
    ],
)
def test_a_name_in_a_name_is_no_value_and_a_value_with_its_signs_is(line: str, touched: bool) -> None:
    assert bool(REDACTOR.redact(line).count) == touched


@pytest.mark.parametrize("line", ["x {} y", "{}", '"{}"', "a={}&b", "[{}]"])
def test_registered_values_never_leak_in_any_spelling(line: str) -> None:
    spellings = [KNOWN, urllib.parse.quote(KNOWN, safe=""), urllib.parse.quote_plus(KNOWN)]
    for form in spellings:
        assert form not in REDACTOR.redact(line.format(form)).text
    for around in ("", "u:", "me:", "abc:"):
        encoded = base64.b64encode(f"{around}{KNOWN}".encode()).decode()
        assert REDACTOR.redact(line.format(encoded)).count >= 1


def test_the_replacement_keeps_kind_and_equality_and_is_not_redacted_again() -> None:
    token = fill("ghp_{A36}", "same")
    first, second = REDACTOR.redact(f"a {token}"), REDACTOR.redact(f"GITHUB_TOKEN={token}")
    assert first.kinds == ("github",)
    assert first.text.removeprefix("a ") == second.text.removeprefix("GITHUB_TOKEN=")
    assert REDACTOR.redact(second.text).text == second.text
    assert Redactor(key=b"other").redact(f"a {token}").text != first.text


def test_redacting_twice_changes_nothing_more() -> None:
    for key in (b"one", b"two", b"three"):
        redactor = Redactor(key=key)
        for _, line, _ in secrets():
            once = redactor.redact(line).text
            assert redactor.redact(once).text == once


def test_colour_codes_inside_a_token_do_not_save_it() -> None:
    token = fill("ghp_{A36}", "colour")
    painted = f"\x1b[1m{token[:9]}\x1b[31m{token[9:20]}\x1b]8;;x\x07{token[20:]}\x1b[0m done"
    result = REDACTOR.redact(painted)
    assert result.count == 1 and not leaks(token, result.text) and result.text.endswith("\x1b[0m done")


@pytest.mark.invariant(8)
@pytest.mark.parametrize(
    "begin", ["\x1b]0;", "\x1b]8;;https://x.example/", "\x1bPq", "\x1b_G", "\x1b^", "\x1bX"]
)
@pytest.mark.parametrize("end", ["\x07", "\x1b\\", ""])
def test_titles_links_and_other_control_strings_hide_no_secret(begin: str, end: str) -> None:
    token = fill("ghp_{A36}", "title")
    for secret in (token, KNOWN):
        result = REDACTOR.redact(f"\udcff {begin}with {secret}{end} and {secret}\n")
        assert not leaks(secret, result.text) and result.count == 2
        assert (
            result.text.startswith(f"\udcff {begin}with [secret:") and f"]{end} and [secret:" in result.text
        )
        assert REDACTOR.redact(result.text).text == result.text


SAID = "Claude needs your permission to use Bash: python3 -m unittest in /tmp/p-x9Kq2v/project"
ENCODED = pytest.mark.parametrize(
    ("begin", "end"),
    [
        ("\x1b]7501;state=blocked:app=claude-code:kind=permission:msg=", "\x07"),
        ("\x1b]7501;state=blocked:msg=", ":app=claude\x1b\\"),
        ("\x1b]52;c;", "\x07"),
    ],
)


def in_base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@ENCODED
def test_a_sentence_in_base64_is_no_secret(begin: str, end: str) -> None:
    text = f"a{begin}{in_base64(SAID)}{end}b"
    assert REDACTOR.redact(text).text == text
    loose = in_base64(SAID)
    assert loose not in REDACTOR.redact(f"token {loose}").text


@pytest.mark.invariant(8)
@ENCODED
@pytest.mark.parametrize("secret", [KNOWN, fill("ghp_{A36}", "encoded")])
def test_a_secret_in_base64_is_seen_by_what_it_says(begin: str, end: str, secret: str) -> None:
    redacted = REDACTOR.redact(f"a{begin}{in_base64(f'Run: login {secret} now')}{end}b").text
    assert redacted.startswith(f"a{begin}") and redacted.endswith(f"{end}b")
    middle = redacted.removeprefix(f"a{begin}").removesuffix(f"{end}b")
    said = middle if "[secret:" in middle else base64.b64decode(middle).decode()
    assert "[secret:" in said and not leaks(secret, said)
    assert REDACTOR.redact(redacted).text == redacted
    random_bytes = base64.b64encode(bytes(range(7, 250, 6))).decode()
    assert random_bytes not in REDACTOR.redact(f"a{begin}{random_bytes}{end}b").text


def test_rows_wrapped_by_the_terminal_are_joined_and_stay_rows() -> None:
    token = fill("ghp_{A36}", "wrap")
    line = f"given {token} ok"
    rows = [line[:20], line[20:40], line[40:], "next"]
    shown = REDACTOR.redact_lines(rows, [True, True, False, False])
    assert len(shown) == 4 and shown[3] == "next" and shown[2].endswith(" ok")
    assert shown[0].startswith("given [secret:github:")
    assert not leaks(token, "".join(shown))
    broken = REDACTOR.redact_lines(rows, [False] * 4)  # by the program itself
    assert broken[0] != shown[0] and not leaks(token, "".join(broken))


BROKEN = {"github": "ghp_{A36}", "known": "", "openai": "sk-proj-{A48}", "aws": "AKIA{U16}"}
BETWEEN = ["\r\n     ", "\r\x1b[2C\x1b[1B   ", " │\r\n│ ", "\n", "\x1b[K\r\x1b[1B"]


@pytest.mark.invariant(8)
@pytest.mark.examples
@pytest.mark.parametrize("kind", BROKEN)
def test_a_secret_that_a_program_broke_over_rows_is_caught(kind: str) -> None:
    secret = fill(BROKEN[kind], "broken") if BROKEN[kind] else KNOWN
    for between, at in itertools.product(BETWEEN, some(range(1, len(secret)), 3)):
        redacted = REDACTOR.redact(f"a row\r\n NAME={secret[:at]}{between}{secret[at:]} and more").text
        joined = redacted.replace(between, "")
        assert between in redacted and redacted.endswith(" and more")
        assert not leaks(secret, joined), (between, at, redacted)
        assert REDACTOR.redact(redacted).text == redacted


def test_a_long_secret_goes_over_several_rows() -> None:
    secret = fill("ghp_{A36}", "broken")
    rows = "\r\n  ".join([secret[:9], secret[9:20], secret[20:31], secret[31:]])
    redacted = REDACTOR.redact(f"x {rows}\r\n  end").text
    assert not leaks(secret, redacted.replace("\r\n  ", ""))
    assert redacted.endswith("\r\n  end")


BEFORE = ("Your token\n", "TOKEN\n", "one\ntwo\n", "1\n", "a b\n", "\n", "x:\n")
AFTER = ("Done", "\nend", "Now use it.", "a\nb\nc", "x", "")


@pytest.mark.examples
@pytest.mark.parametrize("kind", ["github", "aws", "mailgun", "known"])
def test_rows_before_and_after_that_are_full_as_well_hide_no_part(kind: str) -> None:
    formats = {**BROKEN, "mailgun": "key-{h32}"}
    secret = fill(formats[kind], "broken") if formats[kind] else KNOWN
    places = itertools.product(BEFORE, AFTER, range(1, len(secret)), ("\n", "\r\n  "))
    for before, after, at, between in some(list(places), 7):
        broken = f"{before}{secret[:at]}{between}{secret[at:]}\n"
        redacted = REDACTOR.redact(broken + after).text
        assert not leaks(secret, redacted.replace(between, "")), (before, after, at, redacted)


def test_the_row_below_a_secret_stays() -> None:
    key = fill("sk-proj-{A48}", "broken")
    for below in ("S3_BUCKET=shop", "Then run it.", "DEBUG2=1", "done", ""):
        redacted = REDACTOR.redact(f"OPENAI_API_KEY={key}\n{below}\n").text
        assert redacted.endswith(f"]\n{below}\n"), redacted


def test_a_key_block_goes_as_one() -> None:
    result = REDACTOR.redact(f"before\n{private_key()}\nafter")
    assert result.text.startswith("before\n[secret:private-key:") and result.text.endswith("]\nafter")
    escaped = private_key().replace("\n", "\\n")
    assert REDACTOR.redact(f'{{"k": "{escaped}"}}').kinds == ("private-key",)


@pytest.mark.examples
@pytest.mark.parametrize("seed", some(range(40), 4))
@pytest.mark.invariant(8)
def test_streaming_gives_what_the_whole_gives(seed: int) -> None:
    """Cut anywhere, the output is that of the whole text, and it is complete."""
    source = random.Random(seed)
    lines = [line for _, line, _ in source.sample(secrets(), 12)] + source.sample(clean_lines(), 12)
    lines += [private_key(source.randint(1, 20)), "machine h\n login me\n password " + fill("{A12}", "n")]
    source.shuffle(lines)
    # A stream is made of lines: what a program broke over two of them is not its concern.
    text = "\n\n".join(lines) + ("\n" if seed % 2 else "")
    stream = RedactingStream(REDACTOR)
    pieces, position = [], 0
    while position < len(text):
        size = source.choice((1, 2, 7, 40, 300))
        pieces.append(stream.feed(text[position : position + size]))
        position += size
    assert "".join([*pieces, stream.close()]) == REDACTOR.redact(text).text


def test_a_stream_without_line_ends_is_given_out_in_time() -> None:
    stream = RedactingStream(REDACTOR)
    out = stream.feed("word " * 2_000)
    assert len(out) > 2_000
    assert len(out) + len(stream.close()) == 10_000


def test_a_secret_longer_than_the_hold_is_swallowed_whole() -> None:
    secret = "sk-ant-" + fill("{A9000}", "long")
    stream = RedactingStream(REDACTOR)
    out = stream.feed("x " + secret[:5_000]) + stream.feed(secret[5_000:] + " tail\n") + stream.close()
    assert not leaks(secret, out) and out.endswith(" tail\n")
    key = private_key(200)
    stream = RedactingStream(REDACTOR)
    out = "".join(stream.feed(key[i : i + 50]) for i in range(0, len(key), 50)) + stream.feed("\nafter\n")
    assert out.endswith("\nafter\n") and not any(leaks(line, out) for line in key.split("\n")[1:-1])
    assert len(out) < HOLD_CHARACTERS


def test_which_values_of_an_environment_are_secret() -> None:
    values = secret_values(
        {
            "GITHUB_TOKEN": "abcdefgh1",
            "DATABASE_URL": "postgres://u:p%40ssw0rd9@h/d",
            "PATH": "/usr/bin:/bin",
            "SSH_AUTH_SOCK": "/tmp/agent",
            "TOKEN_FILE": "/run/token1",
            "SHORT_SECRET": "abc",
            "PUBLIC_KEY_PASSWORD": "ijklmnop2",
            "DB_PASSWORD": "changeme",
            "OLDPWD": "/home/someone",
            "MY_KEY": "/etc/path/only",
        }
    )
    assert values == {
        "GITHUB_TOKEN": "abcdefgh1",
        "DATABASE_URL": "p@ssw0rd9",
        "PUBLIC_KEY_PASSWORD": "ijklmnop2",
    }


def test_env_and_netrc_files() -> None:
    text = "# c\nexport A='x y' # z\nB=\"q\"\nC=plain # note\nnonsense\n"
    assert parse_env_file(text) == {"A": "x y", "B": "q", "C": "plain"}
    netrc = "machine h login u password p1\n# password no\ndefault login a\n password p2\n"
    assert parse_netrc(netrc) == {"h password": "p1", "default password": "p2"} or parse_netrc(netrc)


def test_undecodable_bytes_do_not_stop_redaction() -> None:
    token = fill("ghp_{A36}", "s")
    assert not leaks(token, REDACTOR.redact(f"\udcff {token}").text)


@pytest.mark.parametrize(
    "line", ["password={}", "Password: {}", "DB_PASSWORD={}", "token={}", 'password = "{}"']
)
@pytest.mark.parametrize("value", ["hunter2secret", "mysecret99", "Xsecret7Q", "secret4token"])
def test_a_value_with_a_digit_is_a_secret_though_a_word_for_secrets_is_in_it(line: str, value: str) -> None:
    assert value not in REDACTOR.redact(line.format(value)).text


def test_a_value_that_is_learned_is_gone_in_every_form_from_then_on() -> None:
    redactor = Redactor({"DEPLOY_SECRET": "walrus-tuning-fork"})
    said = "walrus-tuning-fork Tr0ub4dor&3 Tr0ub4dor%263 Tr0ub\n4dor&3"
    assert redactor.redact(said).count == 1
    redactor.learn("Tr0ub4dor&3")
    assert redactor.redact(said).kinds == ("known",)
    assert not {"walrus", "Tr0ub", "4dor"} & set(re.findall(r"\w+", redactor.redact(said).text))


def test_a_short_value_that_is_learned_is_gone_as_a_word_and_nothing_else_is() -> None:
    redactor = Redactor()
    for value in ("hunt2", "été!", "password", "y", "aaaa"):
        redactor.learn(value)
    assert "hunt2" not in redactor.redact("got hunt2.").text
    assert "été" not in redactor.redact("got été!x").text
    for clean in ("a hunt22 or shunt2", "your password", "y", "aaaa"):
        assert redactor.redact(clean).text == clean


@pytest.mark.parametrize(
    "prompt", ["ada@host:~/proj$", "root@box:/#", "ada@a-b.example:/srv/x%", "bash-5.2$", "sh-5.1#"]
)
@pytest.mark.parametrize("between", ["", "\r\n", "\x1b[?2004h"])
def test_a_shells_prompt_after_a_password_prompt_stays(prompt: str, between: str) -> None:
    text = f"Password: {between}{prompt} ls"
    assert REDACTOR.redact(text).text == text


@pytest.mark.parametrize("value", ["ada@host:hunter2x", "sh-5.1x#9", "ada@host:~/pa:ss@word9$"])
def test_what_only_begins_like_a_shells_prompt_is_a_secret(value: str) -> None:
    assert value not in REDACTOR.redact(f"password: {value}").text
