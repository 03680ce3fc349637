"""The way of one prompt through the core: these events, exactly these effects."""

from __future__ import annotations

import pytest

from copilot.core import events as ev
from copilot.core.detection import Detection, Option
from copilot.core.effects import (
    AskProvider,
    CallPerson,
    CancelRequest,
    RecordDecision,
    ReplyExpired,
    ReplyTaken,
    ReportScreenAgain,
    SignalChild,
    StartTimer,
    StopTimer,
    WriteKeys,
)
from copilot.core.reply import Autonomy, Reply, Usage, Verdict
from copilot.core.screen_kinds import ScreenKind
from copilot.core.settings import RunLimits
from copilot.core.states import Held, RunState
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


def test_a_permission_is_asked_decided_recorded_typed_and_verified() -> None:
    trial = Trial(Autonomy.FULL)
    asked = trial.settle(permission(), LOW)
    assert any(isinstance(effect, AskProvider) for effect in asked)
    decided = trial.answer(propose("Yes"))
    kinds = [type(effect) for effect in decided]
    assert kinds.index(RecordDecision) < kinds.index(StartTimer)
    assert not trial.writes
    trial.look(permission(), seconds=0.3)
    assert [write.keys for write in trial.writes] == [("1",)]
    effects = trial.take()
    assert ReplyTaken(1, "taken") in effects and ReportScreenAgain() in effects
    assert trial.run.state is RunState.RUNNING


@pytest.mark.invariant(1)
def test_no_key_goes_out_before_its_decision_is_recorded() -> None:
    trial = Trial(Autonomy.FULL).type(permission(), propose("Yes"))
    order = [effect for effect in trial.effects if isinstance(effect, RecordDecision | WriteKeys)]
    recorded: set[int] = set()
    for effect in order:
        if isinstance(effect, RecordDecision):
            recorded.add(effect.decision.number)
        else:
            assert effect.decision in recorded
    assert trial.writes


@pytest.mark.row("CP-72")
@pytest.mark.invariant(2)
def test_a_prompt_swapped_before_the_first_key_gets_nothing() -> None:
    trial = Trial(Autonomy.FULL).reply(permission("p.1"), propose("Yes"))
    effects = trial.look(permission("p.2", command="rm -rf build"), seconds=0.3)
    assert not trial.writes
    assert any(isinstance(effect, ReplyExpired) and effect.identity == "p.1" for effect in effects)
    assert ReportScreenAgain() in effects


@pytest.mark.row("CP-50")
@pytest.mark.invariant(2)
def test_a_late_reply_for_a_prompt_that_is_gone_is_dropped() -> None:
    trial = Trial(Autonomy.FULL)
    trial.settle(permission("p.1"), LOW)
    assert CancelRequest(1) in trial.settle(BUSY)
    trial.settle(permission("p.2"), LOW)
    assert trial.answer(propose("Yes"), request=1) == ()
    assert not trial.decisions


@pytest.mark.row("CP-32")
def test_the_same_prompt_settling_again_is_not_asked_again() -> None:
    trial = Trial(Autonomy.FULL)
    for _ in range(50):
        trial.settle(permission(), LOW)
    assert sum(isinstance(effect, AskProvider) for effect in trial.effects) == 1


@pytest.mark.invariant(5)
@pytest.mark.row("CP-71")
def test_text_and_enter_go_apart_and_only_enter_is_ever_resent() -> None:
    trial = Trial(Autonomy.FULL).type(question(), propose(text="MIT"))
    typed = question(draft="MIT")
    trial.look(typed, seconds=0.15)
    assert [(write.text, write.keys) for write in trial.writes] == [("MIT", ()), ("", ("Enter",))]
    for _ in range(3):
        trial.look(typed, seconds=3.1)
    assert [write.text for write in trial.writes].count("MIT") == 1
    assert [write.keys for write in trial.writes].count(("Enter",)) == 3
    effects = trial.effects
    assert ReplyTaken(1, "not taken") in effects
    assert trial.run.state is RunState.HELD
    assert "the prompt is still open after 3 tries" in trial.reasons


