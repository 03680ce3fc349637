"""`RunGrants`: what is allowed in a run, which replies used it up, and what could be allowed now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from copilot.core.answering import OF_THE_LEVEL, held_all_the_same
from copilot.core.detection import Detection
from copilot.core.policy import Ruling
from copilot.core.reply import Autonomy, Decision
from copilot.core.risk import Risk, RiskLevel
from copilot.core.run import Run
from copilot.guard.grants import Grant, GrantBook, GrantLine
from copilot.guard.grants_offer import Offer, limited, offer_for
from copilot.guard.scope import ProjectScope

YOU = "you"
"""Who gave a grant: the person at the terminal."""


@dataclass(frozen=True, slots=True)
class GrantChange:
    """What became of a grant, as in `GrantChanged`; `note` is what the person reads, if anything."""

    rule: str
    what: str
    by: str = ""
    left: int | None = None
    until: float | None = None
    note: str = ""


class RunGrants:
    """Set `epoch` (seconds since 1970) before anything that depends on which grants are open.

    A use counts when its reply was typed, not when it was decided: Enter is judged again before it is sent.
    """

    def __init__(self, grants: Iterable[Grant] = (), epoch: float = 0.0) -> None:
        self.epoch = epoch
        self._book = GrantBook(grants, epoch)
        self._rests_on: dict[int, tuple[str, ...]] = {}
        self._known_over: set[str] = set()

    @property
    def open(self) -> tuple[Grant, ...]:
        """The grants that count now."""
        return self._book.open_at(self.epoch)

    @property
    def lines(self) -> tuple[GrantLine, ...]:
        """Every grant with what became of it, as it is shown."""
        return self._book.lines(self.epoch)

    @property
    def next_end(self) -> float | None:
        """When the next grant ends, in seconds since 1970."""
        ends = [line.until for line in self.lines if line.state == "open" and line.until is not None]
        return min(ends, default=None)

    def offer(
        self, run: Run, scope: ProjectScope, risk_with: Callable[[Detection, tuple[Grant, ...]], Risk]
    ) -> Offer:
        """What could be allowed so that the present prompt is answered without the person.

        Nothing where policy would hold the reply all the same.
        """
        detection, granted = run.detection, self.open
        if not detection.asks:
            by_plan = run.plan is not None and run.plan.held_command() is not None
            return Offer(refusal="a plan's command is yours to run" if by_plan else "nothing is asked now")
        risk = risk_with(detection, granted)
        if risk.level is not RiskLevel.FORBIDDEN:
            lifted = replace(risk, level=min(risk.level, RiskLevel.MEDIUM))
            if held := held_all_the_same(run, lifted):
                return _not_lifted(run, held)
            if risk.level is RiskLevel.HIGH and held_all_the_same(run, risk) is None:
                return Offer(refusal="nothing here needs to be allowed")
        return offer_for(detection, scope, lambda tried: risk_with(detection, (*granted, *tried)))

    def given_at_start(self) -> list[GrantChange]:
        """What was allowed before the run began."""
        return [self._change(line.rule, "given", by=line.by) for line in self.lines]

    def give(self, rules: Sequence[str], limits: str) -> list[GrantChange]:
        """The person allows these rules, with limits (`times=1`, `for=30m`) or without."""
        given = [limited(rule, limits) for rule in rules]
        for rule in given:
            self._book.give(Grant.parse(rule), self.epoch, YOU)
            self._known_over.discard(rule)
        return [self._change(rule, "given", f"allowed by you: {rule}", YOU) for rule in given]

    def revoke(self, rule: str) -> list[GrantChange]:
        """The person takes a grant back; nothing changes if there is none of that rule."""
        return [self._change(rule, "revoked", f"revoked: {rule}", YOU)] if self._book.revoke(rule) else []

    def ended(self) -> list[GrantChange]:
        """Grants whose time is over by now, once each."""
        over = [
            line.rule for line in self.lines if line.state == "over" and line.rule not in self._known_over
        ]
        self._known_over.update(over)
        return [self._change(rule, "over", f"no longer allowed, its time is over: {rule}") for rule in over]

    def decided(self, decision: Decision) -> None:
        """Remember what a decision of policy rests on."""
        if decision.by == "policy":
            self._rests_on[decision.number] = decision.risk.grants

    def use(self, number: int) -> list[GrantChange]:
        """The reply of that decision was typed."""
        rules = self._rests_on.pop(number, ())
        self._book.use(rules)
        return [self._used(line) for line in self.lines if line.rule in rules]

    def _used(self, line: GrantLine) -> GrantChange:
        left = "" if line.left is None else f", {line.left} left"
        note = f"Allowed by {line.rule} (used {line.used} times{left})"
        return self._change(line.rule, "used up" if line.left == 0 else "used", note)

    def _change(self, rule: str, what: str, note: str = "", by: str = "") -> GrantChange:
        line = next(line for line in self.lines if line.rule == rule)
        return GrantChange(rule, what, by, line.left, line.until, note)


def _not_lifted(run: Run, held: Ruling) -> Offer:
    """No grant changes that the reply is held, and why."""
    if held.rule not in OF_THE_LEVEL:
        return Offer(refusal=f"no grant changes this: {held.reason}")
    raisable = run.profile.allowed(Autonomy.FULL) is Autonomy.FULL
    return Offer(refusal=f"held by level {run.autonomy.value}", by_level=raisable)
