"""`copilot undo`: shows, asks, puts back, names what it cannot undo, and says how to undo the undo."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest

from copilot import cli
from copilot.core.checkpoints import CheckpointMoment
from copilot.core.reply import Reply, Verdict
from copilot.core.risk import Risk, RiskLevel
from copilot.errors import EXIT_HELD, EXIT_USAGE
from tests.session.undo_runs import Recording, change, contents, shell, three_steps

HIGH = Risk(RiskLevel.HIGH, ("sends data over the network",), "network.send")
BEFORE = {"a.txt": "one\ntwo\nthree\n"}
EVIL = "\x1b]52;c;eA==\x07\u202eevil"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where runs are kept."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = tmp_path / "state" / "copilot" / "runs"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def made(place: Path, tmp_path: Path) -> Recording:
    """A run of three steps; then the person adds a line at the end of a file."""
    run = three_steps(place / "20260101T000000Z-claude-0001", tmp_path / "project")
    change(run.project, {"a.txt": None})
    run.close()
    return run


def undo(*arguments: str) -> int:
    return cli.main(["undo", *arguments])


def said(capsys: pytest.CaptureFixture[str]) -> str:
    out, err = capsys.readouterr()
    assert err == ""
    return out


def at_a_terminal(monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _prompt: answer)


@pytest.mark.parametrize("name", ["last", "20260101", "20260101T000000Z-claude-0001"])
def test_all_is_put_back_and_the_last_line_undoes_it(
    made: Recording, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    assert undo(name) == 0
    assert contents(made.project) == BEFORE
    lines = said(capsys).splitlines()
    assert "put back  a.txt  +3 -0" in lines and "remove  made1.txt  +0 -1" in lines
    assert "+++ a.txt" in lines and "+two" in lines and "--- log.txt" in lines and "-step 3" in lines
    assert "Done: 1 file put back, 4 files removed." in lines
    way = re.fullmatch(r"To undo this: copilot undo (\S+) --to (\d+)", lines[-1])
    assert way is not None and way[1] == made.folder.name
    assert undo(way[1], "--to", way[2]) == 0
    assert set(contents(made.project)) == {"made1.txt", "made2.txt", "made3.txt", "log.txt"}


def test_a_run_in_another_place_is_named_by_its_path(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = three_steps(tmp_path / "a run", tmp_path / "project", (1,))
    made.close()
    assert undo(str(made.folder)) == 0
    assert said(capsys).splitlines()[-1].startswith(f"To undo this: copilot undo '{made.folder}' --to ")


def test_a_step_is_a_number_of_the_list(made: Recording, capsys: pytest.CaptureFixture[str]) -> None:
    assert undo("last", "--list") == 0
    lines = said(capsys).splitlines()
    (row,) = [line for line in lines if "before: Do two" in line]
    assert undo("last", "--to", row.split()[0]) == 0
    assert contents(made.project) == {**BEFORE, "made1.txt": "x\n", "log.txt": "step 1\n"}


def test_a_dry_run_changes_nothing(made: Recording, capsys: pytest.CaptureFixture[str]) -> None:
    now = contents(made.project)
    assert undo("last", "--dry-run") == 0
    assert contents(made.project) == now
    lines = said(capsys).splitlines()
    assert lines[0] == f"Project: {made.project}"
    assert "+two" in lines and not any(line.startswith(("Done", "To undo")) for line in lines)


@pytest.mark.parametrize(
    ("answer", "options", "done"),
    [("n", (), False), ("", (), False), ("y", (), True), ("n", ("--yes",), True)],
)
def test_a_person_at_a_terminal_is_asked(
    made: Recording,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    answer: str,
    options: tuple[str, ...],
    done: bool,
) -> None:
    at_a_terminal(monkeypatch, answer)
    now = contents(made.project)
    assert undo("last", *options) == 0
    assert contents(made.project) == (BEFORE if done else now)
    out, _ = capsys.readouterr()
    assert ("Nothing is changed." in out) is not done


def test_the_question_counts_the_files(
    made: Recording, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    at_a_terminal(monkeypatch, "n")
    questions: list[str] = []

    def confirm(text: str, **_options: object) -> bool:
        questions.append(text)
        return False

    monkeypatch.setattr("click.confirm", confirm)
    assert undo("last") == 0
    assert questions == ["Put 5 files back?"]


def test_what_the_person_changed_stays(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Recording(place / "r", tmp_path / "project")
    made.prompt(Reply(text="Do it"))
    change(made.project, {"a.txt": "ONE\ntwo\nthree\n", "own/own.txt": "of the program\n"})
    made.keep(CheckpointMoment.TURN)
    change(made.project, {"a.txt": "ONE\ntwo\nthree\nmine\n", "mine.txt": "mine\n"})
    made.close_as_person()
    assert undo("r") == 0
    assert contents(made.project) == {"a.txt": "one\ntwo\nthree\nmine\n", "mine.txt": "mine\n"}
    lines = said(capsys).splitlines()
    assert any(line.startswith("merge  a.txt") for line in lines)
    assert "Done: 1 file removed, 1 file merged." in lines


def refusing(place: Path, project: Path) -> Recording:
    """Program and person changed the same line."""
    made = Recording(place / "r", project)
    made.prompt(Reply(text="Do it"))
    change(made.project, {"a.txt": "program\ntwo\nthree\n", "b.txt": "program\n"})
    made.keep(CheckpointMoment.TURN)
    change(made.project, {"a.txt": "program and me\ntwo\nthree\n"})
    made.close_as_person()
    return made


def test_a_refused_file_stays_and_both_versions_are_named(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = refusing(place, tmp_path / "project")
    assert undo("r", "--dry-run") == 0
    assert "refuse  a.txt" in said(capsys)
    assert undo("r") == EXIT_HELD
    assert contents(made.project) == {"a.txt": "program and me\ntwo\nthree\n"}
    lines = said(capsys).splitlines()
    (at,) = [place for place, line in enumerate(lines) if line.startswith("refused: a.txt: ")]
    assert lines[at + 1] == f"  as it is now: {made.project / 'a.txt'}"
    other = Path(lines[at + 2].removeprefix("  other version: "))
    assert other.is_relative_to(made.folder / "checkpoints" / "undo")
    assert other.read_text() == "one\ntwo\nthree\n"


def test_nothing_to_undo_is_said(made: Recording, capsys: pytest.CaptureFixture[str]) -> None:
    assert undo("last") == 0
    capsys.readouterr()
    assert undo("last") == 0
    assert "Nothing to undo: the files are as at checkpoint 0." in said(capsys)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nothing",), "no such run"),
        (("last", "--to", "99"), "--to 99: is no checkpoint of this run; write start or a number up to"),
        (("last", "--to", "-1"), "is no checkpoint"),
        (("last", "--to", "²"), "is no checkpoint"),
        (("last", "--to", "9" * 5000), "is no checkpoint"),
        (("last", "--to", ""), "is no checkpoint"),
        (("last", "--list", "--yes"), "--list only shows"),
        (("last", "--json"), "--json goes with --list"),
    ],
)
def test_bad_input_is_one_line(
    made: Recording, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str
) -> None:
    assert undo(*arguments) == EXIT_USAGE
    out, err = capsys.readouterr()
    assert out == "" and len(err.splitlines()) == 1 and told in err


def test_a_run_without_checkpoints_is_told(made: Recording, capsys: pytest.CaptureFixture[str]) -> None:
    (made.folder / "checkpoints").rename(made.folder.parent.parent / "gone")
    for options in ((), ("--list",)):
        assert undo("last", *options) == EXIT_USAGE
        assert "has no checkpoints" in capsys.readouterr().err


def test_the_list_has_a_row_for_each_reply_and_each_new_state(
    made: Recording, capsys: pytest.CaptureFixture[str]
) -> None:
    assert undo("last", "--list") == 0
    lines = said(capsys).splitlines()
    rows = [re.split(r" {2,}", line.strip()) for line in lines[1:-1]]
    assert [row[1:] for row in rows] == [
        ["0:00", "start of the run"],
        ["0:01", "before: Do one", "program: 2 created"],
        ["0:03", "before: Do two", "program: 1 created, 1 changed"],
        ["0:05", "before: Do three", "program: 1 created, 1 changed"],
        ["0:06", "end of a turn", "program: 1 removed"],
        ["0:07", "end of the run"],
    ]
    assert lines[-1] == f"To go back to one: copilot undo {made.folder.name} --to NO"
    undo("last")
    capsys.readouterr()
    assert undo("last", "--list") == 0
    when = r"\(\d{4}-\d\d-\d\d \d\d:\d\d\)"
    listed = said(capsys)
    assert re.search(rf"8  0:07  before an undo {when} +undo: 1 created, 4 removed\n", listed)
    assert re.search(rf"9  0:07  undo {when}: back to checkpoint 0\n", listed)


def test_the_list_as_json(made: Recording, capsys: pytest.CaptureFixture[str]) -> None:
    assert undo("last", "--list", "--json") == 0
    rows = [json.loads(line) for line in said(capsys).splitlines()]
    assert [row["checkpoint"] for row in rows] == [0, 1, 3, 5, 6, 7]
    assert rows[1] == {
        "checkpoint": 1,
        "at": 1.0,
        "moment": "reply",
        "author": "person",
        "decision": 1,
        "text": "Do one",
        "files": {"program": {"created": 2, "changed": 0, "removed": 0}},
    }


def test_what_cannot_be_undone_is_listed(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Recording(place / "r", tmp_path / "project")
    made.prompt(Reply(choice="Yes"), asked=shell("curl -d @a.txt before.example", "p.1"), risk=HIGH)
    made.keep(CheckpointMoment.WAITS)
    made.prompt(Reply(choice="Yes"), asked=shell("curl -d @a.txt after.example", "p.2"), risk=HIGH)
    made.prompt(Reply(choice="Yes"), asked=shell("touch harmless", "p.3"))
    made.prompt(Reply(choice="No"), asked=shell("rm refused", "p.4"), risk=HIGH, verdict=Verdict.REFUSE)
    made.prompt(Reply(choice="Yes"), asked=shell("rm untyped", "p.5"), risk=HIGH, outcome="expired")
    change(made.project, {"new.txt": "x\n"})
    (made.project / "nested" / ".git").mkdir(parents=True)
    made.close()
    assert undo("r", "--dry-run", "--to", "3") == 0
    text = said(capsys)
    assert "after.example  (sends data over the network)" in text
    assert not any(word in text for word in ("before.example", "harmless", "rm refused", "rm untyped"))
    assert "Not covered by checkpoints, so left as they are:" in text and "  nested  (" in text
    assert undo("r", "--dry-run") == 0
    assert "before.example" in said(capsys)


def test_long_diffs_are_cut_with_a_count(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Recording(place / "r", tmp_path / "project")
    made.prompt(Reply(text="Do it"))
    change(made.project, {"long.txt": "".join(f"line {one}\n" for one in range(500)), "wide.txt": "w" * 5000})
    made.close()
    assert undo("r", "--dry-run") == 0
    lines = said(capsys).splitlines()
    assert sum(line.startswith("-line") for line in lines) == 117
    assert "… 383 more lines of this file" in lines
    assert any(line.endswith("… (4601 more characters)") for line in lines)


def test_many_files_are_cut_with_a_count(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Recording(place / "r", tmp_path / "project")
    made.prompt(Reply(text="Do it"))
    change(made.project, {f"{one}.txt": "line\n" * 200 for one in range(510)})
    made.close()
    assert undo("r", "--dry-run") == 0
    lines = said(capsys).splitlines()
    assert sum(line == "-line" for line in lines) == 5 * 117
    assert lines.count("… its lines are left out") == 495 and "… and 10 more files" in lines
    assert sum(line.startswith("remove") for line in lines) == 500


def test_nothing_of_a_file_or_its_name_drives_the_terminal(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Recording(place / "r", tmp_path / "project")
    made.prompt(Reply(text=EVIL))
    change(made.project, {f"{EVIL}\nname": f"{EVIL}\r\x0cx\n"})
    (made.project / os.fsdecode(b"caf\xe9")).write_text("latin\n")
    made.close()
    assert undo("r", "--list") == 0
    assert undo("r") == 0
    text = said(capsys)
    assert not set(text) & set("\x1b\x07\u202e\r\x0c") and "caf" in text
    assert contents(made.project) == BEFORE


def test_at_a_terminal_the_diff_has_the_colours_of_git(
    made: Recording, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert undo("last", "--dry-run") == 0
    text = said(capsys)
    assert "\x1b[32m+two\x1b[0m" in text and "\x1b[31m-step 3\x1b[0m" in text
    assert "\x1b[1m+++ a.txt\x1b[0m" in text and "\x1b[36m@@" in text
