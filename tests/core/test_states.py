"""The table of states is complete and is the only way between them."""

from __future__ import annotations

import inspect
import itertools

import pytest

from copilot.core import events as ev
from copilot.core.orchestrator import REACTIONS
from copilot.core.profile import Profile
from copilot.core.reply import Autonomy
from copilot.core.run import Run
from copilot.core.states import (
    END_STATES,
    LIVE_STATES,
    TRANSITIONS,
    Answering,
    Ended,
    Held,
    IllegalTransition,
    NotStarted,
    Phase,
    Ready,
    RunState,
    Working,
    check_transition,
)
from tests.core.builders import IDLE, Trial, permission, propose


@pytest.mark.row("CP-5", "CP-6")
def test_every_pair_of_states_is_decided() -> None:
    for old, new in itertools.product(RunState, RunState):
        if new is old or new in TRANSITIONS[old]:
            assert check_transition(old, new) is new
        else:
            with pytest.raises(IllegalTransition):
                check_transition(old, new)


@pytest.mark.row("CP-7")
def test_aborted_and_error_can_be_reached_from_every_live_state() -> None:
    for state in LIVE_STATES:
        assert RunState.ABORTED in TRANSITIONS[state]
        assert RunState.ERROR in TRANSITIONS[state]


@pytest.mark.row("CP-8")
def test_nothing_leaves_an_end_state() -> None:
    assert all(not TRANSITIONS[state] for state in END_STATES)


def test_every_kind_of_event_has_a_reaction() -> None:
    kinds = {kind for _, kind in inspect.getmembers(ev, inspect.isclass) if issubclass(kind, ev.Event)}
    assert set(REACTIONS) == kinds - {ev.Event}


def _in_state(state: RunState) -> Trial:
    """A run brought into the given live state the way a run gets there."""
    trial = Trial(Autonomy.SUGGEST if state is RunState.HELD else Autonomy.FULL)
    if state is RunState.AWAITING_INPUT:
        trial.settle(IDLE)
    elif state in (RunState.ASKING_QUESTION, RunState.ANSWERING, RunState.HELD):
        trial.settle(permission())
    if state in (RunState.ANSWERING, RunState.HELD):
        trial.answer(propose("Yes"))
    assert trial.run.state is state
    return trial


@pytest.mark.row("CP-7", "CP-63")
@pytest.mark.parametrize("state", sorted(LIVE_STATES - {RunState.INIT}))
def test_an_interrupt_ends_the_run_from_every_live_state(state: RunState) -> None:
    trial = _in_state(state)
    trial.feed(ev.Interrupted)
    trial.feed(ev.ChildExited, status=-2)
    assert trial.run.state is RunState.ABORTED
    assert trial.end is not None and trial.end.exit_code == 130


EVERY_EVENT: list[tuple[type[ev.Event], dict[str, object]]] = [
    (ev.Started, {}),
    (ev.ScreenSettled, {"detection": permission("late.1")}),
    (ev.ReplyProposed, {"request": 1, "proposal": propose("Yes")}),
    (ev.ReplyFailed, {"request": 1, "reason": "down"}),
    (ev.FreshLook, {"detection": permission()}),
    (ev.TimerFired, {"timer": "typing"}),
    (ev.TimerFired, {"timer": "countdown"}),
    (ev.TimerFired, {"timer": "timeout"}),
    (ev.TimerFired, {"timer": "grace"}),
    (ev.TimerFired, {"timer": "leave"}),
    (ev.PersonSent, {"identity": "p.1", "reply": propose("Yes").reply}),
    (ev.PersonDismissed, {"identity": "p.1"}),
    (ev.PersonAskedAgain, {"identity": "p.1"}),
    (ev.PersonTyped, {}),
    (ev.AutonomyChanged, {"level": Autonomy.WATCH}),
    (ev.GoverningPromptChanged, {"number": 2, "file": "prompts/governing-02.txt", "sha256": "0"}),
    (ev.WriteFailed, {"reason": "gone"}),
    (ev.RecordingFailed, {"reason": "the disk is full"}),
    (ev.Interrupted, {}),
    (ev.InterruptIgnored, {}),
    (ev.ChildExited, {"status": 0}),
    (ev.Faulted, {"reason": "bug"}),
]


@pytest.mark.row("CP-6")
@pytest.mark.parametrize("state", sorted(LIVE_STATES - {RunState.INIT}))
@pytest.mark.parametrize("headless", [False, True])
def test_every_event_is_decided_in_every_live_state(state: RunState, headless: bool) -> None:
    for kind, fields in EVERY_EVENT[1:]:
        trial = _in_state(state)
        trial.run.headless = headless
        trial.feed(kind, **fields)
        assert trial.run.state in RunState, kind


@pytest.mark.row("CP-8")
def test_after_the_end_nothing_follows() -> None:
    for kind, fields in EVERY_EVENT:
        trial = Trial()
        trial.feed(ev.ChildExited, status=0)
        assert trial.run.state is RunState.COMPLETED
        assert trial.feed(kind, **fields) == (), kind


@pytest.mark.parametrize(
    "phase", [NotStarted(), Working(), Ready(), Answering(None), Held(), Ended(RunState.ERROR)]
)
def test_a_request_can_be_open_only_while_the_child_asks(phase: Phase) -> None:
    run = Run(profile=Profile("x"), autonomy=Autonomy.FULL, phase=phase)
    assert (run.request, run.opinion, run.typist) == (None, None, None)
    with pytest.raises(IllegalTransition):
        run.asking.request = 1
