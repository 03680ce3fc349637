"""The cockpit on a session that says hostile things everywhere. Run under a pty by `test_raw_bytes.py`."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from typing import Any

from copilot.config.profile_files import load_profile
from copilot.core.detection import Detection, Option, Subject
from copilot.core.reply import AnswerForm, Decision, PromptPart, Proposal, Reply, ReplyRequest, Verdict
from copilot.core.risk import Risk, RiskLevel
from copilot.core.screen_kinds import ScreenKind
from copilot.core.states import RunState
from copilot.detection import Examiner
from tests.fakes.fake_session import FakeSession
from tests.guard.hostile_run import load
from tests.ui.harness import app_on

CANARY = "\x1b[1337;4242x"
"""A control sequence that nobody else ever writes."""
ATTACKS = (
    CANARY,
    "\x1b]52;c;UFdORUQ=\x07",
    "\x1b]0;PWNED\x07",
    "\x1bPPWNED\x1b\\",
    "\x9b1337;4242x",
    "\x9d52;c;UFdORUQ=\x9c",
    "\x1b_PWNED\x1b\\",
    "\u202eDENWP\u202c\u2066x\u2069",
    "[@click=app.exit]PWNED[/]",
    "[red]PWNED[/red] [/] ]",
    "\x07\x08\x0c\x0e\x7f\x00",
    "\U000e0041\u200b\u00ad",
)
LINK = b"\x1b]8;id=1;https://example.com/PWNED\x1b\\link\x1b]8;;\x1b\\\x1b]9;PWNED\x07\x1b]777;notify;PWNED;x\x07"
DONE = b"all recordings were shown"
HOSTILE = "hostile " + " ".join(ATTACKS) + " end"


def hostile_session() -> FakeSession:
    """Every string that comes from outside is hostile."""
    session = FakeSession()
    session.screen.feed(HOSTILE.encode() + b"\r\n" + HOSTILE.encode("utf-8", "replace"))
    risk = Risk(RiskLevel.HIGH, (HOSTILE,), HOSTILE, HOSTILE)
    reply = Reply(choice=HOSTILE, text=HOSTILE + "\n" + HOSTILE)
    session.show(
        state=RunState.HELD,
        state_reason=HOSTILE,
        detection=Detection(
            ScreenKind.PERMISSION,
            question=HOSTILE,
            options=(Option(HOSTILE, HOSTILE), Option("other", CANARY, checked=True, description=HOSTILE)),
            rule=HOSTILE,
            evidence=(0, 1),
            subject=Subject("shell", HOSTILE),
            note=HOSTILE,
            identity="h",
        ),
        risk=risk,
        request=ReplyRequest(
            1,
            HOSTILE,
            (PromptPart(HOSTILE, HOSTILE, 10, cut=True),),
            AnswerForm.CHOICE,
            (HOSTILE,),
            warnings=(HOSTILE,),
        ),
        proposal=Proposal(reply, reason=HOSTILE, provider=HOSTILE, model=HOSTILE, clarification=HOSTILE),
        decision=Decision(1, Verdict.HOLD, "h", reply, HOSTILE, HOSTILE, risk),
        profile=HOSTILE,
        provider=HOSTILE,
        model=HOSTILE,
        run_folder="/" + HOSTILE,
        outcome=HOSTILE,
    )
    return session


async def _torment(session: FakeSession) -> None:
    """More of it, while the test presses keys."""
    assert session.listener is not None
    session.listener.on_note(HOSTILE)
    session.show(waiting_for_provider=True, proposal=None)
    session.listener.on_reply_text('{"choice": "' + HOSTILE)
    await asyncio.sleep(0.2)
    session.show(waiting_for_provider=False, stale=HOSTILE)
    await asyncio.sleep(0.2)
    session.view = hostile_session().view
    session.show()
    session.feed(b"\x1b]0;" + HOSTILE.encode() + b"\x07")
    await _recordings(session)


async def _recordings(session: FakeSession) -> None:
    """Every screen of the hostile corpus, painted as the child draws it, with what the detectors make of it."""
    examiners = {name: Examiner(load_profile(name)) for name in ("claude", "generic")}
    for case in load():
        examiner = examiners.get(case.profile, examiners["generic"])
        for shown in (case.show, case.swap):
            session.feed(b"\x1b\\\x1bc" + shown + LINK)
            detection = examiner.examine(session.screen.snapshot()).detection
            session.show(detection=replace(detection, identity=case.id))
            await asyncio.sleep(0.02)
    session.feed(b"\x1b\\\x1bc" + DONE)


def main() -> int:
    """The cockpit on that session. The torment begins when the session is first shown, on the app's own loop."""
    session = hostile_session()
    show = session.show
    begun: list[asyncio.Future[None]] = []

    def first_shown(**changes: Any) -> None:
        show(**changes)
        if session.listener is not None and not begun:
            begun.append(asyncio.ensure_future(_later(session)))

    session.show = first_shown  # type: ignore[method-assign]
    return app_on(session).run() or 0


async def _later(session: FakeSession) -> None:
    await asyncio.sleep(0.5)
    await _torment(session)


if __name__ == "__main__":
    sys.exit(main())
