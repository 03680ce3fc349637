"""A recorder that is killed at any moment, and files cut at any byte: the run opens, and nothing is invented."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import time
from collections import Counter
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.reply import Reply
from copilot.recording.cast_file import open_cast
from copilot.recording.report import report_html
from copilot.recording.runs import open_run, summarise
from copilot.replay.player import Player
from copilot.replay.recorded import open_recorded
from tests.recording.test_run_folder import QUESTION, begin, decision
from tests.replay.golden import GOLDEN

KILLS = 300


def drive(folder: str, told: Connection) -> None:
    """A run that types without end; each key that goes out is told before and after."""
    run = begin(Path(folder))
    number = 0
    while True:
        number += 1
        run.event(ev.ScreenSettled(at=number / 100, detection=QUESTION))
        run.output(b"\x1b[31moutput\x1b[0m of the child \xe2\x94\x80\r\n" * (number % 40), number / 100)
        run.effect(fx.RecordDecision(decision(number, Reply(text="y"))), number / 100)
        run.effect(fx.WriteKeys(number, text="y"), number / 100)
        told.send(number)
        run.effect(fx.ReplyTaken(number, "taken"), number / 100)


def killed(folder: Path, keys: int, seconds: float) -> int:
    """Killed so long after so many keys; the last key that went out before."""
    fork = multiprocessing.get_context("fork")
    ours, theirs = fork.Pipe(duplex=False)
    driver = fork.Process(target=drive, args=(str(folder), theirs), daemon=True)
    driver.start()
    theirs.close()
    typed = 0
    while typed < keys and ours.poll(20):
        typed = ours.recv()
    time.sleep(seconds)
    assert driver.pid is not None
    os.kill(driver.pid, signal.SIGKILL)
    driver.join()
    try:
        while ours.poll():
            typed = ours.recv()
    except (EOFError, OSError):
        pass
    return typed


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.invariant(11)
@pytest.mark.row("CP-64")
def test_three_hundred_kills_lose_no_key_and_every_folder_opens(tmp_path: Path) -> None:
    chance = random.Random(11)
    reached: Counter[str] = Counter()
    for attempt in range(KILLS):
        folder = tmp_path / str(attempt)
        typed = killed(folder, chance.randrange(40), chance.uniform(0.0, 0.01))
        if not (folder / "manifest.json").exists() or not (folder / "transcript.jsonl").exists():
            assert typed == 0, "no key goes out before the run is on the disk"
            reached["before it began"] += 1
            continue
        read = open_run(folder)
        written = [record.data["decision"] for record in read.records if record.type == "effect.WriteKeys"]
        assert written == list(range(1, len(written) + 1)) and len(written) >= typed
        assert set(read.timeline().unfinished) <= {len(written)}
        assert all(problem.what.startswith("the last line") for problem in read.problems)
        assert not read.running and summarise(folder).steps == len(written)
        if (folder / "session.cast").exists() and (folder / "session.cast").stat().st_size:
            recorded = open_recorded(folder)
            Player(recorded.cast).seek(1e9)
            assert sum(len(prompt.keys) for prompt in recorded.review.prompts) == len(written)
            report_html(read)
            reached["replayed"] += 1
        reached["torn" if read.problems else "whole"] += 1
    assert reached["replayed"] > KILLS / 3 and sum(reached.values()) >= KILLS, reached


def test_a_recording_cut_at_every_byte_opens_up_to_there(tmp_path: Path) -> None:
    data = (GOLDEN / "claude-question" / "session.cast").read_bytes()[:1500]
    first = data.index(b"\n") + 1
    before = 0
    for length in range(first, len(data) + 1):
        path = tmp_path / "cut.cast"
        path.write_bytes(data[:length])
        cast = open_cast(path)
        whole = data[:length].count(b"\n") - 1
        # A line that lacks only its newline is whole.
        assert len(cast) - whole in (0, 1) and len(cast) >= before
        assert not (cast.torn and len(cast) > whole)
        before = max(before, whole)
    assert before > 3
