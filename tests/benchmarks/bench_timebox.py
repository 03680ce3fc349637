"""What the time box costs: against a bare run of the same argv, and how soon it returns after a kill.

`python -m tests.benchmarks.bench_timebox`, some five minutes. Processor time of this process, best of several,
so that other load counts little; the seconds of start and kills are wall time and mean something on a quiet
machine only, so the load stands beside them.

Two kinds of output: lines that no rule of redaction looks at twice, and mixed ones with paths, `::`, signs
outside of ASCII and words such as `session`, which many rules look at.
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

from copilot.redaction.redact import Redactor
from copilot.timebox.box import run
from copilot.timebox.limits import Limits
from copilot.timebox.output_log import OutputLog
from copilot.timebox.pipes import Stream

_ROUNDS = 9
_STARTS = 25
_KILLS = 200
_MEGABYTES = 10
_STEADY_SECONDS = 20
_PLAIN = b"tests/test_something.py::test_number_17 PASSED     [ 45%]\n"
_MIXED = """\
tests/unit/session/test_value_nested.py::TestCaseLoader::test_returns_config[{0}-error] PASSED [ {1:2d}%]
test request::session_parses::tests::snapshot_{0} ... ok
 \u2713 src/stream/request_config.test.ts > request > handles unicode reads {0} ms
2026-11-21 12:05:{1:02d},011 INFO  loader.unicode: request {0} took {1} ms at 0x7f{0:010x}
"""
_STEADY = """\
import os, sys, time
piece = open(sys.argv[1], "rb").read(100_000)
start = time.monotonic()
for number in range(100 * int(sys.argv[2])):
    for _ in range(0, len(piece), 4000): os.write(1, piece[_:_ + 4000])
    time.sleep(max(0.0, start + (number + 1) / 100 - time.monotonic()))
"""
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


def _best(work: Callable[[], None], rounds: int = _ROUNDS) -> tuple[float, float]:
    """The least wall time and processor time (of this process alone), in seconds."""
    walls, cpus = [], []
    for _ in range(rounds):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    return min(walls), min(cpus)


def _outputs(folder: Path) -> dict[str, Path]:
    texts = {
        "plain": _PLAIN,
        "mixed": "".join(_MIXED.format(number, number % 100) for number in range(5000)).encode(),
    }
    for name, text in texts.items():
        (folder / name).write_bytes(
            (text * (_MEGABYTES * 1_000_000 // len(text) + 1))[: _MEGABYTES * 1_000_000]
        )
    return {name: folder / name for name in texts}


def _tell_bursts(path: Path) -> None:
    """10 MB as fast as they come: what they take, of a second."""
    argv = ("cat", str(path))
    rounds = 3 if path.name == "mixed" else _ROUNDS
    rows = {"bare": _best(lambda: _bare(argv)), "box": _best(lambda: _boxed(argv))}
    rows["box and raw.log"] = _best(lambda: _logged(argv), rounds)
    for name, (_, cpu) in rows.items():
        share = (cpu - rows["bare"][1]) * 100
        print(
            f"{_MEGABYTES} MB {path.name}, {name}: {cpu * 1000:.1f} ms CPU here ({share:+.1f} % of a second)"
        )


def _tell_steady(path: Path) -> None:
    """10 MB a second for a while: the log is full before long."""
    argv = (sys.executable, "-S", "-c", _STEADY, str(path), str(_STEADY_SECONDS))
    bare = _best(lambda: _bare(argv), 1)
    for name, work in (("box", _boxed), ("box and raw.log", _logged)):
        wall, cpu = _best(lambda work=work: work(argv), 1)  # type: ignore[misc]
        share = (cpu - bare[1]) / _STEADY_SECONDS * 100
        print(f"10 MB/s {path.name} for {wall:.0f} s, {name}: {share:+.1f} % of a core")


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
    print(f"load {os.getloadavg()[0]:.1f}")
    bare = _best(lambda: _bare(("true",)), _STARTS)
    boxed = _best(lambda: _boxed(("true",)), _STARTS)
    print(f"start to end of `true`: bare {bare[0] * 1000:.1f} ms, boxed {boxed[0] * 1000:.1f} ms", end="")
    print(f": {1000 * (boxed[0] - bare[0]):.1f} ms more (target 30)")
    with tempfile.TemporaryDirectory() as folder:
        for path in _outputs(Path(folder)).values():
            _tell_bursts(path)
            _tell_steady(path)
    late = _after_the_grace(0.2)
    worst, most = late[-1] * 1000, late[len(late) * 99 // 100 - 1] * 1000
    print(f"after limit and grace, {_KILLS} kills: median {late[len(late) // 2] * 1000:.0f} ms, ", end="")
    print(f"99 % within {most:.0f} ms (target 200), worst {worst:.0f} ms; load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
