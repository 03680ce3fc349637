"""Invariant 1 in a live session: a key is on the disk, with its decision, before the child can have it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from copilot.core import effects as fx
from copilot.core.states import RunState
from copilot.demo.project import DemoProject, outcome_of
from copilot.recording.transcript_reader import read_transcript
from tests.session.live import FakeProvider, demo_settings, ended, running, yes
from tests.session.test_live import PERMISSION


def _on_disk(folder: Path) -> tuple[set[int], int]:
    """The decisions that the transcript holds now, and how many writes."""
    records = read_transcript(folder).records
    decided = {
        record.data["decision"]["number"] for record in records if record.type == "effect.RecordDecision"
    }
    return decided, sum(record.type == "effect.WriteKeys" for record in records)


@pytest.mark.row("CP-64")
@pytest.mark.invariant(1)
async def test_each_write_is_on_the_disk_before_the_child_gets_it(
    project: DemoProject, tmp_path: Path
) -> None:
    provider = FakeProvider([yes()])
    provider.gate.clear()
    found: list[tuple[bool, int]] = []
    async with running(demo_settings(project, tmp_path / "run", *PERMISSION), provider) as watched:
        session: Any = watched.session
        write = session._write

        def looked_up(effect: fx.WriteKeys) -> None:
            decided, writes = _on_disk(tmp_path / "run")
            found.append((effect.decision in decided, writes))
            write(effect)

        session._write = looked_up
        provider.gate.set()
        await watched.until(lambda: bool(watched.of(fx.ReplyTaken)), "the reply to be taken")
    assert found and found == [(True, number) for number in range(1, len(found) + 1)]


@pytest.mark.invariant(1)
async def test_keys_that_cannot_be_recorded_are_not_typed(
    project: DemoProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider = FakeProvider([yes()])
    provider.gate.clear()
    async with running(demo_settings(project, tmp_path / "run", *PERMISSION), provider) as watched:
        recorder = watched.live.recorder
        record = recorder.effect

        def full(*_: object) -> int:
            raise OSError(28, "No space left on device")

        def on_a_full_disk(effect: fx.Effect, at: float) -> None:
            with monkeypatch.context() as patch:
                if isinstance(effect, fx.WriteKeys):
                    patch.setattr(os, "write", full)
                record(effect, at)

        monkeypatch.setattr(recorder, "effect", on_a_full_disk)
        provider.gate.set()
        await watched.until(lambda: bool(watched.writes), "the first write")
        await watched.state(RunState.HELD)
        watched.live.interrupt()
        await ended(watched)
    assert not [entry for entry in project.entries() if entry["event"] in ("received", "unexpected")]
    assert not outcome_of(project).wrote_greeting
