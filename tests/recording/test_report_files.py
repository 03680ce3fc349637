"""The report tells which files changed; checkpoints stay where they are, and go with their run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from copilot import cli
from copilot.core import events as ev
from copilot.core.checkpoints import Author, CheckpointMoment
from copilot.recording.commands import runs_command
from copilot.recording.report import report_html
from copilot.recording.report_markdown import report_markdown
from copilot.recording.runs import RecordedRun, open_run, size_of
from tests.recording.test_report import EVIL, tags_of
from tests.recording.test_run_folder import SECRET, begin, play

MARK = b"kept-as-it-is-c0ffee"


def recorded(folder: Path, *taken: ev.Event) -> RecordedRun:
    run = begin(folder)
    for one in taken:
        run.event(one)
    play(run)
    run.close()
    return open_run(folder)


def taken(
    number: int,
    author: Author,
    *,
    created: tuple[str, ...] = (),
    removed: tuple[str, ...] = (),
    before: int = 1,
    unlisted: int = 0,
) -> ev.CheckpointTaken:
    return ev.CheckpointTaken(
        at=float(number),
        number=number,
        moment=CheckpointMoment.TURN,
        author=author,
        before=before,
        created=created,
        removed=removed,
        unlisted=unlisted,
    )


def test_files_are_told_by_whom_and_after_which_reply(tmp_path: Path) -> None:
    run = recorded(
        tmp_path / "run",
        taken(1, Author.PROGRAM, created=("src/a.py", "b"), unlisted=3),
        taken(2, Author.PERSON, removed=("mine",)),
        taken(9, Author.PROGRAM, created=("b",), removed=("c",), before=2),
        ev.FilesRestored(at=11.0, number=12, before=1, paths=("b", "c")),
    )
    page = report_html(run)
    tags_of(page)
    assert "2 created, 1 removed, 3 not listed by the program" in page
    assert "the program, before the first reply" in page and "<code>src/a.py</code>, <code>b</code>" in page
    assert (
        'the person, before the first reply<ul><li><span class="kind">removed</span> <code>mine</code>'
        in page
    )
    assert '<a href="#prompt-1">after the reply to prompt 1: y</a>' in page
    assert '<span class="kind">put back</span> 2 files' in page
    markdown = report_markdown(run)
    assert "| Files | `2 created, 1 removed, 3 not listed by the program` |" in markdown
    assert (
        "- 9.0 s, the program `after the reply to prompt 1: y`\n  - created: `b`\n  - removed: `c`"
        in markdown
    )
    assert "  - not listed: 3 files\n" in markdown and "  - put back: 2 files\n" in markdown


def test_without_checkpoints_nothing_is_said_of_files(tmp_path: Path) -> None:
    run = recorded(tmp_path / "run")
    assert 'id="files"' not in report_html(run) and "Files" not in report_markdown(run)


def test_paths_are_redacted_and_stay_text(tmp_path: Path) -> None:
    run = recorded(tmp_path / "run", taken(1, Author.PROGRAM, created=(f"{SECRET}.txt", EVIL, "a`b|")))
    page, markdown = report_html(run), report_markdown(run)
    assert "[token].txt" in page and "[token].txt" in markdown
    for made in (page, markdown):
        assert SECRET not in made and not set(made) & set("\x1b\x07\u202e\u2066")
    tags = tags_of(page)
    assert "img" not in tags.seen and "onerror" not in tags.attributes
    assert "``a`b|``" in markdown


def test_long_lists_are_cut_with_a_count(tmp_path: Path) -> None:
    many = tuple(f"f{one:03d}" for one in range(80))
    steps = [taken(one, Author.PROGRAM, created=(f"g{one}",)) for one in range(1, 220)]
    run = recorded(tmp_path / "run", taken(0, Author.PROGRAM, created=many), *steps)
    page = report_html(run)
    assert "<code>f049</code> and 30 more" in page and "f050" not in page
    assert "… and 20 more times." in page


def with_checkpoints(folder: Path) -> Path:
    recorded(folder, taken(1, Author.PROGRAM, created=("a", "b")))
    place = folder / "checkpoints" / "git" / "objects"
    place.mkdir(parents=True, mode=0o700)
    (folder / "checkpoints" / "log.jsonl").write_bytes(MARK)
    (place / "pack").write_bytes(MARK * 1000)
    (place / "pack").chmod(0o400)
    return folder


@pytest.mark.invariant(8)
def test_no_report_or_export_holds_anything_of_a_checkpoint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = with_checkpoints(tmp_path / "runs" / "run")
    before = {path for path in tmp_path.rglob("*")}
    for arguments in (
        ("report", str(folder)),
        ("report", str(folder), "--markdown", "-o", str(tmp_path / "report.md")),
        ("replay", str(folder), "--export", "v2", str(tmp_path / "two.cast")),
        ("replay", str(folder), "--export", "v3", str(tmp_path / "three.cast")),
    ):
        assert cli.main(list(arguments)) == 0, arguments
    made = {path for path in tmp_path.rglob("*")} - before
    assert {path.name for path in made} == {"report.html", "report.md", "two.cast", "three.cast"}
    assert not any(MARK in path.read_bytes() for path in made)


def test_runs_tell_files_and_the_size_with_checkpoints_which_go_with_the_run(tmp_path: Path) -> None:
    folder = with_checkpoints(tmp_path / "run")
    whole = size_of(folder)
    assert whole > len(MARK) * 1000

    def runs(*arguments: str) -> str:
        result = CliRunner().invoke(runs_command, ["--in", str(tmp_path), *arguments], standalone_mode=False)
        assert result.exception is None, result.exception
        return result.stdout

    (listed,) = map(json.loads, runs("--json").splitlines())
    assert (listed["files"], listed["bytes"]) == (2, whole)
    assert runs().splitlines()[1].split()[7:9] == ["2", "$0.2500"]
    assert "deleted: run" in runs("--prune", "--state", "completed", "--yes")
    assert list(tmp_path.iterdir()) == []
