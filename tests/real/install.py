"""Real coding CLIs, pinned, installed from npm into `.real-cli/` of the checkout.

No install script runs: both are native programs inside platform packages that npm chooses. Run this file to
install them: `python -m tests.real.install`.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

CACHE = Path(__file__).resolve().parents[2] / ".real-cli"
_NPM_SECONDS = 600.0


class NotInstallable(Exception):
    """The CLI cannot be had on this machine; the message says why."""


@dataclass(frozen=True, slots=True)
class RealCli:
    """A CLI in one version. `program` is a glob below `node_modules` for its native program."""

    name: str
    package: str
    version: str
    program: str

    @property
    def folder(self) -> Path:
        """Where this version is installed."""
        return CACHE / f"{self.name}-{self.version}"


CLAUDE = RealCli("claude", "@anthropic-ai/claude-code", "2.1.329", "@anthropic-ai/claude-code-*/claude")
CODEX = RealCli("codex", "@openai/codex", "0.169.0", "@openai/codex-*/vendor/*/bin/codex")
ALL = (CLAUDE, CODEX)


def installed(cli: RealCli) -> Path:
    """A folder for PATH that holds the CLI's program under its name; installs it first where needed.

    Safe for several processes at once. Raises NotInstallable.
    """
    with _locked(cli):
        program = _program(cli)
        if program is None:
            _install(cli)
            program = _program(cli)
        if program is None:
            raise NotInstallable(f"{cli.package}@{cli.version} holds no program for this platform")
        link = cli.folder / "bin" / cli.name
        link.parent.mkdir(exist_ok=True)
        if not link.is_symlink():
            link.symlink_to(os.path.relpath(program, link.parent))
        return link.parent


def _program(cli: RealCli) -> Path | None:
    manifest = cli.folder / "node_modules" / cli.package / "package.json"
    if not manifest.is_file() or json.loads(manifest.read_text())["version"] != cli.version:
        return None
    found = sorted((cli.folder / "node_modules").glob(cli.program))
    return found[0] if found else None


def _install(cli: RealCli) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise NotInstallable("npm is not on PATH")
    unfinished = cli.folder.with_name(cli.folder.name + ".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    shutil.rmtree(cli.folder, ignore_errors=True)
    unfinished.mkdir(parents=True)
    what = f"{cli.package}@{cli.version}"
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--no-save"]
    command = [npm, "install", "--prefix", str(unfinished), *options, what]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_NPM_SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise NotInstallable(f"npm took more than {_NPM_SECONDS:g} s for {what}") from error
    if done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise NotInstallable(f"npm cannot install {what}: {said[0] if said else done.returncode}")
    unfinished.rename(cli.folder)


@contextmanager
def _locked(cli: RealCli) -> Iterator[None]:
    CACHE.mkdir(exist_ok=True)
    with (CACHE / f"{cli.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main() -> int:
    """Install all of them; 1 if one cannot be."""
    for cli in ALL:
        try:
            print(f"{cli.name} {cli.version}: {installed(cli)}")
        except NotInstallable as error:
            print(f"{cli.name} {cli.version}: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