def test_a_prompt_that_is_tried_once_is_told_in_the_singular() -> None:
    trial = Trial(Autonomy.FULL).type(permission(), propose(choice="Yes"))
    for _ in range(3):
        trial.look(permission(), seconds=3.1)
    assert "the prompt is still open after 1 try" in trial.reasons


@pytest.mark.invariant(5)
def test_text_that_does_not_show_gets_no_enter() -> None:
    trial = Trial(Autonomy.FULL).type(question(), propose(text="MIT"))
    for _ in range(30):
        trial.look(question(), seconds=0.1)
    assert [write.keys for write in trial.writes] == [()]
    assert trial.run.state is RunState.HELD


@pytest.mark.invariant(5)
def test_a_reply_after_which_the_next_prompt_waits_is_blocked() -> None:
    trial = Trial(Autonomy.FULL).type(permission("p.1"), propose("Yes"))
    trial.look(permission("p.2"))
    assert ReplyTaken(1, "blocked") in trial.look(permission("p.2"))


@pytest.mark.invariant(6)
def test_typing_by_the_person_withdraws_the_reply_and_keeps_the_prompt_theirs() -> None:
    trial = Trial(Autonomy.ASSIST).reply(permission(), propose("Yes"))
    effects = trial.feed(ev.PersonTyped)
    assert any(isinstance(effect, ReplyExpired) for effect in effects)
    assert trial.fire("countdown", 5) == ()
    trial.settle(BUSY)
    trial.settle(permission(), LOW)
    assert trial.run.state is RunState.HELD
    assert not trial.writes


@pytest.mark.invariant(6)
def test_the_person_typing_stops_the_typist_in_the_middle() -> None:
    trial = Trial(Autonomy.FULL).type(question(), propose(text="MIT"))
    trial.feed(ev.PersonTyped)
    trial.look(question(draft="MIT and mine"))
    assert [write.text for write in trial.writes] == ["MIT"]


@pytest.mark.invariant(6)
def test_a_draft_in_the_composer_is_not_typed_over() -> None:
    trial = Trial(Autonomy.FULL).reply(question(draft="my half sentence"), propose(text="MIT"))
    assert not trial.writes
    assert trial.run.state is RunState.HELD


@pytest.mark.invariant(9)
@pytest.mark.row("CP-73")
@pytest.mark.parametrize("level", [Autonomy.SUGGEST, Autonomy.ASSIST, Autonomy.FULL])
def test_a_failing_provider_holds_and_says_why(level: Autonomy) -> None:
    trial = Trial(level)
    trial.settle(permission(), LOW)
    trial.feed(ev.ReplyFailed, request=1, reason="the model is overloaded (529)")
    assert trial.run.state is RunState.HELD
    assert not trial.writes
    assert any(isinstance(e, CallPerson) and "overloaded" in e.reason for e in trial.effects)


@pytest.mark.row("CP-14")
@pytest.mark.parametrize("level", list(Autonomy))
def test_a_dry_run_decides_and_types_nothing(level: Autonomy) -> None:
    trial = Trial(level, dry_run=True)
    trial.settle(permission(), LOW)
    if level is not Autonomy.WATCH:
        trial.answer(propose("Yes"))
    trial.fire("countdown", 5)
    trial.look(permission())
    assert trial.decisions and not trial.writes


@pytest.mark.invariant(10)
@pytest.mark.row("CP-61")
def test_the_third_same_answer_to_the_same_question_is_held() -> None:
    trial = Trial(Autonomy.FULL)
    for number in range(3):
        prompt = permission(f"p.{number}")
        trial.type(prompt, propose("Yes"))
        trial.take()
    assert len(trial.writes) == 2
    assert trial.decisions[-1].decision.rule == "limit.loop"


@pytest.mark.row("CP-61")
def test_another_command_resets_the_loop_breaker() -> None:
    trial = Trial(Autonomy.FULL)
    for number in range(4):
        prompt = permission(f"p.{number}", command=f"touch {number}")
        trial.type(prompt, propose("Yes"))
        trial.take()
    assert len(trial.writes) == 4


