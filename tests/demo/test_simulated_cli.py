"""The simulated CLI: asks, does what it was told, says what it received, and flags what nobody asked for."""

from __future__ import annotations

import ast
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import re2

from copilot.config.profile_files import load_profile
from copilot.core.screen_kinds import ScreenKind
from copilot.demo import story
from copilot.demo.project import DemoProject, outcome_of
from copilot.screen.modes import WHEEL_DOWN, WHEEL_UP, encode_wheel_as_arrows
from tests.demo.played import Played


@pytest.fixture
def project() -> Iterator[DemoProject]:
    made = DemoProject.make()
    yield made
    made.remove()
    assert not made.root.exists()


@pytest.mark.row("CP-77")
def test_the_whole_story_is_read_by_the_demo_profile(project: DemoProject) -> None:
    with Played(project.folder) as played:
        asked = played.settled(ScreenKind.PERMISSION)
        assert asked.question == "Do you want to create greeting.py?"
        assert asked.subject is not None
        assert (asked.subject.action, asked.subject.text) == ("write", "greeting.py")
        assert [option.key for option in asked.options] == ["1", "2", "3"]
        played.type("1")
        menu = played.settled(ScreenKind.MENU)
        assert [option.label for option in menu.options][1:] == ["Formal", "With the time of day"]
        assert menu.options[0].selected
        played.type("\x1b[B")
        played.shows("❯ 2. Formal")
        played.type("\r")
        question = played.settled(ScreenKind.YES_NO)
        assert question.question is not None and "README.md" in question.question
        played.type("y")
        played.shows("(Y/n) y")
        played.type("\r")
        played.settled(ScreenKind.TEXT_INPUT)
        played.type("dawn")
        played.shows("]: dawn")
        played.type("\r")
        deletion = played.settled(ScreenKind.PERMISSION)
        assert deletion.subject is not None
        assert (deletion.subject.action, deletion.subject.text) == ("shell", "rm -rf build")
        assert deletion.identity != asked.identity
        played.type("3")
        played.settled(ScreenKind.COMPLETED)
        played.type("/exit")
        played.shows("❯ /exit")
        played.type("\r")
        assert played.ended() == 0
        received = [entry["value"] for entry in played.journal() if entry["event"] == "received"]
        assert received[:4] == ["Yes", "Formal", "y", "dawn"]
        while_busy = [one for one in played.seen if one.waiting]
        assert len(while_busy) == 6, [(one.kind.value, one.question) for one in while_busy]
    outcome = outcome_of(project)
    assert outcome.good
    assert "how visitors are greeted" in (project.folder / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("lines", [12, 10, 8, 6])
def test_a_permission_in_a_small_window_is_one(project: DemoProject, lines: int) -> None:
    with Played(project.folder, "--only", "destructive", columns=60, lines=lines) as played:
        asked = played.settled(ScreenKind.PERMISSION)
        assert asked.question == "Do you want to proceed?" and len(asked.options) == 3
        assert ScreenKind.MENU not in {one.kind for one in played.seen}
        if lines > 8:
            assert asked.subject is not None and asked.subject.text == "rm -rf build", "its title is in sight"


@pytest.mark.row("CP-33")
def test_a_question_that_does_not_wait_is_never_taken_for_one(project: DemoProject) -> None:
    slowly = ("--speed", "2")
    with Played(project.folder, "--only", "read,output", *slowly) as played:
        played.settled(ScreenKind.COMPLETED)
        assert {one.kind for one in played.seen} <= {
            ScreenKind.STARTING,
            ScreenKind.BUSY,
            ScreenKind.COMPLETED,
        }
        assert ScreenKind.BUSY in {one.kind for one in played.seen}


def test_whatever_it_says_it_works_on_is_read_as_busy() -> None:
    tree = ast.parse(Path(story.__file__).read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    named = [node for node in calls if isinstance(node.func, ast.Attribute) and node.func.attr == "work"]
    said = [ast.literal_eval(node.args[0]) for node in named]
    (busy,) = [rule for rule in load_profile("demo").screen.rules if rule.kind == "busy"]
    assert len(said) >= 5
    for what in said:
        assert re2.search(busy.all[0].pattern, f"✶ {what}… (12s · esc to interrupt)"), what


@pytest.mark.row("CP-77")
def test_keys_that_nobody_asked_for_are_flagged_and_end_in_a_code_of_their_own(project: DemoProject) -> None:
    with Played(project.folder, "--only", "read", "--linger", "0.3") as played:
        played.shows("Reading")
        played.type("y")
        assert played.ended() == 7
        assert any(entry["event"] == "unexpected" for entry in played.journal())
    assert outcome_of(project).unexpected


def test_words_at_a_list_are_flagged_and_choose_nothing(project: DemoProject) -> None:
    with Played(project.folder, "--only", "destructive", "--linger", "0.3") as played:
        played.settled(ScreenKind.PERMISSION)
        played.type("no")
        played.shows("unexpected input: no at a list")
        played.type("\x1b")
        assert played.ended() == 7
    assert outcome_of(project).build_kept


def test_the_wheel_is_no_key_for_it(project: DemoProject) -> None:
    """A full screen program without the mouse gets arrows for each notch, unless it says otherwise."""
    with Played(project.folder, "--only", "permission", "--linger", "0.3") as played:
        played.settled(ScreenKind.PERMISSION)
        screen = played.screen
        assert screen.alternate_screen
        for button in (WHEEL_UP, WHEEL_DOWN):
            assert encode_wheel_as_arrows(button, screen.pointer_modes, screen.key_modes) == b""


def test_a_deletion_that_is_allowed_is_done(project: DemoProject) -> None:
    with Played(project.folder, "--only", "destructive", "--linger", "0.3") as played:
        played.settled(ScreenKind.PERMISSION)
        played.type("1")
        assert played.ended() == 0
    assert not outcome_of(project).build_kept
    assert not outcome_of(project).good


@pytest.mark.row("CP-71")
def test_text_and_enter_in_one_write_are_not_sent(project: DemoProject) -> None:
    with Played(project.folder, "--only", "text", "--linger", "0.3") as played:
        played.settled(ScreenKind.TEXT_INPUT)
        played.type("dawn\r")
        played.shows("text and Enter came in one write")
        played.type("\r")
        assert played.ended() == 7


def test_the_prompt_can_be_swapped_under_a_reply(project: DemoProject) -> None:
    with Played(project.folder, "--only", "permission", "--swap-prompt", "0.2") as played:
        played.shows("rm -rf build")
        swapped = played.settled(ScreenKind.PERMISSION)
        while swapped.subject is None or swapped.subject.text != "rm -rf build":
            swapped = played.settled(ScreenKind.PERMISSION)
        names = [entry["prompt"] for entry in played.journal() if entry["event"] == "asked"]
        assert names == ["write", "destructive"]


def test_ctrl_c_ends_it_unless_it_ignores_that(project: DemoProject) -> None:
    with Played(project.folder, "--only", "permission") as played:
        played.settled(ScreenKind.PERMISSION)
        played.child.kill(signal.SIGINT)
        assert played.ended() == 130
    with Played(project.folder, "--only", "permission", "--ignore-sigint", "--linger", "0.3") as played:
        played.settled(ScreenKind.PERMISSION)
        played.child.kill(signal.SIGINT)
        played.type("\x03")
        played.shows("unexpected input: C-c")
        played.type("3")
        assert played.ended() == 7


@pytest.mark.parametrize(
    ("how", "status", "shown"),
    [
        ("exit", 9, ""),
        ("invalid-utf8", 0, "done"),
        ("crash", -signal.SIGSEGV, "Do you want to create"),
        ("flood", 0, "199999"),
    ],
)
def test_it_can_be_a_difficult_child(project: DemoProject, how: str, status: int, shown: str) -> None:
    with Played(project.folder, "--misbehave", how, "--exit-code", "9") as played:
        assert played.ended() == status
        assert shown in played.text()


def test_a_password_is_read_without_echo_and_not_repeated(project: DemoProject) -> None:
    with Played(project.folder, "--misbehave", "password") as played:
        played.shows("Password for demo@example:")
        played.type("hunter2hunter2\r")
        assert played.ended() == 0
        assert "a password of 14 characters" in played.text()
        assert "hunter2" not in played.text()


def test_a_silent_child_shows_nothing_until_it_is_ended(project: DemoProject) -> None:
    with Played(project.folder, "--misbehave", "silent") as played:
        played.child.kill(signal.SIGTERM)
        assert played.ended() == -signal.SIGTERM
        assert not played.text().strip()


@pytest.mark.parametrize(("columns", "lines"), [(80, 24), (200, 60), (60, 18)])
def test_prompts_are_read_at_every_size(project: DemoProject, columns: int, lines: int) -> None:
    only = ("--only", "output,permission,menu", "--linger", "0.2")
    with Played(project.folder, *only, columns=columns, lines=lines) as played:
        assert len(played.settled(ScreenKind.PERMISSION).options) == 3
        played.type("3")
        assert len(played.settled(ScreenKind.MENU).options) == 3
        played.type("3")
        assert played.ended() == 0


def test_what_is_removed_is_only_the_demos_own_folder(project: DemoProject, tmp_path: Path) -> None:
    assert project.root.name.startswith("copilot-demo-")
    assert project.folder.parent == project.root
