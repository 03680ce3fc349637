"""The scenes of our pictures tell one story each: what one part says, no other part denies."""

from __future__ import annotations

import re

import pytest

from copilot.config.profile_files import load_profile
from copilot.core.reply import Decision, ReplyRequest, Verdict
from copilot.core.screen_kinds import ScreenKind
from copilot.engine.view import SessionView
from tests.ui.scenes import SCENES


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_tells_one_story(name: str) -> None:
    session = SCENES[name]()
    view, shown = session.view, " ".join(" ".join(session.screen.display).split())
    if view.proposal is not None:
        assert (view.proposal.provider, view.proposal.model) == (view.provider, view.model)
    if view.detection.subject is not None:
        assert view.detection.subject.text.replace(" ", "") in shown.replace(" ", "")
        assert view.risk is None or view.risk.part in view.detection.subject.text
    if view.detection.question:
        assert view.detection.question in shown
        assert view.detection.rule in {rule.id for rule in load_profile(view.profile).screen.rules}
    if view.decision is not None:
        _assert_decided_at_the_level_that_is_shown(view, view.decision)
    if view.request is not None:
        _assert_asked_about_what_is_shown(view, view.request, shown)


def _assert_decided_at_the_level_that_is_shown(view: SessionView, decision: Decision) -> None:
    told = re.search(r"at level (\w+)", decision.reason)
    assert told is None or told[1] == view.autonomy.value
    assert (decision.rule == "policy.level") is (view.autonomy.value == "suggest" and told is not None)
    counts = decision.verdict is Verdict.SEND_AFTER_COUNTDOWN
    assert counts is (view.countdown_ends_at is not None)


def _assert_asked_about_what_is_shown(view: SessionView, request: ReplyRequest, shown: str) -> None:
    parts = {part.name: part.text for part in request.parts}
    assert parts["recent output"]
    assert all(" ".join(row.split()) in shown for row in parts["recent output"].splitlines())
    assert ("plan step" in parts) is bool(view.plan_step)
    if view.detection.asks:
        assert view.detection.question in parts["question"].splitlines()
        assert all(option.label in parts["question"] for option in view.detection.options)


@pytest.mark.parametrize("name", ["permission", "countdown", "menu", "question"])
def test_the_detectors_read_the_scene_as_it_is_told(name: str) -> None:
    session = SCENES[name]()
    examination = session.examination()
    assert examination is not None
    told, read = session.view.detection, examination.detection
    assert (told.kind, told.rule) == (read.kind, read.rule)
    assert told.kind is not ScreenKind.UNKNOWN


@pytest.mark.parametrize("lines", [36, 30, 25])
def test_a_screen_that_is_cut_begins_whole(lines: int) -> None:
    session = SCENES["permission"]()
    session.resize(120, lines)
    top = next(text for text in session.screen.display if text.strip())
    assert "Claude Code v" in top or top.startswith(("❯", "●"))
    assert any("Esc to cancel" in text for text in session.screen.display)
