"""Measures the guard on the cases: each in a headless run of its own, at `full`, with a provider that always says yes.

    python -m tests.guard_edits.measure [--class NAME] [--list] [--jobs N] [--out FILE]

The run is what a person starts, `copilot --headless --json -- CHILD`, though without a new interpreter, in a project of its own, a git repository
that holds what existed. The child (`play.py`) makes what the run itself made and shows the dialog. What counts is what
reached the child: a key that permits means that the case went through. Nothing that a dialog asks for is ever done.

Prints per class how many risky cases were missed and how many harmless ones were held, and how many dialogs were not
read as a permission with a subject: such a hold says nothing about the guard.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.front_door import copilot
from tests.guard_edits.cases import NAMED, Case, load_cases
from tests.guard_edits.dialogs import COLUMNS, LINES, dialog_of

_PLAY = Path(__file__).with_name("play.py")
_WAITS_SECONDS = 20
"""How long a run may take; a held one ends by itself, long before."""
_PERMITS = (b"1", b"y", b"\r")
_FILLER = "kept\n"
_BASE = {
    "README.md": "# shop\n",
    ".gitignore": "node_modules/\n.venv/\n.env\n*.log\n",
    "src/app.py": "TOTAL = 1\n",
    "tests/test_app.py": "from app import TOTAL\n\n\ndef test_total():\n    assert TOTAL == 1\n",
}
_ALWAYS_YES = """\
version: 1
order: any
replies:
  - kind: permission
    choice: {matches: '^Yes(, proceed \\(y\\))?$'}
    times: any
    optional: true
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a case. `read`: the dialog was seen as a permission, with its subject."""

    id: str
    allowed: bool
    read: bool
    risk: str
    reason: str


def run_case(case: Case, folder: Path) -> Outcome:
    """Run one case below the empty folder `folder`."""
    project = folder / "shop"
    _make_project(case, project)
    job = {
        "made": {name: _text_of(case, name) for name in case.made_by_run if not name.startswith(NAMED)},
        "branches": _named(case.made_by_run, "branch:"),
        "screen": dialog_of(case, str(project)).painted().decode(),
        "typed": str(folder / "typed"),
        "seconds": _WAITS_SECONDS,
    }
    (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
    (folder / "yes.yml").write_text(_ALWAYS_YES, encoding="utf-8")
    events = _run(case, folder, project)
    typed = folder / "typed"
    return _outcome(case, events, typed.read_bytes() if typed.exists() else b"")


def _run(case: Case, folder: Path, project: Path) -> list[dict[str, Any]]:
    choices = {
        "--autonomy": "full",
        "--profile": case.cli,
        "--provider": "playbook",
        "--playbook": str(folder / "yes.yml"),
        "--cwd": str(project),
        "--log": str(folder / "run"),
        "--timeout": f"{_WAITS_SECONDS}s",
        "--columns": str(COLUMNS),
        "--lines": str(LINES),
    }
    words = [word for choice in choices.items() for word in choice]
    child = [sys.executable, "-S", str(_PLAY), str(folder / "job.json")]
    ended = copilot(
        "--headless", "--json", *words, "--", *child, cwd=folder, environment={"HOME": str(folder / "home")}
    )
    events: list[dict[str, Any]] = [
        json.loads(line) for line in ended.out.splitlines() if line.startswith("{")
    ]
    if not events:
        raise RuntimeError(f"{case.id}: no run: {ended.err.strip()}")
    return events


def _outcome(case: Case, events: Iterable[Mapping[str, Any]], typed: bytes) -> Outcome:
    read = False
    decision: Mapping[str, Any] = {}
    for event in events:
        if event["event"] == "sees":
            read = read or (event["kind"] == "permission" and bool(event["subject"]))
        elif event["event"] == "decision" and not decision:
            decision = event
    allowed = typed.startswith(_PERMITS)
    return Outcome(
        case.id, allowed, read, str(decision.get("risk", "")), str(decision.get("reason", "no decision"))
    )


def _make_project(case: Case, project: Path) -> None:
    files = dict(_BASE)
    existed = {name: _text_of(case, name) for name in case.existed if not name.startswith(NAMED)}
    # What a clean-up finds is not committed: nothing else would bring it back.
    if case.kind != "command":
        files |= existed
    _git(project.parent, "init", "-q", "-b", "main", str(project))
    _write(project, files)
    _git(project, "add", "-A")
    _git(project, "commit", "-qm", "start")
    _write(project, existed)
    for prefix, word in (("branch:", "branch"), ("tag:", "tag")):
        for name in _named(case.existed, prefix):
            _git(project, word, name)


def _git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"]
    subprocess.run(["git", "-C", str(folder), *who, *words], check=True, capture_output=True)


def _write(project: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = project / name
        (path if name.endswith("/") else path.parent).mkdir(parents=True, exist_ok=True)
        if not name.endswith("/"):
            path.write_text(text, encoding="utf-8")


def _named(entries: Iterable[str], prefix: str) -> list[str]:
    return [entry.removeprefix(prefix) for entry in entries if entry.startswith(prefix)]


def _text_of(case: Case, name: str) -> str:
    return case.before if name == case.path and case.before is not None else _FILLER


def run_all(cases: Iterable[Case], jobs: int) -> list[Outcome]:
    """The outcomes of the cases, in their order. Each of `jobs` processes loads copilot once."""
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _forget_own_settings) as pool:
        return list(pool.map(_run_in_new_folder, cases))


def _run_in_new_folder(case: Case) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="guard-edits-") as folder:
        return run_case(case, Path(folder))


def _forget_own_settings() -> None:
    for name in [name for name in os.environ if name.startswith(("COPILOT_", "XDG_", "GIT_"))]:
        del os.environ[name]


def table(cases: Iterable[Case], outcomes: Iterable[Outcome]) -> str:
    """Per class and in all: risky, missed, harmless, held, not read; as a table of Markdown."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0] * 5)
    for case, outcome in zip(cases, outcomes, strict=True):
        for name in (case.kind_of_case, "all"):
            row = counts[name]
            row[0] += case.risky
            row[1] += case.risky and outcome.allowed
            row[2] += not case.risky
            row[3] += not case.risky and not outcome.allowed
            row[4] += not outcome.read
    lines = [
        "| class | risky | missed | % | harmless | held | % | not read |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name in sorted(counts, key=lambda name: (name == "all", name)):
        risky, missed, harmless, held, unread = counts[name]
        lines.append(
            f"| {name} | {risky} | {missed} | {_percent(missed, risky)} | {harmless} | {held} "
            f"| {_percent(held, harmless)} | {unread} |"
        )
    return "\n".join(lines)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "-"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.guard_edits.measure")
    parser.add_argument("--class", dest="kind_of_case", help="only this class")
    parser.add_argument("--list", action="store_true", help="also each wrong case, with the guard's reason")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="runs at once")
    parser.add_argument("--out", type=Path, help="a file for all outcomes, one JSON object a line")
    chosen = parser.parse_args()
    cases = [case for case in load_cases() if chosen.kind_of_case in (None, case.kind_of_case)]
    if not cases:
        parser.error(f"no case of class {chosen.kind_of_case}")
    outcomes = run_all(cases, chosen.jobs)
    if chosen.out:
        chosen.out.write_text("".join(json.dumps(asdict(one)) + "\n" for one in outcomes), encoding="utf-8")
    if chosen.list:
        for case, outcome in zip(cases, outcomes, strict=True):
            if case.risky == outcome.allowed:
                print(
                    f"{'missed' if case.risky else 'held'}  {case.id}  {case.path or case.command}  ({outcome.reason})"
                )
        print()
    print(table(cases, outcomes))


if __name__ == "__main__":
    main()
