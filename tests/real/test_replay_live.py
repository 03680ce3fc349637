"""A run of the cockpit tests with a real Claude Code, opened in the replay by a person who looks for its moments."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual.pilot import Pilot

from copilot.engine.review import Sort
from copilot.tui.replay.screen import ReplayScreen
from tests.real.cockpit import Cockpit
from tests.real.run import RunFolder, read_run
from tests.real.stage import PLAYBOOKS, stage
from tests.real.test_cockpit import (
    LEAVE,
    REASON,
    dismiss_and_answer_by_hand,
    refuse_the_deletion_in_words,
    send_the_first_reply,
)
from tests.real.test_headless import TASK
from tests.ui.replay_harness import replaying, terminal_of, text_of

pytestmark = [
    pytest.mark.real_cli("claude"),
    pytest.mark.timeout(180),
    pytest.mark.usefixtures("tmux_needed"),
]
SIZES = ((120, 40), (160, 50))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A permission that is sent, one that is answered by hand, a deletion that is refused in words."""
    folder = tmp_path_factory.mktemp("cockpit")
    options = ["--autonomy", "suggest", "--provider", "playbook"]
    options += ["--playbook", str(PLAYBOOKS / "cockpit-replies.yaml")]
    with stage("claude", folder) as on, Cockpit(on, *options, task=TASK) as person:
        send_the_first_reply(person)
        dismiss_and_answer_by_hand(person)
        refuse_the_deletion_in_words(person)
        person.types("MIT")
        person.presses("Enter")
        person.sees(r"TURN DONE")
        person.leaves(LEAVE["claude"])
    return read_run(folder / "runs")


async def jump(pilot: Pilot[int], screen: ReplayScreen, key: str, there: Callable[[], bool]) -> None:
    """Press the key until it is there; a jump that goes nowhere ends it."""
    while not there():
        before = screen.model.at
        await pilot.press(key)
        assert screen.model.at != before, f"{key} found nothing more: {screen.note_text}"


def after_all(screen: ReplayScreen) -> None:
    """To the last moment of the present prompt, when all is known of it."""
    prompt = screen.model.review.moment(screen.model.at).prompt
    assert prompt is not None
    screen.model.go(prompt.until - 0.01)
    screen.show_all(jumped=True)


def picture(pilot: Pilot[int], run: RunFolder, name: str, size: tuple[int, int]) -> None:
    """What is shown, beside the run, to be looked at."""
    path = run.path.parent / f"{name}-{size[0]}x{size[1]}.svg"
    path.write_text(pilot.app.export_screenshot(title="copilot replay"), "utf-8")


@pytest.mark.row("CP-57")
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_permission_held_prompt_and_take_over_are_found_and_told(
    run: RunFolder, size: tuple[int, int]
) -> None:
    async with replaying(run.path, size=size) as (pilot, screen):
        await jump(pilot, screen, "n", lambda: "permission" in text_of(screen, "#replay-seen"))
        seen = text_of(screen, "#replay-seen")
        assert "Do you want to create hello.py?" in seen and "claude.permission" in seen
        assert "▌" in terminal_of(screen) and "Do you want to create hello.py?" in terminal_of(screen)
        picture(pilot, run, "permission", size)
        await jump(pilot, screen, "h", lambda: "rm -rf build/" in text_of(screen, "#replay-seen"))
        done = text_of(screen, "#replay-done")
        assert "hold" in done and "deletes files" in done and "files.delete" in done
        assert "high risk" in done.partition("policy.level")[0], "not below the edge"
        assert "rm -rf build/" in terminal_of(screen)
        picture(pilot, run, "held", size)
        after_all(screen)
        done = text_of(screen, "#replay-done")
        assert "the person sent" in done and REASON in done.replace("\n", " ") and "taken" in done
        await pilot.press("home")
        await jump(pilot, screen, "t", lambda: "took over" in screen.note_text)
        assert "python3 -m unittest" in terminal_of(screen)
        assert "typed in the terminal" in text_of(screen, "#replay-done")
        picture(pilot, run, "take-over", size)
        marks = [mark.sort for mark in screen.model.review.marks]
        assert marks.count(Sort.PERSON) >= 4 and marks.count(Sort.HELD) >= 3
