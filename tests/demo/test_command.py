"""`copilot demo`: what run it asks for, and that its summary tells what really happened."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from copilot import cli
from copilot.core.reply import Autonomy
from copilot.core.settings import RunSettings
from copilot.demo.command import demo_settings
from copilot.demo.project import DemoProject
from copilot.recording.transcript import sealed

Start = Callable[[RunSettings], int]


def journal_of(settings: RunSettings) -> Path:
    """The journal that the simulated CLI is told to write."""
    return Path(settings.child[settings.child.index("--journal") + 1])


def play(settings: RunSettings, unexpected: bool = False, delete: bool = False, finish: bool = True) -> int:
    """Do what a session does: files, journal, run folder."""
    folder = Path(settings.cwd)
    (folder / "greeting.py").write_text("", encoding="utf-8")
    if delete:
        (folder / "build" / "visitors.txt").unlink()
    events = [("received", "write", "Yes"), ("asked", "destructive", "Do you want to proceed?")]
    events += [
        ("received", "destructive", "Yes" if delete else "No, and tell me what to do differently (esc)")
    ]
    events += [("unexpected", "busy", "x while busy")] * unexpected + [("done", "", "")] * finish
    lines = [json.dumps({"event": event, "prompt": name, "value": value}) for event, name, value in events]
    journal_of(settings).write_text("\n".join([*lines, '{"torn": ']), encoding="utf-8")
    Path(settings.log_folder).mkdir(parents=True, exist_ok=True)
    return 0


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Callable[[Start], list[RunSettings]]:
    """Put a stand-in where sessions are started."""

    def replace(start: Start) -> list[RunSettings]:
        seen: list[RunSettings] = []

        def record(settings: RunSettings) -> int:
            seen.append(settings)
            return start(settings)

        monkeypatch.setattr(cli, "start_session", record)
        return seen

    return replace


def test_it_runs_offline_on_its_own_project_whatever_the_user_has_set(
    started: Callable[[Start], list[RunSettings]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COPILOT_MAX_STEPS", "1")
    monkeypatch.setenv("COPILOT_DRY_RUN", "1")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "not-used")
    seen = started(play)
    assert cli.main(["demo", "--headless", "--log", str(tmp_path / "runs")]) == 0
    (settings,) = seen
    assert (settings.provider, settings.profile, settings.autonomy) == ("rules", "demo", "full")
    assert settings.child[:4] == (sys.executable, "-P", "-m", "copilot.demo.simulated_cli")
    assert settings.headless and not settings.dry_run and settings.max_steps > 1
    assert "copilot-demo-" in settings.cwd
    assert not Path(settings.cwd).exists()


def test_the_summary_tells_facts_and_where_the_run_is(
    started: Callable[[Start], list[RunSettings]], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    started(play)
    assert cli.main(["demo", "--headless", "--log", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "✓ greeting.py was written" in printed
    assert "✓ build/ still exists: its deletion was refused" in printed
    assert "✓ 2 replies were taken" in printed
    assert f"The run folder: {tmp_path}" in printed
    assert f"copilot replay {tmp_path}\n" in printed and f"copilot report {tmp_path}\n" in printed
    assert "✗" not in printed


def test_a_run_that_is_kept_where_all_are_is_looked_back_at_as_the_last(
    started: Callable[[Start], list[RunSettings]], capsys: pytest.CaptureFixture[str]
) -> None:
    started(play)
    assert cli.main(["demo", "--headless"]) == 0
    printed = capsys.readouterr().out
    assert "copilot replay last\n" in printed and "copilot report last\n" in printed


@pytest.mark.parametrize(
    ("journal", "said"),
    [
        ([], ["build/ still exists: its deletion was never asked for", "✗ no reply was taken"]),
        (
            [("asked", "write"), ("received", "write"), ("asked", "destructive")],
            ["build/ still exists: its deletion was asked for, and nobody answered", "✓ 1 reply was taken"],
        ),
    ],
)
def test_who_leaves_early_is_told_what_happened_until_then(
    journal: list[tuple[str, str]],
    said: list[str],
    started: Callable[[Start], list[RunSettings]],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    def leave(settings: RunSettings) -> int:
        lines = [json.dumps({"event": event, "prompt": name, "value": ""}) for event, name in journal]
        journal_of(settings).write_text("\n".join(lines), encoding="utf-8")
        return 130

    started(leave)
    assert cli.main(["demo", "--headless", "--log", str(tmp_path)]) == 130
    printed = capsys.readouterr().out
    assert all(line in printed for line in said), printed
    assert "refused" not in printed


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ({"unexpected": True}, "✗ typed without being asked: x while busy"),
        ({"delete": True}, "✗ build/ was deleted"),
        ({"finish": False}, "✗ the simulated CLI was left before its end"),
    ],
)
def test_what_went_wrong_is_said_and_is_exit_1(
    fault: dict[str, bool],
    said: str,
    started: Callable[[Start], list[RunSettings]],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    started(lambda settings: play(settings, **fault))
    assert cli.main(["demo", "--headless", "--log", str(tmp_path)]) == 1
    assert said in capsys.readouterr().out


def test_the_sessions_own_exit_code_is_kept(
    started: Callable[[Start], list[RunSettings]], tmp_path: Path
) -> None:
    started(lambda settings: 130)
    assert cli.main(["demo", "--headless", "--log", str(tmp_path)]) == 130


def test_with_json_the_summary_keeps_off_standard_output(
    started: Callable[[Start], list[RunSettings]], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    started(play)
    cli.main(["demo", "--headless", "--json", "--log", str(tmp_path)])
    printed = capsys.readouterr()
    assert not printed.out
    assert "greeting.py" in printed.err
    assert cli.main(["demo", "--json"]) == 2


def test_the_project_is_kept_on_request_and_removed_after_a_fault(
    started: Callable[[Start], list[RunSettings]], tmp_path: Path
) -> None:
    seen = started(play)
    cli.main(["demo", "--headless", "--keep", "--log", str(tmp_path)])
    kept = Path(seen[0].cwd)
    assert kept.is_dir()

    def broken(settings: RunSettings) -> int:
        raise RuntimeError

    seen = started(broken)
    assert cli.main(["demo", "--headless", "--log", str(tmp_path)]) == 1
    assert not Path(seen[0].cwd).exists()
    shutil.rmtree(kept.parent)


def test_in_the_cockpit_the_finished_cli_leaves_by_itself(tmp_path: Path) -> None:
    settings = demo_settings(DemoProject(tmp_path), tmp_path, Autonomy.FULL, 1.0, False, False)
    assert "--linger" in settings.child


def test_in_the_cockpit_a_person_may_take_any_time_and_headless_help_tells_the_limit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = DemoProject(tmp_path)
    assert demo_settings(project, tmp_path, Autonomy.SUGGEST, 1.0, False, False).timeout_seconds is None
    assert demo_settings(project, tmp_path, Autonomy.FULL, 1.0, True, False).timeout_seconds == 180
    cli.main(["demo", "--help"])
    assert "3 minutes at most" in " ".join(capsys.readouterr().out.split())


def test_without_a_terminal_it_runs_headless_and_says_so(
    started: Callable[[Start], list[RunSettings]], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    seen = started(play)
    assert cli.main(["demo", "--log", str(tmp_path)]) == 0
    assert seen[0].headless
    assert "runs headless" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_told_to_end_before_the_session_listens_it_leaves_nothing(number: int, tmp_path: Path) -> None:
    """As a terminal that is closed while the cockpit is still being loaded."""
    code = (
        "import os, pathlib, tempfile, time\n"
        "from copilot import cli\n"
        "def start(settings):\n"
        "    print(len(os.listdir(tempfile.gettempdir())), flush=True)\n"
        "    time.sleep(60)\n"
        "cli.start_session = start\n"
        "cli.main(['demo', '--headless'])\n"
    )
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    demo = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(scratch)},
    )
    assert demo.stdout is not None and demo.stdout.readline() == "1\n"
    demo.send_signal(number)
    assert demo.wait() == -number
    demo.stdout.close()
    assert not list(scratch.iterdir())


def test_keys_of_the_person_are_told_and_no_fault(
    started: Callable[[Start], list[RunSettings]], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """At `suggest` the person types: that is no failure of the co-pilot's."""

    def typed(settings: RunSettings) -> int:
        code = play(settings, unexpected=True)
        line = {"v": 1, "seq": 1, "time": "", "at": 1.0, "state": "", "type": "event.PersonTyped", "data": {}}
        (Path(settings.log_folder) / "transcript.jsonl").write_bytes(
            sealed(json.dumps(line).encode()) + b"\n"
        )
        return code

    started(typed)
    assert cli.main(["demo", "--headless", "--log", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "· you typed what was not asked for: x while busy" in printed and "✗" not in printed
