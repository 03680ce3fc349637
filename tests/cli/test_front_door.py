"""The command line: how it is split, what is said when it is wrong, and where it leads."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from copilot import cli
from copilot.core.settings import RunSettings
from copilot.errors import CopilotError
from copilot.lazy_group import load

Starts = list[RunSettings]


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Starts:
    """The sessions that were started, instead of starting them; the folder is one that is empty."""
    monkeypatch.chdir(tmp_path)
    seen: Starts = []

    def start(settings: RunSettings) -> int:
        seen.append(settings)
        return 3

    monkeypatch.setattr(cli, "start_session", start)
    return seen


def one_line(capsys: pytest.CaptureFixture[str]) -> str:
    """What was said on standard error, which must be one line of ours."""
    error = capsys.readouterr().err
    assert error.count("\n") == 1, error
    assert error.startswith("copilot: ")
    return error


@pytest.mark.parametrize(
    ("arguments", "own", "child"),
    [
        ([], [], ()),
        (["--", "claude"], [], ("claude",)),
        (
            ["--profile", "claude", "--", "claude", "do -- it"],
            ["--profile", "claude"],
            ("claude", "do -- it"),
        ),
        (["--", "tool", "--", "x", "--help"], [], ("tool", "--", "x", "--help")),
        (["demo", "--headless"], ["demo", "--headless"], ()),
    ],
)
def test_the_first_double_dash_divides(arguments: list[str], own: list[str], child: tuple[str, ...]) -> None:
    assert cli.split_arguments(arguments) == (own, child)


@pytest.mark.row("CP-1", "CP-11", "CP-90")
def test_the_cli_right_of_the_dashes_is_started_as_it_is(starts: Starts) -> None:
    code = cli.main(
        ["--autonomy", "watch", "--provider", "rules", "--", "sh", "-c", "x --y", "--profile", "z"]
    )
    assert code == 3
    assert starts[0].child == ("sh", "-c", "x --y", "--profile", "z")
    assert starts[0].autonomy == "watch"


def test_repeated_rules_are_gathered(starts: Starts) -> None:
    cli.main(["--allow", "cmd: make", "--allow", "cmd: npm test", "--", "sh"])
    assert starts[0].allow == ("cmd: make", "cmd: npm test")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["claude"], "no command 'claude'; to start a program of that name write: copilot -- claude"),
        (["docter"], "did you mean 'copilot doctor'?"),
        (["--profil", "x"], "error: no option --profil (did you mean --profile?); see: copilot --help"),
        (["runs", "--nope"], "error: copilot runs: no option --nope; see: copilot runs --help"),
        (["replay", "nope"], "nope: no such recording; give a .cast file or a run"),
        (["explain", "x.cast"], "copilot explain: --at T is missing; see: copilot explain --help"),
        (["plan", "check"], "copilot plan check: FILE is missing; see: copilot plan check --help"),
        (["plan", "check", "no.yml"], "error: no.yml: no such file; give the path of a plan"),
        (["plan"], "copilot plan: name one of its commands: check"),
        (["model-server", "--port", "x"], "--port"),
        (["runs", "--state", "bogus"], "'bogus' is no state of a run; it takes completed, failed, held"),
        (["--autonomy", "ful", "--", "sh"], "did you mean 'full'?"),
        (["--headless", "demo"], "--headless is an option of a session and does not go with 'demo'"),
        (["doctor", "--", "claude"], "'doctor' starts no CLI"),
        (["--prompt", "missing.md", "--", "sh"], "no file 'missing.md'"),
        (["--timeout"], "requires an argument"),
        (["--headless"], "needs a CLI to run"),
        (["--profile", "clade", "--", "sh"], "clade"),
    ],
)
def test_bad_usage_is_one_line_and_exit_2(
    arguments: list[str], said: str, starts: Starts, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(arguments) == 2
    assert said in one_line(capsys)
    assert not starts


@pytest.mark.parametrize(
    ("name", "value"), [("COPILOT_LEADER", "x"), ("COPILOT_THEME", "blue"), ("COPILOT_BELL", "1")]
)
def test_a_bad_word_for_the_cockpit_is_told_before_a_headless_run_too(
    name: str, value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(name, value)
    assert cli.main(["--headless", "--log", str(tmp_path / "run"), "--", "true"]) == 2
    assert f"error: {name}" in one_line(capsys)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(("home", "said"), [("", "HOME is empty"), ("here", "no absolute path")])
@pytest.mark.parametrize("arguments", [["--headless", "--", "sh"], ["runs"], ["demo", "--headless"]])
def test_a_home_that_is_none_is_refused_before_anything_is_written(
    home: str, said: str, arguments: list[str], starts: Starts, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setenv("HOME", home)
    monkeypatch.delenv("XDG_STATE_HOME")
    assert cli.main(arguments) == 2
    assert said in one_line(capsys)
    assert not starts and not list(tmp_path.iterdir())


def test_without_a_home_variable_the_list_of_users_counts(
    starts: Starts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOME")
    assert cli.main(["--headless", "--", "sh"]) == 3


@pytest.mark.row("CP-90")
def test_an_error_ends_with_its_own_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Held(CopilotError):
        exit_code = 3

    def start(settings: RunSettings) -> int:
        raise Held("nobody is there\nto answer \x1b]52;c;eA==\x07")

    monkeypatch.setattr(cli, "start_session", start)
    assert cli.main(["--", "sh"]) == 3
    line = one_line_of_last(capsys)
    assert "nobody is there to answer" in line
    assert "\x1b" not in line


def one_line_of_last(capsys: pytest.CaptureFixture[str]) -> str:
    """The last line on standard error; notes may stand above it."""
    return capsys.readouterr().err.splitlines()[-1]


def test_a_fault_of_ours_is_one_line_with_the_place_of_its_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], clean_user: Path
) -> None:
    known = "a-value-that-only-the-environment-tells"
    shaped = "ghp_" + "1d9Kq7Zt3Xw5Lm2Bv8Nc4Rf6Hs0Jy1Pa2Qe"[:36]
    monkeypatch.setenv("SOME_SERVICE_TOKEN", known)

    def start(settings: RunSettings) -> int:
        raise RuntimeError(f"broken by {known} and {shaped}")

    monkeypatch.setattr(cli, "start_session", start)
    assert cli.main(["--", "sh"]) == 1
    line = one_line_of_last(capsys)
    assert line.startswith("copilot: error: a fault in copilot itself (RuntimeError")
    (saved,) = (clean_user / "state" / "copilot" / "crashes").iterdir()
    assert str(saved) in line
    assert saved.stat().st_mode & 0o077 == 0
    text = saved.read_text(encoding="utf-8")
    assert "Traceback" in text
    assert known not in text + line
    assert shaped not in text + line


def test_ctrl_c_is_130(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def start(settings: RunSettings) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "start_session", start)
    assert cli.main(["--", "sh"]) == 130
    assert "interrupted" in one_line_of_last(capsys)


def test_without_a_terminal_the_cockpit_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--", "sh"]) == 2
    assert "add --headless" in one_line_of_last(capsys)


@pytest.mark.row("CP-11")
def test_a_missing_cli_is_told_before_anything_starts(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--headless", "--", "no-such-cli-anywhere"]) == 2
    line = one_line_of_last(capsys)
    assert "no-such-cli-anywhere" in line
    assert "PATH" in line


@pytest.fixture
def only_our_copilot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with nothing on it but our own command, as pip writes it; and headless runs that only say 0."""
    folder = tmp_path / "ours"
    folder.mkdir()
    ours = folder / "copilot"
    ours.write_text(f"#!{sys.executable}\nimport sys\nfrom copilot.cli import main\n", encoding="utf-8")
    ours.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(cli, "load", lambda target: (lambda _: 0) if target == cli.HEADLESS else load(target))
    return tmp_path


