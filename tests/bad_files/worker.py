"""Runs every kind of file with every hostile one, in one process of little memory; a line of JSON for each.

`python -m tests.bad_files.worker FOLDER [EVERY [PART OF A KIND'S NAME]]`; every third, say, begins with another one
for each kind.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import resource
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from tests.bad_files.hostile import Make
from tests.bad_files.kinds import KINDS, Kind

MEMORY = 1 << 30
"""Address space; what is loaded takes a third of it, and every file that is too large takes more."""
CPU_SECONDS = 4
_MET_BY = Counter(bad for kind in KINDS.values() for bad in kind.hostile)
"""How many kinds of files are tried with this hostile one."""
WAIT_SECONDS = 20


class TooLong(BaseException):
    """No `except Exception` of copilot's catches it."""


def main(folder: Path, every: int, only: str) -> None:
    import copilot.cli
    import copilot.session.headless
    import copilot.tui.replay.run

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGPROF, _too_long)
    signal.signal(signal.SIGALRM, _too_long)
    for number, name in enumerate(KINDS):
        if only not in name:
            continue
        for bad, make in chosen(number, KINDS[name], every).items():
            place = folder / f"{number}-{bad.replace(' ', '-')}"
            found = _tried(copilot.cli.main, KINDS[name], make, place)
            print(json.dumps({"kind": name, "bad": bad, **found}), flush=True)
            shutil.rmtree(place)


def chosen(number: int, kind: Kind, every: int) -> dict[str, Make]:
    """Of the hostile files of a kind every so many, each kind beginning with another, and what it alone meets."""
    shared = [bad for bad in kind.hostile if _MET_BY[bad] > 1]
    left_out = set(shared) - set(shared[number % every :: every])
    return {bad: make for bad, make in kind.hostile.items() if bad not in left_out}


def _too_long(number: int, frame: FrameType | None) -> None:
    raise TooLong(signal.Signals(number).name)


def _tried(run: object, kind: Kind, make: Make, folder: Path) -> dict[str, object]:
    make(kind.prepare(folder))
    argv = [kind.filled(word, folder) for word in kind.argv]
    added = {name: kind.filled(text, folder) for name, text in kind.environment.items()}
    out, said = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    began, code = time.process_time(), -1
    with (
        _as_user(folder, added, kind.stdin),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(said),
    ):
        signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
        signal.setitimer(signal.ITIMER_REAL, WAIT_SECONDS)
        try:
            code = run(argv)  # type: ignore[operator]
        except TooLong as end:
            said.write(f"\nnever ended ({end})")
        except SystemExit as end:
            said.write(f"\nleft by {end!r}")
        except Exception as end:
            said.write(f"\nraised {end!r}")
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
    out.flush()
    told = out.buffer.getvalue().decode("utf-8", "replace")
    return {
        "code": code,
        "said": said.getvalue()[:2000],
        "told": told[:2000],
        "seconds": round(time.process_time() - began, 2),
    }


@contextlib.contextmanager
def _as_user(folder: Path, added: dict[str, str], stdin: bytes) -> Iterator[None]:
    before, here, was = dict(os.environ), Path.cwd(), sys.stdin
    os.environ.update({"HOME": str(folder / "home"), "NO_COLOR": "1", **added})
    os.chdir(folder / "project")
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), "utf-8")
    try:
        yield
    finally:
        sys.stdin = was
        os.chdir(here)
        os.environ.clear()
        os.environ.update(before)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1, "".join(sys.argv[3:4]))
