"""The tables of `docs/proving-ground.md`; `python -m tests.check_mutations --docs` writes them again."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from copilot.lab.checks import all_checks
from tests.check_mutations.agent import panel
from tests.check_mutations.bad import LIAR
from tests.check_mutations.good import GOOD
from tests.check_mutations.trials import Caught

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


def mutation_table(caught: Sequence[Caught]) -> str:
    """For each check its bad agents, how many of them only it caught, and how many good ones it passed."""
    rows = ["| check | bad agents | caught by it alone | good agents passed |", "|---|---|---|---|"]
    for name in panel():
        own = [one for one in caught if one.agent.target == name]
        alone = [one for one in own if one.as_it_should]
        good = [one.found[name] for one in caught if one.agent in GOOD and name in one.found]
        agents = "; ".join(one.agent.name for one in own)
        rows.append(
            f"| `{name}` | {agents} | {len(alone)} of {len(own)} | {good.count(True)} of {len(good)} |"
        )
    liar = next(one for one in caught if one.agent.name == LIAR.name)
    failed = [one for one in liar.found.values() if one is not True]
    rows.append(f"| all of them | {LIAR.name} | {len(failed)} of {len(liar.found)} do not pass it | |")
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


def write_tables(caught: Sequence[Caught]) -> None:
    """Write both tables into the page."""
    for name, table in {"checks": checks_table(), "bad agents": mutation_table(caught)}.items():
        before, _, after = _parts(DOCS.read_text(encoding="utf-8"), name)
        DOCS.write_text(before + table + after)
