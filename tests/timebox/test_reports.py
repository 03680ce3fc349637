"""What a test run leaves behind: its log, its summaries, and nothing of the user's gone."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from copilot.redaction.redact import Redactor
from copilot.timebox.counts import Counts, from_text
from copilot.timebox.important import MOST_BLOCKS, important_blocks
from copilot.timebox.output_log import OutputLog
from copilot.timebox.pipes import Stream
from copilot.timebox.request import MAX_MILLISECONDS
from copilot.timebox.summary import Artifacts, Status, TestResult
from copilot.timebox.testing import KEPT, MARK, OWN_PLACE, new_report_folder, remove_old, run_test
from tests.pty.faults import marked
from tests.timebox.conftest import USUAL, Call, CallLater


@pytest.mark.row("TB-32", "TB-33", "TB-34", "TB-35", "TB-44")
def test_the_log_tells_lines_streams_and_times(call: Call) -> None:
    code = (
        "for byte in 'né ✓'.encode(): os.write(1, bytes([byte])); os.write(2, b'.')\n"
        "os.write(1, b' end\\n'); os.write(2, b'\\x1b[31mred\\x1b[0m\\x1b]0;title\\x07 done\\r\\n50%\\r100%')"
    )
    result = call(code)
    lines = [line.split(" ", 1)[1] for line in Path(result.artifacts.raw_log).read_text().splitlines()]
    # Which stream is read first is the system's to say; in each the order is the command's.
    lines.sort(key=lambda line: "[stderr]" in line)
    dots = "." * len("né ✓".encode())
    assert lines == ["[stdout] né ✓ end", f"[stderr] {dots}red done", "[stderr] 50%", "[stderr] 100%"]
    data = json.loads(Path(result.artifacts.summary_json).read_text())
    assert sorted(data["tail_lines"]) == sorted(["né ✓ end", f"{dots}red done", "50%", "100%"])
    assert "\x1b" not in Path(result.artifacts.summary_md).read_text()


@pytest.mark.row("TB-26", "TB-27", "TB-32", "TB-45", "TB-48", "TB-56")
def test_every_end_leaves_a_report_that_says_how(call: Call) -> None:
    cases = {
        "sys.exit(0)": ("pass", 0, ""),
        "print('FAILED one'); sys.exit(1)": ("fail", 1, ""),
        "os.kill(os.getpid(), signal.SIGKILL)": ("fail", None, "SIGKILL"),
    }
    for code, (status, exit_code, reason) in cases.items():
        result = call(code)
        assert (result.status, result.exit_code) == (status, exit_code)
        assert reason in result.error_message
        data = json.loads(Path(result.artifacts.summary_json).read_text())
        assert data["status"] == status and data["command"] == "flutter" and data["args"] == ["test"]
    timed = call("time.sleep(60)", timeout_ms=300)
    assert timed.status == "timeout" and "timeout_ms" in timed.error_message
    silent = call("print('x', flush=True); time.sleep(60)", no_output_timeout_ms=300)
    assert silent.status == "no_output" and "no_output_timeout_ms" in silent.error_message
    assert "x" in Path(silent.artifacts.raw_log).read_text()


@pytest.mark.row("TB-26", "TB-57")
@pytest.mark.parametrize(
    ("said", "why"), [("00:00 +0: No tests ran.", "none was found"), ("00:00 +0 ~2: Skipped.", "all 2 were")]
)
def test_a_pass_without_a_test_says_so_everywhere(call: Call, said: str, why: str) -> None:
    result = call(f"print({said!r})")
    assert (result.status, result.exit_code, result.none_ran) == ("pass", 0, True)
    assert result.error_message.startswith(f"no test ran ({why}")
    assert result.as_json()["error_message"] == result.error_message
    page = Path(result.artifacts.summary_md).read_text()
    assert page.startswith("# Test run: pass, but no test ran\n") and result.error_message in page
    assert not call("print('00:00 +1: All tests passed!')").none_ran


@pytest.mark.row("TB-54")
@pytest.mark.invariant(8)
def test_no_secret_is_in_any_artifact(call: Call) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    code = (
        f"os.write(1, b'FAILED with {token[:20]}'); time.sleep(0.05); os.write(1, b'{token[20:]} here\\n')\n"
        "print('ERROR planted-value-of-the-environment'); sys.exit(1)"
    )
    result = call(code)
    files = [Path(name).read_text() for name in vars_of(result.artifacts)]
    assert "[secret:github:" in result.excerpt and "[secret:known:" in result.excerpt
    for text in [*files, json.dumps(result.as_json())]:
        assert token not in text and token[20:] not in text and "planted-value" not in text


def vars_of(artifacts: Artifacts) -> tuple[str, str, str]:
    return artifacts.raw_log, artifacts.summary_md, artifacts.summary_json


@pytest.mark.row("TB-7", "TB-8", "TB-9", "TB-10", "TB-11", "TB-13", "TB-16", "TB-18", "TB-19")
@pytest.mark.row("TB-20", "TB-21", "TB-47", "TB-48", "TB-50")
def test_bad_input_is_refused_before_anything_is_there(call: Call, project: Path) -> None:
    (project.parent / "outside").mkdir()
    (project / "link").symlink_to(project.parent / "outside")
    (project / "a.py").touch()
    bad: dict[str, list[object]] = {
        "timeout_ms": [True, 1.0, "1", 0, -1, MAX_MILLISECONDS + 1, None],
        "no_output_timeout_ms": [True, 1.0, "1", 0, -1, MAX_MILLISECONDS + 1, None, float("nan")],
        "max_output_bytes": [True, 0, -1, 1.5, "9", None],
        "runner": ["make", "Pytest", "", None, 3, ["pytest"]],
        "report_dir": ["/abs", "../up", "link/x", "a\0b", 3, "~", "x" * 5000, ""],
        "scope": ["some", "ALL", None, 3],
        "extra": [1],
    }
    for name, values in bad.items():
        for value in values:
            result = call("", **{name: value})
            assert result.status == "error" and result.error_message.startswith(f"{name}: "), (name, value)
            assert result.report_dir == "" and result.artifacts == Artifacts()
    targets: list[object] = [
        "../x.py",
        "/etc/passwd",
        "link/x.py",
        "-x",
        " --option",
        "a\0b",
        "a\nb",
        "nothing.py",
    ]
    targets += ["", 7, None, "x" * 5000, "\udcff"]
    for target in targets:
        result = call("", scope="file", target=target)
        assert result.status == "error" and result.error_message.startswith("target: "), target
    for target in ("-x", " --option", "a\0b", "", " "):
        assert call("", scope="pattern", target=target).error_message.startswith("target: "), target
    assert (call("", scope="file", target="a.py")).status == "pass"
    for target in ("a/b [x] $(y) `z`", "/x", "../x", "a::b[1-2]"):
        assert call("", scope="pattern", target=target).status == "pass", target
    (project / "..two.py").touch()
    assert call("", scope="file", target="..two.py").status == "pass", "a name that begins with two dots"


@pytest.mark.row("TB-49", "TB-50")
def test_a_runner_that_cannot_start_leaves_its_reason_and_no_report(call: Call, project: Path) -> None:
    result = call("", runner="jest")
    assert result.status == "error" and "jest: no such program" in result.error_message
    result = call("", environment={"LONG": "x" * 3_000_000})
    assert result.status == "error" and "too long" in result.error_message
    assert not [one for one in (project / OWN_PLACE).glob("*") if (one / MARK).exists()]


@pytest.mark.row("TB-49", "TB-50")
def test_a_program_that_may_not_be_run_and_a_folder_that_is_gone_are_told(
    call: Call, project: Path, tmp_path: Path
) -> None:
    own = project / "node_modules" / ".bin"
    own.mkdir(parents=True)
    (own / "jest").write_text("no program")
    (own / "jest").chmod(0o755)
    broken = call("", runner="jest")
    assert broken.status == "error" and "is not a program for this system" in broken.error_message
    (own / "jest").chmod(0o644)
    result = call("", runner="jest", environment={"PATH": str(own)})
    assert result.status == "error" and "jest: no such program" in result.error_message
    gone = asyncio.run(run_test(USUAL, [tmp_path / "gone"], Redactor()))
    assert gone.status == "error" and "no such folder" in gone.error_message
    for one in (broken, result, gone):
        assert one.report_dir == "" and one.artifacts == Artifacts() and one.exit_code is None


@pytest.mark.row("TB-12")
def test_only_the_folders_given_at_the_start_are_run_in(project: Path, tmp_path: Path) -> None:
    other, outside = tmp_path / "other", tmp_path / "outside"
    for folder in (other, outside):
        folder.mkdir()
    (tmp_path / "flutter").write_text("#!/bin/sh\npwd\n")
    (tmp_path / "flutter").chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:/usr/bin:/bin"}

    def run_in(roots: list[Path], **given: object) -> TestResult:
        return asyncio.run(run_test({**USUAL, **given}, roots, Redactor(), environment=environment))

    for cwd, folder in ((None, project), (str(project), project), (str(other), other)):
        assert run_in([project, other], cwd=cwd).excerpt == str(folder)
    strangers: list[object] = [str(outside), f"{project}/../outside", "/", "", 3, f"{project}/"]
    for stranger in strangers:
        refused = run_in([project, other], cwd=stranger)
        assert refused.status == "error" and refused.error_message.startswith("cwd: "), stranger
    alone = run_in([project], cwd=str(project))
    assert alone.status == "error" and alone.error_message.startswith("cwd: "), (
        "with one folder it is unknown"
    )


@pytest.mark.row("TB-38", "TB-51")
async def test_runs_at_the_same_time_have_reports_of_their_own(call_later: CallLater, project: Path) -> None:
    results = await asyncio.gather(
        *(call_later("print(sys.argv[-1])", scope="pattern", target=f"t{n}") for n in range(5))
    )
    assert {result.status for result in results} == {Status.PASS}
    assert len({result.report_dir for result in results}) == 5
    for number, result in enumerate(results):
        assert result.excerpt == f"t{number}"


@pytest.mark.row("TB-38")
def test_a_hundred_folders_of_one_moment_are_all_different(project: Path) -> None:
    folders = [new_report_folder(project, "reports", at=1.0) for _ in range(100)]
    assert len({folder.path for folder in folders}) == 100
    for folder in folders:
        folder.release()


@pytest.mark.row("TB-39")
def test_a_repository_as_report_dir_loses_nothing(call: Call, project: Path) -> None:
    """What the source's own program does there deletes source folders and `.git`."""
    for name in (".git", "src", "lib", "docs", "tests", "zz"):
        (project / name).mkdir()
        (project / name / "file").write_text(name)
    before = {path for path in project.rglob("*")}
    reports = [(call("", report_dir=".")).report_dir for _ in range(7)]
    assert before <= {path for path in project.rglob("*")}
    assert len({*reports}) == 7 and all(Path(one).is_dir() for one in reports)


