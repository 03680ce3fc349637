"""Between two keys the screen may change: what is looked at again before each, and what is never typed."""

from __future__ import annotations

import pytest

from copilot.core import events as ev
from copilot.core.detection import Detection, Option
from copilot.core.effects import CallPerson, ReplyExpired, StartTimer
from copilot.core.reply import Autonomy, Reply
from copilot.core.reply_keys import CannotType, plan_keys
from copilot.core.screen_kinds import TEXT_KINDS, ScreenKind
from copilot.core.states import RunState
from tests.core.builders import LOW, NO, PROFILE, YES, Trial, permission, propose, question, trust_dialog

KEYS = PROFILE.reply_keys


@pytest.mark.invariant(2)
def test_enter_is_not_pressed_at_another_prompt_whose_pointer_stands_right() -> None:
    trial = Trial(Autonomy.FULL, trust=True)
    trial.settle(trust_dialog("t.1"), LOW)
    trial.look(trust_dialog("t.1"), seconds=0.3)
    options = (Option("No, exit"), Option("Yes, I trust this folder", selected=True))
    another = Detection(ScreenKind.TRUST, question="Trust the whole disk?", options=options, identity="t.2")
    for _ in range(40):
        trial.look(another)
    assert [write.keys for write in trial.writes] == [("Down",)]
    assert trial.run.state is RunState.HELD


@pytest.mark.invariant(2)
@pytest.mark.invariant(4)
def test_enter_after_a_text_is_not_pressed_at_a_permission_that_came_up_meanwhile() -> None:
    trial = Trial(Autonomy.FULL).type(question(), propose(text="MIT"))
    for _ in range(40):
        trial.look(permission("p.9", command="rm -rf build"))
    assert [(write.text, write.keys) for write in trial.writes] == [("MIT", ())]
    assert trial.run.state is RunState.HELD


@pytest.mark.invariant(4)
def test_enter_is_not_pressed_at_a_permission_though_the_typed_text_stands_before_its_cursor() -> None:
    trial = Trial(Autonomy.FULL).type(question(), propose(text="MIT"))
    for _ in range(40):
        trial.look(permission("p.9", command="echo MIT"), before_cursor="echo MIT")
    assert [(write.text, write.keys) for write in trial.writes] == [("MIT", ())]
    assert trial.run.state is RunState.HELD


@pytest.mark.invariant(5)
@pytest.mark.parametrize(
    ("draft", "ours"), [("MIT", True), ("MITx  a list\n\n  MIT", True), ("a list\n  MITx", False)]
)
def test_enter_goes_to_our_own_text_under_a_popup_that_it_opened(draft: str, ours: bool) -> None:
    trial = Trial(Autonomy.FULL).type(question(), propose(text="MIT"))
    popup = Detection(ScreenKind.MENU, options=(Option("MITx", selected=True),), identity="m.1", draft=draft)
    trial.look(popup, before_cursor="MIT", seconds=0.3)
    enter = [("", ("Enter",))] if ours else []
    assert [(write.text, write.keys) for write in trial.writes] == [("MIT", ()), *enter]


@pytest.mark.invariant(2)
def test_what_the_person_sends_dies_with_its_prompt() -> None:
    trial = Trial(Autonomy.SUGGEST).reply(permission("p.1"), propose("Yes"))
    trial.settle(permission("p.2", command="rm -rf build"), LOW)
    effects = trial.feed(ev.PersonSent, identity="p.1", reply=Reply("Yes"))
    assert [effect.identity for effect in effects if isinstance(effect, ReplyExpired)] == ["p.1"]
    trial.look(permission("p.2", command="rm -rf build"), seconds=0.3)
    assert not trial.writes


@pytest.mark.invariant(3)
@pytest.mark.parametrize(
    "character",
    ["\x00", "\x03", "\t", "\r", "\x1b", "\x7f", "\x85", "\x9b", "\u200e", "\u202e", "\u2066", "\u2028", "\ud800"],
)  # fmt: skip
def test_hidden_characters_are_never_typed_whoever_sends_them(character: str) -> None:
    typing = Option("Type something", "3")
    menu = Detection(ScreenKind.MENU, "Which?", (Option("A", "1", selected=True), typing), identity="m.1")
    for prompt, reply in (
        (question(multi_line=True), Reply(text=f"a{character}b")),
        (menu, Reply("Type something", f"a{character}b")),
    ):
        with pytest.raises(CannotType, match=f"U\\+{ord(character):04X}"):
            plan_keys(prompt, reply, KEYS)


