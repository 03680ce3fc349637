"""Real CLIs in the cockpit, at level suggest: a person sends, edits, dismisses and answers by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.real.cockpit import LOOK_SECONDS, QUIET_SECONDS, Cockpit
from tests.real.run import RunFolder, read_run
from tests.real.stage import PLAYBOOKS, stage
from tests.real.test_headless import CLIS, TASK, TURNS, assert_the_model_was_told

pytestmark = [pytest.mark.real_cli, pytest.mark.timeout(180), pytest.mark.usefixtures("tmux_needed")]
REASON = "build/ must stay: go on without deleting it."
LEAVE = {"claude": "/exit", "codex": "/quit"}


TIMELINE = r"^ run .*▲.* \d+:\d\d *$"
"""The line of the run, with the mark of what is held: from 30 lines on."""


def send_the_first_reply(person: Cockpit) -> None:
    person.sees(r"HELD +permission[\s\S]*hello\.py", "held")
    person.sees(TIMELINE)
    person.reads_it()
    person.commands("s")
    person.sees(r"python3 -m unittest[\s\S]*HELD +permission")


def dismiss_and_answer_by_hand(person: Cockpit) -> None:
    person.reads_it()
    person.commands("d")
    person.sees(r"YOUR TURN +permission", "dismissed")
    person.resizes(80, 24)
    person.sees(r"python3 -m unittest[\s\S]*YOUR TURN +permission")
    person.presses("1")
    person.sees(r"rm -rf build/[\s\S]*HELD +permission", "held-small")


def refuse_the_deletion_in_words(person: Cockpit) -> None:
    person.resizes(200, 60)
    person.terminal.settled_screen(QUIET_SECONDS, LOOK_SECONDS)
    person.sees(r"▌ +\d+ (Do you want to proceed|Would you like to run)", "held-large")
    person.commands("e")
    person.sees(r"^ REPLY ")
    person.presses("Down", "Down", "Down")
    person.sees(r"▸ \d No\b")
    person.presses("e")
    person.sees(r"^ EDIT ")
    person.types(REASON)
    person.sees(r"build/ must stay: go on", "words")
    person.presses("Enter")
    person.sees(r"HELD +question")


def write_another_answer(person: Cockpit) -> None:
    person.resizes(80, 24)
    person.sees(r"MIT or Apache-2\.0\?[\s\S]*HELD +question")
    person.commands("e")
    person.sees(r"^ EDIT ", "edit-small")
    person.resizes(120, 40)
    person.sees(r"╭[\s\S]*Apache-2\.0[\s\S]*^ EDIT ", "edit")
    person.presses("C-u")
    person.terminal.screen_without(r"│┃ Apache-2\.0", 10)
    person.types("MIT")
    person.presses("Enter")
    person.sees(r"the license is MIT[\s\S]*TURN DONE", "done")


@pytest.mark.row("CP-1", "CP-84")
@pytest.mark.parametrize("name", CLIS)
def test_a_person_at_the_cockpit(name: str, tmp_path: Path) -> None:
    options = ["--autonomy", "suggest", "--provider", "playbook"]
    with stage(name, tmp_path) as on:
        replies = str(PLAYBOOKS / "cockpit-replies.yaml")
        with Cockpit(on, *options, "--playbook", replies, task=TASK) as person:
            send_the_first_reply(person)
            dismiss_and_answer_by_hand(person)
            refuse_the_deletion_in_words(person)
            write_another_answer(person)
            person.leaves(LEAVE[name])
        on.assert_files()
        assert [request.turn for request in on.model.main_requests] == TURNS
        assert_the_model_was_told(on)
    assert_only_the_person_decided(read_run(tmp_path / "runs"))


def assert_only_the_person_decided(folder: RunFolder) -> None:
    """What was typed was sent by the person, and the transcript tells what they did."""
    assert not folder.transcript.problems
    folder.assert_keys_follow_their_decisions()
    folder.busy_check().assert_no_key_while_busy()
    decided = {decision["number"]: decision for decision in folder.decisions}
    typed = [decided[record.data["decision"]] for record in folder.records("effect.WriteKeys")]
    assert {decision["by"] for decision in typed} == {"person"}
    sent = [decision["reply"] for decision in folder.decisions if decision["rule"] == "person.sent"]
    assert [reply.get("text") for reply in sent] == [None, REASON, "MIT"]
    assert sent[0]["choice"].startswith("Yes")
    assert sent[1]["choice"].startswith("No")
    assert len(folder.records("event.PersonDismissed")) == 1
    assert folder.records("event.PersonTyped")
    assert folder.manifest["outcome"]["word"] == "completed"
