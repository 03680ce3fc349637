"""A run whose files were put back is resumed at the step that the files show."""

from __future__ import annotations

from pathlib import Path

import pytest

from copilot.checkpoints.store import CheckpointStore
from copilot.checkpoints.undo import apply_undo, plan_undo
from copilot.core import events as ev
from copilot.core.checkpoints import CheckpointMoment
from copilot.core.detection import Detection
from copilot.core.screen_kinds import ScreenKind
from copilot.engine.timeline import timeline_of
from copilot.session.resuming import Left, left_by, read_earlier
from tests.fakes.plan_world import Copilot, World, copilot
from tests.session.undo_runs import PLAN, Recording, contents, three_steps

DONE = {(step, part) for step in (1, 2, 3) for part in ("", "send 1")}


def undo(folder: Path, number: int) -> int:
    """Go back to a checkpoint, in another process as it were; the number of the checkpoint before."""
    store = CheckpointStore.open(folder)
    try:
        plan = plan_undo(store, store.checkpoints()[number])
        assert not apply_undo(store, plan).refused
    finally:
        store.close()
    return plan.before.number


def ended(tmp_path: Path) -> Recording:
    made = three_steps(tmp_path / "run", tmp_path / "project")
    made.close()
    return made


def before_reply(made: Recording, decision: int) -> int:
    (number,) = [
        one.number
        for one in made.store.checkpoints()
        if one.moment.what == CheckpointMoment.REPLY.value and one.moment.decision == decision
    ]
    return number


def left(made: Recording) -> Left:
    return read_earlier(str(made.folder)).left


def test_without_an_undo_all_that_was_done_stays_done(tmp_path: Path) -> None:
    assert left(ended(tmp_path)).done == DONE


@pytest.mark.parametrize("step", [1, 2, 3])
def test_what_an_undo_took_back_is_due_again(tmp_path: Path, step: int) -> None:
    made = ended(tmp_path)
    undo(made.folder, before_reply(made, step))
    assert {f"made{one}.txt" for one in range(1, step)} == set(contents(made.project)) - {"a.txt", "log.txt"}
    earlier = read_earlier(str(made.folder))
    assert earlier.left.done == {one for one in DONE if one[0] < step}
    assert earlier.left.sent is None and earlier.left.unclear is None
    (note,) = earlier.notes
    assert "were put back" in note and "due again" in note


def test_the_resumed_plan_goes_on_from_there(tmp_path: Path) -> None:
    made = ended(tmp_path)
    undo(made.folder, before_reply(made, 2))
    world = World()
    copilot(PLAN, world, carried=left(made).carried(continues=True)).live()
    assert own(world) == ["Do two", "Do three"]


def test_an_undo_of_the_undo_restores(tmp_path: Path) -> None:
    made = ended(tmp_path)
    before = undo(made.folder, before_reply(made, 2))
    undo(made.folder, before)
    assert left(made).done == DONE
    undo(made.folder, 0)
    assert left(made).done == set()


def test_the_end_of_a_turn_keeps_its_prompt(tmp_path: Path) -> None:
    made = ended(tmp_path)
    undo(made.folder, before_reply(made, 2) - 1)
    assert left(made).done == {one for one in DONE if one[0] == 1}


def test_a_turn_that_was_cut_off_is_due_again_once_its_files_are_put_back(tmp_path: Path) -> None:
    made = three_steps(tmp_path / "run", tmp_path / "project", (1,))
    made.plan_step(2, {"made2.txt": "x\n"}, ends=False)
    made.store.close()
    made.run.close()
    assert left(made).sent == (2, "send 1")
    before = undo(made.folder, before_reply(made, 2))
    assert left(made).sent is None and left(made).done == {(1, ""), (1, "send 1")}
    undo(made.folder, before)
    assert left(made).sent == (2, "send 1")


def test_an_undo_that_the_run_was_told_of_counts_once(tmp_path: Path) -> None:
    """What was done again after it is done."""
    made = three_steps(tmp_path / "run", tmp_path / "project")
    undo(made.folder, before_reply(made, 2))
    restored = made.store.checkpoints()[-1]
    made.run.event(
        ev.FilesRestored(at=made.at, number=restored.number, before=restored.moment.decision, paths=("x",))
    )
    for step in (2, 3):
        made.moved(step, "send 1", "undone")
    for step in (2, 3):
        made.moved(step, "", "undone")
    made.plan_step(2, {"made2.txt": "again\n"})
    made.close()
    assert left(made).done == {(1, ""), (1, "send 1"), (2, ""), (2, "send 1")}


def test_an_undo_as_the_run_ended_counts_though_the_run_never_heard_of_it(tmp_path: Path) -> None:
    made = three_steps(tmp_path / "run", tmp_path / "project")
    undo(made.folder, before_reply(made, 3))
    made.close()
    assert left(made).done == {one for one in DONE if one[0] < 3}


def test_a_run_that_is_killed_after_a_live_undo_is_resumed_where_the_files_are() -> None:
    """The core itself: it is told of the undo while the program works on the second step."""
    world = World(asks_after={"Do two": Detection(ScreenKind.BUSY)})
    run = copilot(PLAN, world, headless=False)
    run.live()
    assert own(world) == ["Do one", "Do two"] and remains(run).sent == (2, "send 1")
    assert run.run.plan is not None
    second = run.run.plan.begun_parts[-1].decision
    run.hear(ev.FilesRestored(at=run.at, number=9, before=second, paths=("made2.txt",)))
    left = remains(run)
    assert left.done == {(1, ""), (1, "send 1")}
    assert left.sent is None and left.unclear is None
    run.screen = Detection(ScreenKind.COMPLETED, identity="ready-9")
    run.hear(ev.ScreenSettled(at=run.at, detection=run.screen, first_seen_at=run.at))
    assert own(world) == ["Do one", "Do two", "Do two", "Do three"]
    assert remains(run).done == DONE


def own(world: World) -> list[str]:
    """The prompts of the plan that the CLI was told."""
    return [text for text in world.submitted if text.startswith("Do")]


def remains(run: Copilot) -> Left:
    return left_by(timeline_of((0.0, one) for one in run.records))
