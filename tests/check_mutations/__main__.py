"""`python -m tests.check_mutations`: every agent run for real, who was caught by what.

Ends with 1 if a bad agent was caught by
no check or by another one than its own, a good one by any, or if the liar passes one.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from pathlib import Path

from tests.check_mutations.bad import BAD, LIAR
from tests.check_mutations.good import GOOD
from tests.check_mutations.trials import run_agents
from tests.lab.docs_tables import write_tables


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m tests.check_mutations", description=__doc__)
    options.add_argument("--name", default="", help="only agents with this in their name or check")
    options.add_argument("--json", type=Path, help="write what each check found here")
    options.add_argument("--docs", action="store_true", help="write the tables of the docs again")
    given = options.parse_args()
    agents = [one for one in (*BAD, *GOOD, LIAR) if given.name in f"{one.target or 'good'}: {one.name}"]
    began = time.monotonic()
    found = run_agents(agents)
    for one in found:
        print(
            f"{'ok ' if one.as_it_should else 'BAD'} {one.agent.target or 'good'}: {one.agent.name}: {one.line}"
        )
    if given.json:
        given.json.write_text(json.dumps([one.as_json() for one in found], indent=1), encoding="utf-8")
    if given.docs:
        write_tables(found)
    odd = [one for one in found if not one.as_it_should]
    print(f"{len(found) - len(odd)} of {len(found)} as it should be, {_spent(began)}")
    return 1 if odd else 0


def _spent(began: float) -> str:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    seconds = sum(one.ru_utime + one.ru_stime for one in used)
    return f"{time.monotonic() - began:.0f} s by the clock, {seconds:.0f} s of processor time"


if __name__ == "__main__":
    sys.exit(main())
