"""A run folder as it is written: what is in it, what never is, and what happens when it cannot be written."""

from __future__ import annotations

import asyncio
import dataclasses
import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.detection import Detection
from copilot.core.reply import (
    AnswerForm,
    Autonomy,
    Decision,
    PromptPart,
    Proposal,
    Reply,
    ReplyRequest,
    Usage,
    Verdict,
)
from copilot.core.screen_kinds import ScreenKind
from copilot.core.settings import RunSettings
from copilot.core.states import RunState
from copilot.errors import InputError
from copilot.recording import output_recorder, transcript
from copilot.recording.asciicast import read_cast
from copilot.recording.output_recorder import RecordingLimits
from copilot.recording.run_folder import RunFolder
from copilot.recording.run_place import default_run_folder, given_run, is_locked, runs_folder
from copilot.recording.runs import list_runs, open_run, summarise
from tests.examples import some

SECRET = "tok_0123456789abcdef"
QUESTION = Detection(ScreenKind.YES_NO, f"Use {SECRET}?", identity="p1", rule="r")


def settings_for(folder: Path, **changes: Any) -> RunSettings:
    settings = RunSettings(
        child=("cli", f"--key={SECRET}"),
        profile="claude",
        autonomy=Autonomy.FULL,
        cwd=str(folder.parent),
        log_folder=str(folder),
        governing_prompt=f"never tell {SECRET}",
        columns=80,
        lines=24,
    )
    return dataclasses.replace(settings, **changes)


def hide(text: str) -> str:
    return text.replace(SECRET, "[token]")


def begin(folder: Path, failures: list[str] | None = None, **options: Any) -> RunFolder:
    options.setdefault("redact", hide)
    tell: Callable[[str], None] = failures.append if failures is not None else pytest.fail
    return RunFolder(settings_for(folder), on_failed=tell, **options)


def decision(number: int, reply: Reply, identity: str = "p1") -> Decision:
    return Decision(number, Verdict.SEND, identity, reply, f"as {SECRET} said", "policy.full")


def play(run: RunFolder) -> None:
    request = ReplyRequest(
        1, f"rules {SECRET}", (PromptPart("screen", f"shows {SECRET}"),), AnswerForm.YES_NO
    )
    proposal = Proposal(
        Reply(text="y"), f"because {SECRET}", usage=Usage(100, 5, cost_usd=0.25), raw=f"y {SECRET}"
    )
    run.event(ev.Started(at=0.0))
    run.effect(fx.EnterState(RunState.RUNNING), 0.0)
    run.output(f"hello {SECRET[:7]}".encode(), 0.1)
    run.output(f"{SECRET[7:]} é\r\n".encode() + b"\xff\x00", 0.2)
    run.event(ev.ScreenSettled(at=1.0, detection=QUESTION))
    run.effect(fx.EnterState(RunState.ASKING_QUESTION), 1.0)
    run.effect(fx.AskProvider(1, QUESTION), 1.0)
    run.request(request)
    run.proposal(request, proposal)
    run.event(ev.ReplyProposed(at=1.5, request=1, proposal=proposal))
    run.effect(fx.RecordDecision(decision(1, Reply(text="y"))), 1.5)
    run.effect(fx.WriteKeys(1, text="y"), 1.5)
    run.effect(fx.WriteKeys(1, keys=("Enter",)), 1.6)
    run.effect(fx.ReplyTaken(1, "taken"), 2.0)
    run.resize(100, 30, 2.5)
    run.output(b"bye\r\n", 2.75)
    run.event(ev.ChildExited(at=3.0, status=0))
    run.effect(fx.EndRun("completed", 0, "the child has ended"), 3.0)


