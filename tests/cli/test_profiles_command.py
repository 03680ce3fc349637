"""`copilot profiles`."""

from __future__ import annotations

from pathlib import Path

import pytest

from copilot import cli


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
    folder = clean_user / "config" / "copilot" / "profiles"
    folder.mkdir(parents=True)
    (folder / "demo.toml").write_text('name = "demo"\n[limits]\nlevel = "watch"\n', encoding="utf-8")
    assert cli.main(["profiles", "show", "demo"]) == 0
    assert 'level = "watch"' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('nme = "x"', "name"),
        ('name = "x"\n[lunch]\nnames = []', "launch"),
        ('name = "x"\n[[screen.rules]]\nid = "r"\nkind = "menue"', "menu"),
        ('name = "x"\n[[screen.rules]]\nid = "r"\nkind = "menu"\nall = [{pattern = "("}]', "r"),
    ],
)
def test_a_bad_file_is_one_line_with_the_nearest_word(
    tmp_path: Path, text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    assert cli.main(["profiles", "check", str(path)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert str(path) in error and said in error


@pytest.mark.parametrize("name", ["dmo", "nothing-like-it"])
def test_an_unknown_name_is_told(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["profiles", "show", name]) == 2
    assert "demo" in capsys.readouterr().err
