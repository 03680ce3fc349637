"""No crash loses an acknowledged record, and whatever stands in a transcript, it opens."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from copilot.errors import InputError
from copilot.recording import transcript as transcript_module
from copilot.recording.artifacts import TORN_SUFFIX, TRANSCRIPT_NAME
from copilot.recording.run_place import RunLock, is_locked
from copilot.recording.transcript import TranscriptWriter
from copilot.recording.transcript_reader import parse_transcript, read_transcript, repair_transcript
from tests.examples import some


def written(folder: Path, count: int, *, first: int = 1) -> bytes:
    writer = TranscriptWriter(folder, next_sequence=first)
    for number in range(first, first + count):
        writer.append("note", number / 10, {"text": f"record {number} é ─ \x00\x1b"}, durable=False)
    writer.close()
    return (folder / TRANSCRIPT_NAME).read_bytes()


@pytest.mark.row("CP-56")
def test_what_was_written_is_read(tmp_path: Path) -> None:
    written(tmp_path, 3)
    transcript = read_transcript(tmp_path)
    assert [record.sequence for record in transcript.records] == [1, 2, 3]
    assert transcript.records[1].data == {"text": "record 2 é ─ \x00\x1b"} and transcript.records[1].at == 0.2
    assert transcript.records[0].time.endswith("Z") and not transcript.problems
    assert (tmp_path / TRANSCRIPT_NAME).stat().st_mode & 0o777 == 0o600


@pytest.mark.timeout(180)
@pytest.mark.invariant(11)
@pytest.mark.parametrize("records", [5, pytest.param(50, marks=pytest.mark.slow)])
def test_a_file_cut_at_every_byte_keeps_all_whole_records_and_goes_on(
    records: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Thousands of waits for the disk would show nothing here.
    monkeypatch.setattr(os, "fsync", lambda fd: None)
    monkeypatch.setattr(transcript_module, "sync_data", lambda fd: None)
    whole = written(tmp_path, records)
    ends = [position for position, byte in enumerate(whole) if byte == 10]
    for length in range(len(whole) + 1):
        folder = tmp_path / str(length)
        folder.mkdir()
        (folder / TRANSCRIPT_NAME).write_bytes(whole[:length])
        # A record that lacks only its newline is whole: its checksum says so.
        complete = sum(end <= length for end in ends)
        transcript = repair_transcript(folder)
        assert len(transcript.records) == complete, length
        torn = folder / (TRANSCRIPT_NAME + TORN_SUFFIX)
        kept = (folder / TRANSCRIPT_NAME).read_bytes()
        assert kept == whole[: ends[complete - 1] + 1 if complete else 0]
        if transcript.torn_bytes:
            assert torn.read_bytes() == whole[length - transcript.torn_bytes : length] + b"\n"
        assert bool(transcript.problems) == torn.exists() == bool(transcript.torn_bytes)
        written(folder, 1, first=transcript.next_sequence)
        again = read_transcript(folder)
        assert len(again.records) == complete + 1 and not again.problems


def test_what_is_wrong_in_the_middle_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    lines = written(tmp_path, 6).splitlines(keepends=True)
    cases = {
        "zero bytes": b"\0" * 512 + b"\n",
        "checksum": lines[2].replace(b"record 3", b"record 4"),
        "bad UTF-8": b"\xff\xfe" + lines[2],
        "an empty line": b"\n",
        "glued": lines[2][:40] + lines[3],
    }
    for name, bad in cases.items():
        data = b"".join([*lines[:2], bad, *lines[3:]])
        transcript = parse_transcript(data)
        assert [record.sequence for record in transcript.records] == [1, 2, 4, 5, 6], name
        assert [problem.offset for problem in transcript.problems] == [
            len(lines[0] + lines[1]),
            len(lines[0] + lines[1] + bad),
        ]
        assert "1 records are missing before number 4" in str(transcript.problems[1])


def test_zeros_before_a_record_do_not_swallow_it_silently(tmp_path: Path) -> None:
    lines = written(tmp_path, 4).splitlines(keepends=True)
    transcript = parse_transcript(lines[0] + b"\0" * 4096 + lines[1] + lines[2] + lines[3])
    assert [record.sequence for record in transcript.records] == [1, 3, 4]
    assert len(transcript.problems) == 2


def test_repeated_and_missing_records_are_told(tmp_path: Path) -> None:
    lines = written(tmp_path, 4).splitlines(keepends=True)
    problems = parse_transcript(b"".join([lines[0], lines[0], lines[3]])).problems
    assert [problem.what for problem in problems] == [
        "record 1 stands where 2 was expected",
        "2 records are missing before number 4",
    ]


@given(st.binary(max_size=300))
def test_no_bytes_raise(data: bytes) -> None:
    parse_transcript(data)


WRITER = """
import sys
from pathlib import Path
from copilot.recording.transcript import TranscriptWriter
writer = TranscriptWriter(Path(sys.argv[1]))
for number in range(1, 10**9):
    writer.append("note", number / 1000, {"text": "x" * (number % 3000)}, durable=number % 7 == 0)
    sys.stdout.write(f"{number}\\n"); sys.stdout.flush()
