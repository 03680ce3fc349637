"""Another governing prompt in a live run: recorded with its text and hash, and what is proposed next carries it."""

from __future__ import annotations

import hashlib
from pathlib import Path

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.reply import Autonomy, Proposal, Reply
from copilot.core.settings import RunSettings
from copilot.core.states import RunState
from copilot.demo.project import DemoProject
from copilot.recording.runs import open_run
from copilot.session.resuming import as_before
from tests.session.live import FakeProvider, demo_settings, python_settings, running, yes
from tests.session.test_live import PERMISSION

KEY = "sk-ant-api03-" + "Ab3dEf6hIj9kLm2nOp5q" * 4
OLD, NEW = "Say yes to reading.", f"Say no to everything.\nThe key is {KEY}."


def under_old(project: DemoProject, folder: Path) -> RunSettings:
    """A run that holds its first reply, written under the old words."""
    return demo_settings(
        project, folder / "run", *PERMISSION, autonomy=Autonomy.SUGGEST, governing_prompt=OLD
    )


async def test_the_next_reply_is_written_under_it(project: DemoProject, tmp_path: Path) -> None:
    provider = FakeProvider([yes()])
    settings = under_old(project, tmp_path)
    async with running(settings, provider) as watched:
        await watched.state(RunState.HELD)
        session = watched.live
        assert session.view.governing_prompt == OLD
        assert session.set_governing_prompt(f"  {NEW}\n") == ""
        assert session.view.proposal is None, "what was proposed under the old words is gone"
        await watched.until(lambda: len(provider.requests) == 2, "another request")
        await watched.state(RunState.HELD)
        assert (session.view.governing_prompt, session.view.governing_version) == (NEW, 2)
        assert [expired.reason for expired in watched.of(fx.ReplyExpired)] == [
            "the governing prompt is version 2 now"
        ]
        session.interrupt()
    first, second = (request.user for request in provider.requests)
    assert OLD in first
    assert OLD not in second
    assert "Say no to everything." in second
    assert KEY not in second
    (changed,) = watched.of(ev.GoverningPromptChanged)
    kept = (tmp_path / "run" / changed.file).read_text("utf-8")
    assert changed.file == "prompts/governing-02.txt"
    assert kept.startswith("Say no to everything.")
    assert KEY not in kept
    assert changed.sha256 == hashlib.sha256(kept.encode()).hexdigest()
    recorded = [step for _, step in open_run(tmp_path / "run").steps()]
    assert changed in recorded
    flags, _ = as_before({"resume": str(tmp_path / "run")}, ())
    assert flags["prompt"] == str(tmp_path / "run" / changed.file), (
        "a resumed run goes on under the newest words"
    )


async def test_what_makes_no_sense_changes_nothing(project: DemoProject, tmp_path: Path) -> None:
    provider = FakeProvider([yes()], name="rules")
    settings = under_old(project, tmp_path)
    async with running(settings, provider) as watched:
        await watched.state(RunState.HELD)
        session = watched.live
        assert "empty" in session.set_governing_prompt(" \n")
        assert "already" in session.set_governing_prompt(OLD)
        assert "line 1" in session.set_governing_prompt('when "x": perhaps')
        session.recorder.failed = "the disk is full"
        assert "cannot be recorded" in session.set_governing_prompt("Say no.")
        assert session.view.governing_prompt == OLD
        assert session.view.proposal is not None
        session.interrupt()
    assert not watched.of(ev.GoverningPromptChanged)
    assert session.set_governing_prompt("Say no.") == "the run is over: nothing was changed"


async def test_what_it_allows_counts_at_once_for_the_open_prompt(tmp_path: Path) -> None:
    """And no longer once it is taken back: the guard reads the words that govern now."""
    script = "open('answer', 'w').write(input('Proceed to install deps? [y/n] '))"
    settings = python_settings(script, tmp_path, autonomy=Autonomy.SUGGEST, governing_prompt="Be brief.")
    async with running(settings, FakeProvider([Proposal(Reply(choice="yes"))])) as watched:
        await watched.state(RunState.HELD)
        session = watched.live
        assert session.run.risk.level.word == "high"
        assert session.set_governing_prompt("You may install the dependencies.") == ""
        assert session.run.risk.level.word == "medium"
        assert "allowed by your prompt, line 1" in session.run.risk.reason
        await watched.state(RunState.HELD)
        assert session.set_governing_prompt("Never install anything.") == ""
        assert session.run.risk.level.word == "high"
