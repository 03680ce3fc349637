"""`make drift`: the newest version of each CLI, or versions that are named, walked by `copilot profiles test`.

Run `python -m tests.real.drift [NAME[@VERSION]…]`. Each version is installed from its registry into a temporary
folder and removed after its walk; the outcome becomes a row of the table in `docs/profiles.md`.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from copilot.config.profile_files import load_profile
from copilot.lab.clis import WALKS
from tests.docs_tables import write_between, written
from tests.real.install import BY_NAME, NotInstallable, installed
from tests.real.run import COPILOT

DOCUMENT, MARK = "profiles.md", "drift"
_WALK_SECONDS = 900.0
_ASK_SECONDS = 60.0
_VERSION = re.compile(r"\d+(?:\.\d+)+")
_HEADING = ("| CLI | version | walked | dialogs | outcome |", "|---|---|---|---|---|")


@dataclass(frozen=True, slots=True)
class Row:
    """One version of one CLI, as it was last walked on `date`. `dialogs` is how many of how many fit."""

    name: str
    version: str
    date: str
    dialogs: str
    outcome: str

    def markdown(self) -> str:
        cells = (self.name, self.version, self.date, self.dialogs, self.outcome.replace("|", "/"))
        return f"| {' | '.join(cells)} |"


def newest(name: str) -> str:
    """The version that the registry gives to whoever asks for none. Raises NotInstallable."""
    cli = BY_NAME[name]
    if cli.from_pypi:
        command = [sys.executable, "-m", "pip", "index", "versions", cli.package]
    else:
        command = ["npm", "view", cli.package, "version"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_ASK_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotInstallable(
            f"the registry does not say which version of {cli.package} is the newest"
        ) from error
    found = _VERSION.search(done.stdout)
    if done.returncode != 0 or found is None:
        raise NotInstallable(f"the registry does not say which version of {cli.package} is the newest")
    return found.group()


def walked(name: str, version: str) -> Row:
    """Install this version, walk it, remove it. Raises NotInstallable."""
    with tempfile.TemporaryDirectory(prefix="copilot-drift-install-") as folder:
        cli = replace(BY_NAME[name], version=version, cache=Path(folder))
        programs = installed(cli)
        environment = {**os.environ, "PATH": os.pathsep.join([str(programs), os.environ["PATH"]])}
        command = [str(COPILOT), "profiles", "test", name, "--json", "--save", str(Path(folder, "screens"))]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=_WALK_SECONDS, check=False
        )
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if not lines:
        raise NotInstallable(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no outcome")
    return row_of(name, json.loads(lines[0]), datetime.now(UTC).date().isoformat())


def row_of(name: str, outcome: dict[str, Any], date: str) -> Row:
    """The row of the outcome that `copilot profiles test --json` printed."""
    dialogs = outcome["dialogs"]
    fitting = sum(not dialog["differences"] for dialog in dialogs)
    count = len(dialogs) + len(outcome["not_reached"])
    return Row(name, outcome["version"], date, f"{fitting} of {count}", _outcome(outcome))


def _outcome(outcome: dict[str, Any]) -> str:
    differing = [
        f"{dialog['dialog']}: {', '.join(dict.fromkeys(one['aspect'] for one in dialog['differences']))}"
        for dialog in outcome["dialogs"]
        if dialog["differences"]
    ]
    parts = [f"differs in {'; '.join(differing)}"] if differing else []
    parts += [f"our recipe failed: {outcome['failure']}"] if outcome["failure"] else []
    parts += [f"not reached: {', '.join(outcome['not_reached'])}"] if outcome["not_reached"] else []
    parts += [f"has no {', '.join(outcome['absent'])}"] if outcome["absent"] else []
    return "; ".join(parts) or "as measured"


def table(rows: Sequence[Row]) -> str:
    """All rows, by CLI and newest version first."""
    ordered = sorted(rows, key=lambda row: (row.name, [-int(part) for part in row.version.split(".")]))
    return "\n".join([*_HEADING, *(row.markdown() for row in ordered)]) + "\n"


def rows_in(text: str) -> Iterator[Row]:
    """The rows of a table that `table` made."""
    for line in text.splitlines()[len(_HEADING) :]:
        yield Row(*(cell.strip() for cell in line.strip("|").split("|")))


def keep(rows: Sequence[Row]) -> None:
    """Write rows into the document; each takes the place of an older one of the same version."""
    known = {(row.name, row.version): row for row in rows_in(written(DOCUMENT, MARK))}
    known |= {(row.name, row.version): row for row in rows}
    write_between(DOCUMENT, MARK, table(list(known.values())))


def main(targets: Sequence[str]) -> int:
    """Walk those named, else the newest of each; 1 if one is not as measured, 2 if one cannot be walked."""
    code = 0
    for target in targets or sorted(WALKS):
        name, _, version = target.partition("@")
        load_profile(name)
        try:
            row = walked(name, version or newest(name))
        except NotInstallable as problem:
            print(f"{target}: cannot be walked: {problem}", file=sys.stderr)
            code = 2
            continue
        keep([row])
        print(row.markdown(), flush=True)
        code = code or int(row.outcome != "as measured")
    return code


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
