"""Looks at the disk in a run folder: written redacted, read as they were; a bad file is a missing one."""

from __future__ import annotations

from pathlib import Path

import pytest

from copilot.core import events as ev
from copilot.core.effects import EndRun
from copilot.core.reply import Autonomy
from copilot.core.settings import RunSettings
from copilot.engine.disk_looks import NotRecorded
from copilot.recording.artifacts import looks_file
from copilot.recording.looks_files import looks_of
from copilot.recording.run_folder import RunFolder
from copilot.recording.runs import open_run

SECRET = "kq7-hidden-value-91x"
END = EndRun("completed", 0, "done")


def looked(number: int, *names: str, left_out: int = 0) -> ev.DiskLooked:
    looks = tuple(ev.Look("read_file", f"/p/{name}", f"{name}: {SECRET}") for name in names)
    return ev.DiskLooked(
        at=float(number), number=number, cwd="/p", home="/home/me", looks=looks, left_out=left_out
    )


def redact(text: str) -> str:
    return text.replace(SECRET, "[secret]")


def recorder(folder: Path, failures: list[str]) -> RunFolder:
    settings = RunSettings(
        child=("claude",), profile="claude", autonomy=Autonomy.FULL, cwd="/p", log_folder=str(folder)
    )
    return RunFolder(settings, redact=redact, on_failed=failures.append)


def written(folder: Path) -> Path:
    failures: list[str] = []
    run = recorder(folder, failures)
    for event in (looked(1, "a", "b"), looked(2, "c"), looked(3, "d")):
        run.event(event)
    run.close(END)
    assert failures == []
    return folder


def read(folder: Path, name: str, at: float = 9.0) -> bytes | None:
    looks = looks_of(open_run(folder), "/elsewhere", "/home/you")
    looks.begin(at)
    return looks.scope().disk.read_file(f"/p/{name}")


def test_looks_come_back_redacted_and_at_their_time(tmp_path: Path) -> None:
    run = written(tmp_path / "run")
    assert [read(run, name) for name in "acd"] == [f"{name}: [secret]".encode() for name in "acd"]
    assert read(run, "c", at=2.0) == b"c: [secret]"
    with pytest.raises(NotRecorded):
        read(run, "c", at=1.5)
    assert looks_of(open_run(run), "/elsewhere", "/home/you").scope().cwd == "/p"
    assert "/home/me" not in (run / "transcript.jsonl").read_text("utf-8")
    assert SECRET not in "".join(path.read_text("utf-8") for path in (run / "looks").iterdir())


@pytest.mark.parametrize(
    "content", [None, "", "[]", "{}", '{"at": 1', '{"number": "x"}', '{"at":1,"looks":[5]}']
)
def test_a_file_that_cannot_be_read_ends_what_the_earlier_ones_say(
    tmp_path: Path, content: str | None
) -> None:
    run = written(tmp_path / "run")
    path = run / looks_file(2)
    if content is None:
        path.unlink()
    else:
        path.write_text(content, "utf-8")
    assert read(run, "a", at=1.0) == b"a: [secret]"
    for name in "abc":
        with pytest.raises(NotRecorded):
            read(run, name)
    assert read(run, "d") == b"d: [secret]"


def test_looks_that_cannot_be_written_end_the_recording(tmp_path: Path) -> None:
    failures: list[str] = []
    run = recorder(tmp_path / "run", failures)
    (tmp_path / "run" / "looks").write_text("in the way", "utf-8")
    run.event(looked(1, "a"))
    run.close(END)
    assert len(failures) == 1 and "cannot be recorded any more" in failures[0]


def test_looks_after_the_end_are_not_kept(tmp_path: Path) -> None:
    run = recorder(tmp_path / "run", [])
    run.close(END)
    run.event(looked(1, "a"))
    assert not (tmp_path / "run" / "looks").exists()
