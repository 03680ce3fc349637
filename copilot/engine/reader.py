"""`ScreenReader`: the one reader of screens, for live sessions, replay, `detect`, `explain`, the scoreboard.

It reads what a person can see: text that is drawn unseen is left out and raises the risk of its prompt.
A half-drawn frame (inside a synchronized update) is not read, unless the update lasts too long or the child
has exited.
"""

from __future__ import annotations

from collections.abc import Collection

from copilot.core.detection import Detection
from copilot.core.events import FreshLook, ScreenSettled
from copilot.core.screen_kinds import ScreenKind
from copilot.core.snapshot import UNKNOWN_FACTS, ScreenSnapshot, TtyFacts
from copilot.detection import Examination, Examiner, Settler
from copilot.detection.reports import withhold
from copilot.detection.stall import StallWatch
from copilot.engine.field_view import before_cursor, field_view
from copilot.engine.invisible_characters import InvisibleCharacters
from copilot.screen import TerminalScreen
from copilot.screen.hidden import without_hidden

HALF_DRAWN_SECONDS = 1.0
"""The longest that a synchronized update hides the screen from the detectors."""
NEARBY_ROWS = 8
"""Hidden text so few rows above what a prompt rests on counts as a part of it."""


class ScreenReader:
    """Reads `screen` when asked and says what has settled. Times are seconds of one clock."""

    def __init__(
        self,
        screen: TerminalScreen,
        examiner: Examiner,
        withheld: Collection[str] = (),
    ) -> None:
        """`withheld` are reports of the CLI that the detectors do not get (`withhold`)."""
        self.screen = screen
        self.exit_status: int | None = None
        self.invisible = InvisibleCharacters()
        self.examination: Examination | None = None
        """The last look, for `explain`."""
        self._examiner = examiner
        self._settler = Settler(examiner.profile)
        self.stall = StallWatch(examiner.profile.limits.stall_seconds)
        self._withheld = withheld
        self._half_drawn_since: float | None = None
        self._waits_for_frame_until: float | None = None
        self._hidden: dict[int, int] = {}

    def learn_version(self, version: str) -> None:
        """From now on read with the rules for this version of the CLI."""
        self._examiner = Examiner(self._examiner.profile, version)

    def settle(
        self, at: float, facts: TtyFacts = UNKNOWN_FACTS, cpu_seconds: float | None = None
    ) -> ScreenSettled | None:
        """What has settled by now, if that is news; not judged yet.

        `facts` is what the kernel knows now (recordings do not hold it), `cpu_seconds` what the child used
        since the last time, wanted where `stall.measures(at)`.
        """
        snapshot = self.screen.snapshot()
        if self._half_drawn(snapshot, at):
            return None
        if self.stall.measures(at):
            self.stall.used(cpu_seconds, at)
        seen = self.stall.read(self._examine(snapshot, facts), snapshot, at)
        settled = self._settler.observe(seen, at, snapshot)
        if settled is None:
            return None
        return ScreenSettled(at=at, detection=settled, first_seen_at=self._settler.first_seen_at)

    @property
    def next_check_at(self) -> float | None:
        """When to call `settle` again though nothing was drawn; None if only output can change anything."""
        if self._waits_for_frame_until is not None:
            return self._waits_for_frame_until
        due = (self._settler.next_check_at, self.stall.next_check_at)
        return min((one for one in due if one is not None), default=None)

    def look(self, at: float, facts: TtyFacts = UNKNOWN_FACTS) -> FreshLook:
        """The screen as it is now, unsettled and not judged yet."""
        snapshot = self.screen.snapshot()
        detection = self._settler.identified(self._examine(snapshot, facts))
        return FreshLook(
            at=at,
            detection=detection,
            before_cursor=before_cursor(snapshot, facts),
            bracketed_paste=snapshot.bracketed_paste,
            field=field_view(snapshot, facts),
        )

    def open_prompt(self) -> str:
        """The identity of what the child that has just ended was asking; empty if nothing.

        A last line such as `|` may be a prompt or a spinner: a text prompt counts only if the last look at
        the living child, of which the kernel knew whether it was reading, saw the same.
        """
        before = self.examination
        detection = self._settler.identified(self._examine(self.screen.snapshot(), UNKNOWN_FACTS))
        if detection.kind is ScreenKind.TEXT_INPUT and before is not None:
            asked = self._settler.identified(before.detection).identity
            return detection.identity if asked == detection.identity else ""
        return detection.identity if detection.asks else ""

    @property
    def settled(self) -> Detection | None:
        """What counts now, where it is now: rows may move while a prompt stays the same."""
        return self._settler.settled

    def report_again(self) -> None:
        """Let the next `settle` report what is settled once more, though it may look the same."""
        self._settler.report_again()

    def _examine(self, snapshot: ScreenSnapshot, facts: TtyFacts) -> Detection:
        seen, self._hidden = without_hidden(withhold(snapshot, self._withheld), self.screen.theme)
        self.examination = self._examiner.examine(seen, facts, self.exit_status)
        return self.examination.detection

    def hidden_in(self, detection: Detection) -> int:
        """How many characters of the prompt, down to the end of the screen, are invisible.

        Where the screen dropped some is not known: what came since the last answer may belong to the prompt.
        """
        rows = {*detection.evidence, *(detection.subject.rows if detection.subject else ())}
        first = min(rows, default=0) - NEARBY_ROWS
        drawn = sum(count for row, count in self._hidden.items() if row >= first)
        return drawn + self.invisible.since_answer

    def _half_drawn(self, snapshot: ScreenSnapshot, at: float) -> bool:
        self._waits_for_frame_until = None
        if not snapshot.synchronized or self.exit_status is not None:
            self._half_drawn_since = None
            return False
        if self._half_drawn_since is None:
            self._half_drawn_since = at
        until = self._half_drawn_since + HALF_DRAWN_SECONDS
        # The driver calls again at `next_check_at`, whose sum may be off by a rounding.
        if at + 1e-9 >= until:
            return False
        self._waits_for_frame_until = until
        return True
