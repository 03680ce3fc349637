"""Plan files: what they may say, and that every fault is told with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from copilot.cli import main
from copilot.config.plan_files import PlanError, load_plan
from copilot.core.plan import PlanCommand, PlanEnd, PlanPrompt
from copilot.core.screen_kinds import ScreenKind
from tests.plans import source_document

WHOLE = """\
version: 1
name: "Plan: with a colon"
shell: bash
steps:
  - name: Prepare
    run: ["git status", [python3, -m, pytest, "a b"]]
    timeout: 90
    repeatable: true
  - name: Build
    send: |
      Write the greeting,
      then stop.
    verify: python3 -m unittest
    returns: 1
    timeout: 5m
  - name: Message
    cursor: ["First", "Second"]
    multi_line: keep
    ends: {shows: "^READY$"}
  - name: Ask
    send: Ask me something
    ends: question
"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "plan.yml"
    path.write_text(text, encoding="utf-8")
    return path


def faults(tmp_path: Path, text: str) -> list[str]:
    path = write(tmp_path, text)
    with pytest.raises(PlanError) as caught:
        load_plan(path, print)
    return [line.removeprefix(f"{path}, ") for line in caught.value.problems]


@pytest.mark.row("CP-10", "CP-66", "CP-70")
def test_a_whole_plan(tmp_path: Path) -> None:
    plan = load_plan(write(tmp_path, WHOLE), print)
    prepare, build, message, ask = plan.steps
    assert plan.name == "Plan: with a colon"
    assert prepare.tasks == (
        PlanCommand("git status", ("bash", "-c", "git status")),
        PlanCommand("python3 -m pytest 'a b'", ("python3", "-m", "pytest", "a b")),
    )
    assert (prepare.timeout_seconds, prepare.repeatable) == (90.0, True)
    assert build.tasks == (PlanPrompt("Write the greeting, then stop."),)
    assert build.checks == (PlanCommand("python3 -m unittest", ("bash", "-c", "python3 -m unittest")),)
    assert (build.returns, build.timeout_seconds) == (1, 300.0)
    assert [task.text for task in message.tasks] == ["First", "Second"]
    assert message.end == PlanEnd(shows="^READY$")
    assert ask.end == PlanEnd(ScreenKind.QUESTION)


def test_lines_are_kept_where_the_plan_says_so(tmp_path: Path) -> None:
    text = "name: n\nsteps:\n  - name: s\n    multi_line: keep\n    send: |\n      One\n      Two\n"
    (step,) = load_plan(write(tmp_path, text), print).steps
    assert step.tasks == (PlanPrompt("One\nTwo", multi_line=True),)


@pytest.mark.row("CP-66")
def test_the_plan_of_the_source_document_is_read_with_a_note_for_each_mended_name(tmp_path: Path) -> None:
    """Trap: an unquoted colon in a name is no YAML."""
    notes: list[str] = []
    path = write(tmp_path, source_document.PLAN)
    plan = load_plan(path, notes.append)
    assert [step.name for step in plan.steps][2:] == ["Cursor: scaffold service", "Cursor: add tests"]
    assert [task.text for step in plan.steps for task in step.tasks] == [
        "git init",
        "npm init -y",
        "npx @radzion/workspace init",
        "cursor create service --name api --template express-ts",
        "cursor generate tests --target packages/api",
    ]
    assert notes == [
        f'{path}, line 8: name: read as "Cursor: scaffold service"; put it in quotes',
        f'{path}, line 11: name: read as "Cursor: add tests"; put it in quotes',
    ]


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("Cursor: add tests # later", "Cursor: add tests"),
        ("it's: said", "it's: said"),
        ("a: b: c", "a: b: c"),
        ('say "x": y', 'say "x": y'),
    ],
)
def test_a_value_with_a_colon_is_read_whole(tmp_path: Path, value: str, read: str) -> None:
    notes: list[str] = []
    path = write(tmp_path, f"name: n\nsteps:\n  - name: {value}\n    run: ls\n")
    assert load_plan(path, notes.append).steps[0].name == read
    assert len(notes) == 1


