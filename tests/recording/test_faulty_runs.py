"""Runs that are not there, of a newer copilot, or not ours to read: one line that says what to do, exit code 2."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from copilot import cli
from copilot.recording.runs import list_runs
from copilot.recording.transcript import sealed, unsealed
from copilot.replay.recorded import open_recorded
from copilot.replay.verdicts import VerdictBook, Word
from copilot.tui.replay.run import profile_of
from tests.examples import some
from tests.recording.test_run_folder import begin, play
from tests.replay.golden import GOLDEN

READERS = (
    ("report", "{run}", "-o", "{out}"),
    ("replay", "{run}", "--redetect", "--check"),
    ("replay", "{run}", "--verdicts", "{out}"),
    ("--resume", "{run}", "--headless"),
)


def newer_manifest(run: Path) -> None:
    path = run / "manifest.json"
    path.write_text(path.read_text().replace('"schema_version": 1', '"schema_version": 2'))


def newer_records(run: Path) -> None:
    path = run / "transcript.jsonl"
    bodies = [unsealed(line) or b"" for line in path.read_bytes().splitlines()]
    path.write_bytes(b"".join(sealed(body.replace(b'"v":1', b'"v":2', 1)) for body in bodies))


def gone(run: Path) -> None:
    shutil.rmtree(run)


def emptied(run: Path) -> None:
    gone(run)
    run.mkdir()


def folder_for_file(run: Path) -> None:
    (run / "manifest.json").unlink()
    (run / "manifest.json").mkdir()


FAULTS: dict[str, tuple[Callable[[Path], None], str]] = {
    "gone": (gone, "`copilot runs`"),
    "no run": (emptied, "is no run folder"),
    "newer manifest": (newer_manifest, "is of a newer copilot (version 2); update copilot"),
    "newer records": (newer_records, "is of a newer copilot; update copilot"),
    "folder for a file": (folder_for_file, "it is a folder"),
}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return Path(shutil.copytree(GOLDEN / "demo-person", tmp_path / "run"))


def told(arguments: tuple[str, ...], run: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code, and the one line of the error."""
    out = str(run.parent / "out")
    code = cli.main([one.format(run=run, out=out) for one in arguments])
    error = capsys.readouterr().err
    assert error.startswith("copilot: ") and error.count("\n") == 1, error
    return code, error


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: "-".join(reader[::2]))
@pytest.mark.parametrize("fault", FAULTS)
def test_one_line_and_exit_code_2(
    run: Path, fault: str, reader: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    spoil, words = FAULTS[fault]
    spoil(run)
    code, error = told(reader, run, capsys)
    assert code == 2 and str(run) in error and words in error


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: "-".join(reader[::2]))
def test_a_folder_that_may_not_be_read(
    run: Path, reader: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse(monkeypatch, run)
    code, error = told(reader, run, capsys)
    assert code == 2 and f"{run}" in error and "permission denied" in error


def test_a_run_of_which_no_record_is_left_is_read_all_the_same(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (run / "transcript.jsonl").write_bytes(b"\0\0\n")
    assert cli.main(["replay", str(run), "--redetect", "--check"]) == 1
    assert "new prompt" in capsys.readouterr().out
    assert cli.main(["report", str(run), "--markdown"]) == 0
    assert "**The transcript is damaged** at `byte 0: 2 zero bytes`" in capsys.readouterr().out


def refuse(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """The system refuses every look into this folder, as it does for a user without rights."""
    stat = Path.stat

    def refused(path: Path, **options: bool) -> object:
        if folder in (path, *path.parents):
            raise PermissionError(13, "Permission denied", str(path))
        return stat(path, **options)

    monkeypatch.setattr(Path, "stat", refused)


def test_the_list_shows_what_it_cannot_read_and_everything_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("good", "hidden", "newer"):
        play(recorder := begin(tmp_path / name))
        recorder.close()
    newer_manifest(tmp_path / "newer")
    (tmp_path / "hidden" / "manifest.json").unlink()
    (tmp_path / "hidden" / "manifest.json").mkdir()
    refuse(monkeypatch, tmp_path / "hidden")
    listed = {one.run_id: one for one in list_runs(tmp_path)}
    assert listed["good"].outcome == "completed" and listed["hidden"].outcome == "unreadable"
    assert cli.main(["runs", "--in", str(tmp_path)]) == 0
    shown = capsys.readouterr()
    assert "good" in shown.out and "newer" in shown.out and "is of a newer copilot" in shown.err


@pytest.mark.parametrize("name", ["nowhere", "file"])
def test_a_place_that_is_none_is_told(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert cli.main(["runs", "--in", str(tmp_path / name)]) == 2
    assert f"--in {tmp_path / name}: is no folder" in capsys.readouterr().err


def test_a_run_is_named_by_the_id_that_the_list_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    kept = tmp_path / "copilot" / "runs" / "20260101T000000Z-demo-0001"
    shutil.copytree(GOLDEN / "demo-person", kept)
    assert cli.main(["report", kept.name, "--markdown"]) == 0
    assert kept.name in capsys.readouterr().out
    assert cli.main(["replay", kept.name, "--export", "v3", str(tmp_path / "a.cast")]) == 0
    (tmp_path / kept.name).mkdir()
    capsys.readouterr()
    assert cli.main(["report", kept.name]) == 2, "what stands here comes first"


KEYS = ("settings", "limits", "versions", "profile", "outcome", "summary")


@pytest.mark.examples
@pytest.mark.parametrize(("key", "value"), some(list(product(KEYS, [[1], "x", None])), 2))
def test_a_manifest_with_something_else_in_it_is_read_or_refused_in_one_line(
    run: Path, key: str, value: object, capsys: pytest.CaptureFixture[str]
) -> None:
    book = VerdictBook(open_recorded(run), str)
    book.say(open_recorded(run).review.prompts[0], Word.RIGHT)
    path = run / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), key: value}))
    assert profile_of(open_recorded(run), None) is not None
    for number, reader in enumerate(READERS[:3]):
        out = str(run.parent / f"out-{number}")
        code = cli.main([one.format(run=run, out=out) for one in reader])
        error = capsys.readouterr().err
        assert "a fault in copilot itself" not in error, error
        assert code in (0, 1) or error.count("\n") == 1
