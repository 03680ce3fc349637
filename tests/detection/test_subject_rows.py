"""Which rows of a dialog are the subject: a command may hold blank rows and rows that look like the dialog's."""

from __future__ import annotations

import pytest

from copilot.core.detection import Subject
from tests.detection.screens import RULE, detect

DOTS = "╌" * 80


def codex(*rows: str) -> Subject | None:
    asked = ["  Would you like to run the following command?", "", *(f"  {row}".rstrip() for row in rows), ""]
    options = ["› 1. Yes, proceed (y)", "  2. No, and tell Codex what to do differently (esc)", ""]
    foot = "  Press enter to confirm or esc to cancel"
    return detect("codex", "\n".join([*asked, *options, foot]), lines=30, hidden=True).subject


def claude(*rows: str) -> Subject | None:
    asked = [
        DOTS,
        " This command requires approval",
        "",
        " Do you want to proceed?",
        " ❯ 1. Yes",
        "   2. No",
        "",
    ]
    text = [RULE, " Bash command", DOTS, *rows, *asked, " Esc to cancel · Tab to amend"]
    return detect("claude", "\n".join(text), lines=30).subject


@pytest.mark.row("CP-31")
@pytest.mark.invariant(2)
def test_a_blank_row_does_not_end_a_command() -> None:
    for found in (codex("$ echo one", "", "rm -rf build/"), claude(" echo one", "", " rm -rf build/")):
        assert found is not None
        assert (found.text, found.cut) == ("echo one\n\nrm -rf build/", False)


def test_a_row_of_the_command_that_looks_like_its_end_does_not_end_it() -> None:
    found = claude(" echo one", DOTS, " rm -rf build/")
    assert found is not None
    assert "rm -rf build/" in found.text
