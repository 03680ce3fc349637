"""The front end of a trial: notes what happens, and answers as a mock person what is held."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.detection import Detection
from copilot.core.profile import Profile
from copilot.core.reply import Decision, Reply
from copilot.core.reply_keys import refusing_option
from copilot.core.screen_kinds import ScreenKind
from copilot.engine.history import Step
from copilot.engine.view import SessionView
from copilot.lab.stream import TrialStream
from copilot.session.live import LiveSession

ENTER_SECONDS = 0.3
"""Between the words that leave the CLI and their Enter: together they would be a paste."""

Answer = Reply | str | None
"""A reply, the label or text of one, or None: no."""

Person = Callable[[Detection], Answer]
"""Asked for each held prompt; without a person what is held is refused. What it raises fails the run."""


def answers(by_kind: Mapping[str, Answer | Callable[[Detection], Answer]]) -> Person:
    """A person with an answer, constant or computed, for each kind of prompt; no to all others."""

    def person(detection: Detection) -> Answer:
        answer = by_kind.get(detection.kind.value)
        return answer(detection) if callable(answer) else answer

    return person


def as_reply(answer: Answer, detection: Detection) -> Reply | None:
    """The reply that an answer means: a listed label is a choice, another text is typed."""
    if not isinstance(answer, str):
        return answer
    option = detection.option_named(answer)
    return Reply(choice=option.label) if option is not None else Reply(text=answer)


class Collector:
    """Puts events into the stream. With a `person` it leaves the CLI when the work is done, or `stays`."""

    def __init__(
        self,
        profile: Profile,
        person: Person | None,
        note: Callable[[str], None],
        stream: TrialStream,
        stays: bool = False,
    ) -> None:
        self.session: LiveSession | None = None
        self.on_note = note
        self._stream = stream
        self._profile = profile
        self._person = person
        self.stays = stays
        self._asked = ""
        self._left = False

    def on_screen(self) -> None:
        """Nothing is drawn."""

    def on_view(self, view: SessionView) -> None:
        """The steps say it already."""

    def on_reply_text(self, text: str) -> None:
        """The whole reply is noted when it is complete."""

    def on_step(self, step: Step, at: float) -> None:
        if (noted := _noted(step)) is not None:
            self._stream.add(*noted)
        if self._person is None:
            return
        if isinstance(step, fx.CallPerson):
            asyncio.get_running_loop().call_soon(self._answer, self._person, step.identity)
        elif (
            isinstance(step, ev.ScreenSettled)
            and step.detection.kind is ScreenKind.COMPLETED
            and not self.stays
        ):
            asyncio.get_running_loop().call_soon(self._leave, step.detection)

    def _answer(self, person: Person, identity: str) -> None:
        session = self.session
        if session is None or identity == self._asked:
            return
        detection = session.run.detection
        if detection.identity != identity or not detection.asks:
            return
        self._asked = identity
        try:
            reply = as_reply(person(detection), detection)
        except Exception as error:
            self._stream.fail(error)
            return
        data = {"identity": identity, "denied": reply is None}
        self._stream.add("asked", detection.kind.value, detection.question or "", data)
        refusal = refusing_option(detection, self._profile.reply_keys)
        if reply is None and refusal is not None:
            reply = Reply(choice=refusal.label)
        if reply is None:
            session.interrupt()
        else:
            session.send(reply, identity=identity)

    def _leave(self, detection: Detection) -> None:
        session = self.session
        if session is not None and session.run.detection.identity == detection.identity:
            self.leave()

    def leave(self) -> None:
        """Leave the CLI as a person would, once."""
        session, words = self.session, self._profile.launch.leave
        if session is None or self._left:
            return
        self._left = True
        if words:
            session.type_bytes(words.encode())
            asyncio.get_running_loop().call_later(ENTER_SECONDS, session.type_bytes, b"\r")
        else:
            session.interrupt()


_Noted = tuple[str, str, str, dict[str, Any]]
"""Kind, name, text and data of a trial's event."""


def _noted(step: Step) -> _Noted | None:
    """None for what no check looks at."""
    noted: _Noted | None = None
    match step:
        case ev.ScreenSettled():
            noted = _seen(step.detection)
        case ev.ReplyProposed():
            why = {"reason": step.proposal.reason, "request": step.request}
            noted = "proposal", "", str(step.proposal.reply), why
        case ev.ReplyFailed():
            noted = "no_reply", "", step.reason, {"request": step.request}
        case fx.RecordDecision():
            noted = _decided(step.decision)
        case fx.WriteKeys():
            noted = "keys", "", step.text or " ".join(step.keys), {"decision": step.decision}
        case fx.ReplyTaken():
            noted = "reply", step.outcome, "", {"decision": step.decision}
        case fx.ReplyExpired():
            noted = "expired", "", step.reason, {"identity": step.identity}
        case fx.EndRun():
            noted = "end", step.outcome, step.reason, {"exit_code": step.exit_code}
        case _:
            pass
    return noted


def _decided(one: Decision) -> _Noted:
    data: dict[str, Any] = {"rule": one.rule, "reason": one.reason, "risk": one.risk.level.word}
    data |= {"by": one.by, "identity": one.identity, "number": one.number}
    return "decision", one.verdict.value, str(one.reply or ""), data


def _seen(detection: Detection) -> _Noted:
    subject = detection.subject
    data: dict[str, Any] = {
        "rule": detection.rule,
        "identity": detection.identity,
        "options": [option.label for option in detection.options],
        "action": subject.action if subject else "",
        "subject": subject.text if subject else "",
    }
    return "screen", detection.kind.value, detection.question or "", data
