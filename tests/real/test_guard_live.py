"""The guard live: a model that asks real Claude Code and Codex for one destructive thing after the other.

Headless at `full` each is refused and the CLI is told why; in the cockpit at `assist` each is held with its
reason in the panel. The files are untouched, and the run goes on to its end.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.real.cockpit import LOOK_SECONDS, QUIET_SECONDS, Cockpit
from tests.real.guard import ATTACKS, TASK, TESTS, WORDS_OF_THE_PERSON, Attack, Guarded, guarded, replies
from tests.real.run import HeadlessRun, RunFolder, read_run, run_headless

pytestmark = [pytest.mark.real_cli, pytest.mark.timeout(400)]
CLIS = ("claude", "codex")
COLUMNS, LINES = "120", "40"
START_SECONDS = 60.0


def options(on: Guarded, level: str) -> list[str]:
    """The run's options: a model that says yes to everything, at this level."""
    book = on.on.folder / "replies.yaml"
    book.write_text(replies())
    return ["--autonomy", level, "--provider", "playbook", "--playbook", str(book)]


@pytest.mark.row("CP-40")
@pytest.mark.parametrize("name", CLIS)
def test_headless_at_full_each_is_refused_and_the_run_goes_on(name: str, tmp_path: Path) -> None:
    with guarded(name, tmp_path) as on:
        size = ["--columns", COLUMNS, "--lines", LINES, "--timeout", "150s"]
        run = run_headless(on.on, *options(on, "full"), *size, task=TASK, seconds=200.0)
        on.assert_untouched()
        assert run.exit_code == 0
        assert_the_model_was_told(on)
    assert_refused(run)
    assert_completed(run.folder)


def assert_the_model_was_told(on: Guarded) -> None:
    """The next request after each refusal carries the reason, and the turns came in their order."""
    asked = [request for request in on.on.model.main_requests if request.turn != "look at the hook"]
    assert [request.turn for request in asked] == [*(one.name for one in ATTACKS), "run the tests", "done"]
    for attack, after in zip(ATTACKS, asked[1:], strict=False):
        told = [request for request in on.on.model.main_requests if request.number <= after.number]
        words = "\n".join(text for request in told for text in request.texts)
        assert "Refused by the guard" in words and attack.reason in words, attack.name


def assert_refused(run: HeadlessRun) -> None:
    """The transcript has one refusal for each, with rule and reason, and the readable lines tell it."""
    refused = [decision for decision in run.folder.decisions if decision["verdict"] == "refuse"]
    for attack, decision in zip(ATTACKS, refused, strict=True):
        assert decision["rule"] == attack.decided_by, attack.name
        assert decision["risk"]["rule"] == attack.rule, attack.name
        assert attack.reason in decision["reason"], attack.name
        shown = subject_of(run.folder, decision["identity"])
        assert attack.shows in shown, attack.name
        line = next(line for line in run.output.splitlines() if f"refuse · {decision['reason']}" in line)
        assert attack.decided_by in line
    assert len({decision["identity"] for decision in refused}) == len(ATTACKS)


def subject_of(folder: RunFolder, identity: str) -> str:
    """What the dialog of this identity wanted to do, on one line as the reader would say it."""
    found = [one.data["detection"] for one in folder.records("event.ScreenSettled")]
    (subject, *_) = [one["subject"]["text"] for one in found if one["identity"] == identity]
    return str(subject)


def assert_completed(folder: RunFolder) -> None:
    assert not folder.transcript.problems
    assert folder.manifest["outcome"]["word"] == "completed"
    folder.assert_keys_follow_their_decisions()
    folder.busy_check().assert_no_key_while_busy()


@pytest.mark.row("CP-40")
@pytest.mark.usefixtures("tmux_needed")
@pytest.mark.parametrize("name", CLIS)
def test_in_the_cockpit_at_assist_each_is_held_with_its_reason(name: str, tmp_path: Path) -> None:
    with guarded(name, tmp_path) as on:
        with Cockpit(on.on, *options(on, "assist"), task=TASK) as person:
            for attack in ATTACKS:
                refuse_by_hand(person, attack)
            run_the_tests(person)
            person.leaves({"claude": "/exit", "codex": "/quit"}[name])
        on.assert_untouched()
        asked = [request.turn for request in on.on.model.main_requests]
        assert asked[-3:] == [ATTACKS[-1].name, "run the tests", "done"]
    folder = read_run(tmp_path / "runs")
    assert_held(folder)
    assert_completed(folder)


def refuse_by_hand(person: Cockpit, attack: Attack) -> None:
    """The panel says that it is held and why; the person says no to the CLI, and to go on without it."""
    held = r"(HELD|YOUR TURN) +permission"
    pattern = rf"{re.escape(attack.shows)}[\s\S]*{held}[\s\S]*{in_panel(attack.reason)}"
    person.terminal.screen_after(pattern, START_SECONDS)
    person.sees(pattern, attack.name.replace(" ", "-"))
    person.presses("Escape")
    person.terminal.settled_screen(QUIET_SECONDS, LOOK_SECONDS)
    person.types(WORDS_OF_THE_PERSON)
    person.presses("Enter")


def in_panel(words: str) -> str:
    """The pattern of words that the panel may break over lines, with the other panel's text between."""
    return r"\s(?:[^\n]*\n[^\n]*││ )?".join(map(re.escape, words.split()))


def run_the_tests(person: Cockpit) -> None:
    """What only runs the tests is held at `assist` too; the person sends it."""
    person.sees(rf"{TESTS}[\s\S]*HELD +permission[\s\S]*◆ proposed[\s\S]*runs the project's tests")
    person.reads_it()
    person.commands("s")
    person.sees(r"TURN DONE", "done")


def assert_held(folder: RunFolder) -> None:
    """Nothing was sent by the program, and the transcript has each hold with its rule and reason."""
    typed = {record.data["decision"] for record in folder.records("effect.WriteKeys")}
    by = {one["by"] for one in folder.decisions if one["number"] in typed}
    assert by == {"person"}
    held = [one for one in folder.decisions if one["verdict"] in ("hold", "escalate")]
    for attack in ATTACKS:
        reasons = [one["reason"] for one in held if one["risk"]["rule"] == attack.rule]
        assert any(attack.reason in reason for reason in reasons), (attack.name, held)
