"""A recorded step comes back as it was: every event and effect, filled with anything."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from copilot.core.detection import Detection, EvidenceSource
from copilot.core.effects import ReportScreenAgain
from copilot.core.events import InterruptIgnored, ScreenSettled
from copilot.core.risk import Risk, RiskLevel
from copilot.core.screen_kinds import ScreenKind
from copilot.recording.records import from_record, step_classes, step_from_record, step_type, to_record
from copilot.recording.transcript import json_text
from tests.examples import ALL
from tests.recording.core_steps import CLASSES, anything_of


def test_every_step_of_the_core_is_known() -> None:
    assert len(CLASSES) > 25
    assert set(step_classes().values()) == set(CLASSES)


@pytest.mark.row("CP-56")
@pytest.mark.parametrize("wanted", CLASSES, ids=lambda wanted: wanted.__name__)
@pytest.mark.examples
@settings(max_examples=25 if ALL else 8, deadline=None)
@given(data=st.data())
def test_every_step_comes_back_as_it_was(wanted: type, data: st.DataObject) -> None:
    step = data.draw(anything_of(wanted))
    written = json.loads(json_text(to_record(step)).encode())
    again = step_from_record(step_type(step), written)
    assert again == step and type(again) is wanted


def test_records_speak_in_words() -> None:
    detection = Detection(ScreenKind.YES_NO, "go on?", source=EvidenceSource.REPORT)
    record = to_record(ScreenSettled(at=1.5, detection=detection, risk=Risk(RiskLevel.HIGH, ("x",))))
    assert record["detection"]["kind"] == "yes_no" and record["detection"]["source"] == "report"
    assert record["danger"]["level"] == "high"


def test_an_older_record_takes_defaults_and_a_newer_one_is_read_as_far_as_known() -> None:
    made = from_record({"kind": "idle", "something_new": 1}, Detection)
    assert made == Detection(ScreenKind.IDLE)


def test_runs_recorded_under_former_names_are_read() -> None:
    assert step_from_record("effect.SettleAnew", {}) == ReportScreenAgain()
    assert step_from_record("event.InterruptUnheeded", {"at": 1}) == InterruptIgnored(at=1.0)
    settled = {"at": 1, "detection": {"kind": "menu"}, "option_dangers": [{"level": "high"}]}
    read = step_from_record("event.ScreenSettled", settled)
    assert isinstance(read, ScreenSettled) and read.option_risks == (Risk(RiskLevel.HIGH),)


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("event.Nonsense", {}),
        ("event.Started", {}),
        ("event.Started", {"at": "1"}),
        ("event.TimerFired", {"at": 1, "timer": 7}),
        ("event.AutonomyChanged", {"at": 1, "level": "everything"}),
        ("event.ScreenSettled", {"at": 1, "detection": {"kind": "idle", "options": {}}}),
        ("event.ScreenSettled", {"at": 1, "detection": {"kind": "idle"}, "danger": {"level": "HUGE"}}),
        ("effect.EnterState", {"state": 3}),
    ],
)
def test_what_does_not_fit_is_refused_never_guessed(kind: str, data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        step_from_record(kind, data)
