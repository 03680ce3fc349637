"""The long run of the mutation fuzz, and the speed of the judge: `python tests/guard/fuzz_commands.py 10000 [SEED]`.

Times are of a first verdict: what is remembered of the second parser is forgotten before each.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from copilot.guard.shfmt_check import shfmt_tree
    from tests.guard.command_corpus import commands, corpus, fuzzable, mutated, verdict

    def timed(command: str) -> tuple[str, float, bool]:
        """The verdict, its milliseconds, and whether the second parser was asked."""
        shfmt_tree.cache_clear()
        start = time.perf_counter()
        given = verdict(command)
        return given, (time.perf_counter() - start) * 1000, shfmt_tree.cache_info().misses > 0

    def told(name: str, found: list[tuple[str, float, bool]]) -> None:
        times = sorted(milliseconds for _, milliseconds, _ in found)
        asked = [milliseconds for _, milliseconds, second in found if second]
        slow = f", median {statistics.median(asked):.2f} ms" if asked else ""
        print(
            f"{name}: {len(found)}, allowed {sum(given == 'allow' for given, _, _ in found)}, "
            f"forbidden {sum(given == 'forbid' for given, _, _ in found)}; "
            f"median {statistics.median(times):.2f} ms, 95% within {times[int(len(times) * 0.95)]:.2f} ms; "
            f"second parser asked {len(asked)} times{slow}"
        )

    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    source = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else None)
    verdict("ls")
    told("risky", [timed(one.command) for one in corpus("risky")])
    told("harmless reading", [timed(one) for one in commands("harmless", "read")])
    told("harmless work", [timed(one) for one in commands("harmless", "work")])
    risky = fuzzable()
    mutations = [mutated(source.choice(risky), source) for _ in range(rounds)]
    found = [timed(one) for one in mutations]
    told("mutations", found)
    allowed = [one for one, (given, _, _) in zip(mutations, found, strict=True) if given == "allow"]
    for command in allowed:
        print("ALLOWED", repr(command))
    sys.exit(bool(allowed))
