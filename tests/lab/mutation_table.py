"""Writes the table of bad agents in `docs/proving-ground.md` anew: `python -m tests.lab.mutation_table`."""

from __future__ import annotations

import json
import subprocess

from tests.lab.test_suite_slow import COPILOT, DOCS, SHIPPED, mutation_table

BEGIN, END = "<!-- bad agents: begin -->\n", "<!-- bad agents: end -->"


def main() -> None:
    """Run the bad agents, and put what they failed into the page."""
    command = [str(COPILOT), "eval", str(SHIPPED), "--tag", "bad-agent", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    page = DOCS.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    DOCS.write_text(before + BEGIN + mutation_table(json.loads(done.stdout)) + END + rest.split(END)[1])


if __name__ == "__main__":
    main()
