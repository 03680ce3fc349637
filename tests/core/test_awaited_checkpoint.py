"""A reply is typed once the checkpoint right before it is taken, and no other one."""

from __future__ import annotations

from collections.abc import Iterable

from copilot.core import events as ev
from copilot.core.checkpoints import Author, CheckpointMoment
from copilot.core.effects import Effect, TakeCheckpoint
from copilot.core.reply import Autonomy
from tests.core.builders import LOW, Trial, permission, propose


def _takes(effects: Iterable[Effect]) -> list[TakeCheckpoint]:
    return [effect for effect in effects if isinstance(effect, TakeCheckpoint)]


def _taken(trial: Trial, asked: TakeCheckpoint) -> None:
    trial.feed(ev.CheckpointTaken, number=1, moment=asked.moment, author=Author.PROGRAM, before=asked.before)


def _saving(trial: Trial) -> bool:
    return trial.run.saving


def test_a_late_checkpoint_of_the_wait_lets_no_reply_go() -> None:
    """What changes between the two would count as the wrong one's."""
    trial = Trial(Autonomy.FULL, checkpoints=True)
    waits, reply = _takes(trial.settle(permission(), LOW)), _takes(trial.answer(propose("Yes")))
    assert [one.moment for one in (*waits, *reply)] == [CheckpointMoment.WAITS, CheckpointMoment.REPLY]
    assert waits[0].before == reply[0].before, "the number alone does not tell them apart"
    _taken(trial, waits[0])
    assert _saving(trial)
    _taken(trial, reply[0])
    assert not _saving(trial)


def test_a_late_failure_of_that_one_holds_no_reply() -> None:
    trial = Trial(Autonomy.FULL, checkpoints=True)
    trial.settle(permission(), LOW)
    trial.answer(propose("Yes"))
    trial.feed(ev.CheckpointFailed, moment=CheckpointMoment.WAITS, reason="the disk is full", before=1)
    assert _saving(trial)
