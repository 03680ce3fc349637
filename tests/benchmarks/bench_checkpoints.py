"""What checkpoints cost: nothing changed and 1,000 files changed among 10,000, and the disk a long run takes.

`python -m tests.benchmarks.bench_checkpoints`, some two minutes. Wall time, best of several, beside git's own ways
to keep a work tree, on the same files: `git stash create` and `git add -A` with an index that is warm. The load
stands beside them, as other work on the machine counts.
"""

from __future__ import annotations

import os
import random
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from copilot.checkpoints.scan import TICK_NS
from copilot.checkpoints.store import Author, CheckpointStore, Moment
from copilot.checkpoints.undo import apply_undo, plan_undo

_FILES, _FOLDERS, _CHANGED = 10_000, 500, 1000
_ROUNDS = 9
_CHANGED_ROUNDS = 5
_PROJECT_BYTES = 300_000_000
_REPLIES = 200
_IDENTITY = ("-c", "user.name=Test", "-c", "user.email=test@example.invalid")
_WORDS = [
    "import",
    "return",
    "class",
    "value",
    "number",
    "path",
    "file",
    "text",
    "open",
    "close",
    "read",
    "write",
    "line",
]


def _text(chance: random.Random, size: int) -> bytes:
    words = " ".join(chance.choices(_WORDS, k=size // 6))
    return (words.replace(" class", "\nclass")[:size] + "\n").encode()


def _make(project: Path, chance: random.Random, size: int) -> list[Path]:
    paths = []
    for number in range(_FILES):
        path = (
            project / f"package{number % _FOLDERS // 10}" / f"part{number % _FOLDERS}" / f"module{number}.py"
        )
        if number < _FOLDERS:
            path.parent.mkdir(parents=True)
        path.write_bytes(_text(chance, size))
        paths.append(path)
    return paths


def _settle() -> None:
    """Wait until what was written is old enough to be trusted by its times."""
    time.sleep(2 * TICK_NS / 1e9)


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _git(project: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", project, *_IDENTITY, *arguments], check=True, capture_output=True)


def _tell(what: str, seconds: list[float], target: str = "") -> None:
    best, median = min(seconds) * 1000, sorted(seconds)[len(seconds) // 2] * 1000
    print(f"{what}: best {best:.1f} ms, median {median:.1f} ms{f' (target {target})' if target else ''}")


def _change(paths: list[Path], chance: random.Random) -> None:
    for path in paths[:_CHANGED]:
        with path.open("ab") as file:
            file.write(b"# %d\n" % chance.randrange(10**9))


def _tell_speed(folder: Path, chance: random.Random) -> None:
    project, run = folder / "project", folder / "run"
    project.mkdir()
    run.mkdir()
    paths = _make(project, chance, 3000)
    _git(project, "init", "-q")
    _git(project, "add", "-A")
    _git(project, "commit", "-q", "-m", "first")
    _settle()
    store = CheckpointStore.make(run, project)
    first = _timed(lambda: store.take(Author.START, Moment("start", 0.0)))
    print(f"first checkpoint of {_FILES:,} files: {first * 1000:.0f} ms")

    def take() -> object:
        return store.take(Author.PROGRAM, Moment("waits", 0.0))

    _tell("nothing changed, checkpoint", [_timed(take) for _ in range(_ROUNDS)], "60 ms")
    _tell(
        "nothing changed, git stash create",
        [_timed(lambda: _git(project, "stash", "create")) for _ in range(_ROUNDS)],
    )
    _tell("nothing changed, git add -A", [_timed(lambda: _git(project, "add", "-A")) for _ in range(_ROUNDS)])
    ours, stash, add = [], [], []
    for _ in range(_CHANGED_ROUNDS):
        _change(paths, chance)
        _settle()
        ours.append(_timed(take))
        stash.append(_timed(lambda: _git(project, "stash", "create")))
        add.append(_timed(lambda: _git(project, "add", "-A")))
    _tell(f"{_CHANGED:,} changed, checkpoint", ours, "500 ms")
    _tell(f"{_CHANGED:,} changed, git stash create", stash)
    _tell(f"{_CHANGED:,} changed, git add -A", add)
    start = time.perf_counter()
    plan = plan_undo(store, store.checkpoints()[0], author=Author.PROGRAM)
    planned = time.perf_counter()
    apply_undo(store, plan)
    end = time.perf_counter()
    print(f"undo of {_CHANGED:,} files: plan {(planned - start) * 1000:.0f} ms, ", end="")
    print(f"apply {(end - planned) * 1000:.0f} ms")
    store.close()


def _tell_disk(folder: Path, chance: random.Random) -> None:
    """A project of 300 MB and 200 replies, with three files changed before each."""
    project, run = folder / "project", folder / "run"
    project.mkdir()
    run.mkdir()
    paths = _make(project, chance, _PROJECT_BYTES // _FILES)
    store = CheckpointStore.make(run, project)
    seconds = [_timed(lambda: store.take(Author.START, Moment("start", 0.0)))]
    at_first = store.used_bytes
    for _ in range(_REPLIES):
        _change(chance.sample(paths, 3), chance)
        seconds.append(_timed(lambda: store.take(Author.PROGRAM, Moment("waits", 0.0))))
    print(f"{_PROJECT_BYTES // 1_000_000} MB, first checkpoint: {seconds[0]:.1f} s, {at_first / 1e6:.0f} MB")
    print(f"after {_REPLIES} replies: {store.used_bytes / 1e6:.0f} MB")
    _tell("a checkpoint with three changed files", seconds[1:])
    store.close()


def main() -> None:
    print(f"load {os.getloadavg()[0]:.1f}")
    chance = random.Random(20)
    for tell in (_tell_speed, _tell_disk):
        with tempfile.TemporaryDirectory() as folder:
            tell(Path(folder), chance)
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
