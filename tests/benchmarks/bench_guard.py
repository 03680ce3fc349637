"""What the guard's verdicts cost: `python -m tests.benchmarks.bench_guard [--number 100000] [--only commands screens ends]`.

commands: everyday ones, mutated risky ones, members of the attack classes, and such as are made to be slow to
judge (`tests/guard/costly_commands.py`, in a project that is slow to look at), each as the command of a permission
prompt, with nothing remembered of the one before. screens: the hostile screens, each given to the engine whole; what
counts is the longest single input. ends: how long after its time limit, or after a signal, a headless run is gone
while such screens are shown.

What is over 100 ms is judged twice more, and the least counts: the time that other virtual machines steal is in it.
CPU time of this thread, and of the second parser's process beside it; the wall stands beside, since other programs
take from it. 1 if a verdict or an input took more than 100 ms of CPU time, or an end more than a second. A hundred thousand commands
take a quarter of an hour on two quiet cores, the ends six minutes; `make bench` takes a tenth of them and no ends.
"""

from __future__ import annotations

import argparse
import gc
import os
import resource
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from random import Random

from copilot.core.detection import Detection, Subject
from copilot.core.reply import Autonomy
from copilot.core.run import Run
from copilot.core.screen_kinds import ScreenKind
from copilot.engine.engine import Engine, Output
from copilot.engine.inputs import Input
from copilot.engine.prompt_risk import RiskAssessor
from copilot.engine.reader import ScreenReader
from copilot.guard.scope import ProjectScope
from copilot.guard.shfmt_check import shfmt_tree
from tests.guard.command_corpus import corpus, fuzzable, mutated
from tests.guard.costly_commands import LONGEST, MADE_FILES, made, slow_project
from tests.guard_classes.everyday import everyday
from tests.guard_classes.generate import draw
from tests.guard_classes.project import make_project
from tests.guard_classes.registry import CLASSES

GOAL_SECONDS = 0.1
END_GOAL_SECONDS = 1.0
SHOWN = 10
_FREEZE_EVERY = 200
_SHARES = {"everyday": 0.1, "mutated": 0.4, "classes": 0.3, "costly": 0.2}
_PARTS = ("commands", "screens", "ends")


@dataclass(frozen=True, slots=True, order=True)
class Timed:
    """One verdict or input: CPU and wall seconds, and what it was about."""

    cpu: float
    wall: float
    text: str
    found: str = ""


class Clock:
    """CPU seconds of this thread and of the processes it has waited for, and wall seconds."""

    def __init__(self) -> None:
        self._cpu, self._wall = self._used(), time.perf_counter()

    @staticmethod
    def _used() -> float:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.thread_time() + children.ru_utime + children.ru_stime

    def read(self, text: str, found: str = "") -> Timed:
        return Timed(self._used() - self._cpu, time.perf_counter() - self._wall, text, found)


# -- commands ----------------------------------------------------------------------------------------


def commands(kind: str, rng: Random) -> Iterator[str]:
    """Commands of this kind without end, at most `LONGEST` characters each."""
    if kind == "everyday":
        while True:
            yield from everyday(500, rng.randrange(1 << 30))
    sources: dict[str, Callable[[], str]] = {
        "mutated": lambda: mutated(rng.choice(_CORPUS), rng),
        "classes": lambda: draw(rng.choice(CLASSES), rng).command,
        "costly": lambda: made(rng),
    }
    while True:
        yield sources[kind]()[:LONGEST]


_CORPUS = [*fuzzable(), *(one.command for one in corpus("harmless"))]


def judged(command: str, scope: ProjectScope) -> Timed:
    """The verdict on a permission prompt that asks for this command, with what is kept of its looks."""
    shfmt_tree.cache_clear()
    detection = Detection(ScreenKind.PERMISSION, "Do you want to proceed?", subject=Subject("shell", command))
    assessor = RiskAssessor(scope)
    clock = Clock()
    risk = assessor.prompt(detection)
    assessor.looks.news(0.0)
    return clock.read(command, f"{risk.level.word} {risk.rule}")


def time_commands(number: int, seed: int, kinds: Collection[str]) -> list[Timed]:
    """A row for each of these kinds, and all that was timed."""
    found: list[Timed] = []
    with tempfile.TemporaryDirectory() as folder:
        plain = ProjectScope(str(make_project(Path(folder, "plain") / "project")), folder)
        slow = ProjectScope(str(slow_project(Path(folder, "slow") / "project")), folder, made=MADE_FILES)
        judged("ls", plain)
        for kind, share in ((one, share) for one, share in _SHARES.items() if one in kinds):
            rng = Random(f"{kind}/{seed}")
            scope = slow if kind == "costly" else plain
            times = []
            for count, one in enumerate(islice(commands(kind, rng), int(number * share))):
                if count % _FREEZE_EVERY == 0:
                    gc.freeze()  # the collector looks through the guard's objects, not through what is kept here
                times.append(_least(one, scope))
            show_row(kind, times)
            found += times
    return found


def _least(command: str, scope: ProjectScope) -> Timed:
    """What is over the goal is judged twice more: a virtual machine counts stolen time as CPU time."""
    first = judged(command, scope)
    if first.cpu <= GOAL_SECONDS:
        return first
    return min(first, judged(command, scope), judged(command, scope))


# -- screens -----------------------------------------------------------------------------------------


