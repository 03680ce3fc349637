"""Claude Code in the cockpit by the mouse alone: not one key is pressed from the start to the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from copilot.lab.model_server import Playbook, Turn
from tests.real.cockpit import LOOK_SECONDS, Cockpit
from tests.real.mouse import Mouse
from tests.real.run import read_run
from tests.real.scenes import ASKED, CHOICE, DELETE, HELLO, PACE, REPLIES, TASK, TESTS
from tests.real.stage import stage
from tests.real.tools import TOOLS

pytestmark = [
    pytest.mark.real_cli("claude"),
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.usefixtures("tmux_needed"),
]
CLAUDE = TOOLS["claude"]


def story() -> Playbook:
    """As in `scenes.py`, but the deletion is the last: who refuses it would have to say how to go on."""
    assert CLAUDE.ask is not None
    turns = (
        Turn("I'll create the file.", (CLAUDE.write(HELLO),), name="write"),
        Turn("Now the tests.", (CLAUDE.run(TESTS),), name="test"),
        Turn("A choice is yours.", (CLAUDE.ask(CHOICE, ("SQLite", "Postgres")),), name="choose"),
        Turn(f"One decision is yours.\n\n{ASKED}", name="ask"),
        Turn("Good. I'll clean up.", (CLAUDE.run(DELETE),), name="delete"),
    )
    return Playbook(turns, min_tools=3, pace=PACE)


def choose_the_level(person: Cockpit, mouse: Mouse) -> None:
    person.sees(r"hello\.py[\s\S]*▲ YOUR TURN +permission", "watch")
    person.reads_it()
    mouse.clicks(r"○○○ (watch)")
    person.sees("how much is sent without you", "level")
    mouse.clicks(r"2 ●○○ suggest")
    person.sees(r"▲ HELD +permission")


def read_what_there_is_to_read(person: Cockpit, mouse: Mouse) -> None:
    mouse.clicks(r"claude\.\w+\S* · ")
    person.sees("do not match", "explain")
    mouse.clicks(r"Esc closes")
    person.terminal.screen_without(r"Esc closes", LOOK_SECONDS)
    mouse.clicks(r"c (context)")
    person.sees(r"── recent output", "context")
    mouse.clicks(r"Esc closes")
    person.terminal.screen_without(r"Esc closes", LOOK_SECONDS)
    mouse.clicks(r"\? (help)")
    person.sees("every key goes to the program", "help")
    mouse.clicks(r"Esc closes")
    person.terminal.screen_without(r"Esc closes", LOOK_SECONDS)


def refuse_the_deletion(person: Cockpit, mouse: Mouse) -> None:
    person.sees(r"rm -rf build/[\s\S]*▲ HELD +permission", "deletion")
    person.reads_it()
    mouse.clicks(r"p (panel)")
    person.sees(r"^ REPLY ")
    mouse.clicks(r"[│┃].*\d (No)\b")
    person.sees(r"▸ \d No\b", "marked")
    mouse.clicks(r"Enter (send)")
    person.sees(r"READY|TURN DONE", "refused")


@pytest.mark.row("CP-1")
def test_a_session_by_mouse(tmp_path: Path) -> None:
    replies = tmp_path / "replies.yaml"
    replies.write_text(REPLIES)
    options = ["--autonomy", "watch", "--provider", "playbook", "--playbook", str(replies)]
    with stage("claude", tmp_path, playbook=story()) as on:
        with Cockpit(on, *options, task=TASK) as person:
            mouse = Mouse(person)
            choose_the_level(person, mouse)
            read_what_there_is_to_read(person, mouse)
            mouse.clicks(r"s (send)")
            person.sees(r"python3 -m unittest[\s\S]*▲ HELD +permission")
            person.reads_it()
            mouse.clicks(r"s (send)")
            person.sees(r"Which database[\s\S]*▲ HELD +menu", "menu")
            person.reads_it()
            mouse.clicks(r"s (send)")
            person.sees(r"MIT or Apache[\s\S]*▲ HELD +question", "question")
            person.reads_it()
            mouse.clicks(r"s (send)")
            refuse_the_deletion(person, mouse)
            mouse.clicks(r"^ run .*(◆|●)")
            person.sees("looking back", "moment")
            mouse.clicks(r"Esc closes")
            person.terminal.screen_without(r"Esc closes", LOOK_SECONDS)
            mouse.clicks(r"q (quit)")
            person.terminal.exit_status(LOOK_SECONDS)
        on.assert_files()
        assert [request.turn for request in on.model.main_requests] == [
            *("write", "test", "choose", "ask", "delete")
        ]
    folder = read_run(tmp_path / "runs")
    folder.assert_keys_follow_their_decisions()
    assert not folder.records("event.PersonTyped"), "a click is no typing"
    sent = [decision["reply"] for decision in folder.decisions if decision["rule"] == "person.sent"]
    assert [one["choice"] or one["text"] for one in sent][2:4] == ["Postgres", "MIT"]
    assert sent[4]["choice"].startswith("No")
