"""`Settler`: a reading counts once it has held for its confirmation time. Time comes in as data.

A silent screen settles too: whoever drives it calls `observe` again at `next_check_at`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from copilot.core.detection import (
    Detection,
    EvidenceSource,
)
from copilot.core.profile import Profile
from copilot.core.screen_kinds import ScreenKind
from copilot.core.snapshot import ScreenSnapshot

_RUN_GAP_SECONDS = 1.5
"""Changes that follow each other so soon are one movement: a spinner, a clock that ticks."""


class Stillness:
    """Watches texts, colours and title. The cursor may blink."""

    def __init__(self) -> None:
        self.since = 0.0
        """When the last change was seen."""
        self._moving_from = 0.0
        self._last: ScreenSnapshot | None = None

    @property
    def moved_for(self) -> float:
        """How long the last movement took, from its first change to its last, in seconds."""
        return self.since - self._moving_from

    def see(self, snapshot: ScreenSnapshot, at: float) -> None:
        """The screen as it is now."""
        if self._last is not None and _same(snapshot, self._last):
            return
        if self._last is None or at - self.since > _RUN_GAP_SECONDS:
            self._moving_from = at
        self._last, self.since = snapshot, at


def _same(one: ScreenSnapshot, other: ScreenSnapshot) -> bool:
    if one is other:
        return True
    return (one.title, one.characters, one.styles) == (other.title, other.characters, other.styles)


DEFAULT_CONFIRM_SECONDS: dict[str, float] = {
    "busy": 0.1,
    "starting": 0.1,
    "exited": 0.0,
    "unknown": 1.0,
    "completed": 0.4,
    "idle": 0.4,
    "question": 0.4,
    "error": 0.4,
    "default": 0.3,
}
REPORTED_CONFIRM_SECONDS = 0.15
"""For readings that the CLI's own report backs: two witnesses need less time."""

STILL_DIALOG_SECONDS = 0.1
"""For a dialog that a verified profile reads, on a screen that has not changed at all for so long."""

MOVING = "engine.moving"
"""The rule of the reading between two prompts, while nothing holds."""

POLL_SECONDS = 1.0
"""A reading in doubt is looked at again so often: the kernel's facts may change without any output."""

MOVED_SECONDS = 0.25
"""What was settled no longer counts once the screen has shown something else for so long."""

RESIZED_SECONDS = 1.0
"""For so long after a resize only what was settled before counts: lines are cut until the child redraws."""

HALF_FRAME_SECONDS = 0.04
"""A reading that comes back so soon had not gone: a frame was drawn in two writes."""

