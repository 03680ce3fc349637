"""A second opinion and grants in live runs on the simulated CLI: what is typed, and what is written down."""

from __future__ import annotations

from pathlib import Path

import pytest

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.reply import Autonomy, Proposal, Reply, Verdict
from copilot.core.states import RunState
from copilot.demo.project import DemoProject, outcome_of
from copilot.recording.transcript_reader import read_transcript
from tests.session.live import FakeProvider, demo_settings, ended, running, yes


def opinion(choice: str) -> FakeProvider:
    raw = (
        f'{{"choice": "{choice}", "text": null, "reason": "so it is", "confidence": 1, "needs_human": false}}'
    )
    return FakeProvider([Proposal(Reply(choice=choice), reason="so it is", raw=raw)], name="second")


async def test_a_second_opinion_holds_what_would_be_sent_and_is_kept(
    project: DemoProject, tmp_path: Path
) -> None:
    settings = demo_settings(
        project, tmp_path / "run", "--only", "permission", governing_prompt="Greet the visitors."
    )
    second = opinion("hold")
    async with running(settings, FakeProvider([yes()]), second) as watched:
        await watched.state(RunState.HELD)
        assert not watched.writes
        decision = watched.of(fx.RecordDecision)[-1].decision
        assert (decision.rule, decision.verdict) == ("opinion.denied", Verdict.HOLD)
        assert "so it is" in decision.reason
        assert "Greet the visitors." in second.requests[0].user and "greeting.py" in second.requests[0].user
        identity = watched.live.run.detection.identity
        watched.live.send(Reply(choice="Yes"), identity=identity)
        await watched.until(lambda: bool(watched.of(fx.ReplyTaken)), "the person's reply")
    assert outcome_of(project).wrote_greeting
    types = [record.type for record in read_transcript(tmp_path / "run").records]
    assert types.index("effect.AskSecondOpinion") < types.index("event.OpinionGiven")
    kept = tmp_path / "run" / "prompts" / "opinion-01"
    assert "Greet the visitors." in (kept / "request.txt").read_text("utf-8")
    assert "so it is" in (kept / "reply.txt").read_text("utf-8")


async def test_where_it_agrees_the_run_goes_on_by_itself(project: DemoProject, tmp_path: Path) -> None:
    settings = demo_settings(project, tmp_path / "run", "--only", "permission", headless=True)
    async with running(settings, FakeProvider([yes()]), opinion("allow")) as watched:
        end = await ended(watched)
    assert end.outcome == "completed" and outcome_of(project).wrote_greeting
    assert [event.agrees for event in watched.of(ev.OpinionGiven)] == [True]


@pytest.mark.row("CP-44", "CP-45")
async def test_what_the_person_allows_is_typed_and_every_step_of_it_stands_in_the_transcript(
    project: DemoProject, tmp_path: Path
) -> None:
    settings = demo_settings(project, tmp_path / "run", "--only", "destructive", autonomy=Autonomy.FULL)
    async with running(settings, FakeProvider([yes()])) as watched:
        await watched.state(RunState.HELD)
        assert not watched.writes
        session = watched.live
        rules = session.grants.offer().rules
        assert rules == ("shell:rm -rf build",)
        session.grants.allow(rules, "times=1", identity=session.run.detection.identity)
        assert watched.of(fx.RecordDecision)[-1].decision.verdict is Verdict.SEND_AFTER_COUNTDOWN
        assert [line.by for line in session.view.grants] == ["you"]
        await watched.until(lambda: bool(watched.of(fx.ReplyTaken)), "the reply that was allowed")
        assert watched.of(fx.RecordDecision)[-1].decision.risk.grants == ("shell[times=1]:rm -rf build",)
    records = read_transcript(tmp_path / "run").records
    changes = [record.data["change"] for record in records if record.type == "event.GrantChanged"]
    assert changes == ["given", "used up"]
