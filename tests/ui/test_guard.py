"""The guard's screen: the verdict, what is allowed, and how a person allows and revokes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Static

from copilot.core.detection import Detection
from copilot.core.profile_outline import Limits
from copilot.core.risk import Risk, RiskLevel
from copilot.core.screen_kinds import ScreenKind
from copilot.engine.view import SessionView
from copilot.guard.grants import GrantLine
from copilot.guard.grants_offer import Offer
from copilot.tui.screens.guard import AllowScreen, GuardScreen, verdict_content
from copilot.tui.widgets.risk_text import grants_content
from tests.fakes.fake_session import FakeSession
from tests.ui.harness import LEADER, app_on, begin_again, cockpit, left
from tests.ui.replay_harness import until
from tests.ui.scenes import granted, risky

RULE = "shell:rm -rf build/cache dist"


@asynccontextmanager
async def pressed(session: FakeSession, keys: Sequence[str]) -> AsyncIterator[Pilot[Any]]:
    app = app_on(session)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.pause()
        await pilot.press(*keys)
        await pilot.pause()
        yield pilot


def calls(session: FakeSession) -> list[tuple[Any, ...]]:
    return [call for call in session.calls if call[0] in ("allow", "revoke", "send")]


ALLOWED = {
    ("u", "enter"): "times=1",
    ("u", "down", "enter"): "for=30m",
    ("u", "3", "enter"): "",
    ("p", "u", "enter"): "times=1",
    ("g", "u", "enter"): "times=1",
}


async def test_what_is_asked_is_allowed_once_it_is_confirmed() -> None:
    session = granted()
    view = session.view
    async with cockpit(session, (100, 40)) as (pilot, screen):
        for keys, limits in ALLOWED.items():
            await begin_again(pilot, session, view)
            await pilot.press(LEADER, *keys[:-1])
            await pilot.pause()
            assert isinstance(pilot.app.screen, AllowScreen) and not calls(session), keys
            await pilot.press(keys[-1])
            await pilot.pause()
            assert calls(session) == [("allow", (RULE,), limits)] and session.identities == ["p7"], keys
            await left(pilot, screen)
        for keys in (("u", "escape"), ("g", "escape"), ("g", "u", "q")):
            await begin_again(pilot, session, view)
            await pilot.press(LEADER, *keys)
            await pilot.pause()
            assert not isinstance(pilot.app.screen, AllowScreen | GuardScreen), keys
            assert not calls(session), keys


async def test_what_cannot_be_allowed_is_said_and_not_asked() -> None:
    session = risky()
    session.grants.offered = Offer(refusal="nothing here needs to be allowed")
    async with pressed(session, (LEADER, "u")) as pilot:
        assert not isinstance(pilot.app.screen, AllowScreen)
        note = pilot.app.screen.model.notes[-1]  # type: ignore[attr-defined]
        assert note.startswith("nothing here needs to be allowed")
    assert not calls(session)


async def test_a_grant_is_revoked_by_its_key_and_the_list_shows_it() -> None:
    session = granted()
    async with pressed(session, (LEADER, "g", "down", "up", "x")) as pilot:
        assert calls(session) == [("revoke", "shell:npm install *")]
        list_of_grants = pilot.app.screen.query_one("#guard-grants", Static)
        await until(
            pilot, lambda: "✗ shell:npm install *" in str(list_of_grants.content), "the revoked grant"
        )
        await pilot.press("down", "down", "down", "delete")
    assert calls(session)[-1] == ("revoke", "write[for=30m]:docs/**")


def test_a_line_says_what_how_often_until_when_and_who() -> None:
    until = 1_800_000_000.0
    lines = (
        GrantLine("shell[times=3]:npm test", "open", 1, 2, until, "you"),
        GrantLine("write:docs/**\x1b[2J", "revoked", 0, None, None, "settings"),
    )
    text = grants_content(lines, 0, 90).plain
    first, second, third, fourth = text.split("\n")
    assert "▸" in first and "shell[times=3]:npm test" in first
    assert "allowed · by you · used 1×, 2 left · until " in second
    assert "\x1b" not in third and "✗" in third
    assert fourth.strip() == "revoked · by your settings · used 0×"
    spent = GrantLine("shell[times=1]:make", "used up", 1, 0, None, "you")
    still = replace(spent, state="open", left=1)
    assert "for this run" not in grants_content((spent,), 0, 90).plain
    assert "for this run" in grants_content((still,), 0, 90).plain
    assert "Nothing is allowed" in grants_content((), 0, 40).plain


def test_the_verdict_says_level_reasons_rule_levels_and_decision() -> None:
    text = verdict_content(risky().view).plain
    assert "risk high" in text and "deletes files" in text and "rule     files.delete" in text
    assert "assist holds · full holds" in text and "decided  hold: " in text and "policy.ceiling" in text
    low = Risk(RiskLevel.MEDIUM, ("runs\x1b]0;x\x07 tests",), "run.tests", "npm test", 0, ("shell:npm test",))
    view = SessionView(detection=Detection(ScreenKind.PERMISSION, question="npm test"), risk=low)
    text = verdict_content(view).plain
    assert "assist holds · full sends" in text and "rests on shell:npm test" in text and "\x1b" not in text
    assert verdict_content(SessionView()).plain == "Nothing is asked now."


async def test_the_guard_offers_only_keys_that_do_something() -> None:
    async with pressed(granted(), (LEADER, "g")) as pilot:
        told = str(pilot.app.screen.query_one("#guard-box").border_subtitle)
        assert told == "Esc closes · u allows this · ↑↓ chooses · x revokes"
    session = granted()
    session.grants.offered = Offer(refusal="no grant names exactly this: yours to send")
    session.show(grants=())
    async with pressed(session, (LEADER, "g")) as pilot:
        assert str(pilot.app.screen.query_one("#guard-box").border_subtitle) == "Esc closes · ↑↓ scroll"


def test_the_guard_says_what_policy_does_under_this_profile() -> None:
    risk = Risk(RiskLevel.MEDIUM, ("runs tests",), "run.tests")
    for limits, unverified, kind, full in (
        (Limits(), False, ScreenKind.PERMISSION, "sends"),
        (Limits(risk_ceiling="low"), False, ScreenKind.PERMISSION, "holds"),
        (Limits(risk_ceiling="high"), False, ScreenKind.YES_NO, "sends"),
        (Limits(), True, ScreenKind.PERMISSION, "holds"),
        (Limits(), False, ScreenKind.PASSWORD, "holds"),
    ):
        asked = Detection(kind, question="npm test")
        view = SessionView(detection=asked, risk=risk, limits=limits, only_suggests=unverified)
        told = verdict_content(view).plain
        assert f"assist holds · full {full}" in told, (limits, unverified, kind)


def test_a_low_risk_is_sent_by_assist_only_where_assist_sends() -> None:
    low = Risk(RiskLevel.LOW, ("a text is entered",), "prompt.text_input")
    for kind, words in ((ScreenKind.YES_NO, "assist sends"), (ScreenKind.TEXT_INPUT, "assist holds")):
        view = SessionView(detection=Detection(kind, question="Name:"), risk=low)
        assert f"{words} · full sends" in verdict_content(view).plain
