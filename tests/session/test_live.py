"""Live runs on the simulated coding CLI: what is typed, what is held, and how a run ends."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.reply import Autonomy, Proposal, Reply
from copilot.core.screen_kinds import ScreenKind
from copilot.core.states import RunState
from copilot.demo.project import DemoProject, outcome_of
from copilot.recording.transcript_reader import read_transcript
from tests.examples import in_turns
from tests.providers.server import Answer, AnthropicWords, OpenAIWords, ScriptedServer, Words, base_url
from tests.session.live import FakeProvider, demo_settings, ended, python_settings, running, yes

PERMISSION = ("--only", "permission")


@pytest.mark.row("CP-1", "CP-78")
@pytest.mark.invariant(1)
async def test_a_permission_is_answered_and_every_key_stands_in_the_transcript(
    project: DemoProject, tmp_path: Path
) -> None:
    settings = demo_settings(project, tmp_path / "run", *PERMISSION, headless=True)
    async with running(settings, FakeProvider([yes()])) as watched:
        end = await ended(watched)
    assert (end.outcome, end.exit_code) == ("completed", 0)
    outcome = outcome_of(project)
    assert outcome.wrote_greeting and not outcome.unexpected
    decided: set[int] = set()
    keys = 0
    for record in read_transcript(tmp_path / "run").records:
        if record.type == "effect.RecordDecision":
            decided.add(record.data["decision"]["number"])
        elif record.type == "effect.WriteKeys":
            keys += 1
            assert record.data["decision"] in decided
    assert keys >= 1
    assert "greeting.py" in (tmp_path / "run" / "report.html").read_text("utf-8")


@pytest.mark.row("CP-72", "CP-50", "VR-8")
@pytest.mark.invariant(2)
async def test_a_reply_whose_prompt_was_swapped_under_it_is_not_typed(
    project: DemoProject, tmp_path: Path
) -> None:
    provider = FakeProvider([yes()])
    provider.gate.clear()
    settings = demo_settings(project, tmp_path / "run", *PERMISSION, "--swap-prompt", "0.6")
    async with running(settings, provider) as watched:
        await watched.until(lambda: len(provider.requests) == 1, "the first request")
        first = watched.of(fx.AskProvider)[0].detection
        await watched.until(lambda: bool(watched.of(fx.ReplyExpired)), "the reply to expire")
        provider.gate.set()
        await watched.until(lambda: len(watched.of(fx.AskProvider)) == 2, "the second request")
        expired = watched.of(fx.ReplyExpired)[0]
        assert expired.identity == first.identity
        assert all(decision.decision.identity != first.identity for decision in watched.of(fx.RecordDecision))


@pytest.mark.invariant(6)
async def test_when_the_person_types_the_reply_withdraws(project: DemoProject, tmp_path: Path) -> None:
    settings = demo_settings(project, tmp_path / "run", *PERMISSION, autonomy=Autonomy.SUGGEST)
    async with running(settings, FakeProvider([yes()])) as watched:
        await watched.state(RunState.HELD)
        assert watched.live.view.proposal is not None
        watched.live.type_bytes(b"3")
        await watched.until(lambda: bool(watched.of(fx.ReplyExpired)), "the reply to expire")
        await watched.state(RunState.AWAITING_INPUT)
        assert not watched.writes
    assert not outcome_of(project).wrote_greeting


async def test_the_person_sends_an_edited_choice(project: DemoProject, tmp_path: Path) -> None:
    settings = demo_settings(project, tmp_path / "run", *PERMISSION, autonomy=Autonomy.SUGGEST)
    async with running(settings, FakeProvider([yes()])) as watched:
        await watched.state(RunState.HELD)
        reply = Reply(choice="No, and tell me what to do differently (esc)")
        watched.live.send(reply, identity=watched.live.view.detection.identity)
        await watched.state(RunState.AWAITING_INPUT)
        assert watched.of(fx.RecordDecision)[-1].decision.by == "person"
    assert not outcome_of(project).wrote_greeting and not outcome_of(project).unexpected


FAILURES: dict[str, Any] = {
    "429": lambda words: words.error(429, "slow down", retry_after="3600"),
    "503": lambda words: words.error(503, "down"),
    "529": lambda words: words.error(529, "overloaded"),
    "401": lambda words: words.error(401, "no such key"),
    "malformed": lambda words: words.stream("Sure thing, I would love to!"),
    "refusal": lambda words: words.refusal(),
    "cut": lambda words: words.stream('{"choice": "Yes"', whole=False, end="cut"),
    "time-out": lambda words: Answer(silent=True),
}


@pytest.mark.row("CP-73", "CP-49")
@pytest.mark.invariant(9)
@pytest.mark.examples
@pytest.mark.parametrize(
    ("failure", "words"),
    in_turns(FAILURES, [AnthropicWords(), OpenAIWords()]),
    ids=lambda value: getattr(value, "name", value),
)
async def test_each_failure_of_a_model_ends_in_a_hold_with_its_reason(
    project: DemoProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: Words, failure: str
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test-0123456789abcdef")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdef")
    server = ScriptedServer(FAILURES[failure](words))
    async with server.running():
        settings = demo_settings(project, tmp_path / "run", *PERMISSION)
        url = base_url(words, server.url)
        settings = replace(settings, provider=words.name, model="test-model", base_url=url)
        settings = replace(settings, reply_deadline_seconds=3.0)
        async with running(settings) as watched:
            await watched.state(RunState.HELD)
            held = watched.of(fx.RecordDecision)[-1].decision
            assert held.rule == "provider.failed"
            assert held.reason.startswith(f"{words.name}: ")
            assert held.reason in watched.live.view.state_reason
            assert not watched.writes
    assert not outcome_of(project).wrote_greeting and not outcome_of(project).unexpected


@pytest.mark.invariant(6)
@pytest.mark.invariant(8)
async def test_a_password_is_never_asked_of_a_model_nor_recorded(
    project: DemoProject, tmp_path: Path
) -> None:
    provider = FakeProvider([Proposal(Reply(text="hunter2-from-the-model"))])
    settings = demo_settings(project, tmp_path / "run", "--misbehave", "password", profile="generic")
    async with running(settings, provider) as watched:
        await watched.state(RunState.HELD)
        assert watched.live.run.detection.kind is ScreenKind.PASSWORD
        watched.live.type_bytes(b"hunter2-of-the-person")
        watched.live.type_bytes(b"\r")
        await ended(watched)
        assert not provider.requests and not watched.writes
    for path in (tmp_path / "run").rglob("*"):
        if path.is_file():
            assert b"hunter2" not in path.read_bytes(), path


@pytest.mark.row("CP-14")
async def test_a_dry_run_types_nothing(project: DemoProject, tmp_path: Path) -> None:
    settings = demo_settings(project, tmp_path / "run", *PERMISSION, dry_run=True)
    async with running(settings, FakeProvider([yes()])) as watched:
        await watched.until(lambda: bool(watched.of(fx.RecordDecision)), "a decision")
        await watched.state(RunState.HELD)
    assert [entry for entry in project.entries() if entry["event"] in ("answered", "unexpected")] == []


@pytest.mark.row("CP-63")
async def test_a_child_that_ignores_the_interrupt_is_gone_after_the_second(
    project: DemoProject, tmp_path: Path
) -> None:
    settings = demo_settings(
        project, tmp_path / "run", *PERMISSION, "--ignore-sigint", autonomy=Autonomy.WATCH
    )
    async with running(settings) as watched:
        await watched.state(RunState.HELD)
        assert watched.live.child is not None
        pid = watched.live.child._child.pid  # type: ignore[attr-defined]
        watched.live.interrupt()
        watched.live.interrupt()
        end = await ended(watched)
        assert end.exit_code == 130
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.parametrize(
    ("how", "code"), [(("--misbehave", "exit", "--exit-code", "3"), 4), (("--misbehave", "crash"), 4)]
)
async def test_a_child_that_dies_ends_the_run_with_its_own_code(
    project: DemoProject, tmp_path: Path, how: tuple[str, ...], code: int
) -> None:
    async with running(demo_settings(project, tmp_path / "run", *how)) as watched:
        end = await ended(watched)
    assert (end.outcome, end.exit_code) == ("crashed", code)
    assert read_transcript(tmp_path / "run").records


async def test_a_killed_child_is_a_crash(project: DemoProject, tmp_path: Path) -> None:
    async with running(
        demo_settings(project, tmp_path / "run", *PERMISSION, autonomy=Autonomy.WATCH)
    ) as watched:
        await watched.state(RunState.HELD)
        assert watched.live.child is not None
        os.kill(watched.live.child._child.pid, signal.SIGKILL)  # type: ignore[attr-defined]
        end = await ended(watched)
    assert end.exit_code == 4 and end.reason.endswith(" was ended by signal 9")


@pytest.mark.row("CP-16")
async def test_the_time_limit_ends_a_silent_child(project: DemoProject, tmp_path: Path) -> None:
    settings = demo_settings(project, tmp_path / "run", "--misbehave", "silent", timeout_seconds=0.5)
    async with running(settings) as watched:
        end = await ended(watched)
    assert (end.outcome, end.exit_code) == ("stopped", 3)


FLOOD = "for n in range(20_000): print(n, 'x' * 60)\nopen(1, 'wb', closefd=False).write(bytes(range(128, 256)) * 99)"


async def test_a_flood_and_invalid_utf8_are_survived(tmp_path: Path) -> None:
    async with running(python_settings(FLOOD, tmp_path)) as watched:
        end = await ended(watched)
    assert end.outcome == "completed", end
    assert not read_transcript(tmp_path / "run").problems


async def test_a_fault_of_ours_ends_the_run_in_order(
    project: DemoProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(
        demo_settings(project, tmp_path / "run", *PERMISSION, autonomy=Autonomy.WATCH)
    ) as watched:
        await watched.state(RunState.HELD)

        def broken(*_: object) -> None:
            raise RuntimeError("planted")

        monkeypatch.setattr(watched.live.reader, "settle", broken)
        watched.live.type_bytes(b"x")
        end = await ended(watched)
    assert end.exit_code == 1 and "planted" in end.reason
    assert watched.of(ev.Faulted)


@pytest.mark.invariant(1)
async def test_a_run_that_cannot_be_recorded_is_held(
    project: DemoProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider = FakeProvider([yes()])
    provider.gate.clear()
    async with running(demo_settings(project, tmp_path / "run", *PERMISSION), provider) as watched:
        await watched.until(lambda: bool(provider.requests), "the request")

        def full(*_: object) -> int:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(os, "write", full)
            provider.gate.set()
            await watched.state(RunState.HELD)
        assert not watched.writes
        assert any("recorded" in note for note in watched.notes)
