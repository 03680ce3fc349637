"""What is found to have changed when somebody looks at an undo is on record as anybody else's changes."""

from __future__ import annotations

from pathlib import Path

from copilot.checkpoints.store import CheckpointStore
from copilot.checkpoints.undo import apply_undo, plan_undo
from copilot.core import events as ev
from copilot.core.checkpoints import Author, CheckpointMoment
from copilot.core.reply import Autonomy, Reply
from copilot.core.states import RunState
from copilot.demo.project import DemoProject
from copilot.engine.ledger import Ledger
from tests.session.live import FakeProvider, Watched, demo_settings, running, yes


def _taken(watched: Watched, author: Author) -> list[ev.CheckpointTaken]:
    return [one for one in watched.of(ev.CheckpointTaken) if one.author is author]


async def _waits(watched: Watched) -> None:
    await watched.state(RunState.HELD)
    await watched.until(
        lambda: any(one.moment is CheckpointMoment.WAITS for one in watched.of(ev.CheckpointTaken)),
        "the checkpoint of the wait",
    )


async def test_changes_that_a_plan_comes_upon_are_told_to_the_run(
    project: DemoProject, tmp_path: Path
) -> None:
    settings = demo_settings(
        project, tmp_path / "run", "--only", "permission", autonomy=Autonomy.SUGGEST, checkpoints=True
    )
    async with running(settings, FakeProvider([yes()])) as watched:
        await _waits(watched)
        undo = watched.live.checkpoints
        assert undo is not None
        start = (await undo.checkpoints())[0]
        (project.folder / "mine.txt").write_text("mine\n")
        for _ in range(2):
            plan = await undo.plan(start)
        assert [one.action for one in plan.files] == ["keep"], "it is the person's"
        assert [one.created for one in _taken(watched, Author.PERSON)] == [("mine.txt",)]
        watched.live.send(Reply(choice="Yes"), identity=watched.live.view.detection.identity)
        await watched.until(lambda: bool(_taken(watched, Author.PROGRAM)[-1].created), "the program's file")
        await undo.plan(start)
        numbers = [one.number for one in watched.of(ev.CheckpointTaken)]
        assert len(numbers) == len(set(numbers)), "each is told once"
        assert await undo.uncovered() == () and await undo.diff(plan, "mine.txt") == ""


async def test_an_undo_beside_the_run_is_told_once_with_what_it_came_upon(
    project: DemoProject, tmp_path: Path
) -> None:
    readme = project.folder / "README.md"
    before = readme.read_text()
    settings = demo_settings(
        project, tmp_path / "run", "--only", "permission", autonomy=Autonomy.SUGGEST, checkpoints=True
    )
    async with running(settings, FakeProvider([yes()])) as watched:
        await _waits(watched)
        undo = watched.live.checkpoints
        assert undo is not None
        readme.write_text("rewritten\n")
        other = CheckpointStore.open(watched.live.recorder.folder)
        apply_undo(other, plan_undo(other, other.checkpoints()[0], author=Author.PROGRAM))
        other.close()
        assert readme.read_text() == before
        for _ in range(2):
            await undo.plan((await undo.checkpoints())[0])
        assert [one.changed for one in _taken(watched, Author.PROGRAM)][-1] == ("README.md",)
        assert [one.paths for one in watched.of(ev.FilesRestored)] == [("README.md",)]
    ledger = Ledger()
    for step in watched.steps:
        ledger.receive(step)
    assert [(one.author, one.changed) for one in ledger.changes] == [(Author.PROGRAM, ("README.md",))]
