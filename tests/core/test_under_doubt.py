"""Under doubt hold: refusals that would destroy, words meant for another prompt, ends that are none."""

from __future__ import annotations

import pytest

from copilot.core import events as ev
from copilot.core.detection import Detection, Option, Subject
from copilot.core.effects import AskProvider, CancelRequest, EndRun, SignalChild, StartTimer
from copilot.core.reply import Autonomy, Reply, Verdict
from copilot.core.risk import NO_RISK
from copilot.core.screen_kinds import ScreenKind
from copilot.core.settings import RunLimits
from copilot.core.states import RunState
from tests.core.builders import (
    BUSY,
    COMPLETED,
    FORBIDDEN,
    HIGH,
    IDLE,
    LOW,
    MEDIUM,
    Trial,
    permission,
    propose,
    question,
    trust_dialog,
)

YES_NO = (Option("yes", "y Enter"), Option("no", "n Enter"))


def _keep() -> Detection:
    return Detection(ScreenKind.YES_NO, question="Keep the 14 files? [y/n]", options=YES_NO, identity="k.1")


@pytest.mark.row("CP-84")
def test_headless_does_not_refuse_what_offers_to_keep() -> None:
    for proposal in (propose("no"), propose("yes", confidence=0.1), propose("yes", needs_human=True)):
        trial = Trial(Autonomy.FULL, headless=True).type(_keep(), proposal)
        assert not trial.writes
        assert trial.decisions[-1].decision.verdict is not Verdict.REFUSE


@pytest.mark.row("CP-84")
@pytest.mark.parametrize("headless", [False, True])
def test_a_label_that_refuses_and_destroys_is_judged_by_its_words(headless: bool) -> None:
    options = (Option("Merge", "1", selected=True), Option("Cancel and delete the branch", "2"))
    menu = Detection(ScreenKind.MENU, question="What now?", options=options, identity="m.1")
    trial = Trial(Autonomy.FULL, headless=headless)
    trial.settle(menu, HIGH, (LOW, HIGH))
    trial.answer(propose("Cancel and delete the branch"))
    trial.look(menu, seconds=0.3)
    assert not trial.writes


@pytest.mark.invariant(2)
def test_words_for_a_text_field_are_not_written_into_another_prompt() -> None:
    options = (Option("Yes", "1", selected=True), Option("Type something.", "2"))
    menu = Detection(ScreenKind.MENU, question="Name?", options=options, identity="m.1")
    trial = Trial(Autonomy.FULL)
    trial.settle(menu, LOW, (LOW, LOW))
    trial.answer(propose("Type something.", "yes but use b"))
    trial.look(menu, seconds=0.3)
    for _ in range(30):
        trial.look(permission("p.2"))
    assert [write.text for write in trial.writes] == [""]
    assert trial.run.state is RunState.HELD


def test_a_child_that_a_person_left_by_hand_has_not_failed() -> None:
    trial = Trial(Autonomy.SUGGEST)
    popup = Detection(
        ScreenKind.MENU, options=(Option("/quit", selected=True),), identity="m.1", draft="/quit"
    )
    trial.settle(popup, LOW)
    trial.feed(ev.PersonTyped)
    trial.settle(Detection(ScreenKind.EXITED), NO_RISK)
    (end,) = [effect for effect in trial.feed(ev.ChildExited, status=0) if isinstance(effect, EndRun)]
    assert (end.outcome, end.exit_code) == ("completed", 0)


@pytest.mark.invariant(6)
def test_a_list_that_opened_at_what_a_person_types_is_theirs() -> None:
    trial = Trial(Autonomy.FULL)
    popup = Detection(
        ScreenKind.MENU, options=(Option("/quit", selected=True),), identity="m.1", draft="/quit"
    )
    trial.settle(popup, LOW)
    assert not [effect for effect in trial.effects if isinstance(effect, AskProvider)]
    assert trial.run.state is RunState.HELD and not trial.writes


def test_a_reason_for_a_refusal_is_dropped_when_the_turn_goes_on_otherwise() -> None:
    trial = Trial(Autonomy.FULL, headless=True).type(permission(), propose("Yes"), HIGH)
    trial.look(question())
    trial.look(question())
    trial.settle(question())
    assert trial.run.follow_up == ""


def test_after_a_failed_write_nothing_more_is_typed_until_the_person_has_looked() -> None:
    trial = Trial(Autonomy.FULL)
    trial.settle(permission(), LOW)
    assert CancelRequest(1) in trial.feed(ev.WriteFailed, reason="the child does not read")
    trial.answer(propose("Yes"), request=1)
    trial.look(permission())
    assert not trial.writes


@pytest.mark.row("CP-89")
def test_the_trust_flag_is_for_the_launch_folder_and_not_at_watch() -> None:
    elsewhere = Detection(
        ScreenKind.TRUST, options=trust_dialog().options, identity="t.1", subject=Subject("read", "/etc")
    )
    trial = Trial(Autonomy.FULL, trust=True, launch_folders=("/home/me/project",))
    trial.settle(elsewhere, LOW)
    trial.look(elsewhere, seconds=0.3)
    watching = Trial(Autonomy.WATCH, trust=True)
    watching.settle(trust_dialog(), LOW)
    watching.look(trust_dialog(), seconds=0.3)
    assert not trial.writes and not watching.writes


