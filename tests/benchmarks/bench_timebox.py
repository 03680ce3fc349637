"""What the time box costs: against a bare run of the same argv, and how soon it returns after a kill.

`python -m tests.benchmarks.bench_timebox`. Processor time of this process, best of several, so that other
load counts little; the seconds of the kills are wall time and mean something on a quiet machine only.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from copilot.safety.redact import Redactor
from copilot.timebox.box import run
from copilot.timebox.limits import Limits
from copilot.timebox.output_log import OutputLog
from copilot.timebox.pipes import Stream

_ROUNDS = 9
_KILLS = 40
_MEGABYTES = 10
_WRITER = (
    sys.executable,
    "-S",
    "-c",
    f"import os\nline = b'tests/test_something.py::test_number_17 PASSED     [ 45%]\\n' * 1000\n"
    f"for _ in range({_MEGABYTES} * 1000000 // len(line)): os.write(1, line)",
)
_LIMITS = Limits(60.0, 30.0)


def _bare(argv: tuple[str, ...]) -> None:
    with subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        while os.read(child.stdout.fileno(), 1 << 16):
            pass


def _boxed(argv: tuple[str, ...], take: Callable[[Stream, bytes], None] | None = None) -> None:
    asyncio.run(run(argv, _LIMITS, folder="/", on_output=take))


def _logged(argv: tuple[str, ...]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        log = OutputLog(Path(folder) / "raw.log", Redactor())
        _boxed(argv, log.take)
        log.close()


def _best(work: Callable[[], None]) -> tuple[float, float]:
    """The least wall time and processor time (of this process alone), in seconds."""
    walls, cpus = [], []
    for _ in range(_ROUNDS):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    return min(walls), min(cpus)


def _after_the_grace(grace: float) -> list[float]:
    """How long after limit and grace a command that ignores TERM is told to be gone."""
    stubborn = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.pause()"
    argv = (sys.executable, "-S", "-c", stubborn)
    limit = 0.3
    late = []
    for _ in range(_KILLS):
        result = asyncio.run(run(argv, Limits(limit, None, grace), folder="/"))
        late.append(result.seconds - limit - grace)
    return sorted(late)


def main() -> None:
    """Measure and print."""
    bare, boxed = _best(lambda: _bare(("true",))), _best(lambda: _boxed(("true",)))
    print(f"start to end of `true`: bare {bare[0] * 1000:.1f} ms, boxed {boxed[0] * 1000:.1f} ms", end="")
    print(f": {1000 * (boxed[0] - bare[0]):.1f} ms more (target 30)")
    rows = {"bare": _best(lambda: _bare(_WRITER)), "box": _best(lambda: _boxed(_WRITER))}
    rows["box and raw.log"] = _best(lambda: _logged(_WRITER))
    for name, (_, cpu) in rows.items():
        share = (cpu - rows["bare"][1]) * 100
        print(f"{_MEGABYTES} MB of output, {name}: {cpu * 1000:.1f} ms CPU here ({share:+.1f} % of a second)")
    late = _after_the_grace(0.2)
    print(f"after limit and grace: median {late[len(late) // 2] * 1000:.0f} ms, ", end="")
    print(f"worst of {_KILLS} {late[-1] * 1000:.0f} ms (target 200)")


if __name__ == "__main__":
    main()
