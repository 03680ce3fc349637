"""Which requirement rows have tests: reads the marks `@pytest.mark.row("CP-1")` without running anything.

    python tests/requirements.py [--untested]

Known rows are those of `tests/requirement_rows.tsv`. A mark of an unknown row is an error (exit 1).
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).resolve().parent
ROWS_FILE = TESTS / "requirement_rows.tsv"


def known_rows() -> dict[str, str]:
    """Row ids with their short titles, in order."""
    lines = ROWS_FILE.read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t", 1) for line in lines if line.strip())


def marked_tests(folder: Path = TESTS) -> dict[str, list[str]]:
    """For each row the tests that carry its mark, as `path::name`."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(folder.rglob("test_*.py")):
        for name, rows in marks_in(path.read_text(encoding="utf-8"), str(path)):
            for row in rows:
                found[row].append(f"{path.relative_to(folder).as_posix()}::{name}")
    return dict(found)


def marks_in(source: str, filename: str = "<source>") -> Iterator[tuple[str, list[str]]]:
    """Each test of a module with the rows that it, its class or its module is marked with."""
    tree = ast.parse(source, filename)
    of_module = [row for node in tree.body for row in _module_rows(node)]
    yield from _in_body(tree.body, of_module, "")


def _in_body(body: list[ast.stmt], inherited: list[str], prefix: str) -> Iterator[tuple[str, list[str]]]:
    for node in body:
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            yield from _in_body(node.body, inherited + _rows(node.decorator_list), f"{prefix}{node.name}::")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            rows = inherited + _rows(node.decorator_list)
            if rows:
                yield prefix + node.name, sorted(set(rows))


def _module_rows(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.Assign) and any(ast.unparse(target) == "pytestmark" for target in node.targets):
        return _rows(node.value.elts if isinstance(node.value, ast.List | ast.Tuple) else [node.value])
    return []


def _rows(marks: list[ast.expr]) -> list[str]:
    """The rows named by marks; marks inside `pytest.param(..., marks=...)` are beyond this reader."""
    rows: list[str] = []
    for mark in marks:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.row":
            rows += [str(ast.literal_eval(argument)) for argument in mark.args]
    return rows


def main(arguments: list[str]) -> int:
    """Print the rows with their tests, then those without; 1 if a mark names an unknown row."""
    known, marked = known_rows(), marked_tests()
    if "--untested" not in arguments:
        for row, title in known.items():
            if row in marked:
                print(f"{row}  {title}")
                for test in marked[row]:
                    print(f"    {test}")
    untested = [row for row in known if row not in marked]
    print(f"\nwithout a test ({len(untested)} of {len(known)}):")
    for row in untested:
        print(f"{row}  {known[row]}")
    families = dict.fromkeys(row.split("-")[0] for row in known)
    for family in families:
        rows = [row for row in known if row.startswith(f"{family}-")]
        print(f"{family}: {sum(row in marked for row in rows)} of {len(rows)} rows have tests")
    unknown = sorted(set(marked) - set(known))
    for row in unknown:
        print(f"error: no such row {row}: {', '.join(marked[row])}", file=sys.stderr)
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
