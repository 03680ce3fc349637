"""What one look of the detectors costs: `python -m tests.benchmarks.bench_detect [CLI …]`.

Every settled frame of the recordings is examined once with its CLI's profile: a snapshot whose revision is new,
nothing cached. Prints the median and the 99th percentile in CPU milliseconds at 120x40, best of the rounds, and
the median as a share of what feeding the frame's bytes to the screen costs in the same process.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from copilot.config.profile_files import load_profile, profile_paths
from copilot.core.snapshot import ScreenSnapshot
from copilot.detection import Examiner
from copilot.recording.asciicast import read_cast
from copilot.replay.driver import pieces_of
from copilot.screen import TerminalScreen
from tests.scoreboard import casts_under
from tests.scoring.labels import CORPUS

COLUMNS, LINES = 120, 40
MOST_MEDIAN_SECONDS = 0.001


@dataclass(frozen=True)
class Frame:
    """A complete frame, and the CPU seconds that its bytes cost the screen."""

    snapshot: ScreenSnapshot
    fed_seconds: float


_FRAME_GAP_SECONDS = 0.008
"""Output that follows so soon belongs to the same frame."""


def frames_of(cli: str, most: int) -> list[Frame]:
    """Complete frames of a CLI's recordings at 120x40, evenly taken."""
    frames: list[Frame] = []
    for path in casts_under([CORPUS], [cli]):
        cast = read_cast(path)
        if (cast.header.columns, cast.header.lines) != (COLUMNS, LINES):
            continue
        screen = TerminalScreen(COLUMNS, LINES)
        pieces = [piece for piece in pieces_of(cast) if piece.data]
        spent = 0.0
        for number, piece in enumerate(pieces):
            begin = time.process_time()
            screen.feed(piece.data)
            spent += time.process_time() - begin
            follows = pieces[number + 1].at if number + 1 < len(pieces) else piece.at + 1
            if follows - piece.at > _FRAME_GAP_SECONDS:
                frames.append(Frame(screen.snapshot(), spent))
                spent = 0.0
    step = max(len(frames) // most, 1)
    return frames[::step][:most]


def best_of(call: Callable[[], object], rounds: int) -> float:
    """CPU seconds of the quickest of some calls."""
    times = []
    for _ in range(rounds):
        begin = time.process_time()
        call()
        times.append(time.process_time() - begin)
    return min(times)


def main(argv: list[str] | None = None) -> int:
    """Print a row per CLI; 1 if a median is above a millisecond."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", help="folders of tests/corpus; else all")
    parser.add_argument("--frames", type=int, default=150, help="frames per CLI")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args(argv)
    names = options.only or sorted({path.parent.name for path in casts_under([CORPUS], [])})
    print(f"{'CLI':9} {'frames':>6} {'median':>9} {'99 %':>9} {'of feeding':>10}")
    slow = False
    for cli in names:
        frames = frames_of(cli, options.frames)
        examiner = Examiner(load_profile(cli if cli in profile_paths() else "generic"))
        times = [
            best_of(lambda: examiner.examine(replace(frame.snapshot)), options.rounds)  # noqa: B023
            for frame in frames
        ]
        median = statistics.median(times)
        worst = sorted(times)[int(len(times) * 0.99)]
        fed = statistics.median(frame.fed_seconds for frame in frames)
        print(
            f"{cli:9} {len(frames):6} {median * 1000:6.2f} ms {worst * 1000:6.2f} ms {median / fed if fed else 0:9.1f}x"
        )
        slow = slow or median > MOST_MEDIAN_SECONDS
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