@pytest.mark.invariant(10)
@pytest.mark.row("CP-15", "CP-90")
def test_the_step_limit_ends_the_run_cleanly() -> None:
    trial = Trial(Autonomy.FULL, limits=RunLimits(max_steps=1)).type(permission("p.1"), propose("Yes"))
    trial.take()
    assert SignalChild("end") in trial.settle(permission("p.2"), LOW)
    trial.feed(ev.ChildExited, status=-1)
    assert trial.end is not None and (trial.end.exit_code, trial.run.state) == (3, RunState.ABORTED)


@pytest.mark.invariant(10)
@pytest.mark.row("CP-16")
def test_the_time_limit_ends_the_run_cleanly() -> None:
    trial = Trial(limits=RunLimits(timeout_seconds=10))
    assert StartTimer("timeout", 10) in trial.effects
    assert SignalChild("end") in trial.fire("timeout", 10)
    trial.feed(ev.ChildExited, status=-15)
    assert trial.end is not None and trial.end.exit_code == 3


@pytest.mark.invariant(10)
def test_the_cost_limit_ends_the_run_and_an_unknown_price_breaks_it_too() -> None:
    for price, words in ((1.0, "is spent"), (None, "unknown")):
        trial = Trial(limits=RunLimits(max_cost_usd=0.5))
        trial.settle(permission("p.1"), LOW)
        proposal = propose("Yes")
        trial.answer(type(proposal)(reply=proposal.reply, usage=Usage(cost_usd=price)))
        trial.look(permission("p.1"), seconds=0.3)
        trial.take()
        trial.settle(permission("p.2"), LOW)
        assert trial.run.ending is not None and words in trial.run.ending.reason


@pytest.mark.row("CP-89")
@pytest.mark.parametrize("level", [Autonomy.SUGGEST, Autonomy.ASSIST, Autonomy.FULL])
def test_trust_is_never_given_by_a_model(level: Autonomy) -> None:
    trial = Trial(level).reply(trust_dialog(), propose("Yes, I trust this folder"))
    assert trial.run.state is RunState.HELD and not trial.writes


@pytest.mark.row("CP-89")
def test_the_trust_flag_moves_the_pointer_and_checks_it_before_enter() -> None:
    trial = Trial(Autonomy.FULL, trust=True)
    assert not any(isinstance(effect, AskProvider) for effect in trial.settle(trust_dialog(), LOW))
    trial.look(trust_dialog(), seconds=0.3)
    assert [write.keys for write in trial.writes] == [("Down",)]
    trial.look(trust_dialog())
    assert len(trial.writes) == 1
    options = (Option("No, exit"), Option("Yes, I trust this folder", selected=True))
    moved = Detection(trust_dialog().kind, options=options, identity="t.1")
    trial.look(moved)
    assert [write.keys for write in trial.writes] == [("Down",), ("Enter",)]


@pytest.mark.invariant(7)
def test_forbidden_is_not_even_asked_of_a_model() -> None:
    trial = Trial(Autonomy.FULL)
    effects = trial.settle(permission(command="rm -rf ~"), FORBIDDEN)
    assert not any(isinstance(effect, AskProvider) for effect in effects)
    assert trial.run.state is RunState.HELD


def test_headless_refuses_what_it_may_not_send_and_tells_the_cli_why() -> None:
    trial = Trial(Autonomy.FULL, headless=True).reply(
        permission(command="rm -rf build/"), propose("Yes"), HIGH
    )
    assert trial.decisions[-1].decision.verdict is Verdict.REFUSE
    trial.look(permission(command="rm -rf build/"), seconds=0.3)
    assert [write.keys for write in trial.writes] == [("Esc",)]
    trial.look(IDLE)
    trial.look(IDLE)
    trial.settle(IDLE)
    trial.look(IDLE, seconds=0.3)
    assert "deletes build/" in trial.writes[-1].text
    assert trial.decisions[-1].decision.rule == "policy.follow_up"


