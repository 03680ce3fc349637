"""The command `copilot doctor`."""

from __future__ import annotations

import dataclasses
import enum
import importlib.metadata
import importlib.util
import json
import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from copilot.config import paths
from copilot.config.credentials import key_names
from copilot.config.layers import environment_layer, file_layer
from copilot.config.profile_files import load_profile, profile_paths
from copilot.config.values import ENVIRONMENT_PREFIX, KEYS
from copilot.core.profile import Profile
from copilot.core.provider_keys import kept_back
from copilot.core.provider_registry import KEY_VARIABLES
from copilot.core.reply import LEVEL_WORDS
from copilot.envelope.bubblewrap import probe
from copilot.errors import EXIT_COMPLETED, EXIT_FAILED, InputError
from copilot.guard.shell_tree import ShellProblem
from copilot.guard.shfmt_check import shfmt_program, shfmt_tree
from copilot.guard.text import safe_text
from copilot.pty.programs import find_program, find_programs, version_of
from copilot.recording.run_place import runs_folder


class Health(enum.StrEnum):
    """The result of one check. Only `error` makes the doctor's exit code 1."""

    OK = "ok"
    INFO = "info"
    """A fact; nothing is wrong either way."""
    MISSING = "missing"
    """Not there, and needed only by some."""
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Finding:
    """One check. `fix` says what to do; empty if nothing is wrong."""

    area: str
    name: str
    health: Health
    detail: str
    fix: str = ""


_OF_THE_COCKPIT = ("leader", "theme", "notify", "bell")
"""Settings of the cockpit itself; the environment alone holds them."""

_DISTRIBUTION = "copilot-terminal"
_REQUIREMENT = re.compile(r"[A-Za-z0-9._-]+")


