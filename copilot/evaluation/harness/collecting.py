"""`Collector`: listens to a session, notes what happens, and lets a mock person answer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.decision import Decision
from copilot.core.detection import Detection, ScreenKind
from copilot.core.profile import Profile
from copilot.core.reply import Reply
from copilot.core.reply_keys import refusing_option
from copilot.evaluation.harness.person import Person, as_reply
from copilot.evaluation.harness.record import TrialEvent
from copilot.session.live import LiveSession
from copilot.session.narration import Step
from copilot.session.view import SessionView

ENTER_SECONDS = 0.3
"""Between the words that leave the CLI and their Enter: together they would be a paste."""


class Collector:
    """The front end of a trial. With a `person` it also leaves the CLI when the work is done."""

    def __init__(self, profile: Profile, person: Person | None, note: Callable[[str], None]) -> None:
        self.events: list[TrialEvent] = []
        self.session: LiveSession | None = None
        self.fault: Exception | None = None
        self._profile = profile
        self._person = person
        self._note = note
        self._asked = ""
        self._left = False

    def on_screen(self) -> None:
        """Nothing is drawn."""

    def on_view(self, view: SessionView) -> None:
        """The steps tell it already."""

    def on_reply_text(self, text: str) -> None:
        """The whole reply is told when it is there."""

    def on_note(self, text: str) -> None:
        """For the trial's log."""
        self._note(text)

    def on_step(self, step: Step, at: float) -> None:
        """Note it, and answer where a person is called."""
        told = _told(step)
        if told is not None:
            self.events.append(TrialEvent(time.monotonic(), *told))
        if self._person is None:
            return
        if isinstance(step, fx.CallPerson):
            asyncio.get_running_loop().call_soon(self._answer, step.identity)
        elif isinstance(step, ev.ScreenSettled) and step.detection.kind is ScreenKind.COMPLETED:
            asyncio.get_running_loop().call_soon(self._leave, step.detection)

    def _answer(self, identity: str) -> None:
        session, person = self.session, self._person
        if session is None or person is None or identity == self._asked:
            return
        detection = session.run.detection
        if detection.identity != identity or not detection.asks:
            return
        self._asked = identity
        try:
            reply = as_reply(person(detection), detection)
        except Exception as error:
            self.fault = error
            session.interrupt()
            return
        data = {"identity": identity, "denied": reply is None}
        self.events.append(
            TrialEvent(time.monotonic(), "asked", detection.kind.value, detection.question or "", data)
        )
        refusal = refusing_option(detection, self._profile.reply_keys)
        if reply is None and refusal is not None:
            reply = Reply(choice=refusal.label)
        if reply is None:
            session.interrupt()
        else:
            session.send(reply, identity=identity)

    def _leave(self, detection: Detection) -> None:
        session, words = self.session, self._profile.launch.leave
        if session is None or self._left or session.run.detection.identity != detection.identity:
            return
        self._left = True
        if words:
            session.type_bytes(words.encode())
            asyncio.get_running_loop().call_later(ENTER_SECONDS, session.type_bytes, b"\r")
        else:
            session.interrupt()


_Told = tuple[str, str, str, dict[str, Any]]


def _told(step: Step) -> _Told | None:
    """Kind, name, text and data of a step, or None for what no check looks at."""
    told: _Told | None = None
    match step:
        case ev.ScreenSettled():
            told = _seen(step.detection)
        case ev.ReplyProposed():
            why = {"reason": step.proposal.reason, "request": step.request}
            told = "proposal", "", str(step.proposal.reply), why
        case ev.ReplyFailed():
            told = "no_reply", "", step.reason, {"request": step.request}
        case fx.RecordDecision():
            told = _decided(step.decision)
        case fx.WriteKeys():
            told = "keys", "", step.text or " ".join(step.keys), {"decision": step.decision}
        case fx.ReplyTaken():
            told = "reply", step.outcome, "", {"decision": step.decision}
        case fx.ReplyExpired():
            told = "expired", "", step.reason, {"identity": step.identity}
        case fx.EndRun():
            told = "end", step.outcome, step.reason, {"exit_code": step.exit_code}
        case _:
            pass
    return told


def _decided(one: Decision) -> _Told:
    data: dict[str, Any] = {"rule": one.rule, "reason": one.reason, "risk": one.risk.level.word}
    data |= {"by": one.by, "identity": one.identity, "number": one.number}
    return "decision", one.verdict.value, str(one.reply or ""), data


def _seen(detection: Detection) -> _Told:
    subject = detection.subject
    data: dict[str, Any] = {
        "rule": detection.rule,
        "identity": detection.identity,
        "options": [option.label for option in detection.options],
        "action": subject.action if subject else "",
        "subject": subject.text if subject else "",
    }
    return "screen", detection.kind.value, detection.question or "", data
