"""A grant is offered only where it would change what policy does; elsewhere it is said in one line why not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from copilot.core import effects as fx
from copilot.core.reply import Autonomy, Proposal, Reply, Verdict
from copilot.core.states import RunState
from copilot.demo.project import DemoProject
from copilot.tui.widgets.reply_box import ReplyBox
from tests.session.live import FakeProvider, demo_settings, running, yes
from tests.ui.harness import LEADER, cockpit
from tests.ui.scenes import risky

_SENDS = (Verdict.SEND, Verdict.SEND_AFTER_COUNTDOWN)
_REPLIES = {
    "sure": yes(),
    "unsure": replace(yes(), confidence=0.2),
    "for the person": replace(yes(), needs_human=True),
    "nothing": Proposal(Reply(), reason="no rule", needs_human=True),
}


@pytest.mark.invariant(4)
@pytest.mark.parametrize("reply", _REPLIES)
@pytest.mark.parametrize("level", [Autonomy.SUGGEST, Autonomy.ASSIST, Autonomy.FULL])
async def test_what_is_offered_is_sent_once_it_is_allowed_and_nothing_else_is_offered(
    project: DemoProject, tmp_path: Path, level: Autonomy, reply: str
) -> None:
    settings = demo_settings(project, tmp_path / "run", "--only", "destructive", autonomy=level)
    async with running(settings, FakeProvider([_REPLIES[reply]])) as watched:
        await watched.state(RunState.HELD)
        session = watched.live
        offer = session.grants.offer()
        if offer.rules:
            session.grants.allow(offer.rules, "", identity=session.run.detection.identity)
            assert watched.of(fx.RecordDecision)[-1].decision.verdict in _SENDS
        else:
            assert offer.refusal and "\n" not in offer.refusal
        assert bool(offer.rules) is (level is Autonomy.FULL and reply == "sure")
        assert offer.by_level is (
            level is not Autonomy.FULL
            and (reply == "sure" or level is Autonomy.SUGGEST)
            and reply not in ("for the person", "nothing")
        )


async def test_a_medium_that_the_level_holds_is_the_levels(project: DemoProject, tmp_path: Path) -> None:
    """A grant makes high medium, and assist sends neither."""
    settings = demo_settings(
        project,
        tmp_path / "run",
        "--only",
        "destructive",
        autonomy=Autonomy.ASSIST,
        allow=("shell:rm -rf build",),
    )
    async with running(settings, FakeProvider([yes()])) as watched:
        await watched.state(RunState.HELD)
        assert watched.live.run.risk.level.word == "medium"
        offer = watched.live.grants.offer()
        assert (offer.rules, offer.refusal, offer.by_level) == ((), "held by level assist", True)


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ((LEADER, "u"), "held by level assist; ^] a raises the level"),
        ((LEADER, "p", "u"), "; a raises the level"),
    ],
)
async def test_the_panel_offers_it_exactly_where_the_key_has_something_to_offer(
    keys: tuple[str, ...], told: str
) -> None:
    async with cockpit(risky(), (120, 40)) as (_, screen):
        assert "allows exactly this" in _panel(screen)
    session = risky()
    assert session.view.decision is not None
    decision = replace(session.view.decision, rule="policy.assist_risk")
    session.show(autonomy=Autonomy.ASSIST, decision=decision)
    session.grants.offered = replace(
        session.grants.offered, rules=(), refusal="held by level assist", by_level=True
    )
    async with cockpit(session, (120, 40)) as (pilot, screen):
        assert "allows exactly this" not in _panel(screen)
        await pilot.press(*keys)
        assert screen.model.notes[-1].endswith(told)


def _panel(screen: Any) -> str:
    return str(screen.query_one(ReplyBox).query_one("#reply-text").content)
