"""Invariant 6 in a live session: the first key of the person withdraws the reply before the child has the key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.reply import Autonomy, Proposal, Reply
from copilot.core.states import RunState
from copilot.demo.project import DemoProject
from copilot.providers.rules_provider import CANNOT_FOLLOW, RulesProvider
from tests.session.live import FakeProvider, demo_settings, running, yes
from tests.session.test_live import PERMISSION


@pytest.mark.invariant(6)
async def test_the_reply_is_withdrawn_before_the_key_goes_out(project: DemoProject, tmp_path: Path) -> None:
    provider = FakeProvider([yes()])
    provider.gate.clear()
    async with running(demo_settings(project, tmp_path / "run", *PERMISSION), provider) as watched:
        await watched.until(lambda: bool(provider.requests), "the request")
        session: Any = watched.session
        typed: list[tuple[bytes, int]] = []

        class Child:
            """In place of the child's keyboard: what was withdrawn when the key came?"""

            def write(self, data: bytes) -> None:
                typed.append((data, len(watched.of(fx.ReplyExpired))))

            def hides_typing(self) -> bool:
                return False

            def stopped(self) -> bool:
                return False

            def reads_keys(self) -> bool | None:
                return None

            def waits_idle(self) -> bool:
                return False

        child, session.child = session.child, Child()
        session.type_bytes(b"\x1b[I", by_hand=False)
        assert not watched.of(ev.PersonTyped)
        session.type_bytes(b"x")
        session.child = child
        assert typed == [(b"\x1b[I", 0), (b"x", 1)]
        assert len(watched.of(ev.PersonTyped)) == 1 and watched.of(fx.CancelRequest)
        assert session.run.state is RunState.HELD
        provider.gate.set()
        session.interrupt()
    assert not watched.writes


async def test_another_reply_is_asked_for_with_those_that_were_not_taken(
    project: DemoProject, tmp_path: Path
) -> None:
    """Else "shorter" would be said of something that the model does not see."""
    provider = FakeProvider([Proposal(Reply(choice="No")), yes()])
    async with running(demo_settings(project, tmp_path / "run", *PERMISSION), provider) as watched:
        session: Any = watched.session
        for number, instruction in ((1, "no, allow it"), (2, ""), (3, "")):
            await watched.until(lambda: len(watched.of(fx.RecordDecision)) == number, "a decision")  # noqa: B023
            session.ask_again(instruction, identity=session.run.detection.identity)
        await watched.until(lambda: len(provider.requests) == 4, "the last request")
        session.interrupt()
    told = [{part.name: part.text for part in one.parts} for one in provider.requests]
    assert "earlier replies" not in told[0]
    assert "- No\n" in told[1]["earlier replies"] and "- Yes" not in told[1]["earlier replies"]
    assert "no, allow it" in told[1]["instruction"] and "instruction" not in told[2]
    assert "- No\n- Yes\n" in told[2]["earlier replies"]


async def test_the_rules_say_at_once_that_they_cannot_follow_an_instruction(
    project: DemoProject, tmp_path: Path
) -> None:
    """The reply stands there as before, so nothing would seem to have happened."""
    settings = demo_settings(project, tmp_path / "run", *PERMISSION, autonomy=Autonomy.SUGGEST)
    async with running(settings, RulesProvider()) as watched:
        session: Any = watched.session
        await watched.until(lambda: len(watched.of(fx.RecordDecision)) == 1, "a decision")
        assert CANNOT_FOLLOW not in watched.notes
        session.ask_again("shorter", identity=session.run.detection.identity)
        await watched.until(lambda: CANNOT_FOLLOW in watched.notes, "the note")
        session.interrupt()


async def test_of_an_instruction_that_a_model_can_follow_nothing_is_said(
    project: DemoProject, tmp_path: Path
) -> None:
    """Whatever its reason says: the words of a reply decide nothing here."""
    provider = FakeProvider([Proposal(Reply(choice="Yes"), reason=CANNOT_FOLLOW)])
    settings = demo_settings(project, tmp_path / "run", *PERMISSION, autonomy=Autonomy.SUGGEST)
    async with running(settings, provider) as watched:
        session: Any = watched.session
        await watched.until(lambda: len(watched.of(fx.RecordDecision)) == 1, "a decision")
        session.ask_again("shorter", identity=session.run.detection.identity)
        await watched.until(lambda: len(watched.of(fx.RecordDecision)) == 2, "the second decision")
        assert provider.requests[-1].instructs
        session.interrupt()
    assert CANNOT_FOLLOW not in watched.notes
