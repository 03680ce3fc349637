"""`ReplayModel`: the moment of a review, and how time passes in it. No widgets, no clock of its own."""

from __future__ import annotations

from dataclasses import dataclass, field

from copilot.core.reply import Autonomy
from copilot.engine.review import Mark, Moment, RunReview, Sort
from copilot.replay.player import Player
from copilot.replay.recorded import Recorded

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
IDLE_SECONDS = 1.0
"""With idle skipping on, nothing is waited for longer than this."""
SHORT_STEP_SECONDS, LONG_STEP_SECONDS = 5.0, 60.0
EVERY_SORT = tuple(Sort)


@dataclass(slots=True)
class ReplayModel:
    """One review. `review` may be replaced while a recording is still being looked through."""

    recorded: Recorded
    player: Player
    review: RunReview
    at: float = 0.0
    playing: bool = False
    speed_index: int = SPEEDS.index(1.0)
    skips_idle: bool = True
    query: str = ""
    hits: list[float] = field(default_factory=list)
    searching: bool = False

    @property
    def duration(self) -> float:
        return self.review.duration

    @property
    def speed(self) -> float:
        """How many seconds of the recording pass in one."""
        return SPEEDS[self.speed_index]

    @property
    def moment(self) -> Moment:
        """What counted at the present moment."""
        return self.review.moment(self.at)

    @property
    def level(self) -> Autonomy | None:
        """The level that held at the present moment; None for a recording that is not of a run."""
        begun = self.recorded.begun_at_level
        return None if begun is None else self.review.level_at(self.at, begun)

    def change_speed(self, by: int) -> None:
        self.speed_index = max(0, min(len(SPEEDS) - 1, self.speed_index + by))

    def go(self, at: float) -> None:
        """To that moment, or to the end that it lies beyond."""
        self.at = max(0.0, min(at, self.duration))

    def toggle(self) -> None:
        """Play or stop; at the end from the beginning on."""
        if not self.playing and self.at >= self.duration:
            self.at = 0.0
        self.playing = not self.playing

    def tick(self, seconds: float) -> None:
        if not self.playing:
            return
        wanted = self.at + seconds * self.speed
        if self.skips_idle:
            wanted = max(wanted, self._end_of_idle(wanted))
        self.go(wanted)
        if self.at >= self.duration:
            self.playing = False

    def _end_of_idle(self, at: float) -> float:
        """Shortly before something happens next, if that is long away; else 0."""
        drawn = self.player.frame_after(at)
        mark = self.review.next_mark(at, *EVERY_SORT)
        following = min(self.duration if drawn is None else drawn, self.duration if mark is None else mark.at)
        return following - IDLE_SECONDS / 2 if following - at > IDLE_SECONDS * max(1.0, self.speed) else 0.0

    def jump(self, forward: bool, *sorts: Sort) -> Mark | None:
        """To the next mark of these sorts, or the one before; the mark, None if there is none."""
        find = self.review.next_mark if forward else self.review.previous_mark
        mark = find(self.at, *sorts)
        if mark is not None:
            self.playing = False
            self.go(mark.at)
        return mark

    def jump_to_hit(self, forward: bool) -> bool:
        """To the next moment at which the text that is searched for comes up; wraps."""
        if not self.hits:
            return False
        later = [at for at in self.hits if at > self.at + 1e-6]
        earlier = [at for at in self.hits if at < self.at - 1e-6]
        self.go((later or self.hits)[0] if forward else (earlier or self.hits)[-1])
        self.playing = False
        return True


def clock(seconds: float) -> str:
    """`0:07.4`, `12:30.0`, `1:02:03.5`."""
    tenths = max(0, round(seconds * 10))
    minutes, rest = divmod(tenths, 600)
    hours, minutes = divmod(minutes, 60)
    left = f"{rest // 10:02}.{rest % 10}"
    return f"{hours}:{minutes:02}:{left}" if hours else f"{minutes}:{left}"
