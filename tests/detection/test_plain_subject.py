"""What a permission of an unknown CLI is about: only if every row of its dialog can be explained."""

from __future__ import annotations

import pytest

from copilot.config.profile_files import load_profile
from copilot.core.detection import Detection, Subject
from copilot.core.risk import RiskLevel
from copilot.core.screen_kinds import ScreenKind
from copilot.guard.grants import Grant
from copilot.guard.prompts import assess
from copilot.guard.scope import ProjectScope
from tests.detection.screens import RULE, detect

SCOPE = ProjectScope("/srv/shop", "/home/me", resolve=str, is_file=lambda _: False)
OPTIONS = "\n\n\x1b[7m❯ Yes\x1b[m\n  No\n\n Enter to select · Esc to cancel"
EDGE = "─" * 50


def asked(body: str, above: str = RULE) -> Detection:
    return detect("generic", f"{above}\n{body}{OPTIONS}", hidden=True)


def boxed(*rows: str) -> str:
    inner = "\n".join(f"│ {row:<48} │" for row in rows)
    return f"╭{EDGE}╮\n{inner}\n│ \x1b[7m{'❯ Yes':<48}\x1b[m │\n│ {'  No':<48} │\n╰{EDGE}╯"


EXPLAINED: dict[str, tuple[str, tuple[str, str]]] = {
    "a shell's mark": (
        "Permission required\n\n$ npm test\n\nDo you want to run this command?",
        ("shell", "npm test"),
    ),
    "a call": ("Bash(npm test)\n\nDo you want to proceed?", ("shell", "npm test")),
    "a call and a label": (
        "● Run shell command(npm test)\n  ⎿ Requesting user confirmation\n  ⎿ Command: npm test\n\nProceed?",
        ("shell", "npm test"),
    ),
    "a tool and its argument": (
        "Agent needs permission\n\nrun_commands\n\n  npm test\n\nAllow?",
        ("shell", "npm test"),
    ),
    "a file": ("Write file\n\n  src/app.py\n\nDo you want to proceed?", ("write", "src/app.py")),
    "a file in the question": ("Edit file\n\nDo you want to edit src/app.py?", ("edit", "src/app.py")),
    "a change": ("Edit(src/app.py)\n  1 - a = 1\n  1 + a = 2\n\nAllow this edit?", ("edit", "src/app.py")),
    "what was done to a file": ("Write(a.py)\n  ⎿ Created a.py\n    1 + x\n\nProceed?", ("write", "a.py")),
}
UNEXPLAINED = {
    "words beside it": "Bash(npm test)\nIt removes the build first.\n\nDo you want to proceed?",
    "another command": "Bash(npm test)\n$ rm -rf data\n\nDo you want to proceed?",
    "a second row of it": "$ npm test\nrm -rf data\n\nDo you want to proceed?",
    "another act": "Bash(npm test)\nDelete file\n\nDo you want to proceed?",
    "an unknown tool": "Deploy(npm test)\n\nAllow?",
    "nothing": "Do you want to proceed?",
    "a file of another name": "Write(a.py)\n  ⎿ Created b.py\n\nProceed?",
}


@pytest.mark.parametrize("name", EXPLAINED)
def test_a_dialog_whose_rows_all_say_the_same_names_its_subject(name: str) -> None:
    body, (action, text) = EXPLAINED[name]
    seen = asked(body)
    assert seen.kind is ScreenKind.PERMISSION
    assert seen.subject is not None
    assert (seen.subject.action, seen.subject.text, seen.subject.cut) == (action, text, False)
    assert seen.subject.unproven


@pytest.mark.invariant(13)
@pytest.mark.parametrize("name", UNEXPLAINED)
def test_a_row_that_nobody_understands_leaves_it_uncertain(name: str) -> None:
    seen = asked(UNEXPLAINED[name])
    assert seen.kind is ScreenKind.PERMISSION
    assert seen.subject is None or seen.subject.cut
    assert assess(seen, SCOPE).level is RiskLevel.HIGH


@pytest.mark.invariant(13)
def test_the_top_of_the_dialog_must_be_certain() -> None:
    below_prose = asked("Bash(npm test)\n\nDo you want to proceed?", above="I remove the old data now.")
    assert assess(below_prose, SCOPE).level is RiskLevel.HIGH
    in_a_box = boxed("$ npm test", "", "Run this command?")
    assert assess(detect("generic", f"Prose.\n{in_a_box}", hidden=True), SCOPE).level is RiskLevel.MEDIUM


@pytest.mark.invariant(13)
def test_the_picture_of_a_dialog_has_no_subject() -> None:
    picture = f"{RULE}\nBash(npm test)\n\nDo you want to proceed?{OPTIONS}".replace("\x1b[7m", "").replace(
        "\x1b[m", ""
    )
    assert assess(detect("generic", picture, hidden=True), SCOPE).level is RiskLevel.HIGH


@pytest.mark.invariant(13)
def test_nor_has_one_while_the_cli_says_that_it_works() -> None:
    text = f"{RULE}\nBash(npm test)\n\nDo you want to proceed?{OPTIONS}"
    assert assess(detect("generic", text, hidden=True, title="⠐ Reading"), SCOPE).level is RiskLevel.HIGH


@pytest.mark.parametrize(
    "row",
    ["Bash(npm run a-script-with-a-rather-long-name-that-fills-the-row -- --all -x)", "Bash(npm test …)"],
)
def test_what_may_go_on_is_cut(row: str) -> None:
    subject = asked(f"{row}\n\nDo you want to proceed?").subject
    assert subject is None or subject.cut


@pytest.mark.parametrize(
    ("command", "level"),
    [("ls", RiskLevel.MEDIUM), ("npm test", RiskLevel.MEDIUM), ("rm -rf data", RiskLevel.HIGH)],
)
def test_an_unproven_subject_is_medium_at_least_and_no_grant_lifts_it(command: str, level: RiskLevel) -> None:
    seen = asked(f"Bash({command})\n\nDo you want to proceed?")
    assert assess(seen, SCOPE).level is level
    assert assess(seen, SCOPE, [Grant.parse("shell:rm *")]).level is level


def test_a_measured_cli_s_subjects_are_not_unproven() -> None:
    claude = load_profile("claude")
    assert claude.verified
    assert not Subject("shell", "ls").unproven
