"""`HistoryEntry`: one event or effect of a run, as data for programs and in words for a person.

What is printed while a run goes on, what marks its recording and its line, and what a review lists are all
made of these entries.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.checkpoints import Author
from copilot.core.detection import Detection
from copilot.core.reply import Decision, Reply
from copilot.core.run import GRACE
from copilot.core.run_end import exit_words
from copilot.core.typist import Outcome
from copilot.engine.plan_history import moved_words

NO_REPLY = "no reply, it is left to the person"
JUST_ENTER = "Enter alone, which takes the default"
Step = ev.Event | fx.Effect


class EntryKind(enum.StrEnum):
    """What an entry is about; the word of its line."""

    STARTED = "started"
    SEES = "sees"
    ASKS = "asks"
    PROPOSAL = "proposal"
    NO_REPLY = "no reply"
    OPINION = "opinion"
    DECISION = "decision"
    TYPES = "types"
    REPLY = "reply"
    EXPIRED = "expired"
    PLAN = "plan"
    RUNS = "runs"
    RAN = "ran"
    FILES = "files"
    UNSAVED = "no checkpoint"
    UNDO = "undo"
    WAITS = "waits"
    PERSON = "person"
    LEVEL = "level"
    GOVERNING = "governing prompt"
    INTERRUPT = "interrupt"
    EXIT = "exit"
    FAULT = "fault"
    END = "end"


BY_PERSON = frozenset(
    {EntryKind.PERSON, EntryKind.LEVEL, EntryKind.GOVERNING, EntryKind.INTERRUPT, EntryKind.UNDO}
)
"""What a person did."""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One entry. `fields` are its data, `word` and `text` say it; `word` is empty if no review lists it."""

    at: float
    kind: EntryKind
    fields: Mapping[str, Any] = field(default_factory=dict)
    word: str = ""
    text: str = ""
    decision: Decision | None = None
    """What was decided; None for all other kinds."""
    rests_on: int = 0
    """The number of the decision that keys were typed for."""
    failed: bool = False
    """Something broke, or the child ended otherwise than well."""


class History:
    """Makes entries of events and effects, in order. It keeps none of them."""

    def __init__(self) -> None:
        self._ending = False
        """Whether copilot is ending the child."""

    def receive(self, at: float, step: Step) -> HistoryEntry | None:
        """The entry of this event or effect; None for what is of no interest."""
        if isinstance(step, ev.ChildExited):
            return _exit(at, step.status, by_us=self._ending)
        self._ending = self._ending or isinstance(step, fx.SignalChild)
        make = _ENTRIES.get(type(step))
        return make(at, step) if make is not None else None


def has_reply(reply: Reply) -> bool:
    """Whether there is anything that could be sent."""
    return reply.choice is not None or reply.text is not None


def outcome_words(outcome: str) -> str:
    """What became of a typed reply; `blocked` alone reads as if it had failed."""
    return "taken, and the next prompt waits" if outcome == Outcome.BLOCKED.value else outcome


def reply_words(reply: Reply) -> str:
    """What would be sent, or that nothing would."""
    return str(reply) or (JUST_ENTER if has_reply(reply) else NO_REPLY)


def _keys_text(step: fx.WriteKeys) -> str:
    """What one write typed, in words: text in quotes, keys by name."""
    parts = [f"“{step.text}”"] if step.text else []
    return " ".join([*parts, *step.keys]) + (" (pasted)" if step.paste else "")


def _exit(at: float, status: int, *, by_us: bool) -> HistoryEntry:
    """`how` is empty for a plain status, which says enough."""
    words = exit_words(status, by_us=by_us)
    plain = status >= 0 and not by_us
    fields = {"status": status, "how": "" if plain else words}
    return HistoryEntry(at, EntryKind.EXIT, fields, text=words, failed=status != 0 and not by_us)


def _seen(detection: Detection) -> dict[str, str]:
    subject = detection.shown_subject
    return {
        "kind": detection.kind.value,
        "question": detection.question or "",
        "subject": f"{subject.action}: {subject.text}" if subject is not None else "",
        "rule": detection.rule,
    }


def _decided(at: float, decision: Decision) -> HistoryEntry:
    fields = {
        "verdict": decision.verdict.value,
        "reply": str(decision.reply or ""),
        "reason": decision.reason,
        "rule": decision.rule,
        "risk": decision.risk.level.word,
    }
    return HistoryEntry(at, EntryKind.DECISION, fields, decision.verdict.value, decision.reason, decision)


def _proposed(at: float, step: ev.ReplyProposed) -> HistoryEntry:
    reply = step.proposal.reply
    fields = {"reply": str(reply), "reason": step.proposal.reason}
    return HistoryEntry(at, EntryKind.PROPOSAL, fields, "proposed", reply_words(reply))


def _typed(at: float, step: fx.WriteKeys) -> HistoryEntry:
    fields = {"keys": " ".join(step.keys), "text": step.text}
    return HistoryEntry(at, EntryKind.TYPES, fields, "typed", _keys_text(step), rests_on=step.decision)


def _opinion(at: float, verdict: str, reason: str) -> HistoryEntry:
    return HistoryEntry(at, EntryKind.OPINION, {"verdict": verdict, "reason": reason})


def _moved(at: float, step: fx.PlanMoved) -> HistoryEntry:
    fields = {"step": step.label, "part": step.part, "state": step.state, "text": step.text}
    return HistoryEntry(at, EntryKind.PLAN, fields, "plan", moved_words(step))


