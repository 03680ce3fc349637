"""The command `copilot verify-install`."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from copilot.errors import EXIT_FAILED, InputError
from copilot.lab.launch import base_variables

_SECONDS = 600.0
_BACKEND = "hatchling"
_LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", ".real-cli", "__pycache__", "build", "dist", "*.egg-info", ".*_cache", "tests", "docs"
)
_BUILD = (
    "import os, sys; os.chdir(sys.argv[1]); from hatchling.builders.wheel import WheelBuilder as B; "
    "print(next(B(sys.argv[1]).build(directory=sys.argv[2], versions=['standard'])))"
)
PROBE = Path(__file__).with_name("install_probe.py")


@dataclass(frozen=True, slots=True)
class Step:
    """`said` is why it failed, or what was found."""

    name: str
    good: bool
    said: str = ""


class _Failed(Exception):
    """A step failed; what would follow makes no sense."""


class InstallCheck:
    """The steps that were tried, and what the installed package has. `on_step` is called with each step."""

    def __init__(self, on_step: Callable[[Step], None] = lambda step: None) -> None:
        self.steps: list[Step] = []
        self.found: dict[str, list[str]] = {}
        self._on_step = on_step

    @property
    def good(self) -> bool:
        return bool(self.steps) and all(step.good for step in self.steps)

    def add(self, step: Step) -> None:
        self.steps.append(step)
        self._on_step(step)

    def run(self, name: str, work: Callable[[], str]) -> str:
        """What `work` said. Raises _Failed, noted, if it did."""
        try:
            said = work()
        except _Failed as error:
            self.add(Step(name, False, str(error)))
            raise
        self.add(Step(name, True, said))
        return said


def check_install(
    source: Path,
    wheels: Path | None,
    *,
    system_packages: bool = False,
    on_step: Callable[[Step], None] = lambda step: None,
) -> InstallCheck:
    """Build a wheel from a copy of the source tree (or take a wheel), install it, and see what works.

    `wheels` is a folder with the wheels of all that it depends on; no index is looked at then.
    Without it pip uses the index that it is set up for. `system_packages` lets the fresh environment see the
    packages of this one: quick, and of what is not asked for only direct imports are noticed. Raises
    InputError for a source that is neither.
    """
    if not source.is_file() and not (source / "pyproject.toml").is_file():
        raise InputError(f"{source}: is no wheel and has no pyproject.toml; give a source tree or a *.whl")
    check = InstallCheck(on_step)
    with tempfile.TemporaryDirectory(prefix="copilot-install-") as name, suppress(_Failed):
        folder = Path(name)
        wheel = Path(check.run("build", lambda: str(_built(source, folder))))
        python = folder / "env" / "bin" / "python"
        check.run("environment", lambda: _environment(folder / "env", system_packages))
        check.run("install", lambda: _installed(python, wheel, wheels))
        check.run("dependencies", lambda: _run([str(python), "-m", "pip", "check"], folder))
        _probe(python, folder, check)
    return check


def _built(source: Path, folder: Path) -> Path:
    if source.is_file():
        return source.resolve()
    if importlib.util.find_spec(_BACKEND) is None:
        raise _Failed(
            f"{_BACKEND}, which builds the package, is not installed here: pip install {_BACKEND}, "
            "or give a built wheel: copilot verify-install FILE.whl"
        )
    copy = folder / "source"
    shutil.copytree(source, copy, ignore=_LEFT_OUT, symlinks=True)
    return Path(
        _run([sys.executable, "-c", _BUILD, str(copy), str(folder / "built")], folder).splitlines()[-1]
    )


def _environment(place: Path, system_packages: bool) -> str:
    venv.EnvBuilder(with_pip=True, system_site_packages=False).create(place)
    if system_packages:
        site = next(Path(one) for one in sys.path if one.endswith("site-packages"))
        (inside,) = (place / "lib").glob("python*/site-packages")
        (inside / "of-this-environment.pth").write_text(f"{site}\n", encoding="utf-8")
    return "fresh"


def _installed(python: Path, wheel: Path, wheels: Path | None) -> str:
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if wheels is not None:
        command += ["--no-index", "--find-links", str(wheels.resolve())]
    _run([*command, "--force-reinstall", "--no-deps", str(wheel)], wheel.parent)
    _run([*command, str(wheel)], wheel.parent)
    return wheel.name


def _probe(python: Path, folder: Path, check: InstallCheck) -> None:
    """Run the probe inside; each of its lines is a step."""
    done = _process([str(python), "-I", str(PROBE), str(folder / "work")], folder)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    for line in lines:
        row: dict[str, Any] = json.loads(line)
        check.found[row["step"]] = list(row.get("found", []))
        check.add(Step(row["step"], row["good"], row["said"]))
    if done.returncode or not lines:
        check.add(Step("probe", False, (done.stderr.strip() or "it said nothing").splitlines()[-1]))


def _run(command: Sequence[str], folder: Path) -> str:
    done = _process(command, folder)
    if done.returncode:
        lines = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        errors = [line for line in lines if "error" in line.lower()]
        raise _Failed((errors or lines or [f"exit status {done.returncode}"])[-1].strip())
    return done.stdout.strip()


def _process(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    home = folder / "home"
    home.mkdir(exist_ok=True)
    variables = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    environment = {**base_variables(os.environ), **variables, "HOME": str(home), "TERM": "xterm-256color"}
    environment.pop("PYTHONPATH", None)
    return subprocess.run(
        list(command),
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        stdin=subprocess.DEVNULL,
        check=False,
    )


@click.command("verify-install")
@click.argument("source", default=".", type=click.Path(path_type=Path))
@click.option("--wheels", type=click.Path(path_type=Path, exists=True), help="Install from this folder only.")
@click.option(
    "--system-packages", is_flag=True, help="See the packages of this environment: quick, and blinder."
)
def verify_install_command(source: Path, wheels: Path | None, system_packages: bool) -> int:
    """Build SOURCE (a source tree or a wheel), install it into a fresh environment, and see whether it works.

    Everything is imported, every command, profile and style loaded, and one scripted session played there.
    """

    def report(step: Step) -> None:
        click.echo(f"{'✓' if step.good else '✗'} {step.name:<13}{step.said}")

    check = check_install(source, wheels, system_packages=system_packages, on_step=report)
    return 0 if check.good else EXIT_FAILED
