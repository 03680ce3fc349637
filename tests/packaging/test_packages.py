"""The built package: what it holds, and that it works from any folder without its sources beside it.

The wheel is unpacked into a folder of its own and run by the interpreter of the tests, whose installed
packages it then uses: quick, and without a network. The packages that it asks for are compared by name.
"""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not (ROOT / "pyproject.toml").is_file(), reason="needs the source tree")

_BUILD = """
import os, sys
os.chdir(sys.argv[1])
from hatchling.builders.{kind} import {name} as Builder
print(next(Builder(sys.argv[1]).build(directory=sys.argv[2], versions=["standard"])))
"""


def build(kind: str, name: str, target: Path) -> Path:
    """Build a `wheel` or `sdist` in a process of its own."""
    script = _BUILD.format(kind=kind, name=name)
    done = subprocess.run(
        [sys.executable, "-c", script, str(ROOT), str(target)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", "WheelBuilder", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def run(installed: Path, *arguments: str, cwd: str = "/") -> subprocess.CompletedProcess[str]:
    """Run the unpacked package; the sources are kept off the path by the order of it."""
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    return subprocess.run(
        [sys.executable, "-P", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env=environment,
    )


@pytest.mark.row("PH-33")
def test_the_wheel_starts_from_any_folder(installed: Path, tmp_path: Path) -> None:
    for folder in ("/", str(tmp_path)):
        done = run(installed, "-m", "copilot", "--version", cwd=folder)
        assert done.stdout.startswith("copilot-terminal "), done.stderr
        where = run(installed, "-c", "import copilot; print(copilot.__file__)", cwd=folder)
        assert where.stdout.startswith(str(installed))


@pytest.mark.row("PH-33")
def test_the_wheel_brings_profiles_and_styles(installed: Path) -> None:
    done = run(installed, "-m", "copilot", "profiles")
    assert done.returncode == 0, done.stderr
    assert str(installed / "copilot" / "_data" / "profiles" / "demo.toml") in done.stdout
    for folder in ("profiles", "styles"):
        ours = {path.name for path in (ROOT / folder).iterdir()}
        assert ours
        assert {path.name for path in (installed / "copilot" / "_data" / folder).iterdir()} == ours


def test_every_data_file_of_the_package_is_in_the_wheel(installed: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "copilot"], capture_output=True, text=True, check=False, cwd=ROOT
    ).stdout.split()
    assert [name for name in listed if not (installed / name).exists()] == []


def test_nothing_of_the_tests_is_in_the_wheel(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert not [name for name in names if name.startswith(("tests/", "snapshots/", "docs/"))]


@pytest.mark.row("PH-33")
def test_the_wheel_has_both_commands_and_asks_for_what_it_imports(installed: Path) -> None:
    (info,) = installed.glob("*.dist-info")
    entries = (info / "entry_points.txt").read_text(encoding="utf-8")
    assert "copilot = copilot.cli:main" in entries
    assert "copilot-terminal = copilot.cli:main" in entries
    metadata = importlib.metadata.PathDistribution(info)
    asked = {requirement.split(";")[0].strip() for requirement in metadata.requires or []}
    for module in ("anthropic", "click", "openai", "ptyprocess", "pydantic-settings", "textual"):
        assert any(requirement.startswith(module) for requirement in asked)


def test_the_source_package_can_be_built_and_holds_the_data(tmp_path: Path) -> None:
    path = build("sdist", "SdistBuilder", tmp_path)
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for needed in (
        "copilot/cli.py",
        "profiles/demo.toml",
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
        "pyproject.toml",
    ):
        assert needed in names


@pytest.mark.row("PH-35")
def test_building_leaves_the_sources_as_they_are(wheel: Path) -> None:
    assert not (ROOT / "dist").exists() or wheel.parent != ROOT / "dist"
    assert not (ROOT / "copilot" / "_data").exists()


@pytest.mark.row("PH-33")
def test_the_wheel_runs_the_demo(installed: Path, tmp_path: Path) -> None:
    demo = ("-m", "copilot", "demo", "--headless", "--speed", "6", "--log", str(tmp_path / "run"))
    done = run(installed, *demo)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "the simulated CLI came to its end" in done.stdout
