"""Seeking in a long recording, and the memory it takes: `python -m tests.benchmarks.bench_replay`.

A made-up run of an hour and 50 MB (options: `--megabytes`, `--minutes`, `--seeks`). CPU times, so that other
work on the machine counts little; each part in the same process, the memory by the kernel's count.
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from pathlib import Path

from copilot.recording.cast_file import open_cast
from copilot.replay.find import TextFinder
from copilot.replay.player import KeyframeIndex, Player
from tests.benchmarks.long_run import write_long_cast


def peak_megabytes() -> float:
    """The largest resident size of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def seeks(player: Player, until: float, count: int) -> list[float]:
    """CPU seconds of jumps to random moments, with the picture made."""
    choose = random.Random(7)
    times = []
    for _ in range(count):
        at = choose.uniform(0, until)
        began = time.process_time()
        player.seek(at).snapshot()
        times.append(time.process_time() - began)
    return sorted(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=50)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seeks", type=int, default=300)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.cast"
        count = write_long_cast(path, megabytes=asked.megabytes, seconds=asked.minutes * 60)
        print(f"recording     {path.stat().st_size / 1e6:.1f} MB, {count} events, {asked.minutes:g} minutes")
        before = peak_megabytes()
        began = time.process_time()
        cast = open_cast(path)
        player = Player(cast, KeyframeIndex(cast))
        print(f"opening       {time.process_time() - began:.2f} s until the first picture, goal 3 s")
        began = time.process_time()
        while player.index.advance():
            pass
        print(f"index         {time.process_time() - began:.2f} s beside it, {len(player.index)} keyframes")
        times = seeks(player, cast.duration, asked.seeks)
        middle, high, most = times[len(times) // 2], times[int(len(times) * 0.95)], times[-1]
        print(
            f"seek          p50 {middle * 1e3:.0f} ms, p95 {high * 1e3:.0f} ms, most {most * 1e3:.0f} ms; goal p95 150 ms"
        )
        print(
            f"memory        {peak_megabytes() - before:.0f} MB more than before opening, the file's pages included"
        )
        began = time.process_time()
        finder = TextFinder(cast, player.index, "no such words")
        while finder.advance():
            pass
        print(
            f"search        {time.process_time() - began:.1f} s through the whole of it, in a thread beside the review"
        )


if __name__ == "__main__":
    main()
