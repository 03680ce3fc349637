"""Tables of the documents that are made from registries; `python -m tests.docs_tables` writes them again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from copilot.recording.artifacts import ARTIFACTS
from copilot.testrunner.tools import all_tools

DOCS = Path(__file__).resolve().parents[1] / "docs"


def run_folder_table() -> str:
    rows = [
        "| entry | what it is |",
        "|---|---|",
        *(f"| `{path}` | {what} |" for path, what in ARTIFACTS.items()),
    ]
    return "\n".join(rows) + "\n"


def tools_table() -> str:
    rows = [f"| `{tool.name}` | {tool.title} | {tool.description} |" for tool in all_tools().values()]
    return "\n".join(["| tool | title | what a CLI reads of it |", "|---|---|---|", *rows]) + "\n"


TABLES: dict[tuple[str, str], Callable[[], str]] = {
    ("architecture.md", "run folder"): run_folder_table,
    ("test-runner.md", "tools"): tools_table,
}
"""By document and the name between its marks."""


def written(document: str, name: str) -> str:
    """The table as the document has it."""
    return _parts(document, name)[1]


def _parts(document: str, name: str) -> tuple[str, str, str]:
    """What is before, in and after a table, its marks outside."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    before, rest = (DOCS / document).read_text(encoding="utf-8").split(begin)
    table, after = rest.split(end)
    return before + begin, table, end + after


def main() -> None:
    for (document, name), table in TABLES.items():
        before, _, after = _parts(document, name)
        (DOCS / document).write_text(before + table() + after, encoding="utf-8")


if __name__ == "__main__":
    main()
