"""The grants of a live run: which stand, which replies used them up, and what the person gives or takes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from copilot.core.effects import Effect, RecordDecision, ReplyTaken
from copilot.core.events import Event, GrantChanged
from copilot.core.lifting import OF_THE_LEVEL, held_all_the_same
from copilot.core.policy import Ruling
from copilot.core.reply import Autonomy
from copilot.core.risk import NO_RISK, Risk, RiskLevel
from copilot.core.run import Run
from copilot.guard.grants import Grant
from copilot.guard.grants_book import GrantBook
from copilot.guard.grants_offer import Offer, limited, offer_for
from copilot.guard.scope import ProjectScope
from copilot.session.view import SessionListener, SessionView

if TYPE_CHECKING:
    from copilot.session.live import LiveSession


from dataclasses import asdict
from typing import Any

from copilot.core.detection import Detection, ScreenKind
from copilot.detection import Examination
from copilot.recording.unknown_screens import shape_of

STANDS_SECONDS = 0.9
"""A screen that nobody understands is kept once it has stood still for so long."""


class UnknownWatch:
    """Tells when a screen that has settled as unknown stands still. Time comes in as data."""

    def __init__(self) -> None:
        self._shape: tuple[str, ...] = ()
        self._since = 0.0
        self._told = False

    def stands(self, examination: Examination, settled: Detection | None, at: float) -> bool:
        """Whether what is seen now is unknown, has settled so, and has been the same for a while.

        True once for each time that a screen comes to stand.
        """
        if examination.detection.kind is not ScreenKind.UNKNOWN:
            self._shape = ()
            return False
        shape = shape_of(examination.regions.snapshot)
        if shape != self._shape:
            self._shape, self._since, self._told = shape, at, False
        unknown = settled is not None and settled.kind is ScreenKind.UNKNOWN
        if self._told or not unknown or at - self._since < STANDS_SECONDS:
            return False
        self._told = True
        return True


def evidence_of(examination: Examination, profile: str) -> dict[str, Any]:
    """The reading with its note, what the child reports, what the kernel knows, and every rule's reason."""
    detection, snapshot = examination.detection, examination.regions.snapshot
    report = examination.report
    return {
        "profile": profile,
        "rule": detection.rule,
        "note": detection.note,
        "columns": snapshot.columns,
        "lines": len(snapshot.lines),
        "report": {"says": report.says, "by": report.by, "kind": report.kind} if report is not None else None,
        "tty": asdict(examination.facts),
        "rules": [
            {"rule": verdict.rule.id, "kind": verdict.rule.kind, "why_not": verdict.why_not}
            for verdict in examination.verdicts()
        ],
    }


YOU = "you"


def _not_lifted(run: Run, held: Ruling) -> Offer:
    """No grant changes that the reply is held, and why."""
    if held.rule not in OF_THE_LEVEL:
        return Offer(refusal=f"no grant changes this: {held.reason}")
    raisable = run.profile.allowed(Autonomy.FULL) is Autonomy.FULL
    return Offer(refusal=f"held by level {run.autonomy.value}", by_level=raisable)


