"""The scenes of our pictures tell one story each: what one part says, no other part denies."""

from __future__ import annotations

import re

import pytest

from copilot.config.profile_files import load_profile
from copilot.core.detection import ScreenKind
from copilot.core.reply import Verdict
from tests.ui.scenes import SCENES

ASKING = [name for name, scene in SCENES.items() if scene().view.detection.question]


@pytest.mark.parametrize("name", SCENES)
def test_what_was_decided_was_decided_at_the_level_that_is_shown(name: str) -> None:
    view = SCENES[name]().view
    if view.decision is None:
        return
    told = re.search(r"at level (\w+)", view.decision.reason)
    assert told is None or told[1] == view.autonomy.value
    assert (view.decision.rule == "policy.level") is (view.autonomy.value == "suggest" and told is not None)
    counts = view.decision.verdict is Verdict.SEND_AFTER_COUNTDOWN
    assert counts is (view.countdown_ends_at is not None)


@pytest.mark.parametrize("name", SCENES)
def test_a_reply_is_written_by_the_provider_that_is_shown(name: str) -> None:
    view = SCENES[name]().view
    if view.proposal is not None:
        assert (view.proposal.provider, view.proposal.model) == (view.provider, view.model)
    if view.detection.asks and view.request is not None:
        question = next(part.text for part in view.request.parts if part.name == "question")
        assert view.detection.question in question.splitlines()
        assert all(option.label in question for option in view.detection.options)


@pytest.mark.parametrize("name", ASKING)
def test_what_is_asked_stands_on_the_screen_and_its_rule_is_one_of_the_profile(name: str) -> None:
    session = SCENES[name]()
    detection = session.view.detection
    assert detection.question is not None
    assert detection.question in " ".join(" ".join(session.screen.display).split())
    assert detection.rule in {rule.id for rule in load_profile(session.view.profile).screen.rules}


@pytest.mark.parametrize("name", ["permission", "countdown", "menu", "question"])
def test_the_detectors_read_the_scene_as_it_is_told(name: str) -> None:
    session = SCENES[name]()
    examination = session.examination()
    assert examination is not None
    told, read = session.view.detection, examination.detection
    assert (told.kind, told.rule) == (read.kind, read.rule)
    assert told.kind is not ScreenKind.UNKNOWN


@pytest.mark.parametrize("name", SCENES)
def test_what_is_judged_and_what_the_model_saw_stand_on_the_screen(name: str) -> None:
    session = SCENES[name]()
    view, shown = session.view, " ".join(" ".join(session.screen.display).split())
    whole = shown.replace(" ", "")
    if view.detection.subject is not None:
        assert view.detection.subject.text.replace(" ", "") in whole
        assert view.danger is None or view.danger.part in view.detection.subject.text
    if view.request is not None:
        parts = {part.name: part.text for part in view.request.parts}
        assert parts["recent output"]
        assert all(" ".join(row.split()) in shown for row in parts["recent output"].splitlines())
        assert ("plan step" in parts) is bool(view.plan_step)


@pytest.mark.parametrize("lines", [36, 30, 25])
def test_a_screen_that_is_cut_begins_whole(lines: int) -> None:
    session = SCENES["permission"]()
    session.resize(120, lines)
    top = next(text for text in session.screen.display if text.strip())
    assert "Claude Code v" in top or top.startswith(("❯", "●"))
    assert any("Esc to cancel" in text for text in session.screen.display)
