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

from copilot.documents import read_toml
from copilot.errors import EXIT_FAILED, InputError
from copilot.guard.text import safe_text
from copilot.lab import node_package
from copilot.lab.clis.extras import McpServer
from copilot.lab.harness import Harness
from copilot.lab.install_expect import Expected, read_expected
from copilot.lab.launch import base_variables
from copilot.lab.plugin_check import check_plugins
from copilot.plain_files import MIB

_SECONDS = 600.0
_BACKEND = "hatchling"
_REGISTRY = "pypi:"
_SERVER = "package"
_SETTINGS = ("PIP_", "NPM_CONFIG_")
"""Where packages come from is the user's own setting."""
_CLAUDE_MANIFEST = ".claude-plugin/plugin.json"
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
    source: Path | str,
    wheels: Path | None,
    *,
    system_packages: bool = False,
    expected: Expected | None = None,
    on_step: Callable[[Step], None] = lambda step: None,
) -> InstallCheck:
    """Build a wheel from a copy of the source tree (or take a wheel), install it, and see what works.

    A text is the requirement of a package, as pip takes it. `expected` is what somebody expects of it.

    `wheels` is a folder with the wheels of all that it depends on; no index is looked at then.
    Without it pip uses the index that it is set up for. `system_packages` lets the fresh environment see the
    packages of this one: quick, and of what is not asked for only direct imports are noticed. Raises
    InputError for a source that is neither.
    """
    if not isinstance(source, str) and not source.is_file() and not _is_tree(source):
        raise InputError(f"{source}: is no wheel and has no pyproject.toml; give a source tree or a *.whl")
    check = InstallCheck(on_step)
    with tempfile.TemporaryDirectory(prefix="copilot-install-") as name, suppress(_Failed):
        folder = Path(name)
        wheel = Path(check.run("build", lambda: str(_built(source, folder, wheels))))
        python = folder / "env" / "bin" / "python"
        check.run("environment", lambda: _environment(folder / "env", system_packages))
        check.run("install", lambda: _installed(python, wheel, wheels))
        check.run("dependencies", lambda: _run([str(python), "-m", "pip", "check"], folder))
        _probe(python, folder, check, _distribution(wheel))
        if expected is not None:
            _meet(expected, check, folder)
    return check


def check_node_package(
    source: str,
    cli: str,
    programs: Path | None,
    *,
    expected: Expected | None = None,
    on_step: Callable[[Step], None] = lambda step: None,
) -> InstallCheck:
    """Pack and install an npm package with extensions, and load them into the CLI, alone and together."""
    check, wanted = InstallCheck(on_step), expected or Expected()
    with tempfile.TemporaryDirectory(prefix="copilot-install-") as name, suppress(_Failed):
        folder = Path(name)
        what = check.run("pack", lambda: node_package.packed(source, folder, _run))
        package = Path(check.run("install", lambda: str(node_package.installed(what, folder, _run))))
        paths: list[Path] = []
        check.run("manifest", lambda: _said(paths, _extensions_of(package)))
        check.found["extensions"] = [str(path.relative_to(package.resolve())) for path in paths]
        _load_plugins(paths, cli, programs, wanted, check)
    return check


def check_plugin_files(
    plugins: Sequence[Path],
    cli: str,
    programs: Path | None,
    *,
    expected: Expected | None = None,
    on_step: Callable[[Step], None] = lambda step: None,
) -> InstallCheck:
    """Load plug-ins of a coding CLI as they are, alone and together."""
    check = InstallCheck(on_step)
    paths = [path.resolve() for path in plugins]
    check.found["extensions"] = [path.name for path in paths]
    with suppress(_Failed):
        _load_plugins(paths, cli, programs, expected or Expected(), check)
    return check


def _load_plugins(
    paths: Sequence[Path], cli: str, programs: Path | None, wanted: Expected, check: InstallCheck
) -> None:
    steps: list[Step] = []

    def note(name: str, fault: str, found: str) -> None:
        steps.append(Step(f"load {name}", not fault, fault or found))

    report = check_plugins(paths, cli, programs, wanted, note)
    check.found["tools"] = sorted({tool for tools in report.tools.values() for tool in tools})
    for step in steps:
        check.add(step)
    _compare(wanted, check)


def _extensions_of(package: Path) -> list[Path]:
    try:
        return node_package.extensions(package)
    except InputError as error:
        raise _Failed(str(error)) from None


def _said(kept: list[Path], found: list[Path]) -> str:
    kept += found
    return ", ".join(path.name for path in found)


def _meet(wanted: Expected, check: InstallCheck, folder: Path) -> None:
    """Play the session with the package's MCP server in it, if it has one, and compare."""
    if wanted.mcp_server:
        program, *arguments = wanted.mcp_server
        inside = folder / "env" / "bin" / program
        check.run("session", lambda: _played(wanted, (str(inside), *arguments), check))
    _compare(wanted, check)


