"""`Watcher`: examiner and settler together, for whoever drives them with a clock."""

from __future__ import annotations

from copilot.core.detection import Detection
from copilot.core.profile import Profile
from copilot.core.snapshot import ScreenSnapshot
from copilot.core.tty_facts import UNKNOWN_FACTS, TtyFacts
from copilot.detectors.examiner import Examination, Examiner
from copilot.detectors.settler import Settler

HALF_DRAWN_SECONDS = 1.0
"""The longest that a synchronized update hides the screen from the detectors."""


class Watcher:
    """Looks at screens as time goes on. Pure: time and facts come in, settled detections go out."""

    def __init__(self, profile: Profile, version: str = "") -> None:
        self.examiner = Examiner(profile, version)
        self.settler = Settler(profile)
        self.examination: Examination | None = None
        """The last look, for `explain`."""
        self._half_drawn_since: float | None = None

    @property
    def next_check_at(self) -> float | None:
        """When `see` must be called again though nothing changed; None if nothing is pending."""
        if self._half_drawn_since is not None:
            return self._half_drawn_since + HALF_DRAWN_SECONDS
        return self.settler.next_check_at

    def see(
        self,
        snapshot: ScreenSnapshot,
        at: float,
        facts: TtyFacts = UNKNOWN_FACTS,
        exit_status: int | None = None,
    ) -> Detection | None:
        """Look now: a detection that has just settled, or None. A half-drawn frame is not judged."""
        if snapshot.synchronized and exit_status is None:
            if self._half_drawn_since is None:
                self._half_drawn_since = at
            if at + 1e-9 < self._half_drawn_since + HALF_DRAWN_SECONDS:
                return None
        else:
            self._half_drawn_since = None
        self.examination = self.examiner.examine(snapshot, facts, exit_status)
        return self.settler.observe(self.examination.detection, at, snapshot)
