"""A person who looks elsewhere is called, and told on return what happened."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from copilot.core import effects as fx
from copilot.core.reply import Decision, Reply, Verdict
from copilot.core.risk import NO_RISK, Risk, RiskLevel
from copilot.core.states import RunState
from copilot.tui.app import CopilotApp
from copilot.tui.describe import in_words
from copilot.tui.desktop_notification import notification, notification_protocol
from copilot.tui.options import UiOptions
from copilot.tui.run_line import Moment
from copilot.tui.screens.moment import moment_content
from copilot.tui.screens.session import SessionScreen
from copilot.tui.widgets.status_bar import MOST_LINES, AwayBox, away_content
from copilot.tui.widgets.timeline import Mark
from tests.fakes.fake_session import FakeSession
from tests.ui.harness import LEADER, begin_again, cockpit
from tests.ui.scenes import busy, permission

SENT = Decision(2, Verdict.SEND, "p2", Reply(choice="Yes"), "risk low", "policy.full")


def test_the_way_to_notify() -> None:
    for wish, environment, way in (
        ("auto", {"TERM_PROGRAM": "iTerm.app"}, "osc9"),
        ("auto", {"TERM_PROGRAM": "ghostty"}, "osc9"),
        ("auto", {"KITTY_WINDOW_ID": "1"}, "osc9"),
        ("auto", {"TERM": "foot-extra"}, "osc777"),
        ("auto", {"TERM": "rxvt-unicode-256color"}, "osc777"),
        ("auto", {"TERM": "xterm-256color"}, ""),
        ("auto", {"TERM_PROGRAM": "WezTerm", "TMUX": "/tmp/s,1,0"}, ""),
        ("osc777", {"TERM": "xterm"}, "osc777"),
        ("off", {"TERM_PROGRAM": "iTerm.app"}, ""),
    ):
        assert notification_protocol(wish, environment) == way, (wish, environment)


def test_notification_is_one_sequence_whatever_the_text() -> None:
    hostile = "4;1;50\x07\x1b]52;c;QQ==\x07\nrm;now" + "x" * 500
    for way, head in (("osc9", "\x1b]9;copilot: "), ("osc777", "\x1b]777;notify;copilot;")):
        sent = notification(hostile, way)
        body = sent.removeprefix(head).removesuffix("\x07")
        assert sent == f"{head}{body}\x07"
        assert not any(sign in body for sign in ("\x1b", "\x07", "\n", ";"))
        assert len(body) <= 120
    assert notification("x", "") == ""


async def _called(
    monkeypatch: pytest.MonkeyPatch, *, looks: bool, options: UiOptions
) -> tuple[list[str], int]:
    """What is written to the terminal, and how often the bell rings, when a prompt comes up."""
    written: list[str] = []
    bells: list[None] = []
    monkeypatch.setattr(CopilotApp, "_write", lambda _self, sequence: written.append(sequence))
    monkeypatch.setattr(CopilotApp, "bell", lambda _self: bells.append(None))
    session = busy()
    async with cockpit(session, options=options) as (pilot, _screen):
        pilot.app.app_focus = looks
        waiting = permission()
        session.show(
            state=RunState.HELD,
            detection=waiting.view.detection,
            proposal=waiting.view.proposal,
            decision=waiting.view.decision,
        )
        await pilot.pause()
    return [one for one in written if not one.startswith("\x1b]2;")], len(bells)


async def test_who_looks_elsewhere_is_notified(monkeypatch: pytest.MonkeyPatch) -> None:
    sent, bells = await _called(monkeypatch, looks=False, options=UiOptions(theme="dark", notify="osc9"))
    assert sent == ["\x1b]9;copilot: held: Do you want to proceed? rm -rf build/\x07"]
    assert bells == 1


async def test_who_looks_here_is_not_and_the_bell_can_be_off(monkeypatch: pytest.MonkeyPatch) -> None:
    options = UiOptions(theme="dark", notify="osc9", bell=False)
    assert await _called(monkeypatch, looks=True, options=options) == ([], 0)


def _moment(at: float) -> Moment:
    return Moment(Mark(at, "◆", "success", f"sent: Yes {at:g}"), (), "Do you want to proceed?")


@pytest.mark.parametrize(
    ("risk", "told"),
    [
        (Risk(RiskLevel.HIGH, ("deletes files",), "files.delete"), "saying yes: ▆ risk high  deletes files"),
        (NO_RISK, ""),
    ],
)
def test_a_moment_tells_the_risk_of_a_yes_and_a_reason_once(risk: Risk, told: str) -> None:
    mild = Risk(RiskLevel.NONE, ("nothing is run",), "reply.refuses")
    refused = replace(SENT, reply=Reply(choice="No"), reason="risk none: nothing is run", risk=mild)
    lines = moment_content(replace(_moment(1.0), decision=refused, risk=risk), 0, 1, 5.0).plain.splitlines()
    assert told in lines[2] and ("saying yes" in lines[2]) == bool(told)
    assert "\n".join(lines).count("nothing is run") == 1


def test_the_newest_that_happened_is_told_and_how_much_more() -> None:
    moments = [_moment(float(at)) for at in range(20)]
    told = away_content(moments, 5.0, 30.0)
    assert told is not None
    lines = told.plain.splitlines()
    assert lines[0] == "while you were away  25 s  and 9 before these"
    assert len(lines) == 1 + MOST_LINES
    assert "sent: Yes 19" in lines[-1]
    assert "11 s ago" in lines[-1]


def test_questions_begin_in_one_column() -> None:
    labels = ("sent: Yes", "sent: No, and say why", "held: " + "x" * 50, "✗")
    moments = [Moment(Mark(9.0, "◆", "success", label), (), "Do you?") for label in labels]
    told = away_content(moments, 5.0, 30.0)
    assert told is not None
    columns = [line.index("Do you?") for line in told.plain.splitlines()[1:]]
    assert columns[0] == columns[1] == columns[3] < columns[2]


def test_nothing_is_told_of_a_short_glance_or_an_idle_time() -> None:
    assert away_content([_moment(1.0)], 0.0, 3.0) is None
    assert away_content([_moment(1.0)], 2.0, 60.0) is None


async def test_on_return_it_is_told_until_the_next_key_which_reaches_the_program() -> None:
    session = busy()
    async with cockpit(session, (120, 40)) as (pilot, screen):
        box = screen.query_one(AwayBox)
        session.now = 100.0
        pilot.app.post_message(events.AppBlur())
        await pilot.pause()
        _decide(session, 110.0)
        session.now = 160.0
        pilot.app.post_message(events.AppFocus())
        await pilot.pause()
        assert _shows(box)
        assert "while you were away  1 min" in str(box.content)
        assert "sent: Yes" in str(box.content)
        await pilot.press("x")
        assert not _shows(box)
        assert session.typed == b"x"


async def _away(pilot: Pilot[Any], session: FakeSession, screen: SessionScreen) -> AwayBox:
    """Look elsewhere for half a minute, in which something is decided."""
    box = screen.query_one(AwayBox)
    pilot.app.post_message(events.AppBlur())
    await pilot.pause()
    _decide(session, session.now + 1)
    session.now += 30
    pilot.app.post_message(events.AppFocus())
    await pilot.pause()
    assert _shows(box)
    return box


async def test_while_something_is_asked_the_key_that_closes_it_does_nothing_else() -> None:
    session = permission()
    view = session.view
    async with cockpit(session, (120, 40)) as (pilot, screen):
        for key in ("enter", "y", LEADER):
            await begin_again(pilot, session, view)
            box = await _away(pilot, session, screen)
            await pilot.press(key)
            assert not _shows(box), key
            assert session.typed == b"" and session.calls == [], key
            await pilot.press("s" if key == LEADER else "x")
            assert session.typed == (b"" if key == LEADER else b"x"), "the next one is as ever"
            assert bool(session.calls) is (key == LEADER)


def test_how_long_ago_has_its_unit() -> None:
    told = [in_words(seconds) for seconds in (7, 60, 2400, 3600, 7260)]
    assert told == ["7 s", "1 min", "40 min", "1 h 00 min", "2 h 01 min"]


async def test_it_is_closed_by_a_click_and_does_not_cover_what_is_asked() -> None:
    session = permission()
    session.read_anew = lambda detection: replace(detection, evidence=(0, 1, 2))
    session.view = replace(session.view, detection=replace(session.view.detection, evidence=(0, 1, 2)))
    async with cockpit(session, (80, 24)) as (pilot, screen):
        box = await _away(pilot, session, screen)
        assert box.region.y > 10
        await pilot.click(AwayBox)
        assert not _shows(box)


def _decide(session: FakeSession, at: float) -> None:
    assert session.listener is not None
    session.listener.on_step(fx.RecordDecision(SENT), at)


def _shows(box: AwayBox) -> bool:
    """Asked anew: a checker takes a property for what it was."""
    return bool(box.display)
