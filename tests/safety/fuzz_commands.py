"""The long run of the mutation fuzz, and the speed of the judge: `python tests/safety/fuzz_commands.py 10000`."""

from __future__ import annotations

import random
import statistics
import sys
import time
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from tests.safety.command_corpus import commands, fuzzable, mutated, verdict

    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    source = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else None)
    risky, seconds = fuzzable(), []
    allowed = []
    for _ in range(rounds):
        command = mutated(source.choice(risky), source)
        start = time.perf_counter()
        if verdict(command) == "allow":
            allowed.append(command)
        seconds.append(time.perf_counter() - start)
    for command in allowed:
        print("ALLOWED", repr(command))
    reading = commands("harmless", "read")
    print(f"{rounds} mutations, {len(allowed)} allowed; median {statistics.median(seconds) * 1000:.2f} ms")
    print(f"{sum(verdict(one) == 'allow' for one in reading)} of {len(reading)} reading commands allowed")
    sys.exit(bool(allowed))
