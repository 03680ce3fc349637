"""A pytest plugin: which tests with `@pytest.mark.row(…)` ran, and how they ended.

    pytest --outcomes default

writes `.outcomes/default.jsonl`: a head (commit, whether files differed from it), then one line per test that
carries a row. `tests/requirements.py` reads what `make test`, `make test-slow` and `make test-real` wrote.
A mark of an unknown row ends the run.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".outcomes"
ROWS_FILE = ROOT / "tests" / "requirement_rows.tsv"
RUNS = {"default": "make test", "slow": "make test-slow", "real": "make test-real"}
"""Kinds of tests, by the command that runs them."""
_PROPERTY = "rows"


@dataclass(frozen=True, slots=True)
class RowTest:
    """A test that carries rows. `outcome` is `passed`, `failed`, `skipped`, or `empty`: it says nothing."""

    test: str
    rows: tuple[str, ...]
    kind: str
    outcome: str = ""


def known_rows() -> dict[str, str]:
    """Row ids with their short titles, in order."""
    lines = ROWS_FILE.read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t", 1) for line in lines if line.strip())


def row_test(item: pytest.Item) -> RowTest | None:
    """The rows of a test, its class and its module, and of its parameters."""
    rows = dict.fromkeys(str(row) for mark in item.iter_markers("row") for row in mark.args)
    kind = "real" if item.get_closest_marker("real_cli") else "slow" if _slow(item) else "default"
    return RowTest(_plain(item.nodeid), tuple(sorted(rows)), kind) if rows else None


def says_nothing(item: pytest.Item) -> bool:
    """Whether a test's body is empty: it uses no name and no fixture."""
    code = getattr(getattr(item, "function", None), "__code__", None)
    return code is not None and not (code.co_names or code.co_varnames or code.co_freevars)


def _slow(item: pytest.Item) -> bool:
    return item.get_closest_marker("slow") is not None


def _plain(nodeid: str) -> str:
    return nodeid.removeprefix("tests/")


class Recorder:
    """Collects outcomes where reports arrive, which under xdist is not where tests run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.tests: dict[str, RowTest] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, value in report.user_properties:
            if name == _PROPERTY:
                self._ended(_read(str(value)), report)

    def _ended(self, test: RowTest, report: pytest.TestReport) -> None:
        """A failure of any phase counts; else a skip, wherever; else how the call ended."""
        before = self.tests.get(test.test)
        if before is not None and before.outcome == "failed":
            return
        if report.outcome != "passed" or report.when == "call":
            outcome = report.outcome if report.outcome != "passed" else test.outcome or "passed"
            self.tests[test.test] = replace(test, outcome=outcome)

    def pytest_sessionfinish(self) -> None:
        self.path.parent.mkdir(exist_ok=True)
        head = {"commit": commit(), "changed": bool(_git("status", "--porcelain", "-uno"))}
        lines = [head, *map(asdict, self.tests.values())]
        self.path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def commit() -> str:
    """The commit that is checked out; empty without git."""
    return _git("rev-parse", "HEAD")


def _git(*words: str) -> str:
    try:
        done = subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--outcomes", metavar="NAME", help="write .outcomes/NAME.jsonl for tests/requirements.py"
    )


def pytest_configure(config: pytest.Config) -> None:
    name = config.getoption("--outcomes")
    if name and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(FOLDER / f"{name}.jsonl"), "row-outcomes")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    known = known_rows()
    for item in items:
        test = row_test(item)
        if test is None:
            continue
        unknown = [row for row in test.rows if row not in known]
        if unknown:
            raise pytest.UsageError(f"{test.test}: no such row {', '.join(unknown)} in {ROWS_FILE.name}")
        seen = replace(test, outcome="empty" if says_nothing(item) else "")
        item.user_properties.append((_PROPERTY, json.dumps(asdict(seen))))


def written(path: Path) -> Iterator[RowTest]:
    """The tests of a file of outcomes, without its head."""
    return map(_read, path.read_text(encoding="utf-8").splitlines()[1:])


def _read(line: str) -> RowTest:
    test = json.loads(line)
    return RowTest(test["test"], tuple(test["rows"]), test["kind"], test["outcome"])
