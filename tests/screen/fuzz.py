"""The long fuzz: `python -m tests.screen.fuzz [STREAMS] [SEED]` (default 100,000 streams).

Each stream is fed at once, byte by byte and cut at random: nothing may raise, nothing may differ.
"""

from __future__ import annotations

import random
import sys
import traceback

from tests.screen.streams import SIZES, differences, random_stream


def main(streams: int, seed: int) -> int:
    source = random.Random(seed)
    raised = differed = 0
    for _ in range(streams):
        data, (columns, lines) = random_stream(source), source.choice(SIZES)
        try:
            found = differences(data, columns, lines, source)
        except Exception:
            raised += 1
            print(f"RAISED {columns}x{lines} {data!r}")
            traceback.print_exc()
            continue
        if found:
            differed += 1
            print(f"DIFFERS {columns}x{lines} {data!r}", *found, sep="\n  ")
    print(f"{streams} streams: {raised} raised, {differed} differed")
    return 1 if raised or differed else 0


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[1:]] + [100_000, 1][len(sys.argv) - 1 :]
    sys.exit(main(numbers[0], numbers[1]))
