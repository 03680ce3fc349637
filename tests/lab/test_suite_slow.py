"""Whole suites in processes of their own: the shipped one, clashes, interruptions, a lost worker, a cluster."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.check_mutations.bad import BAD, LIAR
from tests.check_mutations.good import GOOD
from tests.check_mutations.trials import run_agents
from tests.lab.docs_tables import COPILOT, SHIPPED, in_the_docs, mutation_table

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
CLASH = """\
feature: Clashes
scenarios:
  - name: same names everywhere
    commands:
      - python3 {{path:clash.py}} mine
    allow_commands: [python3]
    environment: {set: {WHO: trial}, unset: [TZ]}
    checks: [{file: {path: same.txt, exact: "mine\\n"}}, {exit_code: 0}]
"""
DETECTOR = """\
import os, pathlib, sys, time
place = pathlib.Path("same.txt")
assert not place.exists(), "somebody was here"
assert sorted(os.listdir(".")) == ["assets"], os.listdir(".")
assert os.environ["WHO"] == "trial" and "TZ" not in os.environ
assert os.environ["HOME"].endswith("/home") and not os.listdir(os.environ["HOME"])
pathlib.Path(os.environ["HOME"], "settings").write_text("x")
place.write_text(sys.argv[1] + "\\n")
time.sleep(0.05)
assert place.read_text() == sys.argv[1] + "\\n"
assert sorted(os.listdir(".")) == ["assets", "same.txt"], os.listdir(".")
"""


@pytest.fixture
def trap(tmp_path: Path) -> Iterator[dict[str, str]]:
    """An environment whose HOME and temporary folder are watched: nothing of a suite may stay there."""
    home, temporary = tmp_path / "home", tmp_path / "tmp"
    home.mkdir()
    temporary.mkdir()
    yield {**os.environ, "HOME": str(home), "TMPDIR": str(temporary), "OPENAI_API_KEY": "sk-of-the-host"}
    assert [str(path) for path in home.rglob("*")] == []
    assert [str(path) for path in temporary.rglob("*")] == []
    assert running_below(tmp_path) == []


def running_below(folder: Path) -> list[str]:
    """Processes whose environment names the folder, ours excepted."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if f"={folder}".encode() in (entry / "environ").read_bytes():
                    found.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode())
            except OSError:
                continue
    return found


def evaluated(environment: dict[str, str], *arguments: str) -> tuple[int, dict[str, Any]]:
    done = subprocess.run(
        [str(COPILOT), "eval", *arguments, "--json"],
        capture_output=True,
        text=True,
        env=environment,
        timeout=800,
        check=False,
    )
    print(done.stderr)
    return done.returncode, json.loads(done.stdout)


def clash(folder: Path) -> str:
    (folder / "clash").mkdir(exist_ok=True)
    (folder / "clash" / "clash.py").write_text(DETECTOR)
    (folder / "clash.yaml").write_text(CLASH)
    return str(folder / "clash.yaml")


@pytest.mark.row("VR-27", "SI-32", "PH-43")
def test_the_shipped_suite_goes_as_expected_offline(
    trap: dict[str, str],
) -> None:
    code, report = evaluated(trap, str(SHIPPED))
    odd = [
        f"{one['id']}: {one['verdict']}: {one['reason']}"
        for one in report["outcomes"]
        if not one["as_expected"]
    ]
    assert (code, odd) == (0, [])


@pytest.mark.row("VR-29")
def test_each_check_catches_its_bad_agents_and_no_good_one() -> None:
    caught = run_agents([*BAD, *GOOD, LIAR])
    assert [f"{one.agent.name}: {one.line}" for one in caught if not one.as_it_should] == []
    assert in_the_docs("bad agents") == mutation_table(caught), "run: python -m tests.check_mutations --docs"


@pytest.mark.row("SI-30", "SI-22", "SI-23")
def test_eight_at_once_twenty_times_never_clash(tmp_path: Path, trap: dict[str, str]) -> None:
    code, report = evaluated(trap, clash(tmp_path), "--parallel", "8", "--repeat", "160", "--retries", "0")
    odd = {one["reason"] for one in report["outcomes"] if not one["as_expected"]}
    assert (code, odd, len(report["outcomes"])) == (0, set(), 160)
    (rate,) = report["summary"]["rates"].values()
    assert rate["low"] > 0.97


@pytest.mark.row("SI-24")
def test_ctrl_c_leaves_no_folder_and_no_process(tmp_path: Path, trap: dict[str, str]) -> None:
    process = subprocess.Popen(
        [str(COPILOT), "eval", str(SHIPPED), "--parallel", "2", "--name", "reasoning/"],
        env=trap,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until = time.monotonic() + 120
    while not list((tmp_path / "tmp").glob("copilot-eval-*/*/project/app.py")):
        assert process.poll() is None and time.monotonic() < until, process.communicate()
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    output, errors = process.communicate(timeout=200)
    assert process.returncode == 130, errors
    assert "Traceback" not in output + errors


@pytest.mark.row("SI-30")
def test_a_worker_that_is_killed_loses_nothing_and_disturbs_nobody(
    tmp_path: Path, trap: dict[str, str]
) -> None:
    code, report = _with_a_worker_killed(tmp_path, trap, "local")
    assert code == 0 and max(one["attempts"] for one in report["outcomes"]) == 2


@pytest.mark.row("SI-30")
def test_the_same_on_a_cluster(tmp_path: Path, trap: dict[str, str]) -> None:
    code, report = _with_a_worker_killed(tmp_path, trap, "dask://local?workers=2")
    assert code == 0 and len(report["outcomes"]) == 4


def _with_a_worker_killed(folder: Path, trap: dict[str, str], executor: str) -> tuple[int, dict[str, Any]]:
    """Four trials on two processes; the first kills its own worker, once."""
    (folder / "kill").mkdir()
    (folder / "kill" / "kill.py").write_text(
        "import os, pathlib, signal, sys, time\n"
        "once = pathlib.Path(sys.argv[1])\n"
        "try:\n    once.touch(exist_ok=False)\n"
        "except FileExistsError:\n    time.sleep(0.5); sys.exit()\n"
        "pid = os.getppid()\n"
        "while b'spawn_main' not in (line := pathlib.Path(f'/proc/{pid}/cmdline').read_bytes()):\n"
        "    pid = int(pathlib.Path(f'/proc/{pid}/stat').read_text().rsplit(')', 1)[1].split()[1])\n"
        "os.kill(pid, signal.SIGKILL)\n"
        "time.sleep(30)\n"
    )
    (folder / "kill.yaml").write_text(
        f"scenarios:\n  - name: kill\n    commands: ['python3 {{{{path:kill.py}}}} {folder / 'once'}']\n"
        "    allow_commands: [python3]\n    checks: [{exit_code: 0}]\n"
    )
    return evaluated(
        trap, str(folder / "kill.yaml"), "--parallel", "2", "--repeat", "4", "--executor", executor
    )