class TimedEngine(Engine):
    """An engine that keeps what each input cost."""

    def __init__(self, run: Run, reader: ScreenReader, assessor: RiskAssessor) -> None:
        super().__init__(run, reader, assessor)
        self.costs: list[Timed] = []

    def receive(self, given: Input) -> Iterator[Output]:
        """All of it at once, so that nobody else's time is in it."""
        clock = Clock()
        outputs = list(super().receive(given))
        self.costs.append(clock.read("", type(given).__name__))
        return iter(outputs)


def time_screens() -> list[Timed]:
    """The costliest input of each screen at each level."""
    from tests.guard.guided_screens import LEVELS, screens

    found: list[Timed] = []
    with tempfile.TemporaryDirectory() as folder:
        scope = ProjectScope(str(slow_project(Path(folder) / "project")), folder, made=MADE_FILES)
        shown = [(path.stem, path.read_bytes()) for path in screens()]
        shown += [(name, data) for name, data in made_screens()]
        found += [_played(name, data, level, scope) for name, data in shown for level in LEVELS]
    show_row("screens", found)
    return found


def made_screens(number: int = 200) -> Iterator[tuple[str, bytes]]:
    """Dialogs that ask for costly commands, and the corpus of hostile screens."""
    from tests.guard.hostile_run import dialog, load

    yield from ((f"c{case.class_:02d} {case.id}", case.show) for case in load())
    rng = Random("screens")
    for count in range(number):
        command = made(rng)[: rng.choice([200, 1_000, 3_500])]
        text = dialog({"command": command}).replace("\n", "\r\n")
        yield f"made {count}: {command}", b"\x1b[2J\x1b[H" + text.encode("utf-8", "replace")


def _played(name: str, data: bytes, level: Autonomy, scope: ProjectScope) -> Timed:
    from tests.guard.guided_screens import play, profile_for, profile_name

    engines: list[TimedEngine] = []

    def timed(run: Run, reader: ScreenReader, assessor: RiskAssessor) -> Engine:
        engines.append(TimedEngine(run, reader, assessor))
        return engines[0]

    shfmt_tree.cache_clear()
    play(data, profile_for(profile_name(name)), level, scope=scope, make=timed)
    return replace(max(engines[0].costs), text=f"{name} ({level.value})")


# -- the table ---------------------------------------------------------------------------------------


def show_row(name: str, times: Sequence[Timed]) -> None:
    """Percentiles of CPU milliseconds, and the worst of both."""
    if not times:
        return
    cpu = sorted(one.cpu * 1000 for one in times)
    cells = [statistics.median(cpu), *(cpu[int(len(cpu) * share)] for share in (0.95, 0.99, 0.999)), cpu[-1]]
    wall = max(one.wall for one in times) * 1000
    over = sum(one.cpu > GOAL_SECONDS for one in times)
    print(
        f"{name:10}{len(times):8}" + "".join(f"{one:9.2f}" for one in cells) + f"{wall:9.1f}{over:7}",
        flush=True,
    )


def show_worst(times: Sequence[Timed]) -> None:
    """The costliest, with their text escaped and cut."""
    print(f"\nthe {SHOWN} costliest")
    for one in sorted(times, reverse=True)[:SHOWN]:
        print(
            f"{one.cpu * 1000:8.1f} ms  {one.wall * 1000:8.1f} ms wall  {one.found:24} {len(one.text):6} {ascii(one.text)[:110]}"
        )


def show_ends() -> bool:
    """How late each run was gone, by what its child shows and what ends it; whether one was too late."""
    from tests.session.limited_runs import SHOWN, run

    numbers = (None, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    print(f"\n{'gone after, seconds':24}{'limit':>8}" + "".join(f"{one.name:>9}" for one in numbers if one))
    worst = 0.0
    for name, shown in SHOWN.items():
        late = []
        for number in numbers:
            with tempfile.TemporaryDirectory() as folder:
                late.append(run(Path(folder), shown, number=number).late_seconds)
        print(f"{name:24}{late[0]:8.2f}" + "".join(f"{one:9.2f}" for one in late[1:]), flush=True)
        worst = max(worst, *late)
    return worst > END_GOAL_SECONDS


def million_additions() -> float:
    """CPU seconds, the least of some: what a figure of this machine means beside one of another."""
    times = []
    for _ in range(5):
        clock, total = Clock(), 0
        for number in range(1_000_000):
            total += number
        times.append(clock.read("").cpu)
    return min(times)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--number", type=int, default=100_000, help="commands")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="*", choices=_SHARES, default=list(_SHARES), help="of commands")
    parser.add_argument("--only", nargs="*", choices=_PARTS, default=_PARTS)
    asked = parser.parse_args()
    found: list[Timed] = []
    print(f"a million additions take {million_additions() * 1000:.0f} ms here; load {os.getloadavg()[0]:.1f}")
    gc.collect()
    if {"commands", "screens"} & set(asked.only):
        names = ("median", "95 %", "99 %", "99.9 %", "worst", "wall", "over")
        print(f"{'CPU ms':10}{'':8}" + "".join(f"{name:>9}" for name in names[:-1]) + f"{names[-1]:>7}")
    if "commands" in asked.only:
        found += time_commands(asked.number, asked.seed, asked.kinds)
    if "screens" in asked.only:
        found += time_screens()
    show_worst(found)
    late = False
    if "ends" in asked.only:
        late = show_ends()
    return 1 if late or any(one.cpu > GOAL_SECONDS for one in found) else 0


if __name__ == "__main__":
    sys.exit(main())
