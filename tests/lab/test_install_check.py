"""The install check: it passes on our own wheel, catches five broken ones, and leaves the sources alone."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from copilot import cli
from copilot.errors import InputError
from copilot.lab.install_check import InstallCheck, check_install
from copilot.lab.workspace import picture

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built once; the broken ones are made from it."""
    script = (
        "import os, sys; os.chdir(sys.argv[1]); from hatchling.builders.wheel import WheelBuilder as B; "
        "print(next(B(sys.argv[1]).build(directory=sys.argv[2], versions=['standard'])))"
    )
    target = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-c", script, str(ROOT), str(target)], capture_output=True, text=True, check=True
    )
    return Path(done.stdout.splitlines()[-1])


def changed(wheel: Path, folder: Path, change: Callable[[str, str], str | None]) -> Path:
    """A copy of the wheel in which `change(name, text)` gives each text anew, or None to leave the file out."""
    target = folder / wheel.name
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            try:
                text = change(name, data.decode("utf-8"))
            except UnicodeDecodeError:
                text = ""
            if text is not None:
                new.writestr(name, text or data)
    return target


def _without_data(name: str, text: str) -> str | None:
    return None if "/_data/styles/" in name else text


def _without_program(name: str, text: str) -> str | None:
    ours = name.endswith("entry_points.txt")
    return text.replace("copilot = copilot.cli:main", "copilot = copilot.cli:gone") if ours else text


def _without_dependency(name: str, text: str) -> str | None:
    ours = name.endswith(".dist-info/METADATA")
    return "\n".join(line for line in text.split("\n") if not (ours and "ptyprocess" in line))


def _that_cannot_be_imported(name: str, text: str) -> str | None:
    return text + "\nimport copilot.gone\n" if name == "copilot/guard/text.py" else text


def _with_a_bad_command(name: str, text: str) -> str | None:
    return text.replace(":eval_command", ":evil_command") if name == "copilot/cli.py" else text


BROKEN = {
    "a missing data file": (_without_data, "styles", "LookupError: there is no *.tcss"),
    "a bad entry point": (_without_program, "programs", "AttributeError: module 'copilot.cli' has no"),
    "a missing dependency": (_without_dependency, "declared", "imported, but not asked for: ptyprocess"),
    "an import error": (_that_cannot_be_imported, "imports", "No module named 'copilot.gone'"),
    "a command that is not there": (_with_a_bad_command, "commands", "has no attribute 'evil_command'"),
}


def said(check: InstallCheck) -> dict[str, str]:
    """What each failed step said."""
    return {step.name: step.said for step in check.steps if not step.good}


@pytest.mark.slow
@pytest.mark.row("PH-33", "PH-34", "PH-35", "PH-36")
@pytest.mark.parametrize("what", BROKEN)
def test_what_is_broken_is_caught(what: str, wheel: Path, tmp_path: Path) -> None:
    change, step, words = BROKEN[what]
    check = check_install(changed(wheel, tmp_path, change), None, system_packages=True)
    assert not check.good
    assert words in said(check)[step]


@pytest.mark.slow
@pytest.mark.row("PH-33", "PH-34", "PH-35")
def test_ours_is_whole_and_the_sources_and_the_temporary_folder_stay_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr("tempfile.tempdir", None)
    source = tmp_path / "source"
    left_out = shutil.ignore_patterns(".*", "__pycache__", "tests", "docs", "snapshots")
    shutil.copytree(ROOT, source, ignore=left_out)
    before = picture(source, ())
    check = check_install(source, None, system_packages=True)
    assert said(check) == {} and check.good
    assert {"claude", "codex", "demo"} <= set(check.found["profiles"])
    assert {"eval", "verify-install"} <= set(check.found["commands"])
    assert check.found["session"] == ["Write"]
    assert picture(source, ()) == before
    assert list(temporary.iterdir()) == []


@pytest.mark.slow
@pytest.mark.row("PH-37")
def test_without_an_index_what_is_not_in_the_folder_is_told(wheel: Path, tmp_path: Path) -> None:
    check = check_install(wheel, tmp_path)
    assert [step.name for step in check.steps] == ["build", "environment", "install"]
    assert "No matching distribution found for" in said(check)["install"]


def test_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is no wheel and has no pyproject\.toml"):
        check_install(tmp_path, None)


def test_a_missing_build_backend_is_one_line_with_the_fix(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "hatchling", None)
    assert cli.main(["verify-install", str(ROOT)]) == 1
    out, err = capsys.readouterr()
    (line,) = (out + err).splitlines()
    assert "hatchling, which builds the package, is not installed here: pip install hatchling" in line
