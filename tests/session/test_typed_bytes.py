"""Whatever a model sends back, the child gets printable UTF-8 and the profile's reply keys (invariant 3).

One live session at `full`, whose child asks anew when it is told to: four kinds of prompt in turn, and
for each an answer out of thin air, read as any model's answer is.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from copilot.core import effects as fx
from copilot.core.reply import Proposal, ReplyRequest
from copilot.core.reply_keys import UnsafeReply, clean_reply
from copilot.prompting import read_answer
from tests.examples import ALL
from tests.own_profile import own_profile
from tests.session import asking_child
from tests.session.live import FakeProvider, Watched, run_settings, running

PROFILE = r"""
schema_version = 1
name = "any"
[launch]
verified_versions = ["1"]
[reply_keys]
paste = "bracketed"
guard_seconds = 0.0
enter_gap_seconds = 0.01
taken_within_seconds = 0.2
free_text_options = ["^Type"]
[screen.evidence]
program_status = false
[screen.confirm_seconds]
default = 0.02
[[screen.rules]]
id = "any.one"
kind = "text_input"
all = [{ pattern = '(?m)^One line, take \d+:' }]
question = '(One line, take \d+:)'
[[screen.rules]]
id = "any.more"
kind = "text_input"
multi_line = true
all = [{ pattern = '(?m)^Lines, take \d+:' }]
question = '(Lines, take \d+:)'
[[screen.rules]]
id = "any.menu"
kind = "menu"
region = "dialog"
options = "numbered"
option_keys = "digit"
all = [{ form = "numbered" }, { pattern = 'Pick, take' }]
question = '(Pick, take \d+\?)'
[[screen.rules]]
id = "any.yes"
kind = "yes_no"
region = "prompt_line"
options = "yes_no"
option_keys = "letter"
all = [{ pattern = 'Go on, take' }]
question = '(Go on, take \d+\?)'
"""
ROUNDS = int(os.environ.get("COPILOT_TYPED_ROUNDS", "60" if ALL else "20"))
"""More of it by the variable: 1000 take some minutes."""
ODD = st.sampled_from(
    ["\x1b[201~", "[201~", "\x1b", "\x9b", "\r", "\n", "\x00", "\x03", "\x04", "\x15", "\x1a", "\x7f", "\x85", "\u2028",
     "\u202e", "\u200d", "\U000e0041", "\ud83d", "\ue0b0", "\t", "\x0f", "é", "日本", "👩‍💻", "Yes", "1"]
)  # fmt: skip
TEXT = st.lists(st.one_of(ODD, st.text(max_size=8)), max_size=8).map("".join)
VALUE = st.one_of(TEXT, st.none(), st.integers(-5, 12), st.just("x" * 12_000), st.just("Yes"), st.just("y"))
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "choice": VALUE,
        "text": VALUE,
        "reason": VALUE,
        "confidence": st.floats(0, 2),
        "needs_human": VALUE,
    },
)
RAW = st.one_of(FIELDS.map(json.dumps), FIELDS.map(lambda one: json.dumps(one, ensure_ascii=False)), TEXT)


def _fine(text: str) -> str:
    """An answer that a prompt for a text takes, so that something is typed whatever else is drawn."""
    return json.dumps({"choice": None, "text": text, "reason": "", "confidence": 1.0, "needs_human": False})


PASTE = re.compile(rb"\x1b\[200~(.*?)\x1b\[201~", re.DOTALL)


class _Answering(FakeProvider):
    """The next raw answer, read as a model's is."""

    def __init__(self) -> None:
        super().__init__([])
        self.raw = ""

    async def propose(self, request: ReplyRequest, on_text: object) -> Proposal:
        self.requests.append(request)
        answer = read_answer(self.raw, request)
        return Proposal(
            answer.reply,
            answer.reason,
            answer.confidence,
            answer.needs_human,
            answer.clarification,
            raw=self.raw,
        )


def _allowed(data: bytes) -> bool:
    """Whether these bytes are reply keys, or texts that may be typed, as paste or plain, with their Enter."""
    rest = PASTE.sub(_text_of, data)
    return all(
        re.fullmatch(rb"[1-4yn]?", piece) or _printable(piece.decode("utf-8")) for piece in rest.split(b"\r")
    )


def _text_of(match: re.Match[bytes]) -> bytes:
    text = match.group(1).decode("utf-8")
    assert _printable(text.replace("\n", " ")), ascii(text)
    return b"pasted"


def _printable(text: str) -> bool:
    """By the categories of Unicode; joiners only where they join."""
    try:
        clean_reply(text, multi_line=False)
    except UnsafeReply:
        return False
    return all(unicodedata.category(c) not in {"Cc", "Cs", "Cn", "Co", "Zl", "Zp"} for c in text)


@pytest.mark.waits
@pytest.mark.examples
@pytest.mark.timeout(180 + ROUNDS)
@pytest.mark.row("CP-38")
@pytest.mark.invariant(3)
def test_the_child_gets_printable_text_and_reply_keys_whatever_a_model_returns(
    clean_user: Path, tmp_path: Path
) -> None:
    own_profile("any", PROFILE)
    child = (sys.executable, "-S", "-E", asking_child.__file__, tmp_path / "typed")
    run = run_settings(tmp_path, *child, profile="any", columns=100, lines=24, max_steps=10_000)
    with asyncio.Runner() as runner:
        provider = _Answering()
        context = running(run, provider)
        watched = runner.run(context.__aenter__())
        runner.run(watched.until((tmp_path / "typed.pid").exists, "the child"))
        asked = 0
        try:

            @settings(
                max_examples=ROUNDS, deadline=None, database=None, suppress_health_check=list(HealthCheck)
            )
            @given(RAW)
            @example(_fine("one"))
            @example(_fine("two"))
            @example(_fine("three"))
            @example(_fine("four"))
            def answered(raw: str) -> None:
                nonlocal asked
                asked += 1
                provider.raw = raw
                runner.run(_one(watched, tmp_path / "typed.pid", asked))
                typed = (tmp_path / "typed").read_bytes()
                assert _allowed(typed), (ascii(raw[:200]), typed[-200:])

            answered()
            typed = (tmp_path / "typed").read_bytes()
            assert len(provider.requests) >= ROUNDS * 2 // 3, "hardly any prompt was answered at all"
            assert typed, "nothing was ever typed: the test shows nothing"
        finally:
            runner.run(context.__aexit__(None, None, None))


def _signal(child: Path) -> None:
    os.kill(int(child.read_text("ascii")), signal.SIGUSR1)


async def _one(watched: Watched, child: Path, number: int) -> None:
    session = watched.live
    assert session is not None and not session.ended.done(), "the run has ended"
    before = len(watched.of(fx.AskProvider))
    decided = len(watched.of(fx.RecordDecision))
    _signal(child)
    await watched.until(lambda: len(watched.of(fx.AskProvider)) > before, f"question {number}")
    await watched.until(
        lambda: len(watched.of(fx.RecordDecision)) > decided and session.run.typist is None, "the end of it"
    )


def test_the_check_itself_sees_what_must_not_come() -> None:
    assert _allowed(b"1\x1b[200~zwei\nZeilen\x1b[201~\ry\r")
    for bad in (b"a\x1b[A", b"\x1b[201~x", b"a\x03", b"a\nb", "a\u202eb".encode(), "a\x9bb".encode()):
        assert not _allowed(bad)