@pytest.mark.parametrize("word", ["copilot", "{}/ours/copilot"])
def test_it_never_starts_itself(
    only_our_copilot: Path, word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["--headless", "--", word.format(only_our_copilot)]) == 2
    assert "this program itself" in one_line_of_last(capsys)


def test_githubs_copilot_is_found_behind_ours(
    only_our_copilot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = only_our_copilot / "theirs"
    theirs.mkdir()
    (theirs / "copilot").write_text("#!/bin/sh\n", encoding="utf-8")
    (theirs / "copilot").chmod(0o755)
    monkeypatch.setenv("PATH", f"{only_our_copilot / 'ours'}:{theirs}")
    assert cli.main(["--headless", "--", "copilot"]) == 0


def test_help_names_every_option_and_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "copilot", "--help"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    for name in cli.COMMANDS:
        assert f"\n  {name} " in done.stdout
    for option in ("--profile", "--autonomy", "--dry-run", "--no-upload", "--trust", "--playbook", "--json"):
        assert option in done.stdout


def test_version_tells_ours_from_githubs() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "copilot", "--version"], capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("copilot-terminal ")
    assert "not GitHub" in done.stdout


def test_a_closed_pipe_is_no_fault(clean_user: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "copilot", "--help"], stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert b"Traceback" not in done.stderr
    assert not (clean_user / "state").exists()


@pytest.mark.parametrize("name", sorted(cli.COMMANDS))
def test_every_command_can_be_loaded_and_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([name, "--help"]) == 0
    assert "Usage: copilot" in capsys.readouterr().out
