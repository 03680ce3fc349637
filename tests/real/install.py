"""Real coding CLIs, pinned, installed into `.real-cli/` of the checkout: from npm, one of them from PyPI.

No install script of npm runs: native programs are inside platform packages, the others are run by a pinned
Node of our own. Run this file to install them: `python -m tests.real.install [NAME…]`.
"""

from __future__ import annotations

import fcntl
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

CACHE = Path(__file__).resolve().parents[2] / ".real-cli"
_INSTALL_SECONDS = 600.0
_AT_ONCE = 2
_PYTHONS = ("python3.12", "python3.11", "python3.10")
"""What aider runs on; the newest first."""
_FINISHED = "installed-version"
_ARCHITECTURE = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
_PLATFORM = f"{platform.system().lower()}-{_ARCHITECTURE}"


class NotInstallable(Exception):
    """The CLI cannot be had on this machine; the message says why."""


@dataclass(frozen=True, slots=True)
class RealCli:
    """A CLI in one version. `program` is a glob in its folder for what is started.

    `package` is looked for in npm, or with `from_pypi` there. With `on_node` the program is a script for Node.
    """

    name: str
    package: str
    version: str
    program: str
    on_node: bool = False
    from_pypi: bool = False
    cache: Path = CACHE

    @property
    def folder(self) -> Path:
        return self.cache / f"{self.name}-{self.version}"


def _script(name: str, package: str, version: str, script: str) -> RealCli:
    return RealCli(name, package, version, f"node_modules/{package}/{script}", on_node=True)


_OPENCODE = f"opencode-{_PLATFORM}" + ("-baseline" if _ARCHITECTURE == "x64" else "")
NODE = RealCli("node", f"node-{_PLATFORM}", "22.23.3", "node_modules/node-*/bin/node")
CLAUDE = RealCli(
    "claude", "@anthropic-ai/claude-code", "2.1.329", "node_modules/@anthropic-ai/claude-code-*/claude"
)
CODEX = RealCli("codex", "@openai/codex", "0.169.0", "node_modules/@openai/codex-*/vendor/*/bin/codex")
GEMINI = _script("gemini", "@google/gemini-cli", "0.61.0", "bundle/gemini.js")
QWEN = _script("qwen", "@qwen-code/qwen-code", "0.24.4", "cli-entry.js")
OPENCODE = RealCli("opencode", _OPENCODE, "1.18.33", "node_modules/opencode-*/bin/opencode")
PI = _script("pi", "@mariozechner/pi-coding-agent", "0.73.1", "dist/cli.js")
COPILOT = RealCli("copilot", "@github/copilot", "1.0.102", "node_modules/@github/copilot-*/copilot")
AIDER = RealCli("aider", "aider-chat", "0.86.2", "venv/bin/aider", from_pypi=True)
CLINE = RealCli("cline", "cline", "3.0.65", "node_modules/@cline/cli-*/bin/cline")
"""No profile knows this one and those below: what the generic one makes of coding CLIs."""
GROK = _script("grok", "@vibe-kit/grok-cli", "0.0.34", "dist/index.js")
GPTME = RealCli("gptme", "gptme", "0.35.1", "venv/bin/gptme", from_pypi=True)
NANOCODER = _script("nanocoder", "@nanocollective/nanocoder", "1.30.0", "dist/cli.js")
CN = _script("cn", "@continuedev/cli", "1.5.47", "dist/cn.js")
INSPECTOR = _script(
    "mcp-inspector", "@modelcontextprotocol/inspector", "2.12.0", "clients/launcher/build/index.js"
)
"""No coding CLI: a client of MCP servers that can be used from a shell."""
ALL = (CLAUDE, CODEX, GEMINI, QWEN, OPENCODE, PI, COPILOT, AIDER, CLINE, GROK, GPTME, NANOCODER, CN)
BY_NAME = {cli.name: cli for cli in ALL}


def install_all(names: Collection[str]) -> tuple[dict[str, Path], dict[str, str]]:
    """Those that could be had by their folder for PATH, and the others by the reason why not."""
    programs: dict[str, Path] = {}
    missing: dict[str, str] = {}

    def one(cli: RealCli) -> None:
        try:
            programs[cli.name] = installed(cli)
        except NotInstallable as problem:
            missing[cli.name] = str(problem)

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for _ in pool.map(one, [cli for cli in ALL if cli.name in names]):
            pass
    return programs, missing


