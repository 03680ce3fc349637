"""The session's eyes: the emulated screen, examined, settled, and judged for danger.

The detectors read what a person can see; a prompt with characters drawn unseen is never harmless.
Nothing is judged inside a synchronized update: the frame is half drawn. A child that never ends one is
looked at all the same after a while.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Protocol

from copilot.core.detection import Detection, ScreenKind
from copilot.core.events import FreshLook, ScreenSettled
from copilot.core.risk import NO_RISK, Risk
from copilot.core.snapshot import ScreenSnapshot
from copilot.core.tty_facts import TtyFacts
from copilot.detectors import Examination, Examiner, Settler
from copilot.detectors.reports import withhold
from copilot.safety.unseen import raised_for_unseen
from copilot.screen import TerminalScreen
from copilot.screen.hidden import without_hidden
from copilot.session.cursor_line import before_cursor
from copilot.session.dropped import DroppedCharacters

HALF_DRAWN_SECONDS = 1.0
"""The longest that a synchronized update hides the screen from the detectors."""
LOOK_AGAIN_SECONDS = 0.05
NEARBY_ROWS = 8
"""Hidden text so few rows above what a prompt rests on counts as a part of it."""

_CHOSEN_BY_WORDS = frozenset({ScreenKind.MENU, ScreenKind.YES_NO, ScreenKind.PERMISSION})


class Assessor(Protocol):
    """Who judges what a prompt would do."""

    def prompt(self, detection: Detection) -> Risk:
        """The risk of saying yes to it."""

    def option(self, detection: Detection, label: str) -> Risk:
        """The risk of choosing this option, by its own words."""


class Eyes:
    """Reads the screen when asked; keeps no time of its own."""

    def __init__(
        self,
        screen: TerminalScreen,
        examiner: Examiner,
        facts: Callable[[], TtyFacts],
        assessor: Assessor,
        withheld: Collection[str] = (),
    ) -> None:
        """`withheld` are reports of the CLI that the detectors do not get (`withhold`)."""
        self.screen = screen
        self.exit_status: int | None = None
        self.dropped = DroppedCharacters()
        self.examination: Examination | None = None
        self._examiner = examiner
        self._settler = Settler(examiner.profile)
        self._facts = facts
        self._assessor = assessor
        self._withheld = withheld
        self._half_drawn_since: float | None = None
        self._hidden: dict[int, int] = {}

    def learn_version(self, version: str) -> None:
        """From now on read with the rules for this version of the CLI."""
        self._examiner = Examiner(self._examiner.profile, version)

    def settle(self, at: float) -> ScreenSettled | None:
        """What has settled by now, if that is news."""
        snapshot = self.screen.snapshot()
        if self._half_drawn(snapshot, at):
            return None
        settled = self._settler.observe(self._examine(snapshot), at, snapshot)
        if settled is None:
            return None
        return ScreenSettled(
            at=at,
            detection=settled,
            danger=self.danger(settled),
            option_dangers=self._option_dangers(settled),
            first_seen_at=self._settler.first_seen_at,
        )

    def next_check_at(self, at: float) -> float | None:
        """When to look again though nothing new was drawn; None if only new output can change anything."""
        if self._half_drawn_since is not None:
            return at + LOOK_AGAIN_SECONDS
        return self._settler.next_check_at

    def look(self, at: float) -> FreshLook:
        """The screen as it is now, unsettled."""
        snapshot = self.screen.snapshot()
        detection = self._settler.identified(self._examine(snapshot))
        return FreshLook(
            at=at,
            detection=detection,
            danger=self.danger(detection),
            before_cursor=before_cursor(snapshot),
            bracketed_paste=snapshot.bracketed_paste,
        )

    @property
    def settled(self) -> Detection | None:
        """What counts now, where it stands now: rows may move while a prompt stays the same."""
        return self._settler.settled

    def settle_anew(self) -> None:
        """Report what stands there now once more, though it may look the same."""
        self._settler.report_again()

    def _examine(self, snapshot: ScreenSnapshot) -> Detection:
        seen, self._hidden = without_hidden(withhold(snapshot, self._withheld), self.screen.theme)
        self.examination = self._examiner.examine(seen, self._facts(), self.exit_status)
        return self.examination.detection

    def danger(self, detection: Detection) -> Risk:
        """The risk of saying yes to what stands there now."""
        if not detection.asks:
            return NO_RISK
        return raised_for_unseen(self._assessor.prompt(detection), self._hidden_in(detection))

    def _option_dangers(self, detection: Detection) -> tuple[Risk, ...]:
        if detection.kind not in _CHOSEN_BY_WORDS:
            return ()
        hidden = self._hidden_in(detection)
        risks = (self._assessor.option(detection, option.label) for option in detection.options)
        return tuple(raised_for_unseen(risk, hidden) for risk in risks)

    def _hidden_in(self, detection: Detection) -> int:
        """How many characters of the prompt, down to the end of the screen, nobody can see.

        Where the screen dropped some is not known: what came since the last answer may belong to the prompt.
        """
        rows = {*detection.evidence, *(detection.subject.rows if detection.subject else ())}
        first = min(rows, default=0) - NEARBY_ROWS
        drawn = sum(count for row, count in self._hidden.items() if row >= first)
        return drawn + self.dropped.since_answer

    def _half_drawn(self, snapshot: ScreenSnapshot, at: float) -> bool:
        if not snapshot.synchronized:
            self._half_drawn_since = None
            return False
        if self._half_drawn_since is None:
            self._half_drawn_since = at
        return at - self._half_drawn_since < HALF_DRAWN_SECONDS
