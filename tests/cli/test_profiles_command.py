"""`copilot profiles`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from copilot import cli
from tests.own_profile import own_profile


@pytest.mark.parametrize("arguments", [["profiles"], ["profiles", "list"]])
def test_profiles_are_listed_with_level_and_place(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(arguments) == 0
    (demo,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("demo ")]
    assert "full" in demo and "demo.toml" in demo


def test_ones_own_profile_takes_the_place_of_the_built_in_one(
    capsys: pytest.CaptureFixture[str], clean_user: Path
) -> None:
    own_profile("demo", 'name = "demo"\n[limits]\nlevel = "watch"\n')
    assert cli.main(["profiles", "show", "demo"]) == 0
    assert 'level = "watch"' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('nme = "x"', "name"),
        ('name = "x"\n[lunch]\nnames = []', "launch"),
        ("name = 5", "name: must be a text, in quotes (found 5)"),
        ('name = "x"\nunverified = "perhaps"', "unverified: must be true or false (found 'perhaps')"),
        ('name = "x"\nlaunch = 5', "launch: must be a table of keys (found 5)"),
        ('name = "x"\n[launch]\nnames = "x"', "launch.names: must be a list, in [ ] (found 'x')"),
        ('name = "x"\n[limits]\nlevel = "ful"', "limits.level: must be one of: watch, suggest, assist, full"),
        ('name = "x"\n[limits]\ncountdown_seconds = "x"', "limits.countdown_seconds: must be a number"),
        ('name = "x"\n[reply_keys]\nrefuse = 5', "reply_keys.refuse: must be a table of keys"),
        ('name = "x"\n[[screen.rules]]\nid = "r"\nkind = "menu"\npriority = "x"', "must be a whole number"),
        ('name = "x"\n[[screen.rules]]\nid = "r"\nkind = "menue"', "menu"),
        ('name = "x"\n[[screen.rules]]\nid = "r"\nkind = "menu"\nall = [{pattern = "("}]', "r"),
    ],
)
def test_a_bad_file_is_one_line_for_each_fault_with_the_nearest_word(
    tmp_path: Path, text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    assert cli.main(["profiles", "check", str(path)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert all(line.startswith(f"copilot: error: {path}: ") for line in lines)
    assert any(said in line.removeprefix(f"copilot: error: {path}") for line in lines)


@pytest.fixture
def profiles_of_the_user(clean_user: Path) -> Path:
    folder = clean_user / "config" / "copilot" / "profiles"
    folder.mkdir(parents=True)
    return folder


def test_a_broken_file_hides_no_other_and_is_named_once(
    profiles_of_the_user: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (profiles_of_the_user / "broken.toml").write_text('name = "broken"\n[lunch]\n', encoding="utf-8")
    (profiles_of_the_user / "mine.toml").write_text('name = "mine"\n', encoding="utf-8")
    assert cli.main(["profiles"]) == 2
    out, error = capsys.readouterr()
    names = [line.split()[0] for line in out.splitlines()[1:]]
    assert {"claude", "generic", "mine"} <= set(names) and "broken" not in names
    assert "yours: " in next(line for line in out.splitlines() if line.startswith("mine "))
    assert error.count("\n") == 1 and "broken.toml: lunch" in error


def test_the_list_says_what_is_verified_and_what_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "codex"
    program.write_text("#!/bin/sh\necho codex-cli 0.170.1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert cli.main(["profiles", "list", "--json"]) == 0
    rows = {row["name"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    assert (rows["codex"]["program"], rows["codex"]["version"]) == (str(program), "0.170.1")
    assert rows["codex"]["verified"] and not rows["generic"]["verified"]


def test_what_a_check_finds_is_told_for_each_file(
    profiles_of_the_user: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (profiles_of_the_user / "mine.toml").write_text(
        'name = "mine"\n[[screen.rules]]\nid = "r"\nkind = "menu"\nregion = "composer"\nall = [{pattern = "x"}]',
        encoding="utf-8",
    )
    assert cli.main(["profiles", "check", "mine", "claude"]) == 2
    out, error = capsys.readouterr()
    assert "claude.toml: is right" in out
    assert "mine.toml: dead-rule: screen.rules[r]: can never match" in error
    assert cli.main(["profiles", "check", "--json", "mine"]) == 2
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert (finding["check"], finding["key"]) == ("dead-rule", "screen.rules[r]")
    assert cli.main(["profiles", "check", "codex"]) == 0


@pytest.mark.parametrize("name", ["dmo", "nothing-like-it"])
def test_an_unknown_name_is_told(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["profiles", "show", name]) == 2
    assert "demo" in capsys.readouterr().err