@pytest.mark.invariant(3)
def test_several_lines_go_only_where_they_are_taken() -> None:
    with pytest.raises(CannotType, match="takes one"):
        plan_keys(question(), Reply(text="a\nb"), KEYS)
    assert plan_keys(question(multi_line=True), Reply(text="a\nb"), KEYS).writes[0].text == "a\nb"
    for text in ("می‌خواهم", "👩‍💻"):
        assert plan_keys(question(), Reply(text=text), KEYS).writes[0].text == text


def _menu(*labels: str, pointer: int = 0, digits: bool = False) -> Detection:
    options = tuple(
        Option(label, str(number + 1) if digits else None, selected=number == pointer)
        for number, label in enumerate(labels)
    )
    return Detection(ScreenKind.MENU, "Which?", options, identity="m.1")


@pytest.mark.invariant(4)
def test_the_way_to_a_label_is_found_on_the_fresh_screen() -> None:
    judged, fresh = _menu("A", "B", "C"), _menu("C", "A", "B", pointer=1)
    for choice, keys in (("C", ("Up",)), ("B", ("Down",)), ("A", ("Enter",))):
        trial = Trial(Autonomy.FULL).reply(judged, propose(choice))
        trial.look(fresh, seconds=0.3)
        assert [write.keys for write in trial.writes] == [keys]


@pytest.mark.invariant(4)
def test_the_digit_of_a_label_is_read_from_the_fresh_screen() -> None:
    trial = Trial(Autonomy.FULL).reply(_menu("A", "B", digits=True), propose("B"))
    trial.look(_menu("B", "A", digits=True), seconds=0.3)
    assert [write.keys for write in trial.writes] == [("1",)]


@pytest.mark.invariant(4)
def test_a_choice_that_is_not_on_the_screen_types_nothing() -> None:
    for wrong in ("D", "2", "AB", ""):
        with pytest.raises(CannotType, match="no single option"):
            plan_keys(_menu("A", "B", digits=True), Reply(wrong), KEYS)
    with pytest.raises(CannotType, match="no single option"):
        plan_keys(_menu("A", "A"), Reply("A"), KEYS)
    with pytest.raises(CannotType, match="no pointer"):
        plan_keys(_menu("A", "B", pointer=9), Reply("A"), KEYS)
    trial = Trial(Autonomy.FULL).reply(_menu("A", "B", digits=True), propose("B"))
    trial.look(_menu("A", "C", digits=True), seconds=0.3)
    assert not trial.writes


_WORDLESS = sorted(set(ScreenKind) - TEXT_KINDS)


@pytest.mark.invariant(4)
@pytest.mark.parametrize("kind", _WORDLESS)
@pytest.mark.parametrize("options", [(), (YES, NO)], ids=["no options", "options"])
def test_words_are_never_typed_where_enter_takes_what_is_highlighted(
    kind: ScreenKind, options: tuple[Option, ...]
) -> None:
    with pytest.raises(CannotType, match="words are never typed"):
        plan_keys(Detection(kind, "Proceed?", options, identity="x.1"), Reply(text="no"), KEYS)


@pytest.mark.invariant(4)
def test_words_are_never_typed_at_a_question_with_options() -> None:
    with pytest.raises(CannotType, match="words are never typed"):
        plan_keys(question(options=(YES, NO)), Reply(text="no"), KEYS)


@pytest.mark.row("CP-90")
def test_a_screen_that_is_not_understood_has_no_name_and_is_nobodys_yet() -> None:
    nameless = Detection(ScreenKind.UNKNOWN)
    trial = Trial(Autonomy.FULL)
    trial.settle(nameless)
    assert trial.reasons[-1] == "the screen is not understood"
    assert any(isinstance(effect, CallPerson) for effect in trial.effects)
    alone = Trial(Autonomy.FULL, headless=True)
    assert any(isinstance(effect, StartTimer) for effect in alone.settle(nameless))
    alone.fire("grace", 20)
    assert alone.run.ending is not None and alone.run.ending.exit_code == 3
