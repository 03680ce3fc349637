"""`python -m tests.detection.fuzz [COUNT] [SEED]`: mutated screens and streams against all profiles.

No exception, and no call that takes more than 50 ms of CPU time. Prints what failed with its seed; exit code 1.
"""

from __future__ import annotations

import random
import sys
import time
import traceback
from collections.abc import Callable, Iterator

from copilot.config.profile_files import load_profile, profile_paths
from copilot.core.snapshot import UNKNOWN_FACTS, ScreenSnapshot, TtyFacts
from copilot.detection import Examiner
from copilot.screen import TerminalScreen
from tests.detection.mutations import Seed, mutated_screen, mutated_stream, seeds_of
from tests.scoreboard import casts_under
from tests.scoring.labels import CORPUS

MOST_SECONDS = 0.05
STREAMS_SHARE = 0.2
_FACTS = (UNKNOWN_FACTS, TtyFacts(reading=True, echo=False, canonical=True), TtyFacts(reading=False))


def pictures(seed: Seed, randomness: random.Random) -> Iterator[ScreenSnapshot]:
    """One mutated screen, or the screens that a mutated stream leads through."""
    if randomness.random() >= STREAMS_SHARE:
        yield mutated_screen(seed, randomness)
        return
    screen = TerminalScreen(seed.snapshot.columns, len(seed.snapshot.lines))
    data = mutated_stream(seed, randomness)
    step = randomness.choice((1, 7, 4096)) if len(data) < 1500 else 4096
    for start in range(0, len(data), step):
        screen.feed(data[start : start + step])
    screen.take_replies()
    if randomness.random() < 0.3:
        screen.resize(randomness.randint(1, 200), randomness.randint(1, 60))
    yield screen.snapshot()


def timed(call: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    begin = time.process_time()
    call()
    return time.process_time() - begin


def main(argv: list[str]) -> int:
    """Run; 1 if anything failed."""
    count = int(argv[0]) if argv else 100_000
    number = int(argv[1]) if len(argv) > 1 else random.randrange(1 << 30)
    randomness = random.Random(number)
    examiners = {name: Examiner(load_profile(name)) for name in profile_paths()}
    seeds = seeds_of(list(casts_under([CORPUS], [])), 3, randomness)
    print(f"seed {number}: {len(seeds)} moments of recordings, {len(examiners)} profiles", flush=True)
    worst, slow, failed = 0.0, 0, 0
    for done in range(count):
        seed = randomness.choice(seeds)
        name = (
            seed.cli
            if seed.cli in examiners and randomness.random() < 0.6
            else randomness.choice(list(examiners))
        )
        state = randomness.getstate()
        try:
            for picture in pictures(seed, randomness):
                facts = randomness.choice(_FACTS)
                took = timed(lambda: examiners[name].examine(picture, facts))  # noqa: B023
                if took > MOST_SECONDS:
                    took = min(took, timed(lambda: examiners[name].examine(picture, facts)))  # noqa: B023
                worst = max(worst, took)
                slow += took > MOST_SECONDS
        except Exception:
            failed += 1
            print(f"case {done} ({name}, seed {number}, state {hash(state)}):", file=sys.stderr)
            traceback.print_exc()
            if failed >= 5:
                break
        if (done + 1) % 10_000 == 0:
            print(f"{done + 1} cases, worst {worst * 1000:.1f} ms, {failed} failed", flush=True)
    print(
        f"{count} cases: {failed} failed, {slow} over {MOST_SECONDS * 1000:.0f} ms, worst {worst * 1000:.1f} ms"
    )
    return 1 if failed or slow else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
