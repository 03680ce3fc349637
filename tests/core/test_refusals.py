"""What a refusal means for the end of a run without a person (DESIGN "Ends")."""

from __future__ import annotations

from dataclasses import replace

import pytest

from copilot.core import events as ev
from copilot.core.detection import Detection, Option
from copilot.core.effects import EndRun, ReplyExpired
from copilot.core.profile import ReplyKeys
from copilot.core.profile_outline import Launch
from copilot.core.risk import Risk
from copilot.core.screen_kinds import ScreenKind
from tests.core.builders import (
    BUSY,
    COMPLETED,
    HIGH,
    IDLE,
    LOW,
    PROFILE,
    Trial,
    permission,
    propose,
    trust_dialog,
)

PROGRAM = replace(PROFILE, launch=Launch(), reply_keys=ReplyKeys(refuse_options=("^(no|No)$",)))
"""A plain program: no profile knows of turns."""
ASKED = Detection(
    ScreenKind.YES_NO,
    "Delete all? [y/n]",
    (Option("yes", "y Enter"), Option("no", "n Enter")),
    identity="q.1",
)


def answered(trial: Trial, asked: Detection, choice: str, risk: Risk, identity: str = "") -> None:
    """The provider's reply to it, and what is typed is taken."""
    trial.settle(asked, risk)
    trial.answer(propose(choice, reason="as the prompt says"))
    trial.look(asked, seconds=0.4)
    trial.look(asked, before_cursor=f"{asked.question} {choice[0].lower()}")
    trial.take()
    trial.settle(BUSY)


def test_a_refusal_whose_prompt_went_away_refused_nothing() -> None:
    trial = Trial(profile=PROGRAM, headless=True).reply(ASKED, propose("yes"), HIGH)
    for _ in range(4):
        trial.look(BUSY, seconds=0.6)
    trial.settle(BUSY)
    assert trial.writes == [] and any(isinstance(effect, ReplyExpired) for effect in trial.effects)
    assert end_of(trial).exit_code == 0


def end_of(trial: Trial, status: int = 0) -> EndRun:
    ends = [effect for effect in trial.feed(ev.ChildExited, status=status) if isinstance(effect, EndRun)]
    return ends[0]


@pytest.mark.parametrize(("status", "code"), [(0, 3), (1, 3), (-11, 4)])
def test_a_programs_no_in_place_of_a_yes_is_no_success(status: int, code: int) -> None:
    trial = Trial(profile=PROGRAM, headless=True)
    answered(trial, ASKED, "yes", HIGH)
    assert next(write.text or write.keys for write in trial.writes) in ("n", ("n",))
    end = end_of(trial, status)
    assert end.exit_code == code
    if code == 3:
        assert end.outcome == "held"
        assert end.reason.startswith("refused «Delete all? [y/n]»: risk high: deletes build/")


def test_a_no_that_the_provider_gave_is_a_success() -> None:
    trial = Trial(profile=PROGRAM, headless=True)
    answered(trial, ASKED, "no", HIGH)
    assert end_of(trial) == EndRun("completed", 0, "the child exited 0")


def test_a_turn_that_completes_after_a_denial_is_a_success_and_the_denial_is_counted() -> None:
    trial = Trial(headless=True)
    answered(trial, permission(), "Yes", HIGH)
    trial.settle(COMPLETED)
    told = trial.run.decision
    assert told is not None and told.reply is not None and told.reply.text is not None
    assert told.reply.text.startswith("Refused by the guard")
    trial.look(COMPLETED, seconds=0.4)
    trial.look(COMPLETED, before_cursor=told.reply.text)
    trial.take()
    trial.settle(BUSY)
    trial.settle(replace(COMPLETED, identity="c.2"))
    assert trial.run.leaving
    end = end_of(trial)
    assert (end.exit_code, end.reason) == (0, "the task is done; 1 request refused")


def test_a_child_that_leaves_before_another_turn_completes_ends_refused() -> None:
    trial = Trial(headless=True)
    answered(trial, permission(), "Yes", HIGH)
    end = end_of(trial)
    assert end.exit_code == 3 and end.reason.startswith("refused «Do you want to proceed?»: risk high")


def test_an_idle_composer_after_a_denial_ends_with_the_reason_of_the_denial() -> None:
    trial = Trial(headless=True)
    answered(trial, permission(), "No", LOW)
    trial.settle(IDLE)
    trial.fire("grace", 20.0)
    end = end_of(trial)
    assert end.exit_code == 3
    assert end.reason.startswith("refused «Do you want to proceed?»: as the prompt says")


def test_a_refusal_of_trust_that_was_never_typed_does_not_end_the_run() -> None:
    trial = Trial(headless=True)
    asked = trust_dialog()
    trial.reply(asked, propose("Yes, I trust this folder"), HIGH)
    set_before = trial.run.ending
    assert set_before is not None
    for _ in range(4):
        trial.look(BUSY, seconds=0.6)
    trial.settle(BUSY)
    assert trial.writes == [] and any(isinstance(effect, ReplyExpired) for effect in trial.effects)
    assert trial.run.ending is None
    trial.settle(COMPLETED)
    assert trial.run.leaving