"""


@pytest.mark.invariant(11)
@pytest.mark.examples
def test_no_acknowledged_record_is_lost_when_the_writer_is_killed(tmp_path: Path) -> None:
    chance = random.Random(7)
    torn = 0
    for attempt in some(range(30), 4):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        with subprocess.Popen([sys.executable, "-c", WRITER, str(folder)], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            for _ in range(chance.randrange(1, 400)):
                writer.stdout.readline()
            writer.send_signal(signal.SIGKILL)
            rest = writer.stdout.read()
        told = [int(line) for line in rest.split(b"\n")[:-1]]
        transcript = repair_transcript(folder)
        torn += bool(transcript.torn_bytes)
        numbers = [record.sequence for record in transcript.records]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) >= max(told, default=0)
        assert all(problem.what.startswith("the last line") for problem in transcript.problems)


def test_a_follower_never_sees_a_torn_line_as_a_record(tmp_path: Path) -> None:
    whole = written(tmp_path, 20)
    seen = 0
    offset = 0
    expected = 1
    for length in range(len(whole) + 1):
        part = parse_transcript(whole[offset:length], expected_sequence=expected)
        if length and whole[length - 1 : length] == b"\n":
            assert not part.problems
            seen += len(part.records)
            expected = part.next_sequence
            offset = length
    assert seen == 20


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    lock = RunLock(tmp_path)
    assert is_locked(tmp_path)
    with pytest.raises(InputError, match=f"by process {os.getpid()}; end it first, or give another --log"):
        RunLock(tmp_path)
    lock.release()
    assert not is_locked(tmp_path)
    RunLock(tmp_path).release()
    assert not is_locked(tmp_path / "nowhere")


def test_the_lock_dies_with_its_owner(tmp_path: Path) -> None:
    code = "import sys, time; from pathlib import Path; from copilot.recording.run_place import RunLock; l = RunLock(Path(sys.argv[1])); print(1, flush=True); time.sleep(1000)"
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None and owner.stdout.readline()
        assert is_locked(tmp_path)
        owner.kill()
        owner.wait()
        assert not is_locked(tmp_path)


def test_a_full_disk_leaves_whole_records_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = TranscriptWriter(tmp_path)
    writer.append("note", 0, {}, durable=False)
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: real(fd, bytes(data)[:10]))
    with pytest.raises(OSError, match="No space") as caught:
        writer.append("note", 0, {}, durable=False)
    assert caught.value.errno == errno.ENOSPC
    monkeypatch.setattr(os, "write", real)
    writer.append("note", 0, {}, durable=False)
    writer.close()
    transcript = read_transcript(tmp_path)
    assert [record.sequence for record in transcript.records] == [1, 2] and not transcript.problems


def test_a_durable_record_is_on_the_disk_before_append_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    path = tmp_path / TRANSCRIPT_NAME
    monkeypatch.setattr(transcript_module, "sync_data", lambda fd: synced.append(path.stat().st_size))
    writer = TranscriptWriter(tmp_path)
    writer.append("note", 0, {}, durable=False)
    assert synced == []
    writer.append("note", 0, {}, durable=True)
    assert synced == [path.stat().st_size]
    writer.sync()
    assert len(synced) == 1, "nothing new, nothing to do"


def test_a_folder_without_transcript_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no run folder"):
        read_transcript(tmp_path)