def installed(cli: RealCli) -> Path:
    """A folder for PATH that holds the CLI's program under its name; installs it first where needed.

    Safe for several processes at once. Raises NotInstallable.
    """
    node = installed(NODE) / "node" if cli.on_node else None
    with _locked(cli):
        program = _program(cli)
        if program is None:
            _install(cli)
            program = _program(cli)
        if program is None:
            raise NotInstallable(f"{cli.package}@{cli.version} holds no program for this platform")
        folder = cli.folder / "bin"
        folder.mkdir(exist_ok=True)
        _link(folder / cli.name, program)
        if node is not None:
            _link(folder / "node", node)
        return folder


def _link(link: Path, target: Path) -> None:
    if not link.is_symlink():
        link.symlink_to(os.path.relpath(target, link.parent))


def _program(cli: RealCli) -> Path | None:
    if _version_of(cli) != cli.version:
        return None
    found = sorted(cli.folder.glob(cli.program))
    return found[0] if found else _script_of(cli)


def _script_of(cli: RealCli) -> Path | None:
    """What the package itself names as its program: older versions have it elsewhere."""
    if not cli.on_node:
        return None
    folder = cli.folder / "node_modules" / cli.package
    named = json.loads((folder / "package.json").read_text()).get("bin", {})
    script = named if isinstance(named, str) else named.get(cli.name, "")
    return folder / script if script else None


def _version_of(cli: RealCli) -> str:
    if cli.from_pypi:
        mark = cli.folder / _FINISHED
        return mark.read_text() if mark.is_file() else ""
    manifest = cli.folder / "node_modules" / cli.package / "package.json"
    return str(json.loads(manifest.read_text())["version"]) if manifest.is_file() else ""


def _install(cli: RealCli) -> None:
    shutil.rmtree(cli.folder, ignore_errors=True)
    if cli.from_pypi:
        _install_from_pypi(cli)
    else:
        _install_from_npm(cli)


def _install_from_npm(cli: RealCli) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise NotInstallable("npm is not on PATH")
    unfinished = cli.folder.with_name(cli.folder.name + ".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--no-save"]
    what = f"{cli.package}@{cli.version}"
    _run([npm, "install", "--prefix", str(unfinished), *options, what], f"npm cannot install {what}")
    unfinished.rename(cli.folder)


def _install_from_pypi(cli: RealCli) -> None:
    """Into a virtual environment of its own, in place: one that is moved does not work."""
    python = next(filter(_makes_environments, _PYTHONS), None)
    if python is None:
        raise NotInstallable(f"none of {', '.join(_PYTHONS)} can make a virtual environment")
    venv = cli.folder / "venv"
    what = f"{cli.package}=={cli.version}"
    _run([python, "-m", "venv", str(venv)], f"{python} cannot make a virtual environment")
    pip = [str(venv / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    _run([*pip, "--prefer-binary", what], f"pip cannot install {what}")
    (cli.folder / _FINISHED).write_text(cli.version)


def _makes_environments(python: str) -> bool:
    """Whether there is such a Python with what `-m venv` needs; a name on PATH alone may be a mere shim."""
    try:
        done = subprocess.run([python, "-c", "import ensurepip, venv"], capture_output=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _run(command: Sequence[str], failed: str) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_INSTALL_SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise NotInstallable(f"{failed}: it takes more than {_INSTALL_SECONDS:g} s") from error
    if done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise NotInstallable(f"{failed}: {said[0] if said else done.returncode}")


@contextmanager
def _locked(cli: RealCli) -> Iterator[None]:
    cli.cache.mkdir(exist_ok=True)
    with (cli.cache / f"{cli.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main(names: Sequence[str]) -> int:
    """Install those named, else all; 1 if one cannot be."""
    programs, missing = install_all(names or BY_NAME)
    for name, folder in programs.items():
        print(f"{name} {BY_NAME[name].version}: {folder}")
    for name, reason in missing.items():
        print(f"{name} {BY_NAME[name].version}: {reason}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
