"""A session with an unverified profile says so in one line, and only suggests."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from copilot import cli
from copilot.config.profile_files import load_profile
from copilot.core.reply import Autonomy
from copilot.session.start import Prepared, prepare
from tests.own_profile import own_profile
from tests.session.live import run_settings


def prepared(profile: str, folder: Path) -> Prepared:
    return prepare(run_settings(folder, sys.executable, profile=profile))


@pytest.mark.parametrize("name", ["cursor", "crush"])
def test_it_is_told_and_lowered_at_the_start(name: str, tmp_path: Path, clean_user: Path) -> None:
    found = prepared(name, tmp_path)
    (line,) = [note for note in found.notes if "unverified" in note]
    assert line.startswith(f"profile {name} is unverified: nothing is sent by itself")
    assert "\n" not in line
    assert found.settings.autonomy is Autonomy.SUGGEST


def test_a_measured_profile_acts_as_asked(tmp_path: Path, clean_user: Path) -> None:
    found = prepared("pi", tmp_path)
    assert found.settings.autonomy is Autonomy.FULL
    assert not any("unverified" in note for note in found.notes)


def test_the_user_says_otherwise_in_their_own_copy(tmp_path: Path, clean_user: Path) -> None:
    built_in = (Path(cli.__file__).parents[1] / "profiles" / "cursor.toml").read_text("utf-8")
    own_profile("cursor", built_in.replace("unverified = true\n", ""))
    assert not load_profile("cursor").unverified
    assert prepared("cursor", tmp_path).settings.autonomy is Autonomy.FULL


def test_the_list_of_profiles_marks_them(capsys: pytest.CaptureFixture[str], clean_user: Path) -> None:
    assert cli.main(["profiles"]) == 0
    lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines() if line.strip()}
    assert "unverified" in lines["cursor"] and "unverified" in lines["crush"]
    assert "unverified" not in lines["copilot"] and "unverified" not in lines["aider"]