_PASSING_SECONDS = 0.12
"""Another reading that lasted at least so long makes the next same prompt a new one."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """What must stay the same for a reading to hold."""

    kind: ScreenKind
    identity: str
    question: str | None
    labels: tuple[str, ...]


def _reading_of(detection: Detection) -> _Reading:
    return _Reading(
        detection.kind,
        detection.identity,
        None if detection.identity else detection.question,
        tuple(option.label for option in detection.options),
    )


class Settler:
    """Turns raw detections into settled ones, each named by an identity that lives as long as the prompt."""

    def __init__(self, profile: Profile) -> None:
        self._dialogs = frozenset(
            rule.id for rule in profile.screen.rules if profile.verified and rule.region == "dialog"
        )
        self._by_kind = {**DEFAULT_CONFIRM_SECONDS, **profile.screen.confirm_seconds}
        self._by_rule = {
            rule.id: rule.confirm_seconds for rule in profile.screen.rules if rule.confirm_seconds >= 0
        }
        self._still_rules = frozenset(rule.id for rule in profile.screen.rules if rule.still)
        self._stillness = Stillness()
        self._reading: _Reading | None = None
        self._latest: Detection | None = None
        self.first_seen_at = 0.0
        """When the present reading, settled or not, was first observed."""
        self._interrupted: _Reading | None = None
        self._interrupted_since = 0.0
        """The reading before the present one, and since when it had held."""
        self.settled: Detection | None = None
        """The reading that counts now."""
        self._settled_reading: _Reading | None = None
        self._occurrences: dict[str, int] = {}
        self._left: set[str] = set()
        """Fingerprints whose prompt has given way to another screen since it settled."""
        self._moved_at: float | None = None
        self._unreported = False
        self._columns = 0
        self._resized_until = 0.0
        self.next_check_at: float | None = None
        """When to call `observe` again if nothing changes; None if nothing is pending."""

    def report_again(self) -> None:
        """Make the next `observe` report what is settled again, even if it is the same."""
        self._unreported = True

    def observe(
        self, detection: Detection, at: float, snapshot: ScreenSnapshot | None = None
    ) -> Detection | None:
        """The detection, if it has now settled and differs from what was settled before; else None.

        `snapshot` is what it was read from: some rules count only on a screen that stays still.
        """
        if snapshot is not None:
            self._stillness.see(snapshot, at)
        if detection.rule not in self._still_rules:
            return self._observe(detection, at)
        due = self._stillness.since + self.confirm_seconds(detection)
        if at + 1e-9 >= due:
            return self._observe(detection, at, self._stillness.since)
        if _reading_of(detection) == self._settled_reading and self._stillness.moved_for < MOVED_SECONDS:
            return None
        news = self._observe(_moving("it would count on a screen that is still", detection.columns), at)
        self.next_check_at = due if self.next_check_at is None else min(self.next_check_at, due)
        return news

    def _observe(self, detection: Detection, at: float, since: float | None = None) -> Detection | None:
        """The same for a reading of which it is known since when it has held, if it is not by its look."""
        reading = _reading_of(detection)
        if since is not None and reading != self._reading:
            self._pass(at)
            self._interrupted, self._reading, self.first_seen_at = None, reading, since
        if reading != self._reading:
            self._pass(at)
            reported = self._latest is not None and self._latest.source is EvidenceSource.REPORT
            soon = at - self.first_seen_at <= HALF_FRAME_SECONDS and not reported
            back = soon and reading == self._interrupted
            since = self._interrupted_since if back else at
            self._interrupted, self._interrupted_since = self._reading, self.first_seen_at
            self._reading, self.first_seen_at = reading, since
        self._latest = detection
        due = self._due(detection)
        if detection.columns != self._columns:
            self._resized_until = at + RESIZED_SECONDS if self._columns else 0.0
            self._columns = detection.columns
        if detection.waiting and reading != self._settled_reading:
            due = max(due, self._resized_until)
        if at + 1e-9 < due:
            return self._wait(detection, at, due)
        self._moved_at = None
        self.next_check_at = at + POLL_SECONDS if _in_doubt(detection) else None
        return self._settle(detection, reading)

    def _due(self, detection: Detection) -> float:
        """When the present reading counts, if nothing changes until then."""
        due = self.first_seen_at + self.confirm_seconds(detection)
        if not detection.options or detection.rule not in self._dialogs:
            return due
        return min(due, max(self.first_seen_at, self._stillness.since) + STILL_DIALOG_SECONDS)

    def _wait(self, detection: Detection, at: float, due: float) -> Detection | None:
        """Nothing new has settled yet; but a prompt that has gone must not stay reported."""
        self.next_check_at = due
        settled = self.settled
        gone = settled is not None and (detection.kind is not settled.kind or detection.certainty < 1)
        if settled is None or not settled.waiting or not gone or self._reading == self._settled_reading:
            self._moved_at = None
            return None
        if at < self._resized_until:
            self.next_check_at = min(due, self._resized_until)
            return None
        if self._moved_at is None:
            self._moved_at = at
        if at + 1e-9 < self._moved_at + MOVED_SECONDS:
            self.next_check_at = min(due, self._moved_at + MOVED_SECONDS)
            return None
        note = "the screen no longer shows what was settled, and nothing else has held yet"
        moving = _moving(note, detection.columns)
        self._moved_at = None
        return self._settle(moving, _reading_of(moving))

    def confirm_seconds(self, detection: Detection) -> float:
        """How long this reading must hold."""
        own = self._by_rule.get(detection.rule)
        if own is not None:
            return own
        seconds = self._by_kind.get(detection.kind.value, self._by_kind["default"])
        if detection.source is EvidenceSource.REPORT and detection.kind is not ScreenKind.UNKNOWN:
            return min(seconds, REPORTED_CONFIRM_SECONDS)
        return seconds

    def identified(self, detection: Detection) -> Detection:
        """A raw detection with the identity that it has, or would get, if it settles: for a fresh look."""
        if not detection.identity:
            return detection
        return replace(detection, identity=self._name(detection.identity))

    def _pass(self, at: float) -> None:
        """The present reading ends: whether it counts as another screen in between."""
        old, latest = self._reading, self._latest
        if old is None or latest is None or self._settled_reading is None:
            return
        same = old.identity and old.identity == self._settled_reading.identity
        counts = latest.kind is ScreenKind.BUSY and latest.source is EvidenceSource.REPORT
        redrawn = at < self._resized_until
        if not same and (counts or (not redrawn and at - self.first_seen_at >= _PASSING_SECONDS)):
            self._leave(self._settled_reading.identity)

    def _leave(self, fingerprint: str) -> None:
        if fingerprint:
            self._left.add(fingerprint)

    def _name(self, fingerprint: str) -> str:
        number = self._occurrences.get(fingerprint, 0)
        if number == 0 or fingerprint in self._left:
            number += 1
        return f"{fingerprint}-{number}"

    def _settle(self, detection: Detection, reading: _Reading) -> Detection | None:
        old = self._settled_reading
        if old is not None and old.identity and old.identity != reading.identity:
            self._leave(old.identity)
        settled = self.identified(detection)
        if reading.identity:
            self._occurrences[reading.identity] = int(settled.identity.rpartition("-")[2])
            self._left.discard(reading.identity)
        before = self.settled
        self.settled, self._settled_reading = settled, reading
        news = self._unreported or before is None or _differs(before, settled)
        self._unreported = False
        return settled if news else None


def _moving(note: str, columns: int) -> Detection:
    return Detection(ScreenKind.BUSY, rule=MOVING, certainty=0.3, note=note, columns=columns)


def _in_doubt(detection: Detection) -> bool:
    return detection.kind is ScreenKind.UNKNOWN or detection.certainty < 0.5


def _differs(old: Detection, new: Detection) -> bool:
    """Whether a settled reading says something new: not for other rows, rules or counters."""
    return (
        old.kind is not new.kind
        or old.identity != new.identity
        or old.options != new.options
        or (not new.identity and old.question != new.question)
        or bool(old.draft) != bool(new.draft)
        or old.note != new.note
    )
