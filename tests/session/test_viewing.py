"""What a person is shown follows the screen, also where the core need not know."""

from __future__ import annotations

from dataclasses import replace

from copilot.core import events as ev
from copilot.core.effects import EndRun
from copilot.core.reply import Autonomy
from copilot.engine.view import SessionView, ViewKeeper
from tests.core.builders import Trial, permission


def test_the_evidence_follows_its_prompt_when_rows_move() -> None:
    trial = Trial(Autonomy.SUGGEST)
    trial.settle(replace(permission(), evidence=(20, 21)))
    keeper = ViewKeeper(SessionView())
    keeper.update(trial.run, trial.run.detection)
    keeper.update(trial.run, replace(trial.run.detection, evidence=(5, 6)))
    assert keeper.view.detection.evidence == (5, 6)


def test_another_prompt_lends_no_rows() -> None:
    trial = Trial(Autonomy.SUGGEST)
    trial.settle(replace(permission(), evidence=(20, 21)))
    keeper = ViewKeeper(SessionView())
    keeper.update(trial.run, replace(trial.run.detection, identity="p.2", evidence=(5, 6)))
    assert keeper.view.detection.evidence == (20, 21)


def test_an_end_by_the_person_is_not_told_like_a_fault() -> None:
    trial = Trial()
    trial.feed(ev.Interrupted)
    trial.feed(ev.ChildExited, status=-2)
    assert trial.end is not None and trial.end.outcome == "aborted", "the recorded word stays"
    keeper = ViewKeeper(SessionView())
    keeper.note(trial.end, 1.0)
    assert keeper.view.outcome == "ended by you"
    keeper.note(EndRun("failed", 1, "it broke"), 1.0)
    assert keeper.view.outcome == "failed: it broke"
