"""What a person is shown follows the screen, also where the core need not know."""

from __future__ import annotations

from dataclasses import replace

from copilot.core.decision import Autonomy
from copilot.session.view import SessionView
from copilot.session.viewing import ViewKeeper
from tests.core.builders import Trial, permission


def test_the_evidence_follows_its_prompt_when_rows_move() -> None:
    trial = Trial(Autonomy.SUGGEST)
    trial.settle(replace(permission(), evidence=(20, 21)))
    keeper = ViewKeeper(SessionView())
    keeper.update(trial.run, trial.run.detection)
    assert keeper.update(trial.run, replace(trial.run.detection, evidence=(5, 6)))
    assert keeper.view.detection.evidence == (5, 6)


def test_another_prompt_lends_no_rows() -> None:
    trial = Trial(Autonomy.SUGGEST)
    trial.settle(replace(permission(), evidence=(20, 21)))
    keeper = ViewKeeper(SessionView())
    keeper.update(trial.run, replace(trial.run.detection, identity="p.2", evidence=(5, 6)))
    assert keeper.view.detection.evidence == (20, 21)
