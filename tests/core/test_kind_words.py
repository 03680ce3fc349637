"""The words for a kind of screen: every kind has some, and no sentence has the name of the code."""

from __future__ import annotations

import pytest

from copilot.core.detection import Detection
from copilot.core.profile import ReplyKeys
from copilot.core.reply import Autonomy, Reply
from copilot.core.reply_keys import CannotType, plan_keys
from copilot.core.screen_kinds import KIND_WORDS, ScreenKind, kind_noun

from .builders import Trial, propose


def test_every_kind_has_words_without_the_signs_of_a_program() -> None:
    assert set(KIND_WORDS) == set(ScreenKind)
    for kind in ScreenKind:
        assert "_" not in kind_noun(kind) + KIND_WORDS[kind]
        article, first = kind_noun(kind).split()[:2]
        assert article == "trust" or (article == "an") == (first[0] in "aeiou"), kind_noun(kind)


def test_what_policy_and_typing_say_is_in_these_words() -> None:
    detection = Detection(ScreenKind.LOGIN, identity="p1")
    with pytest.raises(CannotType, match=r"words are never typed at a login$"):
        plan_keys(detection, Reply(text="hello"), ReplyKeys())
    assert kind_noun(ScreenKind.EDITOR) == "an editor"
    assert kind_noun(ScreenKind.TEXT_INPUT) == "a wanted text"


def test_at_assist_a_wanted_text_is_named_as_a_person_would() -> None:
    trial = Trial(Autonomy.ASSIST)
    trial.settle(Detection(ScreenKind.TEXT_INPUT, question="Title?", identity="t1"))
    trial.answer(propose(text="Welcome"))
    assert trial.decisions[-1].decision.reason == "at level assist, a wanted text waits for you"
