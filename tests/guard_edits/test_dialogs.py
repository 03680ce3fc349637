"""The cases have their form, and their dialogs look as the recorded ones."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from copilot.errors import InputError
from copilot.recording.asciicast import read_cast
from copilot.replay.detect import screen_at
from tests.guard_edits.cases import CASES, Case, load_cases
from tests.guard_edits.dialogs import COLUMNS, LINES, dialog_of

_CORPUS = Path(__file__).parents[1] / "corpus"
_CASE = Case(
    id="x", kind_of_case="x", kind="edit", cli="claude", path="app.py", command="", before=None, after=None, cut=False,
    made_by_run=(), existed=(), risky=False, why="x",
)  # fmt: skip
_PRINTS = "".join(f"print({number})\n" for number in range(30))
_ADD, _ADDED = "def add(a, b):\n    return a - b\n", "def add(a, b):\n    return a + b\n"


def test_as_many_as_promised() -> None:
    assert Counter(case.risky for case in load_cases()) == {True: 250, False: 150}


@pytest.mark.parametrize("case", load_cases(), ids=lambda case: case.id)
def test_a_dialog_fits_and_shows_what_its_case_says(case: Case) -> None:
    dialog = dialog_of(case, "/srv/shop")
    assert len(dialog.rows) <= LINES and max(map(len, dialog.rows)) <= COLUMNS
    assert dialog.cut == case.cut


def test_a_case_of_wrong_form_is_one_error(tmp_path: Path) -> None:
    first = json.loads(CASES.read_text(encoding="utf-8").splitlines()[0])
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(first | {"kind": "rename"}), encoding="utf-8")
    with pytest.raises(InputError, match=r"cases\.jsonl, line 1: kind or shown"):
        load_cases(path)


@pytest.mark.parametrize(
    ("cast", "at", "case", "first"),
    [
        ("claude/plan_approve", 9.9, replace(_CASE, before=_ADD, after=_ADDED), " Edit file"),
        (
            "claude/psp_session",
            6.8,
            replace(_CASE, kind="create", path="run.py", after=_PRINTS),
            " Create file",
        ),
        (
            "codex/edit_session",
            4.6,
            replace(_CASE, cli="codex", before=_ADD, after=_ADDED),
            "• Edited app.py",
        ),
        (
            "codex/inline_no_alt_screen",
            4.6,
            replace(_CASE, cli="codex", kind="create", path="run.py", after=_PRINTS),
            "     4 +print(3)",
        ),
    ],
)
def test_rows_are_those_of_the_recording(cast: str, at: float, case: Case, first: str) -> None:
    recorded = screen_at(read_cast(_CORPUS / f"{cast}.cast"), at).lines
    drawn = dialog_of(case, "/tmp/demo3/project").rows
    assert _from(first, drawn) == _from(first, recorded)


def _from(first: str, rows: tuple[str, ...]) -> list[str]:
    """The rows with something on them, from the one that begins with `first`."""
    start = next(number for number, row in enumerate(rows) if row.startswith(first))
    return [row.rstrip() for row in rows[start:] if row.strip()]
