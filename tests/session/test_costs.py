"""Every call to a model counts in tokens and cost, also those of which nothing was used (S8)."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from copilot.core import effects as fx
from copilot.core.reply import Autonomy, Proposal, Reply, Usage
from tests.providers.server import Answer, ScriptedServer, Words, base_url, both
from tests.session.live import FakeProvider, ended, python_settings, running

ASKS = "print('building'); input('Run the next step? [y/n] ')"


def summary(folder: Path) -> dict[str, Any]:
    numbers: dict[str, Any] = json.loads((folder / "run" / "manifest.json").read_text("utf-8"))["summary"]
    return numbers


@both
async def test_a_reply_that_cannot_be_used_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: Words
) -> None:
    """The model answers with nonsense twice, each time with its usage."""
    monkeypatch.setenv(words.variable, "sk-test-0123456789abcdef")
    server = ScriptedServer(words.stream("I would rather not say."))
    settings = python_settings(ASKS, tmp_path, provider=words.name, model="test-model")
    async with server.running():
        url = base_url(words, server.url)
        async with running(replace(settings, base_url=url)) as watched:
            for number in (1, 2):
                await watched.until(lambda: len(watched.of(fx.RecordDecision)) == number, "a decision")  # noqa: B023
                watched.live.ask_again(identity=watched.live.run.detection.identity)
            await watched.until(lambda: len(watched.of(fx.RecordDecision)) == 3, "the last decision")
            watched.live.type_bytes(b"n\r")
            await ended(watched)
    assert len(server.received) == 3
    numbers = summary(tmp_path)
    assert (numbers["requests"], numbers["input_tokens"], numbers["output_tokens"]) == (3, 3000, 120)


@both
@pytest.mark.parametrize("end", ["the prompt goes", "the run ends"])
async def test_a_call_that_is_cancelled_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: Words, end: str
) -> None:
    """The service goes on counting what it was sent; nobody is told how much, so it is estimated."""
    monkeypatch.setenv(words.variable, "sk-test-0123456789abcdef")
    server = ScriptedServer(Answer(silent=True))
    settings = python_settings(ASKS, tmp_path, provider=words.name, model="test-model")
    async with server.running():
        url = base_url(words, server.url)
        async with running(replace(settings, base_url=url)) as watched:
            await server.arrived.wait()
            if end == "the prompt goes":
                watched.live.type_bytes(b"n\r")
            else:
                watched.live.interrupt()
                watched.live.interrupt()
            await ended(watched)
    numbers = summary(tmp_path)
    assert numbers["requests"] == 1 and numbers["input_tokens"] > 200
    assert numbers["cost_usd"] is None, "what an unknown model costs is not known, and not nothing"


async def test_a_second_opinion_counts(tmp_path: Path) -> None:
    """Also one that says nothing of use."""
    first = FakeProvider([Proposal(Reply(choice="yes"), usage=Usage(1000, 20, 0, 0.25))])
    second = FakeProvider([Proposal(Reply(text="hm"), usage=Usage(500, 10, 0, 0.5))])
    settings = python_settings(ASKS, tmp_path, autonomy=Autonomy.FULL, allow=("prompt:Run*",))
    async with running(settings, first, second) as watched:
        await watched.until(lambda: bool(watched.of(fx.RecordDecision)), "a decision")
        assert watched.live.view.tokens == 1530
        watched.live.type_bytes(b"n\r")
        await ended(watched)
    numbers = summary(tmp_path)
    assert (numbers["input_tokens"], numbers["output_tokens"], numbers["cost_usd"]) == (1500, 30, 0.75)
