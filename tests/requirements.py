"""Which requirement rows are shown by tests that ran and passed.

    python tests/requirements.py [--tests]

Runs no test: tests are collected, and how they ended is read from `.outcomes/`, where `make test`,
`make test-slow` and `make test-real` leave it (`tests/row_outcomes.py`). A row is shown by a test that passed;
one that was skipped, failed, is empty or was not run shows nothing. Exit 1: a mark names an unknown row.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pytest

if __name__ == "__main__":  # as a script its own folder is on the path, not the project's
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from tests.row_outcomes import FOLDER, ROOT, RUNS, RowTest, commit, known_rows, row_test, written


class _Collected:
    """What pytest collects, before anything is left out."""

    def __init__(self) -> None:
        self.tests: list[RowTest] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        self.tests = [test for item in items if (test := row_test(item)) is not None]


def collected(folder: Path = ROOT / "tests") -> tuple[list[RowTest], str]:
    """All tests that carry rows, and what is wrong with the collection."""
    seen, said = _Collected(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = pytest.main(["--collect-only", "-qq", "--rootdir", str(ROOT), str(folder)], plugins=[seen])
    wrong = [line for line in said.getvalue().splitlines() if "error" in line.lower()]
    return seen.tests, "" if code == pytest.ExitCode.OK else "\n".join(wrong) or f"pytest ended with {code}"


def outcomes(folder: Path = FOLDER) -> tuple[dict[str, str], list[str]]:
    """How each test ended when it last ran, and what is to be said of the files."""
    ended: dict[str, str] = {}
    notes, here = [], commit()
    for name, command in RUNS.items():
        path = folder / f"{name}.jsonl"
        if not path.is_file():
            notes.append(f"{command}: has not run here")
            continue
        head = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
        if head["commit"] != here:
            notes.append(f"{command}: ran at another commit, {head['commit'][:10] or 'none'}: run it again")
        elif head["changed"]:
            notes.append(f"{command}: ran with changes that are not committed")
        ended |= {test.test: test.outcome for test in written(path)}
    return ended, notes


def shown(tests: Iterable[RowTest], ended: Mapping[str, str]) -> dict[str, set[str]]:
    """For each row the kinds of tests that show it: one passed, and none that carries it failed."""
    kinds: defaultdict[str, set[str]] = defaultdict(set)
    failed = set()
    for test in tests:
        for row in test.rows:
            if ended.get(test.test) == "passed":
                kinds[row].add(test.kind)
            elif ended.get(test.test) == "failed":
                failed.add(row)
    return {row: found for row, found in kinds.items() if row not in failed}


def report(tests: Sequence[RowTest], ended: Mapping[str, str], *, with_tests: bool = False) -> list[str]:
    known, by_row = known_rows(), defaultdict(list)
    for test in tests:
        for row in test.rows:
            by_row[row].append(test)
    kinds = shown(tests, ended)
    default = [row for row in known if "default" in kinds.get(row, ())]
    other = [row for row in known if row in kinds and row not in default]
    none = [row for row in known if row not in kinds]
    lines = []
    if with_tests:
        for row in known:
            lines.append(f"{row}  {known[row]}")
            lines += [f"    {ended.get(test.test, 'not run'):8}{test.test}" for test in by_row[row]]
    lines.append(f"shown by `make test`: {len(default)} of {len(known)} rows")
    lines.append(f"shown by slow or real-CLI tests only: {len(other)}")
    lines += [f"  {row}  {known[row]} ({', '.join(sorted(kinds[row]))})" for row in other]
    lines.append(f"shown by none: {len(none)}")
    for row in none:
        claims = [f"{ended.get(test.test, 'not run')}: {test.test}" for test in by_row[row]]
        lines.append(f"  {row}  {known[row]}" + (f" ({claims[0]})" if claims else ""))
    return lines


def main(arguments: Sequence[str]) -> int:
    """Print what is shown; 1 if the tests cannot be collected or a mark names an unknown row."""
    tests, wrong = collected()
    if wrong:
        print(f"error: {wrong}", file=sys.stderr)
        return 1
    ended, notes = outcomes()
    print("\n".join([*notes, *report(tests, ended, with_tests="--tests" in arguments)]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
