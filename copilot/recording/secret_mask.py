"""What is never recorded, redacted or not: passwords and logins that the person answers."""

from __future__ import annotations

import dataclasses

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.detection import Detection
from copilot.core.reply import Decision, Reply
from copilot.core.screen_kinds import SECRET_KINDS

NOT_RECORDED = "[not recorded]"


class SecretMask:
    """Blanks what was answered to the prompts of a run that ask for a secret."""

    def __init__(self) -> None:
        self._prompts: set[str] = set()
        self._decisions: set[int] = set()

    def event(self, event: ev.Event) -> ev.Event:
        """The event as it may be written."""
        match event:
            case ev.ScreenSettled() | ev.FreshLook():
                if event.detection.kind in SECRET_KINDS:
                    self._prompts.add(event.detection.identity)
                    return dataclasses.replace(event, detection=_without_draft(event.detection))
            case ev.PersonSent():
                if event.identity in self._prompts:
                    return dataclasses.replace(event, reply=_blank(event.reply))
        return event

    def effect(self, effect: fx.Effect) -> fx.Effect:
        """The effect as it may be written."""
        match effect:
            case fx.RecordDecision():
                if effect.decision.identity in self._prompts:
                    self._decisions.add(effect.decision.number)
                    return fx.RecordDecision(_blank_decision(effect.decision))
            case fx.AskProvider():
                if effect.detection.kind in SECRET_KINDS:
                    return dataclasses.replace(effect, detection=_without_draft(effect.detection))
            case fx.WriteKeys():
                if effect.decision in self._decisions:
                    keys = effect.keys and (NOT_RECORDED,)
                    return dataclasses.replace(effect, keys=keys, text=effect.text and NOT_RECORDED)
        return effect


def _blank(reply: Reply) -> Reply:
    return Reply(choice=reply.choice, text=NOT_RECORDED if reply.text is not None else None)


def _blank_decision(decision: Decision) -> Decision:
    reply = _blank(decision.reply) if decision.reply is not None else None
    part = NOT_RECORDED if decision.risk.part else ""
    risk = dataclasses.replace(decision.risk, part=part, start=None)
    return dataclasses.replace(decision, reply=reply, risk=risk)


def _without_draft(detection: Detection) -> Detection:
    return dataclasses.replace(detection, draft=NOT_RECORDED) if detection.draft else detection
