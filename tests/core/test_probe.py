"""Free text goes only into a field that is proven: else one letter must appear at the cursor and go again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from copilot.core import events as ev
from copilot.core.detection import Detection
from copilot.core.effects import ReplyExpired
from copilot.core.probe import FieldView
from copilot.core.profile import ReplyKeys
from copilot.core.reply import Reply
from copilot.core.reply_keys import CannotType, plan_keys
from copilot.core.screen_kinds import ScreenKind
from tests.core.builders import HIGH, Trial, permission, propose

ASKED = Detection(ScreenKind.QUESTION, question="Which license?", identity="q.1")
FIELD = FieldView(5, 2, "j", others="rows", left="> ", before=">", last=" ", right="")
LETTER = replace(FIELD, column=3, left="> j", before="> ", last="j")


def typing() -> Trial:
    trial = Trial()
    trial.settle(ASKED)
    trial.answer(propose(text="MIT"))
    trial.fire("typing", 1.0)
    return trial


def keys(trial: Trial) -> list[str]:
    return [write.text or " ".join(write.keys) for write in trial.writes]


@pytest.mark.invariant(12)
def test_a_letter_is_seen_to_appear_and_to_go_before_the_text() -> None:
    trial = typing()
    trial.look(ASKED, field=FIELD)
    assert keys(trial) == ["j"]
    trial.look(ASKED, field=FIELD)
    assert keys(trial) == ["j"]
    trial.look(replace(ASKED, identity="q.2"), field=LETTER)
    assert keys(trial) == ["j", "Backspace"]
    trial.look(ASKED, field=LETTER)
    assert keys(trial) == ["j", "Backspace"]
    trial.look(ASKED, field=FIELD)
    assert keys(trial) == ["j", "Backspace", "MIT"]
    trial.look(ASKED, field=FIELD, before_cursor="> MIT")
    assert keys(trial)[-1] == "Enter"


@pytest.mark.invariant(12)
def test_a_picture_that_moves_after_the_letter_is_waited_for() -> None:
    trial = typing()
    busy = Detection(ScreenKind.BUSY)
    for seen, field in ((ASKED, FIELD), (ASKED, LETTER), (busy, FIELD), *[(busy, FIELD)] * 3):
        trial.look(seen, field=field)
    assert keys(trial) == ["j", "Backspace"]
    trial.look(ASKED, field=FIELD)
    assert keys(trial) == ["j", "Backspace", "MIT"]


@pytest.mark.invariant(12)
@pytest.mark.parametrize(
    "seen",
    [
        FIELD,
        None,
        replace(LETTER, others="other rows"),
        replace(LETTER, row=6),
        replace(LETTER, column=4),
        replace(LETTER, last="J"),
        replace(LETTER, before="$ "),
        replace(LETTER, right="more"),
    ],
)
def test_anything_else_ends_the_typing(seen: FieldView | None) -> None:
    trial = typing()
    trial.look(ASKED, field=FIELD)
    for _ in range(30):
        trial.look(ASKED, field=seen)
    assert keys(trial) == ["j"]
    assert "did not appear" in trial.reasons[-1]


@pytest.mark.invariant(12)
def test_a_letter_that_stays_ends_the_typing() -> None:
    trial = typing()
    trial.look(ASKED, field=FIELD)
    trial.look(ASKED, field=LETTER)
    for _ in range(30):
        trial.look(ASKED, field=LETTER)
    assert keys(trial) == ["j", "Backspace"]
    assert "could not be taken back" in trial.reasons[-1]


@pytest.mark.invariant(12)
@pytest.mark.parametrize("field", [None, replace(FIELD, letter="")])
def test_without_a_cursor_or_a_letter_nothing_is_typed(field: FieldView | None) -> None:
    trial = typing()
    for _ in range(30):
        trial.look(ASKED, field=field)
    assert keys(trial) == []
    assert "nothing proves" in trial.reasons[-1]


@pytest.mark.invariant(12)
def test_a_proven_field_needs_no_letter() -> None:
    trial = typing()
    trial.look(replace(ASKED, proven=True), field=FIELD)
    assert keys(trial) == ["MIT"]


@pytest.mark.parametrize(
    "asked", ["Run it? [Y,e]", "Go on (Y|n)", "Execute [Yes]:", "Run <y>?", "Go on? y/n/e"]
)
def test_enter_alone_never_takes_a_default_that_says_yes(asked: str) -> None:
    detection = Detection(ScreenKind.TEXT_INPUT, question=asked, identity="q.1", proven=True)
    with pytest.raises(CannotType, match="default that says yes"):
        plan_keys(detection, Reply(text=""), ReplyKeys())


@pytest.mark.parametrize("asked", ["package name: (np)", "Year [2026]:", "entry point: (index.js)"])
def test_enter_alone_takes_another_default(asked: str) -> None:
    detection = Detection(ScreenKind.TEXT_INPUT, question=asked, identity="q.1", proven=True)
    assert plan_keys(detection, Reply(text=""), ReplyKeys()).writes[0].keys == ("Enter",)


@pytest.mark.invariant(12)
def test_the_letter_is_taken_back_before_what_the_person_types() -> None:
    trial = typing()
    trial.look(ASKED, field=FIELD)
    trial.feed(ev.PersonTyped)
    assert keys(trial) == ["j", "Backspace"]
    assert trial.run.typist is None


@pytest.mark.invariant(12)
def test_a_letter_is_never_said_to_be_untyped() -> None:
    """What a letter brought up may be riskier: keys went out all the same."""
    trial = typing()
    trial.look(ASKED, field=FIELD)
    for _ in range(30):
        trial.look(permission(), field=None, risk=HIGH)
    assert keys(trial) == ["j"]
    assert "did not appear" in trial.reasons[-1]
    assert not any(isinstance(effect, ReplyExpired) for effect in trial.effects)