@pytest.mark.row("TB-39")
def test_of_our_own_reports_the_newest_stay_and_nothing_of_others_goes(call: Call, project: Path) -> None:
    base = project / OWN_PLACE
    foreign = base / "20200101T000000-00000000"
    foreign.mkdir(parents=True)
    (foreign / "raw.log").write_text("mine")
    old = [Path(call("").report_dir) for _ in range(2)]
    (old[0] / "notes.txt").write_text("kept by hand")
    copied = base / "a-copy"
    copied.mkdir()
    (copied / MARK).write_text((old[1] / MARK).read_text())
    linked = base / "a-link"
    linked.symlink_to(project, target_is_directory=True)
    held = new_report_folder(project, None, time.time())
    for one in (*old, held.path):
        os.utime(one / MARK, (1, 1))
    newest = [Path(call("").report_dir) for _ in range(KEPT)]
    assert foreign.is_dir() and copied.is_dir() and linked.is_symlink() and project.is_dir()
    assert (old[0] / "notes.txt").read_text() == "kept by hand"
    assert not old[1].exists(), "an old report of ours goes"
    assert held.path.is_dir(), "a run that still goes on keeps its folder"
    assert all(one.is_dir() for one in newest)
    held.release()
    assert held.path in remove_old(base)


_KILLED_WRITER = """
import os, signal, sys
from pathlib import Path
import copilot.private_files as files

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

def write_half(descriptor, data):
    os.write(descriptor, data[: len(data) // 2])
    die()

_, path, place = sys.argv
setattr(files.os if place == "fsync" else files, place, write_half if place == "write_all" else die)
files.replace_atomically(Path(path), "new" * 1000)
"""