def _say_no_with_words(trial: Trial) -> None:
    trial.settle(permission(command="rm -rf build/"), HIGH)
    trial.feed(ev.PersonSent, identity="p.1", reply=Reply("No", "build/ stays"))
    trial.look(permission(command="rm -rf build/"), seconds=0.3)


def test_words_that_the_person_sends_with_a_choice_are_theirs() -> None:
    trial = Trial(Autonomy.SUGGEST)
    _say_no_with_words(trial)
    trial.look(IDLE)
    trial.look(IDLE)
    trial.settle(IDLE)
    trial.look(IDLE, seconds=0.3)
    assert trial.writes[-1].text == "build/ stays"
    assert [decision.decision.by for decision in trial.decisions] == ["person", "person"]


def test_headless_completion_leaves_the_cli_by_its_own_command() -> None:
    trial = Trial(Autonomy.FULL, headless=True)
    trial.settle(COMPLETED)
    trial.look(COMPLETED, seconds=0.3)
    trial.look(_with_draft("/exit"))
    assert [(w.text, w.keys) for w in trial.writes] == [("/exit", ()), ("", ("Enter",))]
    trial.feed(ev.ChildExited, status=0)
    assert trial.end is not None and trial.end.exit_code == 0
    assert trial.run.state is RunState.COMPLETED


def _with_draft(draft: str) -> Detection:
    return Detection(COMPLETED.kind, identity=COMPLETED.identity, draft=draft)


@pytest.mark.row("CP-90")
def test_headless_with_a_held_question_and_no_safe_refusal_ends_with_code_3() -> None:
    trial = Trial(Autonomy.ASSIST, headless=True).reply(question(), propose(text="MIT"))
    assert SignalChild("end") in trial.effects
    trial.feed(ev.ChildExited, status=0)
    assert trial.end is not None and trial.end.exit_code == 3


@pytest.mark.row("CP-23")
@pytest.mark.parametrize(
    ("prompt", "status", "code", "state"),
    [
        (BUSY, 0, 0, RunState.COMPLETED),
        (BUSY, 1, 4, RunState.ERROR),
        (BUSY, -11, 4, RunState.ERROR),
        (permission(), 0, 1, RunState.ERROR),
    ],
)
def test_how_the_child_ends_is_how_the_run_ends(
    prompt: Detection, status: int, code: int, state: RunState
) -> None:
    trial = Trial(Autonomy.SUGGEST)
    trial.settle(prompt)
    trial.feed(ev.ChildExited, status=status)
    assert trial.end is not None and (trial.end.exit_code, trial.run.state) == (code, state)


@pytest.mark.row("CP-63")
def test_the_second_interrupt_kills_at_once() -> None:
    trial = Trial()
    assert SignalChild("interrupt") in trial.feed(ev.Interrupted)
    assert SignalChild("kill") in trial.feed(ev.Interrupted)
    assert trial.run.state is RunState.ABORTED


def test_a_child_that_ignores_the_interrupt_is_ended_after_a_while() -> None:
    trial = Trial()
    trial.feed(ev.Interrupted)
    assert trial.fire("leave", 5) == (SignalChild("end"),)


def test_an_interrupt_that_had_nothing_to_end_is_not_waited_for() -> None:
    trial = Trial()
    assert trial.feed(ev.InterruptIgnored) == ()
    trial.feed(ev.Interrupted)
    assert trial.feed(ev.InterruptIgnored) == (StopTimer("leave"), SignalChild("end"))
    trial.feed(ev.ChildExited, status=-1)
    assert trial.end is not None and trial.end.exit_code == 130


def test_any_key_stops_the_countdown_and_keeps_the_reply() -> None:
    trial = Trial(Autonomy.ASSIST)
    trial.settle(permission(), LOW)
    assert StartTimer("countdown", 3.0) in trial.answer(propose("Yes"))
    trial.feed(ev.PersonDismissed, identity="p.1", keep=True)
    assert trial.fire("countdown") == ()
    assert trial.run.state is RunState.HELD
    assert trial.run.proposal is not None and trial.run.proposal.reply == Reply("Yes")


