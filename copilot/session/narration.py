"""A run told line by line, for a run without a screen: readable, or as JSON objects."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core import run
from copilot.core.detection import Detection
from copilot.core.ends import exit_words
from copilot.core.reply import Decision
from copilot.engine.history import outcome_words

Step = ev.Event | fx.Effect
_INDENT = 10
_MOST_ROWS = 20
"""Of the last screen so many rows are told, the lowest."""


class Narrator:
    """Turns events and effects into lines. `clean` is applied to every text from outside."""

    def __init__(self, write: Callable[[str], None], clean: Callable[[str], str], *, as_json: bool) -> None:
        self._write = write
        self._clean = clean
        self._as_json = as_json
        self._ending = False
        self._tell = self._tell_json if as_json else self._tell_words

    def step(self, step: Step, at: float) -> None:
        """Tell one event or effect, if it is worth a line."""
        told = self._exit(step) if isinstance(step, ev.ChildExited) else _told(step)
        self._ending = self._ending or isinstance(step, fx.SignalChild)
        if told is not None:
            self._tell(at, *told)

    def note(self, text: str, at: float = 0.0) -> None:
        """Tell something that is no event."""
        self._tell(at, "note", {"text": text})

    def last_words(self, message: str, display: Sequence[str], end: fx.EndRun, at: float) -> None:
        """Tell how the run ended, after what the CLI said last: its message, else its screen."""
        said = self._clean(message).strip("\n")
        if said and not self._as_json:
            self._tell_words(at, "message", {"what": "the last message of the CLI:"})
            self._write_rows(said.split("\n"))
        if self._as_json or not said or end.exit_code:
            self.last_screen(display, at)
        word, fields = "end", _ended(end)
        self._tell(at, word, {**fields, "message": said} if self._as_json else fields)

    def _write_rows(self, rows: Sequence[str]) -> None:
        for row in rows:
            self._write(f"{'':9}│ {row}".rstrip())

    def last_screen(self, display: Sequence[str], at: float) -> None:
        """Tell what the CLI showed last, as it stood; nothing for an empty screen."""
        text = self._clean("\n".join(row.rstrip() for row in display)).strip("\n")
        if not text.strip():
            return
        rows = text.split("\n")[-_MOST_ROWS:]
        if self._as_json:
            self._tell_json(at, "screen", {"text": "\n".join(rows)})
            return
        self._tell_words(at, "screen", {"what": "what the CLI showed last:"})
        self._write_rows(rows)

    def _exit(self, step: ev.ChildExited) -> tuple[str, dict[str, Any]]:
        """For people a plain status stays a number; anything else is said, for programs beside the number."""
        plain = step.status >= 0 and not self._ending
        how = "" if plain else exit_words(step.status, by_us=self._ending)
        return "exit", {"how": how or step.status} if not self._as_json else {
            "status": step.status,
            "how": how,
        }

    def _tell_words(self, at: float, word: str, fields: dict[str, Any]) -> None:
        values = [
            self._clean(" ".join(str(value).split())) for value in fields.values() if value not in ("", None)
        ]
        self._write(f"{at:7.2f}  {word:<{_INDENT}} {' · '.join(values)}".rstrip())

    def _tell_json(self, at: float, word: str, fields: dict[str, Any]) -> None:
        cleaned = {
            key: self._clean(value) if isinstance(value, str) else value for key, value in fields.items()
        }
        self._write(json.dumps({"t": round(at, 3), "event": word, **cleaned}, ensure_ascii=False))


def _told(step: Step) -> tuple[str, dict[str, Any]] | None:
    """The word and the fields of a line, or None for what nobody needs to read."""
    return _told_event(step) if isinstance(step, ev.Event) else _told_effect(step)


def _told_event(step: ev.Event) -> tuple[str, dict[str, Any]] | None:
    told: tuple[str, dict[str, Any]] | None = None
    match step:
        case ev.Started():
            told = "started", {}
        case ev.ScreenSettled():
            told = "sees", _seen(step.detection)
        case ev.ReplyProposed():
            told = "proposal", {"reply": str(step.proposal.reply), "reason": step.proposal.reason}
        case ev.ReplyFailed():
            told = "no reply", {"reason": step.reason}
        case ev.CommandEnded():
            told = "ran", {"outcome": step.outcome, "seconds": round(step.seconds, 2)}
        case ev.OpinionGiven():
            word = "agrees" if step.agrees else "says no"
            told = "opinion", {"verdict": word, "reason": step.reason}
        case ev.OpinionFailed():
            told = "opinion", {"verdict": "none", "reason": step.reason}
        case ev.Interrupted():
            told = "interrupt", {"note": "the run is being ended; once more ends it at once"}
        case _:
            pass
    return told


def _told_effect(step: fx.Effect) -> tuple[str, dict[str, Any]] | None:
    told: tuple[str, dict[str, Any]] | None = None
    match step:
        case fx.RecordDecision():
            told = "decision", _decided(step.decision)
        case fx.PlanMoved() if step.step and (step.state != "typing"):
            told = "plan", _of_the_plan(step)
        case fx.RunCommand():
            told = "runs", {"command": step.command.text}
        case fx.WriteKeys():
            told = "types", {"keys": " ".join(step.keys), "text": step.text}
        case fx.ReplyTaken():
            told = "reply", {"outcome": outcome_words(step.outcome)}
        case fx.ReplyExpired():
            told = "expired", {"reason": step.reason}
        case fx.StartTimer(timer=run.GRACE):
            told = "waits", {"note": f"ends in {step.seconds:g} s unless the screen changes"}
        case fx.EndRun():
            told = "end", _ended(step)
        case _:
            pass
    return told


def _ended(end: fx.EndRun) -> dict[str, Any]:
    return {"outcome": end.outcome, "reason": end.reason, "exit_code": end.exit_code}


def _of_the_plan(step: fx.PlanMoved) -> dict[str, Any]:
    return {"step": step.label, "part": step.part, "state": step.state, "text": step.text}


def _decided(decision: Decision) -> dict[str, Any]:
    return {
        "verdict": decision.verdict.value,
        "reply": str(decision.reply or ""),
        "reason": decision.reason,
        "rule": decision.rule,
        "risk": decision.risk.level.word,
    }


def _seen(detection: Detection) -> dict[str, Any]:
    subject = detection.shown_subject
    return {
        "kind": detection.kind.value,
        "question": detection.question or "",
        "subject": f"{subject.action}: {subject.text}" if subject is not None else "",
        "rule": detection.rule,
    }
