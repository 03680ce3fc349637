"""A yes in plain words is harmless only if it is known to be: in no list of dangers, in any language."""

from __future__ import annotations

import posixpath

import pytest

from copilot.core.detection import (
    Detection,
    Option,
)
from copilot.core.policy import PromptRisks, risk_of
from copilot.core.profile import ReplyKeys
from copilot.core.reply import Reply
from copilot.core.reply_keys import CannotType, plan_keys
from copilot.core.risk import RiskLevel
from copilot.core.screen_kinds import ScreenKind
from copilot.guard.grants import Grant
from copilot.guard.prompts import assess
from copilot.guard.scope import ProjectScope

SCOPE = ProjectScope("/home/me/project", "/home/me", posixpath.normpath)
YES_NO = (Option("yes", key="y"), Option("no", key="n"))
KEYS = ReplyKeys(refuse_options=("(?i)^no",), free_text_options=("^Other",))


def asked(question: str) -> Detection:
    return Detection(ScreenKind.YES_NO, question, YES_NO)


@pytest.mark.parametrize("end", ["? [Y/n]", "? (y/n) ", "?"])
@pytest.mark.parametrize(
    "act",
    [
        "Make the repository public",
        "Turn off the firewall",
        "Quit without saving",
        "Disable 2FA",
        "Make bob an admin",
        "Add bob as an admin",
        "Create a public link",
        "Buy now",
        "Continue without a backup",
        "Do you want to forget all your work",
        "Sign out of all devices",
        "Squash history",
        "Write the image to /dev/sdb",
        "Alle Dateien löschen",
        "Supprimer la base",
        "すべて削除しますか",
    ],
)
def test_what_is_not_known_to_be_harmless_is_a_persons(act: str, end: str) -> None:
    assert assess(asked(act + end), SCOPE).level is RiskLevel.HIGH


@pytest.mark.parametrize(
    "question",
    [
        "Proceed (Y/n)?",
        "Is this OK? (yes)",
        "Is this correct? (y/N)",
        "Are you sure you want to continue? [y/N]",
        "Do you confirm generation? (yes/no) [yes]",
        "Would you like to define your ... dependencies interactively? (yes/no) [yes]",
        "Would you like to use Tailwind CSS?",
        "? Add TypeScript? › (Y/n)",
        "No git repo found, create one to track aider's changes (recommended)?",
        "Add file to the chat? (Y)es/(N)o/(D)on't ask again [Yes]:",
        "Timed Confirmation: it will auto-cancel in 5 seconds. Confirm?",
        "Save modified buffer?",
    ],
)
def test_what_goes_on_shows_adds_or_keeps_is_low(question: str) -> None:
    assert assess(asked(question), SCOPE).level is RiskLevel.LOW


def test_an_unknown_act_can_be_allowed_by_its_question() -> None:
    question = "Disable 2FA? [y/n]"
    grant = Grant.parse(f"prompt:{question}")
    assert assess(asked(question), SCOPE, [grant]).level is RiskLevel.MEDIUM


@pytest.mark.parametrize("letters", ["(j/n)", "[J/n]", "[S/n]", "[o/N]:", "(д/н)", "(y/n/a)"])
def test_letters_whose_meaning_is_not_known_are_a_persons(letters: str) -> None:
    detection = Detection(ScreenKind.TEXT_INPUT, f"Alle Dateien bearbeiten? {letters}")
    assert assess(detection, SCOPE).level is RiskLevel.HIGH
    assert assess(Detection(ScreenKind.TEXT_INPUT, "package name: (my-app)"), SCOPE).level is RiskLevel.LOW


@pytest.mark.parametrize(
    "question",
    [
        "Cancel the deletion? [y/N]",
        "Stop the deletion of all files? (y/n)",
        "Do you want to skip formatting the disk? [y/N]",
        "12 files. Leave them untouched? [y/N]",
        "Abort? (y/n)",
        "Keep the old files? [y/N]",
    ],
)
def test_a_no_that_lets_something_go_on_is_no_safe_refusal(question: str) -> None:
    risk = risk_of(asked(question), Reply(choice="no"), PromptRisks(), KEYS)
    assert risk.level is RiskLevel.HIGH and risk.reason.startswith("saying no ")


@pytest.mark.parametrize("question", ["Delete all files? [y/N]", "Install, then exit? [y/N]"])
def test_other_refusals_are_safe(question: str) -> None:
    assert risk_of(asked(question), Reply(choice="no"), PromptRisks(), KEYS).level is RiskLevel.NONE


def test_words_that_would_come_too_late_for_a_yes_are_not_sent_as_a_bare_one() -> None:
    with pytest.raises(CannotType, match="taken without them"):
        plan_keys(asked("Overwrite file1.txt?"), Reply("yes", "but only that file"), KEYS)
    assert plan_keys(asked("Overwrite file1.txt?"), Reply("no", "keep it"), KEYS).target == "no"