@pytest.mark.parametrize(
    ("shown", "cut", "trusted"),
    [
        ("/home/me/project", False, True),
        ("~/project", False, True),
        ("/home/me/pro", True, True),
        ("…/me/project", True, True),
        ("/home/me/pro", False, False),
        ("/home/you", True, False),
    ],
)
def test_a_folder_that_is_shown_in_part_must_fit_the_launch_folder(
    shown: str, cut: bool, trusted: bool
) -> None:
    subject = Subject("read", shown, cut)
    dialog = Detection(ScreenKind.TRUST, options=trust_dialog().options, identity="t.1", subject=subject)
    trial = Trial(Autonomy.FULL, trust=True, launch_folders=("/home/me/project", "~/project"))
    trial.settle(dialog, LOW)
    trial.look(dialog, seconds=0.3)
    assert bool(trial.writes) is trusted


@pytest.mark.invariant(5)
def test_a_text_that_got_stuck_is_never_written_again() -> None:
    trial = Trial(Autonomy.FULL).reply(question(), propose(text="MIT"))
    for _ in range(30):
        trial.look(question(), seconds=0.3)
    trial.feed(ev.AutonomyChanged, level=Autonomy.ASSIST)
    trial.feed(ev.AutonomyChanged, level=Autonomy.FULL)
    trial.fire("countdown", 5)
    trial.look(question(), seconds=0.3)
    assert [write.text for write in trial.writes] == ["MIT"]


def test_a_headless_run_on_a_screen_that_is_not_understood_ends_by_itself() -> None:
    trial = Trial(Autonomy.FULL, headless=True)
    effects = trial.settle(Detection(ScreenKind.UNKNOWN))
    assert any(isinstance(effect, StartTimer) and effect.timer == "grace" for effect in effects)
    trial.fire("grace", 20)
    trial.feed(ev.ChildExited, status=-1)
    assert trial.end is not None and trial.end.exit_code == 3


@pytest.mark.invariant(10)
def test_refusals_count_as_steps_and_end_the_run() -> None:
    trial = Trial(Autonomy.FULL, headless=True, limits=RunLimits(max_steps=3))
    for number in range(6):
        prompt = permission(f"p.{number}", command=f"rm -rf ~/{number}")
        trial.settle(prompt, FORBIDDEN)
        trial.look(prompt, seconds=0.3)
        trial.take()
        trial.settle(BUSY)
    assert len(trial.writes) == 3
    assert SignalChild("end") in trial.effects


@pytest.mark.invariant(10)
def test_a_reason_told_in_between_does_not_reset_the_loop_breaker() -> None:
    trial = Trial(Autonomy.FULL, headless=True)
    for number in range(4):
        prompt = permission(f"p.{number}", command="rm -rf build")
        trial.settle(prompt, FORBIDDEN)
        trial.look(prompt, seconds=0.3)
        trial.look(IDLE)
        trial.look(IDLE)
        trial.run.follow_up = ""
        trial.settle(BUSY)
    assert len(trial.writes) == 2


def test_a_cli_that_asks_again_while_it_is_left_is_answered_first() -> None:
    trial = Trial(Autonomy.FULL, headless=True)
    trial.settle(COMPLETED)
    trial.look(COMPLETED, seconds=0.3)
    trial.look(Detection(ScreenKind.COMPLETED, identity="c.1", draft="/exit"))
    trial.take()
    assert any(isinstance(effect, AskProvider) for effect in trial.settle(permission(), LOW))
    assert not trial.run.leaving


@pytest.mark.row("CP-23")
def test_an_exit_that_is_seen_before_it_is_told_still_ends_an_open_question() -> None:
    trial = Trial(Autonomy.SUGGEST)
    trial.settle(permission(), LOW)
    trial.settle(Detection(ScreenKind.EXITED))
    trial.feed(ev.ChildExited, status=0)
    assert trial.end is not None and trial.end.exit_code == 1


def test_after_an_interrupt_nothing_is_asked_or_sent() -> None:
    trial = Trial(Autonomy.SUGGEST)
    trial.settle(permission(), LOW)
    trial.feed(ev.Interrupted)
    later = trial.feed(ev.AutonomyChanged, level=Autonomy.FULL)
    later += trial.feed(ev.PersonSent, identity="p.1", reply=Reply("Yes"))
    later += trial.feed(ev.PersonAskedAgain, identity="p.1")
    assert not any(isinstance(effect, AskProvider) for effect in later)
    assert not trial.run.typist


@pytest.mark.invariant(2)
def test_a_prompt_that_has_become_riskier_gets_nothing() -> None:
    trial = Trial(Autonomy.FULL).reply(permission(), propose("Yes"), MEDIUM)
    trial.look(permission(), seconds=0.3, risk=HIGH)
    assert not trial.writes


@pytest.mark.invariant(6)
def test_a_prompt_into_which_the_person_typed_before_it_settled_is_theirs() -> None:
    trial = Trial(Autonomy.FULL)
    trial.settle(BUSY)
    trial.at = 1.0
    trial.feed(ev.PersonTyped)
    trial.at = 1.5
    prompt = Detection(ScreenKind.TEXT_INPUT, question="Name:", identity="n.1")
    effects = trial.feed(ev.ScreenSettled, detection=prompt, risk=NO_RISK, first_seen_at=0.8)
    assert not any(isinstance(effect, AskProvider) for effect in effects)
    assert trial.run.state is RunState.HELD


@pytest.mark.invariant(5)
def test_our_unsent_text_in_the_composer_is_not_taken_for_a_new_prompt() -> None:
    trial = Trial(Autonomy.FULL).type(question(), propose(text="MIT"))
    trial.look(question(draft="MIT"), seconds=0.15)
    renamed = question("q.2", draft="MIT")
    trial.look(renamed)
    trial.look(renamed)
    trial.look(renamed, seconds=3.1)
    assert [write.keys for write in trial.writes] == [(), ("Enter",), ("Enter",)]
