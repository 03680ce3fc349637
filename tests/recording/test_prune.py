"""`copilot runs` with a choice, and --prune: what is named goes, and nothing else ever."""

from __future__ import annotations

import errno
import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import copilot
from copilot import cli
from copilot.lab.workspace import picture
from copilot.recording.commands import _size, runs_command
from copilot.recording.runs import STATES
from tests.recording.test_run_folder import begin, play


def runs(place: Path, *arguments: str, answer: str = "") -> Result:
    return CliRunner().invoke(
        runs_command, ["--in", str(place), *arguments], input=answer, standalone_mode=False
    )


def made(place: Path, name: str, *, started: str = "2026-01-01T00:00:00Z", whole: bool = True) -> Path:
    folder = place / name
    run = begin(folder)
    if whole:
        play(run)
    run.close()
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | {"started_at": started}))
    return folder


@pytest.fixture
def place(tmp_path: Path) -> Path:
    made(tmp_path, "old")
    made(tmp_path, "new", started="2099-01-01T00:00:00Z")
    made(tmp_path, "broken", whole=False)
    return tmp_path


def names(result: Result) -> set[str]:
    return {json.loads(line)["run"] for line in result.stdout.splitlines()}


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        (("--state", "completed"), {"old", "new"}),
        (("--state", "interrupted"), {"broken"}),
        (("--cli", "claude"), {"old", "new", "broken"}),
        (("--cli", "codex"), set()),
        (("--since", "2030-01-01"), {"new"}),
        (("--since", "7d"), {"new"}),
        (("--before", "12h", "--state", "completed"), {"old"}),
    ],
)
def test_runs_are_chosen(place: Path, options: tuple[str, ...], wanted: set[str]) -> None:
    assert names(runs(place, *options, "--json")) == wanted


@pytest.mark.parametrize("time", ["yesterday", "d", "7x", "99999999999d", ""])
def test_a_time_that_is_none_is_told(place: Path, time: str) -> None:
    assert "is no time; write 7d" in str(runs(place, "--since", time).exception)


def test_prune_deletes_what_is_named_once_it_is_confirmed(place: Path) -> None:
    told = runs(place, "--prune", "--before", "7d", "--state", "completed", answer="n\n")
    assert "Delete these 1 runs" in told.stdout and (place / "old").exists()
    told = runs(place, "--prune", "--before", "7d", "--state", "completed", "--dry-run")
    assert "would be deleted: old" in told.stdout and (place / "old").exists()
    told = runs(place, "--prune", "--before", "7d", "--state", "completed", answer="y\n")
    assert told.return_value == 0 and not (place / "old").exists()
    assert {path.name for path in place.iterdir()} == {"new", "broken"}
    told = runs(place, "--prune", "--state", "interrupted", "--yes", "--json")
    assert json.loads(told.stdout)["result"] == "deleted" and not (place / "broken").exists()


def test_prune_needs_to_be_told_what(place: Path) -> None:
    assert "add one" in str(runs(place, "--prune", "--yes").exception)
    assert "go with --prune" in str(runs(place, "--yes").exception)
    assert len(list(place.iterdir())) == 3


def test_what_is_not_plainly_a_run_of_this_place_stays(tmp_path: Path) -> None:
    place, elsewhere = tmp_path / "runs", tmp_path / "elsewhere"
    place.mkdir()
    outside = made(elsewhere, "outside")
    (place / "outside").symlink_to(outside)
    made(place, "with-notes").joinpath("notes.txt").write_text("mine")
    made(place, "was-renamed").rename(place / "renamed")
    (made(place, "torn") / "manifest.json").write_text("{")
    running = begin(place / "running")
    (place / "stranger").mkdir()
    (place / "stranger" / "manifest.json").write_text('{"schema_version": 1}')
    before = sorted(path.name for path in place.iterdir())
    told = runs(place, "--prune", "--before", "2100-01-01", "--yes")
    told = runs(place, "--prune", "--cli", "claude", "--yes")
    running.close()
    assert told.return_value == 1
    for words in ("not directly in the place", "notes.txt", "another name", "still goes on"):
        assert words in told.stdout, words
    assert sorted(path.name for path in place.iterdir()) == before
    assert outside.exists() and (place / "with-notes" / "notes.txt").exists()


def test_what_a_killed_copilot_left_half_written_is_ours(tmp_path: Path) -> None:
    folder = made(tmp_path, "killed")
    (folder / ".manifest.json.4711.new").write_text("{")
    (folder / "transcript.jsonl.torn").write_text("x")
    similar = made(tmp_path, "similar")
    (similar / ".notes.4711.new").write_text("mine")
    assert runs(tmp_path, "--prune", "--cli", "claude", "--yes").return_value == 1
    assert not folder.exists() and (similar / ".notes.4711.new").exists()


def test_what_cannot_be_deleted_is_told_and_not_counted_as_freed(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rmtree = shutil.rmtree
    done: list[Path] = []

    def only_the_first(path: Path) -> None:
        if done:
            raise OSError(errno.EROFS, "Read-only file system")
        done.append(path)
        rmtree(path)

    monkeypatch.setattr("copilot.recording.runs.shutil.rmtree", only_the_first)
    size = sum(file.stat().st_size for file in (place / "new").rglob("*") if file.is_file())
    code = cli.main(["runs", "--in", str(place), "--prune", "--state", "completed", "--yes"])
    out, err = capsys.readouterr()
    assert code == 1
    assert "deleted: new" in out and "kept: old (cannot be deleted: read-only file system)" in out
    assert f"Freed {_size(size)}\n" in out
    assert err.startswith(f"copilot: error: {place / 'old'}: cannot be deleted: read-only")
    assert "1 of 2 runs are still there" in err and err.count("\n") == 1
    assert not (place / "new").exists() and (place / "old").exists()


def test_a_place_that_cannot_be_written_loses_not_even_a_part(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("copilot.recording.runs.os.access", lambda path, mode: path != place)
    before = picture(place)
    told = runs(place, "--prune", "--state", "completed", "--yes")
    assert "2 of 2 runs are still there" in str(told.exception) and "Freed 0 B" in told.stdout
    assert picture(place) == before


def test_a_state_that_is_none_is_told_with_those_that_are(place: Path) -> None:
    told = str(runs(place, "--state", "bogus").exception)
    assert all(word in told for word in ("'bogus'", "completed", "aborted", "interrupted", "unreadable"))


def test_every_end_that_a_run_can_have_is_a_state() -> None:
    sources = [path.read_text("utf-8") for path in Path(copilot.__file__).parent.rglob("*.py")]
    words = {word for text in sources for word in re.findall(r'EndRun\(\s*"(\w+)"', text)}
    assert len(words) > 4 and words <= set(STATES)


def test_a_link_inside_a_run_is_not_followed(tmp_path: Path) -> None:
    place = tmp_path / "runs"
    place.mkdir()
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_text("mine")
    folder = made(place, "run")
    (folder / "raw" / "link").symlink_to(precious)
    assert runs(place, "--prune", "--cli", "claude", "--yes").return_value == 0
    assert not folder.exists() and (precious / "file").exists()
