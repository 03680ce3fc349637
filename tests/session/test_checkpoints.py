"""Checkpoints and undo in a live session: real children, the real store, the real driver."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from copilot.checkpoints.checkpoint import Budget
from copilot.checkpoints.store import CheckpointStore
from copilot.checkpoints.undo import apply_undo, plan_undo
from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.checkpoints import Author, CheckpointMoment
from copilot.core.detection import Detection
from copilot.core.reactions import checkpoints
from copilot.core.reply import Proposal, Reply
from copilot.core.states import RunState
from copilot.demo.project import DemoProject
from copilot.recording.runs import open_run
from copilot.session import checkpointing
from tests.session.live import FakeProvider, Watched, demo_settings, ended, run_settings, running

WRITES = """
import os, sys
if input("Run tests now? [y/n] ").startswith("y"):
    open("made.txt", "w").write("made")
    open("there.txt", "a").write("more")
    os.remove("old.txt")
"""
PLAN = """\
name: Two
steps:
  - {name: Make, run: mkdir made}
  - {name: Say, send: Greet the visitors}
"""


def saying_yes() -> FakeProvider:
    return FakeProvider([Proposal(Reply(choice="yes"))])


def project_in(folder: Path) -> Path:
    project = folder / "project"
    project.mkdir()
    (project / "there.txt").write_text("some")
    (project / "old.txt").write_text("old")
    return project


async def asked_and_written(project: Path, **changes: Any) -> Watched:
    settings = run_settings(project, sys.executable, "-c", WRITES, checkpoints=True, **changes)
    async with running(settings, saying_yes()) as watched:
        await ended(watched)
    return watched


async def test_what_a_reply_changed_is_known_and_can_be_undone(tmp_path: Path) -> None:
    project, run = project_in(tmp_path), tmp_path / "run"
    watched = await asked_and_written(project, log_folder=str(run))
    assert not (project / "old.txt").exists()
    moments = [one.moment for one in watched.of(fx.TakeCheckpoint)]
    assert moments == [CheckpointMoment.WAITS, CheckpointMoment.REPLY]
    [changes] = open_run(run).timeline().ledger.changes
    assert changes.author is Author.PROGRAM and changes.before == 2
    assert (changes.created, changes.changed, changes.removed) == (
        ("made.txt",),
        ("there.txt",),
        ("old.txt",),
    )
    store = CheckpointStore.open(run)
    apply_undo(store, plan_undo(store, store.checkpoints()[0]))
    assert sorted(path.name for path in project.iterdir()) == ["old.txt", "there.txt"]
    assert (project / "there.txt").read_text() == "some"
    store.close()


async def test_keys_go_out_after_the_checkpoint(tmp_path: Path) -> None:
    watched = await asked_and_written(project_in(tmp_path), log_folder=str(tmp_path / "run"))
    order = [
        type(step).__name__ for step in watched.steps if isinstance(step, ev.CheckpointTaken | fx.WriteKeys)
    ]
    assert order[0] == "CheckpointTaken" and "WriteKeys" in order
    taken = [one for one in watched.of(ev.CheckpointTaken) if one.moment is CheckpointMoment.REPLY]
    first = watched.writes[0]
    assert watched.steps.index(taken[0]) < watched.steps.index(first)


async def test_a_project_too_large_for_checkpoints_has_a_run_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpointing, "Budget", lambda: Budget(entries=1))
    project = project_in(tmp_path)
    watched = await asked_and_written(project, log_folder=str(tmp_path / "run"))
    assert any(note.startswith("no undo in this run: ") for note in watched.notes)
    assert (project / "made.txt").exists()


async def test_a_slow_disk_holds_the_reply_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold = asyncio.Event()
    loop = asyncio.get_running_loop()
    take = CheckpointStore.take

    def slow(store: CheckpointStore, author: Author, moment: Any) -> Any:
        if moment.what == "reply":
            asyncio.run_coroutine_threadsafe(hold.wait(), loop).result()
        return take(store, author, moment)

    monkeypatch.setattr(CheckpointStore, "take", slow)
    monkeypatch.setattr(checkpoints, "CHECKPOINT_SECONDS", 0.5)
    project = project_in(tmp_path)
    settings = run_settings(
        project, sys.executable, "-c", WRITES, checkpoints=True, log_folder=str(tmp_path / "run")
    )
    async with running(settings, saying_yes()) as watched:
        await watched.state(RunState.HELD)
        assert watched.writes == []
        assert "saving a checkpoint of the project first" in [one.reason for one in watched.of(fx.EnterState)]
        hold.set()
        session = watched.live
        session.send(Reply(choice="yes"), identity=session.run.detection.identity)
        await ended(watched)
    assert (project / "made.txt").exists(), "the person sent it"


async def plan_of_two(project: DemoProject, tmp_path: Path) -> Any:
    path = tmp_path / "plan.yml"
    path.write_text(PLAN)
    return demo_settings(
        project, tmp_path / "run", "--only", "read", "--speed", "3", plan=str(path), checkpoints=True
    )


async def test_an_undo_in_the_run_tells_the_cli_and_takes_the_plan_back(
    project: DemoProject, tmp_path: Path
) -> None:
    made = project.folder / "made"
    async with running(await plan_of_two(project, tmp_path), saying_yes()) as watched:
        await watched.until(lambda: made.is_dir() and done(watched) > 0, "the command has run")
        taking = watched.live.checkpoints
        assert taking is not None
        first = (await taking.checkpoints())[0]
        result = await taking.undo(await taking.plan(first))
        assert result.removed == ("made/",)
        await watched.until(lambda: bool(told(watched)), "the CLI is told")
        assert "read them again before you go on: made/" in told(watched)[0]
        await watched.until(lambda: len(watched.of(fx.RunCommand)) == 2, "the command runs again")
        undone = [one for one in watched.of(fx.PlanMoved) if one.state == "undone"]
        assert (undone[0].step, undone[0].part) == (1, "run 1")


def done(watched: Watched) -> int:
    taken = watched.of(ev.CheckpointTaken)
    return sum(one.moment is CheckpointMoment.COMMAND for one in taken)


def told(watched: Watched) -> list[str]:
    decisions = [one.decision for one in watched.of(fx.RecordDecision)]
    return [one.reply.text or "" for one in decisions if one.rule == "undo.restored" and one.reply]


async def test_an_undo_by_another_process_is_seen_before_the_next_reply(tmp_path: Path) -> None:
    project, run = project_in(tmp_path), tmp_path / "run"
    twice = WRITES + 'input("Run tests again? [y/n] ")\n'
    settings = run_settings(project, sys.executable, "-c", twice, checkpoints=True, log_folder=str(run))
    provider = saying_yes()
    async with running(settings, provider) as watched:
        provider.gate.set()
        await watched.until(lambda: asked(watched, "again?"), "the second question")
        provider.gate.clear()
        await watched.until(lambda: done_waits(watched) >= 2, "its checkpoint")
        store = CheckpointStore.open(run)
        apply_undo(store, plan_undo(store, store.checkpoints()[0]))
        store.close()
        session = watched.live
        session.send(Reply(choice="yes"), identity=session.run.detection.identity)
        await ended(watched)
    [restored] = watched.of(ev.FilesRestored)
    assert restored.before == 1 and "old.txt" in restored.paths


def asked(watched: Watched, words: str) -> bool:
    settled: list[Detection] = [one.detection for one in watched.of(ev.ScreenSettled)]
    return any(words in (one.question or "") for one in settled)


def done_waits(watched: Watched) -> int:
    return sum(one.moment is CheckpointMoment.WAITS for one in watched.of(ev.CheckpointTaken))
