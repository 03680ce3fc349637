"""What a run without a screen prints at its end: nobody has seen what the CLI showed last."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from copilot.core.checkpoints import Author, CheckpointMoment
from copilot.core.effects import StartTimer
from copilot.core.events import CheckpointTaken, FilesRestored
from copilot.core.reply import Autonomy
from copilot.session import headless
from copilot.session.headless import Narrator
from tests.session.live import run_settings

TOKEN = "ghp_" + "a1B2c3D4e5" * 3 + "F6g7H8"


def printed(
    folder: Path, script: str, capsys: pytest.CaptureFixture[str], *, as_json: bool = False, **limits: Any
) -> list[str]:
    """The lines of a headless run of this script."""
    settings = run_settings(folder, "sh", "-c", script, autonomy=Autonomy.SUGGEST, provider="rules")
    headless.run(replace(settings, headless=True, json_lines=as_json, **limits))
    return capsys.readouterr().out.splitlines()


def test_the_last_screen_stands_before_the_end_with_the_exit_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = r"printf '  two  words\n\nand \033]52;c;eA==\007the last\n'; exit 3"
    lines = printed(tmp_path, script, capsys)
    place = next(number for number, line in enumerate(lines) if "what the CLI showed last" in line)
    assert [line.strip() for line in lines[place + 1 : place + 4]] == [
        "│   two  words",
        "│",
        "│ and the last",
    ]
    assert any(line.split()[1:] == ["exit", "3"] for line in lines[:place])
    assert lines[-1].split()[1] == "end" and len(lines) == place + 5


def test_a_child_that_copilot_ended_is_no_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What nobody can answer ends the run, and with it the child."""
    script = "printf 'Delete it? [y/n] '; read answer"
    assert any(
        line.split()[1:] == ["exit", "was", "ended", "by", "copilot"]
        for line in printed(tmp_path, script, capsys)
    )
    (tmp_path / "json").mkdir()
    told = [json.loads(line) for line in printed(tmp_path / "json", script, capsys, as_json=True)]
    (ended,) = [one for one in told if one["event"] == "exit"]
    assert (ended["status"], ended["how"]) == (-1, "was ended by copilot")


def test_as_json_it_is_one_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    *_, screen, end = map(json.loads, printed(tmp_path, "echo a; echo b", capsys, as_json=True))
    assert (screen["event"], screen["text"], end["event"]) == ("screen", "a\nb", "end")


def test_only_its_end_is_told_and_no_secret(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(tmp_path, f"seq 100 199; echo token {TOKEN}", capsys)
    told = [line.partition("│ ")[2] for line in lines if "│ " in line]
    assert len(told) == 20 and told[0] == "181" and TOKEN not in "\n".join(lines)
    assert told[-1].startswith("token [")


def test_an_empty_screen_is_nothing_to_tell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert not [line for line in printed(tmp_path, "true", capsys) if "showed last" in line]


@pytest.mark.parametrize(
    ("more", "told"), [("", ["full screen words"]), ("echo go on with --resume 7", ["go on with --resume 7"])]
)
def test_a_full_screen_program_takes_its_last_screen_away_and_it_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: str, told: list[str]
) -> None:
    """Unless it left words of its own for who comes after it."""
    script = rf"printf '\033[?1049h\033[Hfull screen words'; printf '\033[?1049l'; {more or ':'}"
    lines = printed(tmp_path, script, capsys)
    assert [line.partition("│ ")[2] for line in lines if "│ " in line] == told


def test_it_says_at_its_start_what_will_end_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (told,) = [line for line in printed(tmp_path, "true", capsys) if "ends when the CLI ends" in line]
    assert "Ctrl-C" in told and "50 replies (--max-steps)" in told
    assert "no limit of time: --timeout sets one" in told


def test_limits_that_are_set_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (told,) = [
        line
        for line in printed(tmp_path, "true", capsys, timeout_seconds=2700.0, max_steps=7)
        if "ends when the CLI ends" in line
    ]
    assert "after 7 replies (--max-steps) or 45m (--timeout)" in told and "no limit" not in told


def test_a_wait_that_will_end_the_run_is_told() -> None:
    lines: list[str] = []
    narrator = Narrator(lines.append, lambda text: text, as_json=False)
    narrator.step(StartTimer("grace", 20.0), 1.0)
    narrator.step(StartTimer("typing", 0.05), 1.0)
    assert [line.split(maxsplit=1)[1] for line in lines] == [
        "waits      ends in 20 s unless the screen changes"
    ]


def test_files_that_changed_and_were_put_back_are_told() -> None:
    lines: list[str] = []
    narrator = Narrator(lines.append, lambda text: text, as_json=False)
    narrator.step(
        CheckpointTaken(
            at=1.0,
            number=3,
            moment=CheckpointMoment.WAITS,
            author=Author.PROGRAM,
            before=2,
            created=("a",),
            removed=("b", "c"),
        ),
        1.0,
    )
    narrator.step(FilesRestored(at=2.0, number=2, before=2, paths=("a",)), 2.0)
    assert [line.split(maxsplit=1)[1] for line in lines] == [
        "files      program · 1 created · 2 removed",
        "undo       1 file as at checkpoint 2",
    ]