def all_bytes(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


@pytest.mark.row("CP-56", "CP-57", "CP-58", "CP-59", "CP-3")
def test_a_run_is_all_there(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run = begin(folder, profile_hash="abc", child_version="1.2.3")
    play(run)
    run.close()
    run.close()
    read = open_run(folder)
    assert not read.problems and not read.running
    assert [record.type for record in read.records] == [
        "event.Started",
        "effect.EnterState",
        "output",
        "event.ScreenSettled",
        "effect.EnterState",
        "effect.AskProvider",
        "event.ReplyProposed",
        "effect.RecordDecision",
        "effect.WriteKeys",
        "effect.WriteKeys",
        "effect.ReplyTaken",
        "resize",
        "output",
        "event.ChildExited",
        "effect.EndRun",
        "closed",
    ]
    assert [record.state for record in read.records][-1] == "ASKING_QUESTION"
    assert next(type(step).__name__ for _, step in read.steps()) == "Started"
    manifest = read.manifest
    assert manifest["run_id"] == "run" and manifest["profile"] == {"name": "claude", "hash": "abc"}
    assert manifest["versions"]["child"] == "1.2.3" and manifest["limits"]["max_steps"] == 50
    assert manifest["outcome"] == {"word": "completed", "exit_code": 0, "reason": "the child has ended"}
    assert manifest["summary"]["steps"] == 1 and manifest["summary"]["cost_usd"] == 0.25
    assert {p.name for p in (folder / "prompts/step-01").iterdir()} == {
        "request.txt",
        "request.json",
        "reply.txt",
        "reply.json",
    }
    assert b"".join(p.read_bytes() for p in sorted((folder / "raw").iterdir())) == (
        b"hello [token] \xc3\xa9\r\n\xff\x00bye\r\n"
    )


@pytest.mark.row("CP-57")
def test_the_cast_plays_what_happened_in_order(tmp_path: Path) -> None:
    run = begin(tmp_path / "run")
    play(run)
    run.close()
    cast = read_cast(tmp_path / "run" / "session.cast")
    assert (cast.header.version, cast.header.columns, cast.header.lines) == (2, 80, 24)
    assert [(event.code, event.data) for event in cast.events] == [
        ("o", "hello [token] é\r\n\ufffd\x00"),
        ("m", "yes_no: Use [token]?"),
        ("m", "proposal: y"),
        ("m", "decision: send: as [token] said"),
        ("r", "100x30"),
        ("o", "bye\r\n"),
        ("x", "0"),
    ]
    assert [event.at for event in cast.events] == [0.2, 1.0, 1.5, 1.5, 2.5, 2.75, 3.0]


@pytest.mark.invariant(8)
@pytest.mark.row("CP-55")
def test_no_secret_is_in_any_file(tmp_path: Path) -> None:
    run = begin(tmp_path / "run", child_version=f"1.0 {SECRET}")
    play(run)
    run.record("note", 4.0, {"deep": [{"in": f"it {SECRET}"}]})
    run.close()
    everything = all_bytes(tmp_path / "run")
    assert SECRET.encode() not in everything and SECRET[:7].encode() not in everything
    assert everything.count(b"[token]") > 10


@pytest.mark.invariant(8)
@pytest.mark.parametrize("kind", [ScreenKind.PASSWORD, ScreenKind.LOGIN])
def test_what_answers_a_password_is_never_written(tmp_path: Path, kind: ScreenKind) -> None:
    run = begin(tmp_path / "run")
    asked = Detection(kind, "Password:", identity="pw", draft="swordfish")
    reply = Reply(text="swordfish")
    run.event(ev.ScreenSettled(at=0, detection=asked))
    run.event(ev.PersonSent(at=1, identity="pw", reply=reply))
    run.effect(fx.RecordDecision(decision(1, reply, "pw")), 1)
    run.effect(fx.WriteKeys(1, text="swordfish"), 1)
    run.effect(fx.WriteKeys(1, keys=("swordfish",)), 1)
    run.close()
    assert b"swordfish" not in all_bytes(tmp_path / "run")
    assert all_bytes(tmp_path / "run").count(b"[not recorded]") == 5


def test_everything_is_private_to_the_user(tmp_path: Path) -> None:
    previous = os.umask(0)
    try:
        run = begin(tmp_path / "state" / "runs" / "run")
        play(run)
        run.close()
    finally:
        os.umask(previous)
    for path in (tmp_path / "state").rglob("*"):
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600), path


@pytest.mark.invariant(1)
@pytest.mark.row("CP-64")
def test_decision_and_keys_are_on_the_disk_when_effect_returns(tmp_path: Path) -> None:
    run = begin(tmp_path / "run")
    run.effect(fx.RecordDecision(decision(1, Reply(text="y"))), 0)
    run.effect(fx.WriteKeys(1, text="y"), 0)
    read = open_run(tmp_path / "run")
    assert read.running and [record.type for record in read.records] == [
        "effect.RecordDecision",
        "effect.WriteKeys",
    ]
    assert read.timeline().unfinished == (1,)
    run.close()


@pytest.mark.invariant(1)
def test_what_comes_before_keys_is_synced_and_the_rest_is_quick(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[bytes] = []
    path = tmp_path / "run" / "transcript.jsonl"
    run = begin(tmp_path / "run")
    monkeypatch.setattr(transcript, "sync_data", lambda fd: synced.append(path.read_bytes().splitlines()[-1]))
    durable = [
        fx.RecordDecision(decision(1, Reply(text="y"))),
        fx.WriteKeys(1, text="y"),
        fx.EnterState(RunState.HELD),
        fx.EndRun("held", 3, "x"),
    ]
    for number, effect in enumerate(durable, start=1):
        run.effect(effect, 0)
        assert f"effect.{type(effect).__name__}".encode() in synced[-1] and len(synced) == number
    monkeypatch.undo()
    run.close()


@pytest.mark.row("CP-17")
def test_an_old_folder_is_never_written_over(tmp_path: Path) -> None:
    begin(tmp_path / "run").close()
    before = all_bytes(tmp_path / "run")
    with pytest.raises(InputError, match="is not empty; give --log a new or an empty folder"):
        begin(tmp_path / "run")
    assert all_bytes(tmp_path / "run") == before
    (tmp_path / "empty").mkdir(mode=0o755)
    begin(tmp_path / "empty").close()
    assert (tmp_path / "empty").stat().st_mode & 0o777 == 0o700


def test_places_that_cannot_be_written_are_one_line_with_a_fix(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for place in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/nothing/here")):
        with pytest.raises(InputError, match="give ") as caught:
            begin(place)
        assert str(place) in str(caught.value) and "\n" not in str(caught.value)


def test_no_permission_is_one_line_with_a_fix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(InputError, match="a folder that you own"):
        begin(tmp_path / "run")


def test_runs_are_kept_where_the_system_wants_state() -> None:
    assert runs_folder({"XDG_STATE_HOME": "/x"}) == Path("/x/copilot/runs")
    assert runs_folder({"XDG_STATE_HOME": "relative", "HOME": "/h"}) == Path("/h/.local/state/copilot/runs")
    name = default_run_folder("my profile/..", {"XDG_STATE_HOME": "/x"}).name
    assert name.split("-")[0].endswith("Z") and "/" not in name and "." not in name


@pytest.mark.row("CP-57")
def test_after_a_key_output_waits_and_at_the_end_all_of_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output_recorder, "_DEFER_SECONDS", 3600.0)
    monkeypatch.setattr(output_recorder, "_LONGEST_DEFER_SECONDS", 3600.0)
    monkeypatch.setattr(output_recorder, "_CLOSE_SECONDS", 10.0)
    run = begin(tmp_path / "run")
    run.defer_writes()
    lines = [f"line {number} of a flood\r\n" for number in range(20_000)]
    for number in range(0, len(lines), 200):
        run.output("".join(lines[number : number + 200]).encode(), number / 1e4)
    run.close(fx.EndRun("completed", 0, ""))
    raw = b"".join(path.read_bytes() for path in sorted((tmp_path / "run/raw").iterdir()))
    assert raw == "".join(lines).encode()


def test_where_too_much_waits_a_key_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output_recorder, "_DEFER_SECONDS", 3600.0)
    monkeypatch.setattr(output_recorder, "_LONGEST_DEFER_SECONDS", 3600.0)
    monkeypatch.setattr(output_recorder, "_MOST_WAITING_BYTES", 128 * 1024)
    run = begin(tmp_path / "run")
    run.defer_writes()
    for number in range(30):
        run.output(b"a line of a flood\r\n" * 200, number / 10)
    while not sum(path.stat().st_size for path in (tmp_path / "run/raw").iterdir()):
        time.sleep(0.01)
    run.close(fx.EndRun("completed", 0, ""))


def test_raw_output_rotates_and_a_full_cast_says_so(tmp_path: Path) -> None:
    limits = RecordingLimits(raw_file_bytes=1000, raw_files=3, cast_bytes=20_000)
    run = begin(tmp_path / "run", limits=limits)
    for number in range(200):
        run.output(f"{number:05d} {'x' * 93}\n".encode(), number / 10)
    run.close()
    files = sorted((tmp_path / "run" / "raw").iterdir())
    assert [path.stat().st_size for path in files] == [1000, 1000, 1000] and files[
        -1
    ].name == "output-0020.log"
    assert files[-1].read_text().splitlines()[-1].startswith("00199")
    cast = read_cast(tmp_path / "run" / "session.cast")
    assert cast.events[-1].data == "the recording is full (20000 bytes)"
    assert (tmp_path / "run" / "session.cast").stat().st_size < 22_000


async def test_a_full_disk_is_told_once_and_never_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures: list[str] = []
    run = begin(tmp_path / "run", failures)
    run.event(ev.Started(at=0))

    def full(descriptor: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        play(run)
        assert failures == ["the run cannot be recorded any more: No space left on device"] == [run.failed]
        run.output(b"more\n" * 1000, 4.0)
        run.close()
    await asyncio.sleep(0)
    assert len(failures) == 1
    read = open_run(tmp_path / "run")
    assert [record.type for record in read.records] == ["event.Started"] and not read.problems


def test_a_real_file_size_limit_is_told_and_the_folder_stays_readable(tmp_path: Path) -> None:
    code = """
import resource, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from tests.recording.test_run_folder import begin, ev
failures = []
run = begin(Path(sys.argv[1]), failures)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
for number in range(2000):
    run.event(ev.TimerFired(at=number, timer="x" * 100))
    run.output(b"some output of the child\\r\\n" * 5, number)
run.close()
print(len(failures), failures)
"""
    root = str(Path(__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "run"), root], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()[-500:]
    assert done.stdout.startswith(b"1 ["), done.stdout
    read = open_run(tmp_path / "run")
    assert len(read.records) > 50 and not read.problems
    assert not read.cast().torn


@pytest.mark.invariant(8)
async def test_a_redactor_that_fails_stops_the_recording_unredacted_never(tmp_path: Path) -> None:
    failures: list[str] = []
    broken = False

    def redact(text: str) -> str:
        if broken:
            raise RuntimeError(text)
        return hide(text)

    run = begin(tmp_path / "run", failures, redact=redact)
    run.event(ev.Started(at=0))
    broken = True
    play(run)
    run.close()
    await asyncio.sleep(0)
    assert len(failures) == 1 and SECRET not in failures[0]
    assert SECRET.encode() not in all_bytes(tmp_path / "run")


def test_a_run_as_a_v3_recording(tmp_path: Path) -> None:
    run = begin(tmp_path / "run", cast_version=3)
    play(run)
    run.close()
    cast = read_cast(tmp_path / "run" / "session.cast")
    assert cast.header.version == 3 and cast.exit_status == 0
    assert cast.events[-1].at == pytest.approx(3.0, abs=0.001)


KILLED = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from tests.recording.test_run_folder import *
run = begin(Path(sys.argv[1]))
number = 0
while True:
    number += 1
    run.event(ev.ScreenSettled(at=number, detection=QUESTION))
    run.output(b"output of the child " * 20 + b"\\r\\n", number)
    run.effect(fx.RecordDecision(decision(number, Reply(text="y"))), number)
    run.effect(fx.WriteKeys(number, text="y"), number)
    print(number, flush=True)
    run.effect(fx.ReplyTaken(number, "taken"), number)
"""


@pytest.mark.invariant(11)
@pytest.mark.row("CP-64")
@pytest.mark.examples
@pytest.mark.parametrize("keys", some([1, 2, 40, 41, 173], 2))
def test_a_killed_run_opens_and_no_key_is_unaccounted_for(tmp_path: Path, keys: int) -> None:
    folder, root = tmp_path / "run", str(Path(__file__).parents[2])
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(folder), root], stdout=subprocess.PIPE
    ) as driver:
        assert driver.stdout is not None
        for _ in range(keys):
            assert driver.stdout.readline()
        assert summarise(folder).outcome == "running"
        driver.send_signal(signal.SIGKILL)
        typed = keys + driver.stdout.read().count(b"\n")
    read = open_run(folder)
    written = {record.data["decision"] for record in read.records if record.type == "effect.WriteKeys"}
    assert written >= set(range(1, typed + 1)), "every key that was typed was recorded before"
    assert set(read.timeline().unfinished) <= {typed, typed + 1}
    assert all(problem.what.startswith("the last line") for problem in read.problems)
    run = summarise(folder)
    assert (run.outcome, run.profile) == ("interrupted", "claude") and run.steps == len(written)
    assert read.cast().header.columns == 80 and not is_locked(folder)


def test_the_list_of_runs_is_newest_first_and_knows_what_is_wrong(tmp_path: Path) -> None:
    play(finished := begin(tmp_path / "20260101T000000Z-claude-0001"))
    finished.close()
    begin(tmp_path / "20260102T000000Z-claude-0002").close()
    (tmp_path / "20260102T000000Z-claude-0002" / "transcript.jsonl").write_bytes(b"\0\n")
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "manifest.json").write_text("{")
    (tmp_path / "no run").mkdir()
    runs = {run.run_id: run for run in list_runs(tmp_path)}
    assert len(runs) == 3 and list_runs(tmp_path / "nowhere") == []
    first = runs["20260101T000000Z-claude-0001"]
    assert (first.outcome, first.steps, first.cost_usd) == ("completed", 1, 0.25) and first.bytes > 1000
    assert runs["20260102T000000Z-claude-0002"].outcome == "interrupted"
    assert "1 zero bytes" in runs["20260102T000000Z-claude-0002"].problem
    assert runs["broken"].outcome == "unreadable" and "is not JSON" in runs["broken"].problem
    with pytest.raises(InputError, match="no such run"):
        open_run(tmp_path / "none")
    assert open_run(tmp_path / "20260101T000000Z-claude-0001" / "manifest.json").manifest["outcome"]


def test_the_commit_is_read_without_git(tmp_path: Path) -> None:
    from copilot.recording.manifest import git_commit

    commit = "0123456789abcdef0123456789abcdef01234567"
    git = tmp_path / ".git"
    (git / "refs/heads").mkdir(parents=True)
    assert git_commit(tmp_path) is None
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "packed-refs").write_text(f"# pack-refs\n{commit} refs/heads/main\n")
    assert git_commit(tmp_path / "deep" / "below") == commit
    (git / "refs/heads/main").write_text(f"{commit[::-1]}\n")
    assert git_commit(tmp_path) == commit[::-1]
    tree = tmp_path / "tree"
    tree.mkdir()
    (git / "worktrees/tree").mkdir(parents=True)
    (git / "worktrees/tree/HEAD").write_text("ref: refs/heads/main\n")
    (git / "worktrees/tree/commondir").write_text("../..\n")
    (tree / ".git").write_text("gitdir: ../.git/worktrees/tree\n")
    assert git_commit(tree) == commit[::-1]
    (git / "HEAD").write_text("ref: ../../etc/passwd\n")
    assert git_commit(tmp_path) is None
    (git / "HEAD").write_text(f"{commit}\n")
    assert git_commit(tmp_path) == commit


def test_the_manifest_is_json_for_everyone(tmp_path: Path) -> None:
    begin(tmp_path / "run").close()
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["schema_version"] == 1 and manifest["ended_at"] and manifest["git_commit"] is None


def test_a_run_is_named_by_its_id_the_beginning_of_it_or_as_the_last(tmp_path: Path) -> None:
    environment = {"XDG_STATE_HOME": str(tmp_path)}
    place = runs_folder(environment)
    with pytest.raises(InputError, match="last: there is no run in"):
        given_run(Path("last"), environment)
    ids = ["20260101T000000Z-claude-0001", "20260101T000000Z-claude-0001b", "20260102T000000Z-codex-0002"]
    for name in ids:
        (place / name).mkdir(parents=True)
        (place / name / "manifest.json").write_text("{}")
    (place / "20260103T000000Z-no-run").mkdir()
    assert given_run(Path("last"), environment) == place / ids[2]
    assert given_run(Path("20260102"), environment) == place / ids[2]
    assert given_run(Path(ids[0]), environment) == place / ids[0]
    assert given_run(Path("20260103"), environment) == Path("20260103")
    with pytest.raises(InputError) as caught:
        given_run(Path("202601"), environment)
    assert str(caught.value) == f"202601: 3 runs begin so, write more of it: {', '.join(reversed(ids))}"


def test_a_file_of_that_name_comes_before_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = {"XDG_STATE_HOME": str(tmp_path / "state")}
    run = runs_folder(environment) / "20260101T000000Z-claude-0001"
    run.mkdir(parents=True)
    (run / "manifest.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "last").mkdir()
    assert given_run(Path("last"), environment) == Path("last")