@pytest.mark.parametrize("text", ["name: a: b\n" * 30, "name: n\nsteps: [a: b: c]\n", "name: [\n"])
def test_other_faults_of_yaml_are_named_with_their_line(tmp_path: Path, text: str) -> None:
    (fault,) = faults(tmp_path, text)
    assert fault.startswith("line ")


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("- name: s", "line 3: steps[1]: does nothing"),
        ("- run: ls", "line 3: steps[1]: has no name"),
        ("- {name: s, rnu: ls}", "line 3: rnu: unknown key; did you mean 'run'?"),
        ("- {name: s, run: []}", "line 3: run: is empty"),
        ("- {name: s, run: [[]]}", "line 3: run[1]: is empty"),
        ("- {name: s, run: 5}", "line 3: run: must be a text (put it in quotes)"),
        ("- {name: '', run: ls}", "line 3: name: is empty"),
        ("- {name: s, send: a, cursor: b}", "line 3: cursor: is another word for send"),
        ("- {name: s, send: ' '}", "line 3: send: is empty"),
        ('- {name: s, send: "a\\eb"}', "line 3: send: cannot be typed"),
        ("- {name: s, send: a, timeout: soon}", "line 3: timeout: 'soon' is no duration"),
        ("- {name: s, send: a, timeout: true}", "line 3: timeout: write a duration"),
        ("- {name: s, send: a, ends: later}", "line 3: ends: must be one of completed, idle, question"),
        ("- {name: s, send: a, ends: {shows: '('}}", "line 3: shows: is no regular expression"),
        ("- {name: s, send: say READY, ends: {shows: READY}}", "line 3: shows: would be found in the prompt"),
        ("- {name: s, run: ls, ends: idle}", "line 3: ends: goes with send"),
        ("- {name: s, run: ls, returns: 2}", "line 3: returns: goes with verify"),
        ("- {name: s, verify: ls, returns: -1}", "line 3: returns: must be a whole number"),
        ("- {name: s, verify: ls, returns: 99}", "line 3: returns: must be at most 20"),
        ("- {name: s, run: ls, repeatable: maybe}", "line 3: repeatable: must be true or false"),
        ("- {name: s, send: a, multi_line: perhaps}", "line 3: multi_line: must be one of join, keep"),
        ("- just words", "line 3: steps[1]: must be a mapping"),
    ],
)
@pytest.mark.row("CP-66")
def test_each_fault_is_told_with_line_key_and_hint(step: str, said: str, tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, f"name: n\nsteps:\n  {step}\n")
    assert fault.startswith(said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("steps:\n  - {name: s, run: ls}\n", "has no name"),
        ("name: n\n", "has no steps"),
        ("name: n\nsteps: []\n", "has no steps"),
        ("name: n\nversion: 2\nsteps:\n  - {name: s, run: ls}\n", "line 2: version: only version 1"),
        ("name: n\nshell: fish\nsteps:\n  - {name: s, run: ls}\n", "line 2: shell: must be one of sh, bash"),
        ("- a list\n", "the file: must be a mapping"),
        ("", "the file: is empty; a plan has a name: and steps:"),
        ("# nothing yet\n", "the file: is empty"),
        ("name: n\nname: m\n", "line 2"),
        ("name: n\nsteps:\n" + "  - {name: s, run: ls}\n" * 201, "has 201 parts; at most 200"),
    ],
)
def test_a_fault_of_the_whole_file(text: str, said: str, tmp_path: Path) -> None:
    assert any(said in fault for fault in faults(tmp_path, text))


def test_all_faults_of_a_plan_are_told_at_once(tmp_path: Path) -> None:
    """Misspelt keys hide no other fault, and what follows from another fault is not told as one."""
    text = """\
nmae: n
steps:
  - name: one
    sned: Hello
    ends: idle
  - send: ["", {}]
    timeout: soon
    ends: idle
  - name: three
    run: ["", ls, 5]
    bogus: 1
    returns: 2
  - words
  - name: five
"""
    told = faults(tmp_path, text)
    assert sorted(line.partition(": ")[0] + ": " + line.split(": ")[1] for line in told) == sorted(
        [
            "line 1: nmae",
            "line 4: sned",
            "line 6: steps[2]",
            "line 6: send[1]",
            "line 6: send[2]",
            "line 7: timeout",
            "line 10: run[1]",
            "line 10: run[3]",
            "line 11: bogus",
            "line 12: returns",
            "line 13: steps[4]",
            "line 14: steps[5]",
        ]
    )


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="no such file"):
        load_plan(tmp_path / "none.yml", print)
    (tmp_path / "bad.yml").write_bytes(b"name: \xff\n")
    with pytest.raises(PlanError, match="not UTF-8"):
        load_plan(tmp_path / "bad.yml", print)


@pytest.mark.row("CP-66")
def test_check_tells_every_fault_on_a_line_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, "name: n\nsteps:\n  - name: one\n  - {name: two, run: 5, timeout: x}\n")
    assert main(["plan", "check", str(path)]) == 2
    told = [line.removeprefix("copilot: error: ") for line in capsys.readouterr().err.splitlines()]
    assert [line.partition(": ")[0].rpartition(", ")[2] for line in told] == ["line 3", "line 4", "line 4"]


@pytest.mark.row("CP-69")
def test_check_says_how_the_guard_sees_each_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "name: n\nsteps:\n  - {name: s, run: [ls, 'rm -rf build'], send: Hello, verify: 'rm -rf /'}\n"
    path = write(tmp_path, text)
    assert main(["plan", "check", str(path), "--cwd", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    (told,) = err.splitlines()
    assert told.startswith(f"copilot: error: {path}: step 1/1: s: verify `rm -rf /` is never run: ")
    lines = out.splitlines()
    assert lines[:2] == ["n: 1 steps", "1/1: s"]
    assert lines[2].startswith("  run ls: runs at level full, risk none")
    assert lines[3].startswith("  run rm -rf build: held, risk high")
    assert lines[4] == "  send Hello"
    assert lines[5].startswith("  verify rm -rf /: never run, risk forbidden")


def test_faults_are_told_in_the_order_of_their_lines(tmp_path: Path) -> None:
    text = "name: x\nsteps:\n  - run: ls\n    ends: wrong\n  - name: a\n    send: hi\n    bogus: 1\n    ends: wrong\nzzz: 1\n"
    with pytest.raises(PlanError) as caught:
        load_plan(write(tmp_path, text), print)
    lines = [int(problem.partition(", line ")[2].partition(":")[0]) for problem in caught.value.problems]
    assert lines == [3, 4, 4, 7, 8, 9]
    assert "must be one of completed, idle, question, or shows: REGEX" in caught.value.problems[4]


def test_check_says_where_a_shell_needs_its_own_end_of_a_turn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = "name: n\nsteps:\n  - {name: s, run: ls}\n  - {name: t, send: date%s}\n"
    assert main(["plan", "check", str(write(tmp_path, steps % ""))]) == 0
    (note,) = capsys.readouterr().err.splitlines()
    assert note.startswith("copilot: note: 1 of 2 steps wait") and "write `ends: idle` there" in note
    for end in (", ends: idle", ", ends: {shows: x}"):
        assert main(["plan", "check", str(write(tmp_path, steps % end))]) == 0
        assert capsys.readouterr().err == ""