class GrantKeeper:
    """Hears what the session does on its way to the front end, and counts the replies that rest on grants.

    A use counts when its reply was typed, not when it was decided: Enter is judged anew before it is sent.
    """

    def __init__(
        self, grants: Iterable[Grant], listener: SessionListener, clock: Callable[[], float] = time.time
    ) -> None:
        self._listener = listener
        self._clock = clock
        self._rests_on: dict[int, tuple[str, ...]] = {}
        self._tried: tuple[Grant, ...] = ()
        self._session: LiveSession | None = None
        self._scope: ProjectScope | None = None
        self._next_end: asyncio.TimerHandle | None = None
        self._told_over: set[str] = set()
        self.book = GrantBook(grants, clock())

    def attach(self, session: LiveSession, scope: ProjectScope) -> None:
        """The run has begun: what was allowed from the start is told first."""
        self._session, self._scope = session, scope
        for line in self.book.lines(self._clock()):
            self._tell(line.rule, "given", line.by)
        self._await_end()

    def open_now(self) -> tuple[Grant, ...]:
        """The grants that stand at this moment."""
        return (*self.book.open_at(self._clock()), *self._tried)

    # -- the person (GrantControls) ------------------------------------------------------------------

    def offer(self) -> Offer:
        """What could be allowed so that the present prompt is answered without the person.

        Nothing where policy would hold the reply all the same.
        """
        session, scope = self._session, self._scope
        if session is None or scope is None:
            return Offer(refusal="nothing is asked now")
        run = session.run
        if not run.detection.asks:
            by_plan = run.plan is not None and run.plan.held_command() is not None
            return Offer(refusal="a plan's command is yours to run" if by_plan else "nothing is asked now")
        risk = self._judged_with(())
        if risk.level is not RiskLevel.FORBIDDEN:
            lifted = replace(risk, level=min(risk.level, RiskLevel.MEDIUM))
            if held := held_all_the_same(run, lifted):
                return _not_lifted(run, held)
            if risk.level is RiskLevel.HIGH and held_all_the_same(run, risk) is None:
                return Offer(refusal="nothing here needs to be allowed")
        return offer_for(run.detection, scope, self._judged_with)

    def allow(self, rules: Sequence[str], limits: str, *, identity: str) -> None:
        """Give these grants, offered for the prompt of that identity; not if anything has changed since."""
        session = self._session
        if session is None:
            return
        if session.run.detection.identity != identity or self.offer().rules != tuple(rules):
            self._listener.on_note("what is asked has changed: nothing was allowed")
            return
        given = [limited(rule, limits) for rule in rules]
        for rule in given:
            self.book.give(Grant.parse(rule), self._clock(), YOU)
            self._told_over.discard(rule)
        for rule in given:
            self._tell(rule, "given", YOU)
            self._listener.on_note(f"allowed by you: {rule}")
        self._await_end()

    def revoke(self, rule: str) -> None:
        """Take a grant back."""
        if self.book.revoke(rule):
            self._tell(rule, "revoked", YOU)
            self._listener.on_note(f"revoked: {rule}")

    # -- what becomes of them ------------------------------------------------------------------------

    def _judged_with(self, tried: Sequence[Grant]) -> Risk:
        assert self._session is not None
        self._tried = tuple(tried)
        try:
            return self._session.reader.danger(self._session.run.detection)
        finally:
            self._tried = ()

    def _tell(self, rule: str, change: str, by: str = "") -> None:
        session = self._session
        if session is None:
            return
        line = next(line for line in self.book.lines(self._clock()) if line.rule == rule)
        session.show_grants(self.book.lines(self._clock()))
        detection = session.run.detection
        danger = session.reader.danger(detection) if detection.asks else NO_RISK
        identity = detection.identity if detection.asks else ""
        at, left, until = session.clock(), line.left, line.until
        session.feed(
            GrantChanged(
                at=at,
                rule=rule,
                change=change,
                by=by,
                left=left,
                until=until,
                identity=identity,
                danger=danger,
            )
        )

    def _await_end(self) -> None:
        """Wake up when the next grant ends, so that nothing goes on counting down under it."""
        if self._next_end is not None:
            self._next_end.cancel()
        now = self._clock()
        ends = [
            line.until for line in self.book.lines(now) if line.state == "open" and line.until is not None
        ]
        if ends:
            wait = max(0.0, min(ends) - now) + 0.01
            self._next_end = asyncio.get_running_loop().call_later(wait, self.tell_ended)

    def tell_ended(self) -> None:
        """Grants whose time is over by now are told, once each."""
        for line in self.book.lines(self._clock()):
            if line.state == "over" and line.rule not in self._told_over:
                self._told_over.add(line.rule)
                self._tell(line.rule, "over")
                self._listener.on_note(f"no longer allowed, its time is over: {line.rule}")
        self._await_end()

    def on_step(self, step: Event | Effect, at: float) -> None:
        """Counts, and hands on."""
        if isinstance(step, RecordDecision) and step.decision.by == "policy":
            self._rests_on[step.decision.number] = step.decision.risk.grants
        elif isinstance(step, ReplyTaken):
            self._count(self._rests_on.pop(step.decision, ()))
        self._listener.on_step(step, at)

    def _count(self, rules: tuple[str, ...]) -> None:
        if not rules:
            return
        self.book.use(rules)
        for line in self.book.lines(self._clock()):
            if line.rule in rules:
                left = "" if line.left is None else f", {line.left} left"
                self._tell(line.rule, "used up" if line.left == 0 else "used")
                self._listener.on_note(f"Allowed by {line.rule} (used {line.used} times{left})")

    def on_screen(self) -> None:
        """Handed on."""
        self._listener.on_screen()

    def on_view(self, view: SessionView) -> None:
        """Handed on."""
        self._listener.on_view(view)

    def on_reply_text(self, text: str) -> None:
        """Handed on."""
        self._listener.on_reply_text(text)

    def on_note(self, text: str) -> None:
        """Handed on."""
        self._listener.on_note(text)