def python() -> Iterator[Finding]:
    """The interpreter and the packages that we need."""
    version = platform.python_version()
    tested = "tested" if sys.platform == "linux" else "portable code, not tested on this system"
    yield Finding("python", "python", Health.OK, f"{version} on {platform.system()} ({tested})")
    try:
        requirements = importlib.metadata.requires(_DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        yield Finding("python", _DISTRIBUTION, Health.WARNING, "runs from its source folder, not installed")
        return
    needed = [text for text in requirements if "extra ==" not in text]
    missing = [text for text in needed if _installed(text) is None]
    for text in missing:
        yield Finding("python", text, Health.ERROR, "not installed", "install copilot-terminal again")
    present = len(needed) - len(missing)
    yield Finding("python", "packages", Health.OK, f"{present} of {len(needed)} needed packages installed")


def _installed(requirement: str) -> str | None:
    match = _REQUIREMENT.match(requirement)
    try:
        return importlib.metadata.version(match.group()) if match else None
    except importlib.metadata.PackageNotFoundError:
        return None


def keys() -> Iterator[Finding]:
    """Whether the environment holds API keys; never what they are."""
    for provider, name in key_names(os.environ).items():
        if name:
            yield Finding("keys", provider, Health.OK, f"{name} is set")
        else:
            detail = f"{KEY_VARIABLES[provider][0]} is not set; without any key the offline rules reply"
            yield Finding("keys", provider, Health.MISSING, detail)
    if names := kept_back(os.environ):
        detail = f"{', '.join(names)}: each goes to CLIs whose profile names it only; --pass-keys gives more"
        yield Finding("keys", "kept back", Health.INFO, detail)


def terminal() -> Iterator[Finding]:
    """Whether the cockpit can be drawn here."""
    if not sys.stdout.isatty():
        yield Finding("terminal", "terminal", Health.INFO, "output is not a terminal; use --headless")
        return
    columns, lines = shutil.get_terminal_size()
    colours = (
        "24-bit colour" if os.environ.get("COLORTERM") in ("truecolor", "24bit") else "256 colours or fewer"
    )
    yield Finding(
        "terminal", "size", Health.OK, f"{columns}x{lines}, {colours}, TERM={os.environ.get('TERM')}"
    )


def settings_files(folder: Path) -> Iterator[Finding]:
    """The settings files that count here, read as a run would read them, and the environment."""
    user, project = paths.user_file(), paths.project_file(folder)
    places = [("user file", user, user.parent)]
    if project is not None:
        places.append(("project file", project, project.parent.parent))
    for name, path, base in places:
        try:
            if not paths.exists_or_broken_link(path):
                yield Finding("settings", name, Health.INFO, f"none at {path}")
                continue
            layer = file_layer(path, name, base)
        except InputError as error:
            yield Finding("settings", name, Health.ERROR, str(error), "correct the file")
        else:
            yield Finding("settings", name, Health.OK, f"{path}: sets {', '.join(layer.given) or 'nothing'}")
    yield from _variables()


def _variables() -> Iterator[Finding]:
    """Variables of ours; those of GitHub's CLI share the prefix and are not touched."""
    ours = {f"{ENVIRONMENT_PREFIX}{key.upper()}" for key in (*KEYS, *_OF_THE_COCKPIT)}
    present = sorted(name for name in os.environ if name.startswith(ENVIRONMENT_PREFIX) and os.environ[name])
    try:
        environment_layer()
    except InputError as error:
        yield Finding("settings", "environment", Health.ERROR, str(error), "correct or unset it")
    for name in present:
        if name in ours:
            both = "; GitHub's CLI reads it too" if name == f"{ENVIRONMENT_PREFIX}MODEL" else ""
            yield Finding("settings", name, Health.INFO, f"set, and overrules settings files{both}")
        else:
            yield Finding("settings", name, Health.INFO, "not ours; left to GitHub's CLI")


def folders() -> Iterator[Finding]:
    """Where the user's own profiles are looked for, and where runs are written."""
    own = paths.user_profiles()
    count = len(list(own.glob("*.toml"))) if own.is_dir() else 0
    yield Finding("folders", "profiles", Health.INFO, f"{own} holds {count} of your own")
    folder = runs_folder(os.environ)
    problem = paths.writable_problem(folder)
    if problem:
        yield Finding(
            "folders",
            "runs",
            Health.ERROR,
            problem,
            "set XDG_STATE_HOME, or give each run its folder with --log",
        )
    else:
        yield Finding("folders", "runs", Health.OK, f"{folder} can be written")


def token_tables() -> Iterator[Finding]:
    """Whether tokens can be counted exactly without a network."""
    if importlib.util.find_spec("bpe_openai") is not None:
        yield Finding("tokens", "tables", Health.OK, "bpe-openai carries the tables: exact counts offline")
    else:
        detail = "bpe-openai is not installed: offline, token counts may be estimates"
        yield Finding("tokens", "tables", Health.MISSING, detail, "install copilot-terminal[tokens]")


_TOOLS = {
    "git": "context for replies (branch, changed files)",
    "node": "coding CLIs that are installed from npm",
    "npm": "coding CLIs that are installed from npm",
    "tmux": "our own tests in a real terminal",
}
_PROBE = "echo ok > /dev/null"
"""A redirection: what the second parser is asked about in earnest."""
_DEMO = "demo"
"""Its program is a part of this package and never on PATH."""


def tools() -> Iterator[Finding]:
    """Programs that help but are not needed."""
    for name, use in _TOOLS.items():
        path = find_program(name)
        if path is None:
            yield Finding("tools", name, Health.MISSING, f"not on PATH; used for {use}", f"install {name}")
        else:
            option = "-V" if name == "tmux" else "--version"
            yield Finding(
                "tools", name, Health.OK, f"{version_of(path, (option,)) or 'version unknown'}, {path}"
            )


def coding_clis(profiles: list[Profile]) -> Iterator[Finding]:
    """Each coding CLI that a profile knows: found or not, and whether its version was measured."""
    for profile in profiles:
        found = [(name, path) for name in profile.launch.names if (path := find_program(name)) is not None]
        yield from (_cli(profile, name, path) for name, path in found)
        if profile.launch.names and not found and profile.name != _DEMO:
            yield Finding(
                "CLIs", profile.launch.names[0], Health.MISSING, f"not on PATH (profile {profile.name})"
            )


def _cli(profile: Profile, name: str, path: str) -> Finding:
    version = version_of(path, profile.launch.version_arguments)
    known = profile.launch.verified_versions
    said = f"{version or 'version unknown'}, {path}, profile {profile.name}"
    if profile.unverified or not known:
        return Finding("CLIs", name, Health.INFO, f"{said} (the profile was not measured on a real one)")
    if version not in known:
        return Finding("CLIs", name, Health.INFO, f"{said} (measured on {', '.join(known)})")
    return Finding("CLIs", name, Health.OK, said)


def two_copilots() -> Iterator[Finding]:
    """Which commands named `copilot` there are: ours, and GitHub's CLI of the same name."""
    found = list(find_programs("copilot"))
    ours = [one.path for one in found if one.ours]
    theirs = [one.path for one in found if not one.ours]
    if not found:
        yield Finding("copilot", "copilot", Health.INFO, "no command of this name is on PATH")
        return
    if ours:
        yield Finding("copilot", "ours", Health.OK, f"{ours[0]} (also as copilot-terminal)")
    if theirs:
        said = f"{theirs[0]}: another program, most likely GitHub's CLI; copilot -- copilot runs it"
        yield Finding("copilot", "theirs", Health.INFO, said)
    if theirs and not found[0].ours:
        yield Finding(
            "copilot",
            "order",
            Health.WARNING,
            "typing copilot starts the other program, for it is first on PATH",
            "type copilot-terminal for ours",
        )


def second_parser() -> Iterator[Finding]:
    """Whether the second shell parser answers; without it every command that is not plain words is held."""
    try:
        shfmt_tree(_PROBE)
    except ShellProblem as problem:
        said = f"{problem}; whatever is more than plain words is held"
        yield Finding("tools", "shfmt", Health.WARNING, said, "install copilot-terminal again")
    else:
        yield Finding("tools", "shfmt", Health.OK, f"confirms what our own parser reads, {shfmt_program()}")


def envelope() -> Iterator[Finding]:
    """Whether this machine can hold a CLI in an envelope; runs without one need nothing."""
    try:
        version = probe()
    except InputError as problem:
        yield Finding("tools", "envelope", Health.MISSING, str(problem))
    else:
        said = f"bubblewrap {version} works here; off unless --envelope project is given"
        yield Finding("tools", "envelope", Health.OK, said)


_SIGNS = {
    Health.OK: ("✓", "green"),
    Health.INFO: ("·", None),
    Health.MISSING: ("-", "yellow"),
    Health.WARNING: ("!", "yellow"),
    Health.ERROR: ("✗", "red"),
}


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of lines.")
def doctor_command(as_json: bool) -> int:
    """Show what is installed, what is missing, and what to do about it.

    Exits with 1 if anything is wrong that would stop a run. No key is ever shown.
    """
    findings = list(look())
    healthy = all(finding.health is not Health.ERROR for finding in findings)
    if as_json:
        found = [dataclasses.asdict(finding) for finding in findings]
        click.echo(json.dumps({"healthy": healthy, "findings": found}, ensure_ascii=False, indent=2))
    else:
        _show(findings)
    return EXIT_COMPLETED if healthy else EXIT_FAILED


def look() -> Iterator[Finding]:
    """Everything that is looked at, in the order of the report."""
    yield from python()
    yield from tools()
    yield from second_parser()
    yield from envelope()
    profiles, faults = _profiles()
    yield from coding_clis(profiles)
    yield from two_copilots()
    yield from keys()
    yield from terminal()
    yield from settings_files(Path.cwd())
    yield Finding("profiles", "profiles", Health.OK, ", ".join(profile.name for profile in profiles))
    yield from faults
    yield from folders()
    yield from token_tables()
    yield from first_steps()


def first_steps() -> Iterator[Finding]:
    """What the start screen says too: the four levels, and the demo."""
    for level, words in LEVEL_WORDS.items():
        yield Finding("levels", level.value, Health.INFO, f"{words} (--autonomy {level.value})")
    yield Finding("to begin", "demo", Health.INFO, "copilot demo: offline, no key, under a minute")
    yield Finding("to begin", "start screen", Health.INFO, "copilot alone: choose a program and a level")


def _profiles() -> tuple[list[Profile], list[Finding]]:
    loaded, faults = [], []
    for name in sorted(profile_paths()):
        try:
            loaded.append(load_profile(name))
        except InputError as error:
            faults.append(Finding("profiles", name, Health.ERROR, str(error), "correct the file"))
    return loaded, faults


def _show(findings: list[Finding]) -> None:
    area = ""
    for finding in findings:
        if finding.area != area:
            area = finding.area
            click.secho(f"\n{area}" if finding is not findings[0] else area, bold=True)
        sign, colour = _SIGNS[finding.health]
        fix = f"  → {finding.fix}" if finding.fix else ""
        click.echo(
            f"  {click.style(sign, fg=colour)} {safe_text(finding.name)}: {safe_text(finding.detail + fix)}"
        )
