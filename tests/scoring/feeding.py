"""Ways for the same output to arrive: in other chunks, faster, on a screen that is resized in mid-dialog.

And readers that lack one source of evidence, to see which source carries what.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from copilot.core.profile import Profile
from copilot.recording.asciicast import INPUT, Cast
from copilot.replay.driver import CastPlayer, Piece, pieces_of, watching
from tests.scoring.labels import ASKING, WAITING, Label

_BYTES_PER_SECOND = 500_000
"""How fast single bytes arrive: large frames are looked at half drawn."""
_JOIN_SECONDS = 0.05
_NARROW_SECONDS = 0.5
"""A real child would have drawn its screen anew by then."""


@dataclass(frozen=True)
class Feeding:
    """`chunk` bytes at a time (0: as recorded), `speed` times as fast, `resized` in the middle of prompts.

    Only what the child does is faster: while it waits, the person takes as long as ever, or `patience` seconds
    longer, in which nothing is drawn.
    """

    chunk: int = 0
    speed: float = 1.0
    resized: tuple[int, int] | None = None
    patience: float = 0.0

    def clock(self, labels: Sequence[Label]) -> Callable[[float], float]:
        """Recorded seconds to seconds of this feeding."""
        if self.patience:
            ends = sorted(label["t_end"] for label in labels if label["state"] in WAITING)
            return lambda at: at + self.patience * bisect_right(ends, at)
        return _Clock(labels, self.speed) if self.speed != 1.0 else float

    def pieces(self, cast: Cast, labels: Sequence[Label], clock: Callable[[float], float]) -> list[Piece]:
        """The recording's output as it arrives. `labels` are on the clock of this feeding."""
        pieces = [piece._replace(at=clock(piece.at)) for piece in pieces_of(cast)]
        if self.patience:  # the recording may end before its last label does
            last = max([piece.at for piece in pieces] + [label["t_end"] for label in labels])
            pieces.append(Piece(last))
        if self.chunk:
            pieces = _split(pieces) if self.chunk == 1 else _joined(pieces, self.chunk)
        if self.resized is not None:
            size = (cast.header.columns, cast.header.lines)
            pieces = _with_resizes(pieces, labels, size, self.resized)
        return pieces


AS_RECORDED = Feeding()


class _Clock:
    """Recorded seconds to seconds of a recording in which all but waiting is `speed` times as fast."""

    def __init__(self, labels: Sequence[Label], speed: float) -> None:
        self._starts, self._places, self._rates = [0.0], [0.0], [1 / speed]
        left = 0.0
        for label in labels:
            rate = 1.0 if label["state"] in WAITING else 1 / speed
            # where nobody noted when it was first seen: as soon as the screen before it was left
            self._turn(label.get("t_seen", left), rate)
            left = label["t_end"]
            self._turn(left, 1 / speed)

    def _turn(self, at: float, rate: float) -> None:
        if at <= self._starts[-1]:
            self._rates[-1] = rate
            return
        place = self(at)
        self._starts.append(at)
        self._places.append(place)
        self._rates.append(rate)

    def __call__(self, at: float) -> float:
        number = bisect_right(self._starts, at) - 1
        return self._places[number] + (at - self._starts[number]) * self._rates[number]


class LabelledPlayer(CastPlayer):
    """A player of a labelled recording, whose detectors do not get the sources named in `without`."""

    def __init__(
        self, cast: Cast, profile: Profile, labels: list[Label], feeding: Feeding, without: frozenset[str]
    ) -> None:
        clock = feeding.clock(labels)
        times = ("t_start", "t_end", "t_seen")
        self.labels = [
            label | {name: clock(label[name]) for name in times if name in label} for label in labels
        ]
        self.key_times = [clock(event.at) for event in cast.events if event.code == INPUT]
        engine = watching(cast, profile, withheld=without)
        super().__init__(cast, engine, feeding.pieces(cast, self.labels, clock))


def _split(pieces: list[Piece]) -> list[Piece]:
    """Byte by byte, as over a slow line, but done before the next piece comes."""
    result: list[Piece] = []
    for number, piece in enumerate(pieces):
        if not piece.data:
            result.append(piece)
            continue
        follows = pieces[number + 1].at if number + 1 < len(pieces) else piece.at + 1
        took = min(len(piece.data) / _BYTES_PER_SECOND, max(follows - piece.at, 0.0) * 0.9)
        step = took / len(piece.data)
        result += [Piece(piece.at + step * n, bytes([byte])) for n, byte in enumerate(piece.data)]
    return result


def _joined(pieces: list[Piece], most: int) -> list[Piece]:
    """What comes close together arrives at once, as a reader gets it that was late."""
    result: list[Piece] = []
    first = 0.0
    for piece in pieces:
        last = result[-1] if result else None
        close = last is not None and piece.at - first <= _JOIN_SECONDS
        if last is not None and close and last.data and piece.data and len(last.data) < most:
            result[-1] = Piece(piece.at, last.data + piece.data)
        else:
            result.append(piece)
            first = piece.at
    return result


def _with_resizes(
    pieces: list[Piece], labels: Sequence[Label], size: tuple[int, int], other: tuple[int, int]
) -> list[Piece]:
    """Narrow and wide again within every prompt; the child does not redraw."""
    extra: list[Piece] = []
    for label in labels:
        if label["state"] in ASKING:
            start, rest = label["t_start"], label["t_end"] - label["t_start"]
            extra += [Piece(start + rest / 4, size=other)]
            extra += [Piece(start + rest / 4 + min(rest / 4, _NARROW_SECONDS), size=size)]
    return sorted([*pieces, *extra], key=lambda piece: piece.at)