def _files(at: float, step: ev.CheckpointTaken) -> HistoryEntry | None:
    """What has changed since the checkpoint before; None if nothing has."""
    counts = {"created": len(step.created), "changed": len(step.changed), "removed": len(step.removed)}
    said = [f"{count} {word}" for word, count in counts.items() if count]
    said += [f"{step.unlisted} more"] if step.unlisted else []
    if not said or step.author is Author.UNDO:
        return None
    by = "the person" if step.author is Author.PERSON else "the program"
    fields = {"by": step.author.value, "checkpoint": step.number, **counts}
    return HistoryEntry(at, EntryKind.FILES, fields, f"{by} changed files", ", ".join(said))


def _restored(at: float, step: ev.FilesRestored) -> HistoryEntry:
    count = len(step.paths) + step.unlisted
    files = f"{count} file{'' if count == 1 else 's'} as at checkpoint {step.number}"
    return HistoryEntry(at, EntryKind.UNDO, {"files": files}, "the person undid changes", files)


def _waits(at: float, step: fx.StartTimer) -> HistoryEntry | None:
    note = f"ends in {step.seconds:g} s unless the screen changes"
    return HistoryEntry(at, EntryKind.WAITS, {"note": note}) if step.timer == GRACE else None


def _ended(at: float, end: fx.EndRun) -> HistoryEntry:
    fields = {"outcome": end.outcome, "reason": end.reason, "exit_code": end.exit_code}
    return HistoryEntry(at, EntryKind.END, fields, "end of the run", f"{end.outcome}: {end.reason}")


def _interrupted(at: float, _: ev.Interrupted) -> HistoryEntry:
    note = "the run is being ended; once more ends it at once"
    return HistoryEntry(at, EntryKind.INTERRUPT, {"note": note}, "the person interrupted")


_TOOK_OVER = "took over"


def _person(at: float, word: str, text: str = "") -> HistoryEntry:
    return HistoryEntry(at, EntryKind.PERSON, {}, f"the person {word}", text)


def typed_by_hand(entry: HistoryEntry) -> bool:
    """Whether it is of keys that the person typed in the terminal."""
    return entry.kind is EntryKind.PERSON and entry.word == f"the person {_TOOK_OVER}"


def _level(at: float, step: ev.AutonomyChanged) -> HistoryEntry:
    level = step.level.value
    return HistoryEntry(at, EntryKind.LEVEL, {"level": level}, "the person chose the level", level)


def _governing(at: float, step: ev.GoverningPromptChanged) -> HistoryEntry:
    text = f"version {step.number}, {step.file}"
    word = "the person changed the governing prompt"
    return HistoryEntry(at, EntryKind.GOVERNING, {"number": step.number}, word, text)


def _reason(kind: EntryKind) -> Callable[[float, Any], HistoryEntry]:
    """The entry of what has a reason and no more; its word is that of its line."""
    return lambda at, step: HistoryEntry(at, kind, {"reason": step.reason}, kind.value, step.reason)


_ENTRIES: dict[type[Step], Callable[[float, Any], HistoryEntry | None]] = {
    ev.Started: lambda at, _: HistoryEntry(at, EntryKind.STARTED),
    ev.ScreenSettled: lambda at, step: HistoryEntry(at, EntryKind.SEES, _seen(step.detection)),
    fx.AskProvider: lambda at, step: HistoryEntry(
        at, EntryKind.ASKS, {}, "asked the provider", step.instruction
    ),
    ev.ReplyProposed: _proposed,
    ev.ReplyFailed: _reason(EntryKind.NO_REPLY),
    ev.OpinionGiven: lambda at, step: _opinion(at, "agrees" if step.agrees else "says no", step.reason),
    ev.OpinionFailed: lambda at, step: _opinion(at, "none", step.reason),
    fx.RecordDecision: lambda at, step: _decided(at, step.decision),
    fx.WriteKeys: _typed,
    fx.ReplyTaken: lambda at, step: HistoryEntry(
        at, EntryKind.REPLY, {"outcome": outcome_words(step.outcome)}, "outcome", outcome_words(step.outcome)
    ),
    fx.ReplyExpired: _reason(EntryKind.EXPIRED),
    fx.PlanMoved: _moved,
    fx.RunCommand: lambda at, step: HistoryEntry(at, EntryKind.RUNS, {"command": step.command.text}),
    ev.CommandEnded: lambda at, step: HistoryEntry(
        at, EntryKind.RAN, {"outcome": step.outcome, "seconds": round(step.seconds, 2)}
    ),
    fx.StartTimer: _waits,
    ev.CheckpointTaken: _files,
    ev.CheckpointFailed: _reason(EntryKind.UNSAVED),
    ev.FilesRestored: _restored,
    ev.PersonTyped: lambda at, _: _person(at, _TOOK_OVER, "typed in the terminal"),
    ev.PersonSent: lambda at, step: _person(at, "sent", reply_words(step.reply)),
    ev.PersonDismissed: lambda at, step: _person(at, "stopped it" if step.keep else "dismissed it"),
    ev.PersonAskedAgain: lambda at, step: _person(at, "asked again", step.instruction),
    ev.AutonomyChanged: _level,
    ev.GoverningPromptChanged: _governing,
    ev.Interrupted: _interrupted,
    ev.Faulted: lambda at, step: HistoryEntry(at, EntryKind.FAULT, {"reason": step.reason}, failed=True),
    fx.EndRun: _ended,
}
"""How an event or effect of each type is said. Those that are not here have no entry."""
