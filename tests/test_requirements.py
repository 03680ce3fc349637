"""A row is shown by a test that ran and passed, and by nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import requirements
from tests.requirements import outcomes, report, shown
from tests.row_outcomes import FOLDER, ROOT, RowTest, known_rows, written

_SOURCE = """
import pytest
pytestmark = pytest.mark.row("SI-1")

@pytest.mark.row("SI-2")
@pytest.mark.parametrize("x", [1, pytest.param(2, marks=pytest.mark.row("SI-3"))])
def test_passes(x):
    assert x

@pytest.mark.row("SI-4")
def test_skips():
    pytest.skip("not here")

@pytest.mark.row("SI-5")
@pytest.mark.parametrize("x", [])
def test_of_nothing(x):
    assert x

@pytest.mark.row("SI-6")
def test_empty():
    ...

@pytest.mark.row("SI-7")
def test_fails():
    assert not known()

@pytest.fixture
def torn():
    yield
    raise ValueError

@pytest.mark.row("SI-8")
def test_fails_at_its_end(torn):
    assert True

@pytest.mark.row("SI-9")
def helper():
    pass

class TestB:
    @pytest.mark.slow
    @pytest.mark.row("SI-10")
    async def test_is_slow(self):
        assert True
"""


def _run(folder: Path, source: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_rows.py").write_text(source, encoding="utf-8")
    plugins = ("tests.row_outcomes", "pytest_asyncio.plugin", "xdist.plugin")
    start = [sys.executable, "-m", "pytest", *(word for name in plugins for word in ("-p", name))]
    start += ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(folder), str(folder), *arguments]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(
        start, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=200, check=False
    )


@pytest.mark.parametrize("workers", [(), ("-n", "1")], ids=["one process", "xdist"])
def test_only_what_ran_and_passed_counts(workers: tuple[str, ...], tmp_path: Path) -> None:
    done = _run(tmp_path, _SOURCE, "--outcomes", str(tmp_path / "seen"), *workers)
    tests = list(written(tmp_path / "seen.jsonl"))
    assert {test.test.split("::", 1)[1]: test.outcome for test in tests} == {
        "test_passes[1]": "passed",
        "test_passes[2]": "passed",
        "test_skips": "skipped",
        "test_of_nothing[NOTSET]": "skipped",
        "test_empty": "empty",
        "test_fails": "failed",
        "test_fails_at_its_end": "failed",
        "TestB::test_is_slow": "passed",
    }, done.stdout
    rows = {row for test in tests for row in test.rows}
    assert rows == {f"SI-{number}" for number in (1, 2, 3, 4, 5, 6, 7, 8, 10)}
    ended = {test.test: test.outcome for test in tests}
    assert shown(tests, ended) == {"SI-2": {"default"}, "SI-3": {"default"}, "SI-10": {"slow"}}
    assert shown(tests, {}) == {}


def test_a_mark_of_an_unknown_row_ends_the_run_and_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = 'import pytest\n@pytest.mark.row("SI-999")\ndef test_a():\n    assert True\n'
    done = _run(tmp_path, source)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "test_a: no such row SI-999 in requirement_rows.tsv" in done.stderr
    monkeypatch.setattr(requirements, "collected", lambda: ([], "no such row SI-999"))
    assert requirements.main([]) == 1
    assert "error: no such row SI-999" in capsys.readouterr().err


def test_the_report_names_rows_that_slow_tests_or_none_show() -> None:
    tests = [
        RowTest("a", ("SI-1",), "default"),
        RowTest("b", ("SI-2", "SI-1"), "slow"),
        RowTest("c", ("SI-3",), "real"),
        RowTest("d", ("SI-4",), "default"),
    ]
    lines = report(tests, {"a": "passed", "b": "passed", "c": "passed", "d": "skipped"})
    known = known_rows()
    assert lines[0] == f"shown by `make test`: 1 of {len(known)} rows"
    assert lines[1:5] == [
        "shown by slow or real-CLI tests only: 2",
        f"  SI-2  {known['SI-2']} (slow)",
        f"  SI-3  {known['SI-3']} (real)",
        f"shown by none: {len(known) - 3}",
    ]
    assert f"  SI-4  {known['SI-4']} (skipped: d)" in lines


def test_files_of_another_commit_and_missing_ones_are_said(tmp_path: Path) -> None:
    head = {"commit": "0" * 40, "changed": False}
    test = {"test": "a", "rows": ["SI-1"], "kind": "default", "outcome": "passed"}
    (tmp_path / "default.jsonl").write_text(f"{json.dumps(head)}\n{json.dumps(test)}\n", encoding="utf-8")
    ended, notes = outcomes(tmp_path)
    assert ended == {"a": "passed"}
    assert notes == [
        "make test: ran at another commit, 0000000000: run it again",
        "make test-slow: has not run here",
        "make test-real: has not run here",
    ]


def test_outcomes_lie_beside_the_sources_and_are_not_kept() -> None:
    assert FOLDER.parent == ROOT
    assert f"{FOLDER.name}/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_rows_are_numbered_without_gaps() -> None:
    numbers: dict[str, list[int]] = {}
    for row in known_rows():
        family, number = row.split("-")
        numbers.setdefault(family, []).append(int(number))
    assert {family: len(found) for family, found in numbers.items()} == {
        "SI": 43,
        "CP": 95,
        "VR": 34,
        "TB": 57,
        "PH": 49,
    }
    assert all(found == list(range(1, len(found) + 1)) for found in numbers.values())
