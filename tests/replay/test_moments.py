"""Moments of a recording as people write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from copilot import cli
from copilot.errors import InputError
from copilot.replay.recorded import parse_moment


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("0", 0.0), ("83.5", 83.5), (" 1:30 ", 90.0), ("1:23.5", 83.5), ("1:01:02", 3662.0), ("25%", 1000.0)],
)
def test_moments_are_read_as_they_are_shown(text: str, seconds: float) -> None:
    assert parse_moment(text, 4000.0, "--at") == seconds


@pytest.mark.parametrize(
    "text", ["", "-1", "soon", "1:x", "nan", "inf", "1e30", "%", "-5%", "9:99", "1:60:00", "2:-5"]
)
def test_what_is_none_is_told_with_the_forms(text: str) -> None:
    with pytest.raises(InputError, match=r"--at: .* is no time; write 90, 1:30, 1:02:03 or 50%"):
        parse_moment(text, 200.0, "--at")


def test_the_end_may_be_written_as_it_is_shown_and_nothing_after_it() -> None:
    assert parse_moment("10.3", 10.26, "--at") == 10.26
    with pytest.raises(InputError, match=r"--at: 0:11 is after the end; the recording is 10\.3 s long"):
        parse_moment("0:11", 10.26, "--at")


def test_a_moment_after_the_end_is_an_error_of_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cast = tmp_path / "a.cast"
    cast.write_text('{"version": 2, "width": 80, "height": 24}\n[0.1, "o", "hi"]\n[9.0, "o", "there"]\n')
    assert cli.main(["explain", str(cast), "--profile", "generic", "--at", "5:00"]) == 2
    printed = capsys.readouterr()
    assert not printed.out
    assert printed.err.startswith("copilot: error: --at: 5:00 is after the end; the recording is 9.0 s long")


def test_explain_takes_minutes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cast = tmp_path / "a.cast"
    cast.write_text('{"version": 2, "width": 80, "height": 24}\n[0.1, "o", "hi"]\n[99.0, "o", "there"]\n')
    assert cli.main(["explain", str(cast), "--profile", "generic", "--at", "1:30"]) == 0
    assert capsys.readouterr().out.startswith("at 90.000 s, profile generic")


@pytest.mark.parametrize("command", [["detect"], ["explain", "--at", "1"]])
def test_a_run_is_named_by_its_id_as_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    run = tmp_path / "copilot" / "runs" / "20261122T000000Z-generic-0a1b"
    run.mkdir(parents=True)
    (run / "session.cast").write_text('{"version": 2, "width": 80, "height": 24}\n[2.0, "o", "hi"]\n')
    assert cli.main([*command, run.name, "--profile", "generic"]) == 0, capsys.readouterr().err
