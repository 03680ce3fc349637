"""The cases through the engine alone, without a run: quick, and of edits the same verdicts as `measure.py`.

    python -m tests.guard_edits.in_process [--list]

Commands are judged in an empty project here, so only `measure.py` counts for them.
"""

from __future__ import annotations

import argparse

from copilot.core.reply import Autonomy
from copilot.guard.scope import ProjectScope
from tests.guard.guided_screens import play, profile_for
from tests.guard_edits.cases import NAMED, Case, load_cases
from tests.guard_edits.dialogs import COLUMNS, LINES, dialog_of
from tests.guard_edits.measure import Outcome, table

PROJECT = "/srv/shop"


def outcome_of(case: Case) -> Outcome:
    """What becomes of a case at `full` with a model that says yes."""
    made = frozenset(name for name in case.made_by_run if not name.startswith(NAMED))
    scope = ProjectScope(PROJECT, "/home/me", resolve=str, is_file=lambda _: False, made=made)
    screen = dialog_of(case, PROJECT).painted()
    played = play(screen, profile_for(case.cli), Autonomy.FULL, scope=scope, size=(COLUMNS, LINES))
    settled = played.settled
    read = settled is not None and settled.detection.shown_subject is not None
    risk = settled.risk if settled is not None else None
    word, reason = (
        (risk.level.word, f"{risk.rule}: {risk.reason}: {risk.part}") if risk is not None else ("", "")
    )
    return Outcome(case.id, bool(played.keys), read, word, reason)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.guard_edits.in_process")
    parser.add_argument("--list", action="store_true", help="also each wrong case, with the guard's reason")
    chosen = parser.parse_args()
    cases = [case for case in load_cases() if case.kind != "command"]
    outcomes = [outcome_of(case) for case in cases]
    for case, outcome in zip(cases, outcomes, strict=True):
        if chosen.list and case.risky == outcome.allowed:
            word = "missed" if case.risky else "held"
            print(f"{word:7} {case.id:22} {case.path:40} {outcome.risk:7} {outcome.reason}")
    print(table(cases, outcomes))


if __name__ == "__main__":
    main()