def test_a_countdown_that_ran_out_while_we_were_stopped_sends_nothing() -> None:
    trial = Trial(Autonomy.ASSIST).reply(permission(), propose("Yes"))
    effects = trial.feed(ev.TimerFired, timer="countdown", late_seconds=20.0)
    assert trial.run.state is RunState.HELD and not trial.writes
    assert [one.decision.rule for one in effects if isinstance(one, RecordDecision)] == [
        "core.unseen_countdown"
    ]


def test_raising_the_level_over_a_held_reply_counts_down_first() -> None:
    trial = Trial(Autonomy.SUGGEST).reply(permission(), propose("Yes"), MEDIUM)
    assert trial.run.state is RunState.HELD
    effects = trial.feed(ev.AutonomyChanged, level=Autonomy.FULL)
    assert StartTimer("countdown", 3.0) in effects and not trial.writes


def test_lowering_the_level_stops_a_countdown() -> None:
    trial = Trial(Autonomy.ASSIST).reply(permission(), propose("Yes"))
    trial.feed(ev.AutonomyChanged, level=Autonomy.SUGGEST)
    assert trial.fire("countdown") == ()
    assert trial.run.state is RunState.HELD


def test_at_level_watch_a_reply_that_was_held_is_withdrawn() -> None:
    trial = Trial(Autonomy.SUGGEST).reply(permission(), propose("Yes"), MEDIUM)
    effects = trial.feed(ev.AutonomyChanged, level=Autonomy.WATCH)
    assert [one.reason for one in effects if isinstance(one, ReplyExpired)] == [
        "at level watch, nothing is proposed"
    ]
    assert trial.run.proposal is None and trial.run.state is RunState.HELD
    assert trial.feed(ev.AutonomyChanged, level=Autonomy.SUGGEST), "asked anew"


def test_the_person_may_send_what_policy_holds() -> None:
    trial = Trial(Autonomy.SUGGEST).reply(permission(command="rm -rf build/"), propose("No"), HIGH)
    trial.feed(ev.PersonSent, identity="p.1", reply=Reply("Yes"))
    assert trial.decisions[-1].decision.by == "person"
    trial.look(permission(command="rm -rf build/"), seconds=0.3)
    assert trial.writes[-1].keys == ("1",)


def test_a_refusal_with_a_reason_tells_the_cli_why() -> None:
    trial = Trial(Autonomy.FULL).type(
        permission(command="rm -rf build/"), propose("No", "keep the build folder"), HIGH
    )
    assert trial.writes[-1].keys == ("3",)
    trial.look(IDLE)
    trial.look(IDLE)
    trial.settle(IDLE)
    trial.look(IDLE, seconds=0.3)
    assert trial.writes[-1].text == "keep the build folder"


@pytest.mark.invariant(1)
def test_a_run_that_cannot_be_recorded_sends_nothing_by_itself() -> None:
    trial = Trial(Autonomy.FULL).reply(permission("p.1"), propose("Yes"))
    trial.feed(ev.RecordingFailed, reason="the disk is full")
    trial.look(permission("p.1"), seconds=0.3)
    trial.settle(permission("p.2"), LOW)
    assert not trial.writes
    assert trial.run.state is RunState.HELD


@pytest.mark.row("CP-84")
def test_an_option_whose_own_words_are_dangerous_is_held_in_a_harmless_menu() -> None:
    options = (Option("Keep going", "1", selected=True), Option("Delete the folder", "2"))
    menu = Detection(ScreenKind.MENU, question="What now?", options=options, identity="m.1")
    for choice, typed in (("Keep going", True), ("Delete the folder", False)):
        trial = Trial(Autonomy.FULL)
        trial.settle(menu, LOW, (LOW, HIGH))
        trial.answer(propose(choice))
        trial.look(menu, seconds=0.3)
        assert bool(trial.writes) is typed


