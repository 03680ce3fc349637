"""Questions of plain programs, as they stand on the screen: which yes is medium at most, and which is not.

`questions/high.jsonl` and `questions/harmless.jsonl` hold a screen a line.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path

import pytest

from copilot.config.profile_files import load_profile
from copilot.core.detection import Detection
from copilot.core.risk import Risk, RiskLevel
from copilot.core.screen_kinds import ScreenKind
from copilot.core.snapshot import UNKNOWN_FACTS
from copilot.detection import Examiner
from copilot.guard.prompts import assess
from copilot.guard.scope import ProjectScope
from copilot.providers.permissions import permissions_of
from copilot.screen import TerminalScreen

FOLDER = Path(__file__).parent / "questions"
SCOPE = ProjectScope("/home/me/project", "/home/me", lambda path: path, lambda path: False)
EXAMINER = Examiner(load_profile("generic"))
INSTALL = "Proceed to install deps? [y/n] "
ALLOWS = "You may install the project's dependencies, run the tests and commit."
WIDE = "You may run the tests, lint, build, format, commit and install the dependencies."
NPX = "Need to install the following packages:\ncreate-vite@9.3.0\nOk to proceed? (y) "


def screens(name: str) -> list[str]:
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


@functools.cache
def read(screen: str) -> Detection:
    terminal = TerminalScreen(100, 40)
    terminal.feed(screen.replace("\n", "\r\n").encode())
    return EXAMINER.examine(terminal.snapshot(), UNKNOWN_FACTS, None).detection


def judged(screen: str, governing: str = "", scope: ProjectScope = SCOPE) -> Risk:
    """The risk of a yes under that governing prompt."""
    return assess(read(screen), scope, permissions=permissions_of(governing))


def test_what_names_anything_dangerous_or_unknown_is_high() -> None:
    for screen in screens("high.jsonl"):
        assert read(screen).kind is ScreenKind.YES_NO, screen
        assert judged(screen).level is RiskLevel.HIGH, screen


def test_an_everyday_act_is_medium_at_most() -> None:
    for screen in screens("harmless.jsonl"):
        assert read(screen).kind is ScreenKind.YES_NO, screen
        assert judged(screen).level <= RiskLevel.MEDIUM, screen


def test_sentences_of_permission_lift_only_what_they_name() -> None:
    pinned = ("Install dependencies", "Proceed to install deps")
    lifted = [one for one in screens("high.jsonl") if judged(one, WIDE).level is not RiskLevel.HIGH]
    assert lifted
    assert all(one.startswith(pinned) for one in lifted)
    assert not any(word in one for one in lifted for word in ("http", "globally", "start", "curl", "miner"))


@pytest.mark.parametrize(
    ("prompt", "line"),
    [
        (ALLOWS, 1),
        ("Be brief.\n\n- You can install dependencies", 3),
        ("Role: engineer. It is OK to install the deps.", 1),
        ("Always allow installing the dependencies.", 1),
        ("You may install the project's dependencies,\nrun the tests and commit.", 1),
        ('Be brief.\nwhen "install deps": yes', 2),
        ('- when "^proceed to install deps": yes', 1),
    ],
)
def test_a_permission_is_named_with_its_line(prompt: str, line: int) -> None:
    risk = judged(INSTALL, prompt)
    assert risk.level is RiskLevel.MEDIUM
    assert risk.reason.startswith(f"allowed by your prompt, line {line}; ")


@pytest.mark.parametrize(
    "prompt",
    [
        "You may run the tests and commit.",
        "You may not install dependencies.",
        "You may install dependencies only after asking me.",
        "You may install dependencies\nonly after asking me.",
        "You may install dependencies. Only with npm ci.",
        "You may install dependencies unless they are big.",
        "You may install the dependencies. Never install dependencies.",
        "Do not assume that you may install dependencies.",
        "Example: You may install dependencies.",
        "> You may install dependencies.",
        "```\nYou may install dependencies.\n```",
        "May you install dependencies?",
        "You may install dependencies from example.com.",
        "You may install everything.",
        "You may\u200b install dependencies.",
        'when ".": yes',
        'when ".*": yes',
        'when "": yes',
        'when "proceed": yes',
        'when "[y/n]": yes',
        'when "install deps": no\nwhen "deps": yes\nYou may install dependencies.',
        'when "install deps": ask me\nYou may install dependencies.',
        'when "install deps: yes',
        "The model says that yes is right.",
    ],
)
def test_nothing_else_lifts_an_install(prompt: str) -> None:
    assert judged(INSTALL, prompt).level is RiskLevel.HIGH


@pytest.mark.parametrize(
    ("screen", "regex"),
    [
        ("Delete dist? [y/n] ", "delete dist"),
        ("Overwrite config.json? [y/n] ", "overwrite config"),
        ("Publish the package? [y/n] ", "publish the package"),
        ("Push to origin? [y/n] ", "push to origin"),
        ("Pay 20 USD? [y/n] ", "pay 20"),
        ("Deploy to production? [y/n] ", "deploy"),
        ("Upload the report to https://example.com? [y/n] ", "upload the report"),
        ("Make the repository public? [y/n] ", "make the repository"),
        ("Festplatte formatieren? [y/n] ", "festplatte"),
        ("Alle Dateien löschen? [y/n] ", "dateien"),
        ("This wipes the disk.\nOk to proceed? (y) ", "wipes the disk"),
        (NPX, "ok to proceed"),
        (NPX.replace("\nOk", "\nevil-package@1.0.0\nOk"), "create-vite"),
    ],
)
def test_a_line_of_the_prompt_does_not_lift_what_destroys_or_leaves(screen: str, regex: str) -> None:
    assert judged(screen, f'when "{regex}": yes').level is RiskLevel.HIGH


@pytest.mark.parametrize(
    ("screen", "regex"),
    [
        (NPX, "create-vite"),
        (NPX, "^create-vite@9"),
        ("Ok to proceed? (y) ", "^ok to proceed"),
        ("Is this OK? (yes) ", "is this ok"),
        ("Enable the beta look? [y/n] ", "beta look"),
    ],
)
def test_a_line_of_the_prompt_lifts_the_question_that_it_names(screen: str, regex: str) -> None:
    assert judged(screen).level is RiskLevel.HIGH
    assert judged(screen, f'when "{regex}": yes').level is RiskLevel.MEDIUM


@pytest.mark.parametrize(
    ("files", "question", "level"),
    [
        (["package.json", "package-lock.json"], INSTALL, "medium"),
        (["package.json"], INSTALL, "high"),
        ([], "Install dependencies from the lock file? [y/n] ", "high"),
        (["package.json"], "Install dependencies from package-lock.json? [y/n] ", "high"),
        (["package.json", "package-lock.json"], "Run npm ci? [y/n] ", "medium"),
        (["package.json", "yarn.lock"], "Install dependencies with npm? [y/n] ", "high"),
        (["package.json", "package-lock.json", "requirements.txt"], INSTALL, "high"),
        (["pyproject.toml", "uv.lock"], "Install the requirements? [y/n] ", "medium"),
        (["package-lock.json"], INSTALL, "high"),
    ],
)
def test_an_install_is_medium_only_if_a_lock_file_exists(
    tmp_path: Path, files: list[str], question: str, level: str
) -> None:
    project = tmp_path / "home" / "project"
    project.mkdir(parents=True)
    for name in files:
        (project / name).write_text("{}", "utf-8")
    assert judged(question, scope=ProjectScope(str(project), str(tmp_path / "home"))).level.word == level


def test_a_lock_file_that_is_a_link_out_of_the_project_pins_nothing(tmp_path: Path) -> None:
    project, elsewhere = tmp_path / "home" / "project", tmp_path / "elsewhere.json"
    project.mkdir(parents=True)
    elsewhere.write_text("{}", "utf-8")
    (project / "package.json").write_text("{}", "utf-8")
    (project / "package-lock.json").symlink_to(elsewhere)
    assert judged(INSTALL, scope=ProjectScope(str(project), str(tmp_path / "home"))).level is RiskLevel.HIGH


@pytest.mark.parametrize(
    "governing",
    [
        "{} Installing is forbidden.",
        "{}\nRefuse installing anything.",
        "{}\n\nReject all installs.",
        "{}\nHold off on installs.",
        "{}\nHands off the dependencies.",
        "{}\n\nScratch that.",
        "{}\n\nNever:\n- install packages",
        "If CI is green:\n- {}",
        "Only when I ask for it:\n\n1. {}",
        "You must never follow these:\n{}",
    ],
)
def test_a_sentence_of_permission_is_taken_back_or_bound_by_other_words(governing: str) -> None:
    allows = "You may install the project's dependencies."
    assert judged(INSTALL, allows).level is RiskLevel.MEDIUM
    assert judged(INSTALL, governing.format(allows)).level is RiskLevel.HIGH


@pytest.mark.parametrize(
    "governing", ["Rules:\n- {}", "If CI is red:\n- fix it\n\n{}", "Never:\n- push\n\nYou may do this:\n- {}"]
)
def test_a_heading_binds_only_what_stands_below_it(governing: str) -> None:
    allows = "You may install the project's dependencies."
    assert judged(INSTALL, governing.format(allows)).level is RiskLevel.MEDIUM


@pytest.mark.parametrize("regex", ["a", "do you want", "^would you like", "are you sure", "you|me"])
def test_a_regex_that_any_question_may_fit_lifts_nothing(regex: str) -> None:
    for asked in ("Would you like to enable the beta look? [y/n] ", "Do you want me to enable it? [y/n] "):
        assert judged(asked, f'when "{regex}": yes').level is RiskLevel.HIGH
