"""The tables of `docs/proving-ground.md`; `python -m tests.lab.docs_tables` writes them again."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from copilot.lab.checks import all_checks

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs" / "proving-ground.md"
COPILOT = Path(sys.executable).with_name("copilot")
SHIPPED = ROOT / "tests" / "scenarios"


def checks_table() -> str:
    """Every check with its parameters."""
    rows = ["| check | family | parameters | passes if |", "|---|---|---|---|"]
    for check in sorted(all_checks().values(), key=lambda one: (one.family != "reasoning", one.name)):
        given = ", ".join(f"**{key}**" if key in check.needs else key for key in check.parameters)
        rows.append(f"| `{check.name}` | {check.family.value} | {given} | {check.about} |")
    return "\n".join(rows) + "\n"


def mutation_table(report: dict[str, Any]) -> str:
    """Bad agents with the checks that they failed and passed, as seen in a report."""
    rows = ["| bad agent | fails | passes |", "|---|---|---|"]
    for one in report["outcomes"]:
        if "bad-agent" in one["tags"]:
            failed = [check["name"] for check in one["checks"] if check["passed"] is False]
            passed = [check["name"] for check in one["checks"] if check["passed"]]
            rows.append(f"| {one['name']} | {', '.join(failed)} | {len(passed)} of {len(one['checks'])} |")
    return "\n".join(rows) + "\n"


def in_the_docs(name: str) -> str:
    """The table as the page has it."""
    return _parts(DOCS.read_text(encoding="utf-8"), name)[1]


def _parts(page: str, name: str) -> tuple[str, str, str]:
    """What is before, in and after a table, its marks outside."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    before, rest = page.split(begin)
    table, after = rest.split(end)
    return before + begin, table, end + after


def main() -> None:
    command = [str(COPILOT), "eval", str(SHIPPED), "--tag", "bad-agent", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    tables = {"checks": checks_table(), "bad agents": mutation_table(json.loads(done.stdout))}
    for name, table in tables.items():
        before, _, after = _parts(DOCS.read_text(encoding="utf-8"), name)
        DOCS.write_text(before + table + after)


if __name__ == "__main__":
    main()
