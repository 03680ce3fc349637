"""What the envelope costs: starts of copilot, `git status` and a small pytest, outside and inside in turns.

`python -m tests.benchmarks.bench_envelope [--turns 9]`: medians, in seconds, of whole headless runs of a shell in a
fresh home and of what the shell's own clock says of the command. It judges nothing.
"""

from __future__ import annotations

import argparse
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.driven import environment_in

_PROFILE = (
    'schema_version = 1\nname = "tool"\nextends = "generic"\n[launch]\nnames = ["tool", "sh"]\n[envelope]\n'
)
_PYTEST = shlex.join([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_small.py"])
_WORK = {"start": "true", "git status": "git status", "small pytest": _PYTEST}
_TIMED = (
    "import subprocess, sys, time; began = time.monotonic(); "
    "subprocess.run(['sh', '-c', sys.argv[1]], check=True, stdout=subprocess.DEVNULL); "
    "open('took', 'w').write(str(time.monotonic() - began))"
)


def prepare(home: Path) -> Path:
    """The project in this home, and the profile that has an envelope."""
    profiles = home / ".config" / "copilot" / "profiles"
    profiles.mkdir(parents=True)
    (profiles / "tool.toml").write_text(_PROFILE)
    project = home / "project"
    project.mkdir()
    tests = (f"def test_{number}():\n    assert {number} >= 0\n" for number in range(20))
    (project / "test_small.py").write_text("\n".join(tests))
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    return project


def run(home: Path, project: Path, command: str, envelope: str) -> tuple[float, float]:
    """Seconds of the whole run, and of the command in it. Raises CalledProcessError where it fails."""
    timed = shlex.join([sys.executable, "-c", _TIMED, command])
    copilot = [sys.executable, "-m", "copilot", "--headless", "--profile", "tool", "--envelope", envelope]
    argv = [*copilot, "--cwd", str(project), "--", "/bin/sh", "-c", timed]
    began = time.monotonic()
    subprocess.run(argv, check=True, env=environment_in(str(home)), stdout=subprocess.DEVNULL)
    whole = time.monotonic() - began
    return whole, float((project / "took").read_text())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=9)
    turns = parser.parse_args().turns
    with tempfile.TemporaryDirectory(prefix="cost-") as folder:
        home = Path(folder)
        project = prepare(home)
        for name, command in _WORK.items():
            pairs = [[run(home, project, command, way) for way in ("off", "project")] for _ in range(turns)]
            for at, what in enumerate(("whole run", "command")):
                outside, inside = (statistics.median(pair[way][at] for pair in pairs) for way in (0, 1))
                print(f"{name}, {what}: outside {outside:.3f} s, inside {inside:.3f} s")
    print(f"load {os.getloadavg()[0]:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