def _played(wanted: Expected, command: tuple[str, ...], check: InstallCheck) -> str:
    servers = {_SERVER: McpServer(command)}
    with Harness(wanted.playbook, mcp_servers=servers, check_playbook=False, name="package") as harness:
        record = harness.run(wanted.prompt)
        wrong = [*harness.model.problems(), *harness.model.unused()]
        requests = harness.model.main_requests
    offered = {name for request in requests for name in request.tools}
    prefix = f"mcp__{_SERVER}__"
    tools = sorted(name.removeprefix(prefix) for name in offered if name.startswith(prefix))
    check.found["tools"] = tools
    complaints = [line.strip() for line in record.screen.splitlines() if line.lstrip().startswith("⚠")]
    if wrong or complaints or record.exit_code:
        raise _Failed("; ".join([*complaints, *wrong]) or record.reason)
    return f"{len(tools)} tools, exit 0"


def _compare(wanted: Expected, check: InstallCheck) -> None:
    """Errors that are expected are no faults; everything else that is expected must have been found."""
    met = [part for part in wanted.errors if any(part in step.said for step in check.steps if not step.good)]
    check.steps = [
        Step(step.name, True, f"as expected: {step.said}")
        if not step.good and any(part in step.said for part in met)
        else step
        for step in check.steps
    ]
    lines = wanted.missing(check.found)
    lines += [f"no error with {part!r} came up" for part in wanted.errors if part not in met]
    check.add(Step("expected", not lines, "; ".join(lines) or "all found"))


def _distribution(wheel: Path) -> str:
    """Its name, as in the name of the wheel."""
    name = wheel.name.partition("-")[0].replace("_", "-").lower()
    return name


def _is_tree(source: Path) -> bool:
    return any((source / name).is_file() for name in ("pyproject.toml", "setup.py"))


def _with_pip(what: str, folder: Path, wheels: Path | None) -> Path:
    """The wheel of one package, built or fetched by pip."""
    target = folder / "built"
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
    if wheels is not None:
        command += ["--no-index", "--find-links", str(wheels.resolve())]
    _run([*command, "--wheel-dir", str(target), what], folder)
    (wheel,) = target.glob("*.whl")
    return wheel


def _built(source: Path | str, folder: Path, wheels: Path | None) -> Path:
    if isinstance(source, str):
        return _with_pip(source, folder, wheels)
    if source.is_file():
        return source.resolve()
    if not _by_our_backend(source):
        copy = folder / "source"
        shutil.copytree(source, copy, ignore=_LEFT_OUT, symlinks=True)
        return _with_pip(str(copy), folder, wheels)
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


def _by_our_backend(source: Path) -> bool:
    project = source / "pyproject.toml"
    if not project.is_file():
        return False
    backend = read_toml(project, MIB).get("build-system", {})
    return isinstance(backend, dict) and str(backend.get("build-backend", "")).startswith(_BACKEND)


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


def _probe(python: Path, folder: Path, check: InstallCheck, distribution: str) -> None:
    """Run the probe inside; each of its lines is a step."""
    done = _process([str(python), "-I", str(PROBE), str(folder / "work"), distribution], folder)
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
    variables = {name: value for name, value in os.environ.items() if name.upper().startswith(_SETTINGS)}
    npm = Path.home() / ".npmrc"
    if npm.is_file():
        variables.setdefault("NPM_CONFIG_USERCONFIG", str(npm))
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
@click.argument("sources", metavar="[SOURCE]...", nargs=-1)
@click.option("--wheels", type=click.Path(path_type=Path, exists=True), help="Install from this folder only.")
@click.option(
    "--system-packages", is_flag=True, help="See the packages of this environment: quick, and blinder."
)
@click.option("--expect", "file", type=click.Path(path_type=Path), help="What must be found: a YAML file.")
@click.option("--cli", default="", help="Load plug-ins, or an npm package's, into this coding CLI.")
@click.option("--programs", type=click.Path(path_type=Path), help="The folder with the CLI's program.")
def verify_install_command(
    sources: tuple[str, ...],
    wheels: Path | None,
    system_packages: bool,
    file: Path | None,
    cli: str,
    programs: Path | None,
) -> int:
    """Install a package into a fresh environment, and see whether it works.

    SOURCE is a source tree, a wheel, pypi:NAME, npm:NAME, a folder or tarball of npm, or, with --cli,
    plug-ins of that coding CLI. Everything is imported and loaded; --expect says what must be found.
    """
    expected = read_expected(file) if file is not None else None
    chosen = programs.resolve() if programs else None

    def report(step: Step) -> None:
        click.echo(f"{'✓' if step.good else '✗'} {step.name:<12} {safe_text(step.said)}")

    first = sources[0] if sources else "."
    if node_package.is_node_package(first) and not (Path(first) / _CLAUDE_MANIFEST).is_file():
        check = check_node_package(first, cli or "pi", chosen, expected=expected, on_step=report)
    elif cli:
        paths = [Path(one) for one in sources]
        check = check_plugin_files(paths, cli, chosen, expected=expected, on_step=report)
    else:
        named = first.startswith(_REGISTRY)
        check = check_install(
            first.removeprefix(_REGISTRY) if named else Path(first),
            wheels,
            system_packages=system_packages,
            expected=expected,
            on_step=report,
        )
    return 0 if check.good else EXIT_FAILED
