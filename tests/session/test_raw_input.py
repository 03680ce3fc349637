"""Invariant 3 at the terminal itself: whatever a model sends, the child gets text that can be seen, and the
keys of the profile."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from copilot.core import effects as fx
from copilot.core.reply import Proposal, Reply, Verdict
from copilot.core.settings import RunSettings
from tests.own_profile import own_profile
from tests.providers.server import AnthropicWords, ScriptedServer
from tests.session import raw_child
from tests.session.live import FakeProvider, Watched, ended, run_settings, running

PROFILE = r"""
schema_version = 1
name = "raw"
[launch]
verified_versions = ["1"]

[reply_keys]
paste = "bracketed"

[screen.evidence]
program_status = false

[screen.confirm_seconds]
default = 0.2

[[screen.rules]]
id = "raw.text"
kind = "text_input"
multi_line = MULTI_LINE
all = [{ pattern = 'Say it, take' }]
question = '(Say it, take \d+:)'
"""
HOSTILE = [
    "a\x1b[Ab",
    "a\x1b[201~\rrm -rf ~\r",
    "a\x9b201~b",
    "a\x1b]52;c;eA==\x07b",
    "a\x85b",
    "a\x7fb",
    "a\x00b",
    "a\x03b",
    "a\rb",
    "a\tb",
    "a\u202eb",
    "a\u2066b",
    "a\u200eb",
    "a\u2028b",
    "a\U000e0041b",
]
ONE_LINE = "gute Antwort é 日本"
TWO_LINES = "erste Zeile\nzweite Zeile, lang genug, um sie wiederzuerkennen é"


@pytest.fixture
def settings(clean_user: Path, tmp_path: Path) -> RunSettings:
    """A run of the child that keeps its input, with a profile that takes one line."""
    child = (sys.executable, "-P", raw_child.__file__, tmp_path / "typed")
    return run_settings(tmp_path, *child, profile="raw", columns=100, lines=24)


def _write_profile(*, multi_line: bool) -> None:
    own_profile("raw", PROFILE.replace("MULTI_LINE", str(multi_line).lower()))


@asynccontextmanager
async def _a_fake(settings: RunSettings, texts: list[str]) -> AsyncIterator[Watched]:
    """The texts straight into the core, past the reading of answers: its own check must do."""
    provider = FakeProvider([Proposal(Reply(text=text)) for text in texts])
    async with running(settings, provider) as watched:
        yield watched


@asynccontextmanager
async def _a_model(settings: RunSettings, texts: list[str]) -> AsyncIterator[Watched]:
    """The texts as a model's answers, through a real SDK."""
    bodies = [{"text": text, "choice": None, "reason": "", "confidence": 1} for text in texts]
    server = ScriptedServer(*(AnthropicWords().stream(json.dumps(body)) for body in bodies))
    async with server.running():
        chosen = replace(settings, provider="anthropic", model="test-model", base_url=server.url)
        async with running(chosen) as watched:
            yield watched


@pytest.mark.waits
@pytest.mark.row("CP-38")
@pytest.mark.invariant(3)
@pytest.mark.parametrize(
    ("source", "good"),
    [
        pytest.param(_a_fake, ONE_LINE, id="core, one line"),
        pytest.param(_a_model, TWO_LINES, id="model, several lines"),
        pytest.param(_a_fake, TWO_LINES, id="core, several lines", marks=pytest.mark.slow),
        pytest.param(_a_model, ONE_LINE, id="model, one line", marks=pytest.mark.slow),
    ],
)
async def test_only_what_can_be_seen_and_the_reply_keys_reach_the_child(
    settings: RunSettings,
    clean_user: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    source: object,
    good: str,
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test-0123456789abcdef")
    _write_profile(multi_line="\n" in good)
    hostile = HOSTILE if "\n" in good else [*HOSTILE, "a\nb"]
    assert callable(source)
    async with source(settings, [*hostile, good]) as watched:
        for number in range(1, len(hostile) + 1):
            await watched.until(lambda: len(watched.of(fx.RecordDecision)) == number, "a decision")  # noqa: B023
            decision = watched.of(fx.RecordDecision)[-1].decision
            assert decision.verdict is not Verdict.SEND, hostile[number - 1]
            assert decision.rule in ("policy.cannot_type", "provider.failed")
            watched.live.resize(100 + number, 24)
        assert (await ended(watched)).outcome == "completed"
    paste = raw_child.PASTE_BEGIN + good.encode() + raw_child.PASTE_END
    assert (tmp_path / "typed").read_bytes() == paste + b"\r"
