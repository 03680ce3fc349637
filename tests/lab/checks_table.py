"""The table of checks in `docs/proving-ground.md`; `python -m tests.lab.checks_table` writes it anew."""

from __future__ import annotations

from copilot.lab.checks import all_checks
from tests.lab.test_suite_slow import DOCS

BEGIN, END = "<!-- checks: begin -->\n", "<!-- checks: end -->"


def checks_table() -> str:
    """Every check with its parameters."""
    rows = ["| check | family | parameters | passes if |", "|---|---|---|---|"]
    for check in sorted(all_checks().values(), key=lambda one: (one.family != "reasoning", one.name)):
        given = ", ".join(f"**{key}**" if key in check.needs else key for key in check.parameters)
        rows.append(f"| `{check.name}` | {check.family.value} | {given} | {check.about} |")
    return "\n".join(rows) + "\n"


def written_table() -> str:
    """The table as it stands in the page."""
    return DOCS.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0]


def main() -> None:
    """Put it into the page."""
    page = DOCS.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    DOCS.write_text(before + BEGIN + checks_table() + END + rest.split(END)[1])


if __name__ == "__main__":
    main()