def test_a_widening_that_wraps_into_the_description_is_held() -> None:
    options = (
        Option("Yes, proceed", "1", selected=True),
        Option("Yes, and", "2", description="don't ask again for commands that start with touch"),
        Option("No", "3"),
    )
    trial = Trial(Autonomy.FULL).reply(permission(options=options), propose("Yes, and"))
    assert trial.decisions[-1].decision.rule == "policy.widening"


def test_a_widening_label_with_a_typographic_apostrophe_is_held() -> None:
    options = (
        Option("Yes", "1", selected=True),
        Option("Yes, and don\u2019t ask\u00a0again for: python3 *", "2"),
    )
    trial = Trial(Autonomy.FULL).reply(permission(options=options), propose(options[1].label))
    assert trial.decisions[-1].decision.rule == "policy.widening"


@pytest.mark.row("CP-23")
def test_a_child_that_ends_on_the_last_answer_is_completed() -> None:
    trial = Trial(Autonomy.FULL).type(permission(), propose("Yes"))
    trial.feed(ev.ChildExited, status=0)
    assert trial.end is not None and trial.end.exit_code == 0


@pytest.mark.parametrize("level", [Autonomy.ASSIST, Autonomy.FULL])
def test_a_reply_that_the_person_asked_for_anew_is_theirs_to_send(level: Autonomy) -> None:
    trial = Trial(level).reply(permission(), propose("No"))
    trial.run.phase = Held()
    trial.feed(ev.PersonAskedAgain, identity="p.1", instruction="say yes")
    trial.answer(propose("No"))
    trial.fire("countdown", 5)
    trial.look(permission())
    assert trial.decisions[-1].decision.rule == "person.asked_again"
    assert not trial.writes


@pytest.mark.parametrize("level", [Autonomy.WATCH, Autonomy.SUGGEST])
def test_below_assist_a_headless_run_types_no_refusal_either(level: Autonomy) -> None:
    trial = Trial(level, headless=True)
    trial.settle(permission(), HIGH)
    if level is Autonomy.SUGGEST:
        trial.answer(propose("Yes"))
    trial.look(permission(), seconds=0.3)
    assert not trial.writes
    trial.feed(ev.ChildExited, status=-1)
    assert trial.end is not None and trial.end.exit_code == 3


def test_words_sent_with_a_choice_are_offered_where_something_else_takes_text_first() -> None:
    trial = Trial(Autonomy.FULL)
    _say_no_with_words(trial)
    trial.look(question())
    trial.look(question())
    asked = len([effect for effect in trial.effects if isinstance(effect, AskProvider)])
    trial.settle(question(), LOW)
    offered = trial.decisions[-1].decision
    assert (offered.reply, offered.verdict, offered.rule) == (
        Reply(text="build/ stays"),
        Verdict.HOLD,
        "person.follow_up",
    )
    assert trial.run.state is RunState.HELD and trial.run.follow_up == ""
    assert len([effect for effect in trial.effects if isinstance(effect, AskProvider)]) == asked
    trial.feed(ev.AutonomyChanged, level=Autonomy.ASSIST)
    trial.feed(ev.AutonomyChanged, level=Autonomy.FULL)
    trial.settle(question(), LOW)
    assert trial.run.proposal is not None and trial.run.proposal.reply.text == "build/ stays"
    assert not any(write.text for write in trial.writes), "nobody asked for these words here"
    trial.feed(ev.PersonSent, identity=question().identity, reply=Reply(text="build/ stays"))
    trial.look(question(), seconds=0.3)
    assert trial.writes[-1].text == "build/ stays"


def test_words_that_the_program_never_took_are_told_at_its_end() -> None:
    trial = Trial(Autonomy.SUGGEST)
    _say_no_with_words(trial)
    trial.take()
    trial.feed(ev.ChildExited, status=0)
    (told,) = [effect for effect in trial.effects if isinstance(effect, ReplyExpired)]
    assert "build/ stays" in told.reason
