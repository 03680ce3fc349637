"""Speed of scenarios: what isolation costs each, and a hundred of them in parallel against the ideal.

python -m tests.benchmarks.bench_scenarios [COUNT]
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from copilot.lab.scenarios.read import load_scenarios
from copilot.lab.scenarios.run import Job
from copilot.lab.scenarios.suite import open_executor, repeated, run_suite, slots
from copilot.lab.workspace import Workspace

GOAL_SECONDS = 0.05
SCENARIO = """\
scenarios:
  - name: write
    task: Write hello.py.
    playbook:
      turns:
        - {tool_calls: [{name: Write, arguments: {file_path: hello.py, content: "x"}}]}
        - {text: Done.}
    checks: [{file: hello.py}]
"""


def isolation(root: Path, rounds: int = 200) -> tuple[float, float]:
    """Seconds to make and remove a trial's folder: the median of wall time, the mean of CPU time."""
    walls = []
    cpu = time.process_time()
    for _ in range(rounds):
        began = time.perf_counter()
        Workspace.make("demo", "bench/isolation/one", root).remove()
        walls.append(time.perf_counter() - began)
    return median(walls), (time.process_time() - cpu) / rounds


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        wall, cpu = isolation(root)
        goal = f"goal {GOAL_SECONDS * 1000:.0f}"
        print(f"isolation: {wall * 1000:.2f} ms a scenario, {cpu * 1000:.2f} ms of CPU ({goal})")
        file = root / "bench.yaml"
        file.write_text(SCENARIO)
        (scenario,) = load_scenarios(file)
        jobs = repeated([Job(scenario=scenario, root=root / "trials", timeout_seconds=120)], count)
        at_once = slots()
        with open_executor("local", at_once) as pool:
            run_suite(jobs[:at_once], pool)
            began = time.monotonic()
            outcomes = run_suite(jobs, pool)
            seconds = time.monotonic() - began
        busy = sum(one.seconds for one in outcomes)
        good = sum(one.as_expected for one in outcomes)
        print(f"{good} of {count} as expected, {at_once} at once: {seconds:.1f} s")
        print(
            f"ideal (their own times over the slots): {busy / at_once:.1f} s; ratio {seconds * at_once / busy:.3f}"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