@pytest.mark.row("TB-40")
@pytest.mark.parametrize(("place", "left"), [("write_all", "old"), ("fsync", "old"), ("sync_folder", "new")])
def test_a_kill_in_the_middle_of_writing_leaves_the_old_summary_or_the_new(
    place: str, left: str, tmp_path: Path
) -> None:
    path = tmp_path / "summary.json"
    path.write_text("old" * 1000)
    command = (sys.executable, "-c", _KILLED_WRITER, str(path), place)
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    assert path.read_text() == left * 1000


@pytest.mark.row("TB-43")
def test_of_many_failures_the_first_and_the_last_are_shown() -> None:
    lines = [f"FAILED test_{number // 10}" if number % 10 == 0 else "." for number in range(500)]
    blocks = [block.split("\n") for block in important_blocks(lines)]
    shown = [*range(MOST_BLOCKS // 2), *range(50 - MOST_BLOCKS // 2, 50)]
    assert len(blocks) == len(shown) == MOST_BLOCKS
    for number, block in zip(shown, blocks, strict=True):
        assert f"FAILED test_{number}" in block


@pytest.mark.row("TB-31")
def test_what_the_tests_leave_running_is_told(call: Call, project: Path) -> None:
    result = call("if os.fork() == 0: time.sleep(60)", environment={"FAULT_MARK": str(project)})
    assert result.status == "pass" and result.leaked and result.as_json()["leaked"] is True
    assert not marked(str(project))


async def test_a_cancelled_run_keeps_its_log(call_later: CallLater, project: Path) -> None:
    task = asyncio.create_task(call_later("print('so far', flush=True); time.sleep(60)"))
    log = None
    while log is None or "so far" not in log.read_text():
        await asyncio.sleep(0.02)
        log = next((project / OWN_PLACE).glob("*/raw.log"), None)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    summary = json.loads(log.with_name("summary.json").read_text())
    assert summary["status"] == "error" and "cancelled" in summary["error_message"]


@pytest.mark.row("TB-36", "TB-37")
def test_a_flood_is_cut_in_the_middle_and_its_end_is_kept(tmp_path: Path) -> None:
    log = OutputLog(tmp_path / "raw.log", Redactor(), cap_bytes=20_000, tail_bytes=10_000)
    for number in range(10_000):
        log.take(Stream.STDOUT, b"line %d\n" % number)
    log.close()
    text = (tmp_path / "raw.log").read_text()
    assert "line 0\n" in text and "line 9999\n" in text and "line 5000\n" not in text
    assert f"[copilot] ... {log.left_out} bytes are left out here" in text
    assert log.left_out > 50_000 and log.received == sum(len(b"line %d\n" % n) for n in range(10_000))
    assert log.tail().endswith("line 9999\n") and 9_000 < len(log.tail()) < 40_000


def test_a_line_without_an_end_is_kept_in_pieces(tmp_path: Path) -> None:
    log = OutputLog(tmp_path / "raw.log", Redactor())
    for _ in range(50):
        log.take(Stream.STDERR, b"x y " * 1_000)
    log.close()
    lines = (tmp_path / "raw.log").read_text().splitlines()
    assert 3 <= len(lines) <= 5 and sum(line.count("x y") for line in lines) >= 49_990


def test_a_full_disk_ends_the_log_and_not_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = OutputLog(tmp_path / "raw.log", Redactor())

    def full(descriptor: int, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("copilot.timebox.output_log.write_all", full)
    log.take(Stream.STDOUT, b"one\ntwo\n")
    log.close()
    assert log.fault is not None and log.fault.errno == 28 and log.tail() == "one\ntwo\n"


@pytest.mark.row("TB-57")
@pytest.mark.parametrize(
    ("runner", "text", "counts"),
    [
        ("pytest", "== 1 failed, 2 passed, 3 skipped, 1 warning in 0.12s ==", Counts(2, 1, 3)),
        ("pytest", "===== 1 passed, 1 error in 3.00s (0:00:03) =====", Counts(1, 1, 0)),
        ("unittest", "Ran 5 tests in 0.1s\n\nFAILED (failures=1, errors=1, skipped=1)", Counts(2, 2, 1)),
        ("jest", "Tests:       1 failed, 1 skipped, 2 passed, 4 total", Counts(2, 1, 1)),
        ("vitest", "      Tests  1 failed | 2 passed (3)", Counts(2, 1, 0)),
        (
            "cargo",
            "test result: ok. 2 passed; 0 failed; 1 ignored; 0\ntest result: FAILED. 1 passed; 1 failed; 0 ignored",
            Counts(3, 1, 1),
        ),
        ("go", "--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.00s)\n    --- PASS: TestB/x", Counts(1, 1, 0)),
        ("node", "ℹ tests 3\nℹ pass 1\nℹ fail 1\nℹ cancelled 0\nℹ skipped 1", Counts(1, 1, 1)),
        ("flutter", "00:01 +1: a\n00:02 +2 ~1 -1: Some tests failed.", Counts(2, 1, 1)),
        ("pytest", "nothing of the kind", None),
        ("go", "?   \texample/a\t[no test files]", Counts()),
        ("go", "testing: warning: no tests to run\nPASS\nok  \texample\t0.002s [no tests to run]", Counts()),
        ("go", "?   \ta\t[no test files]\n--- PASS: TestA (0.00s)\nok  \tb\t0.1s", Counts(1)),
        ("go", "ok  \texample\t0.002s", None),
        ("jest", "No tests found, exiting with code 0", Counts()),
        ("vitest", "No test files found, exiting with code 0", Counts()),
    ],
)
def test_counts_are_read_from_what_the_runner_says(runner: str, text: str, counts: Counts | None) -> None:
    assert from_text(runner, text) == counts
