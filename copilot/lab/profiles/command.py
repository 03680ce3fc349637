"""The command `copilot profiles`. What a subcommand needs is loaded when it is called."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from copilot.config.profile_files import load_profile, profile_paths, user_folder
from copilot.config.profile_lint import Finding, lint_file
from copilot.core.profile import Profile
from copilot.errors import EXIT_COMPLETED, EXIT_FAILED, EXIT_USAGE, InputError
from copilot.guard.text import safe_text
from copilot.pty.programs import find_program, version_of
from copilot.recording.run_place import given_run
from copilot.replay.learn import learn, write_profile


def table(rows: Sequence[Sequence[str]], indent: str = "") -> list[str]:
    """Lines with their columns aligned, each cell on one line; the last column is as long as it is."""
    if not rows:
        return []
    rows = [[" ".join(text.split()) for text in row] for row in rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [text.ljust(width) for text, width in zip(row, widths, strict=True)]
        lines.append(safe_text(indent + "  ".join(cells).rstrip()))
    return lines


_AT_ONCE = 4
_BUNDLED = "demo"
"""Its program is a part of this package and never on PATH."""


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """One profile. `program` is the path found, `version` what it tells; `fault` why the file is none."""

    name: str
    source: Path
    mine: bool = False
    level: str = ""
    verified: tuple[str, ...] = ()
    for_programs: tuple[str, ...] = ()
    program: str = ""
    version: str = ""
    fault: str = ""

    @property
    def installed(self) -> str:
        """What is there of it, in words."""
        if not self.for_programs or self.name == _BUNDLED:
            return "-"
        return f"{Path(self.program).name} {self.version or '?'}" if self.program else "not installed"

    @property
    def measured(self) -> str:
        """Whether the rules were measured on a real program, and which version, or are for all."""
        if not self.for_programs:
            return "by form"
        return f"verified {', '.join(self.verified)}" if self.verified else "unverified"


def profile_rows() -> list[ProfileRow]:
    """Every profile, by name. A file that is wrong is a row with its fault and hides nothing else."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(_row, *zip(*sorted(profile_paths().items()), strict=True)))


def _row(name: str, path: Path) -> ProfileRow:
    mine = path.parent == user_folder()
    try:
        profile = load_profile(name)
    except InputError as error:
        return ProfileRow(name, path, mine, fault=str(error))
    program = next(_programs(profile), "")
    version = version_of(program, profile.launch.version_arguments) if program else None
    return ProfileRow(
        name,
        path,
        mine,
        level=profile.limits.level.value,
        verified=() if profile.unverified else profile.launch.verified_versions,
        for_programs=profile.launch.names,
        program=program,
        version=version or "",
    )


def _programs(profile: Profile) -> Iterator[str]:
    """The programs of the profile that are installed; the demo's is a part of this package."""
    for name in profile.launch.names:
        found = find_program(name)
        if found is not None:
            yield found


def learn_from(run: str, profile: str | None, target: Path | None) -> int:
    """Print the rules that a run teaches, or write the profile with them to `target`; the exit code.

    Raises InputError for a run that is none, and for one that teaches nothing.
    """
    lesson = learn(_folder(run), profile)
    for one in lesson.learned:
        if one.rule is None:
            click.echo(safe_text(f"copilot: {one.says}"), err=True)
    if lesson.rules and target is not None:
        write_profile(lesson, target)
        click.echo(safe_text(f"{target}: {lesson.profile.name} with {len(lesson.rules)} more rules"))
    elif lesson.rules:
        click.echo(safe_text(lesson.toml()), nl=False)
    return EXIT_COMPLETED if len(lesson.rules) == len(lesson.learned) else EXIT_FAILED


def _folder(run: str) -> Path:
    """A run by its path, or as it is named where runs are kept."""
    path = given_run(Path(run), os.environ)
    if path.is_dir():
        return path
    raise InputError(f"{run}: no such run; `copilot runs` lists them")


@dataclass(frozen=True, slots=True)
class Checked:
    """One file, and what is wrong with it."""

    path: Path
    findings: tuple[Finding, ...]

    def as_object(self) -> dict[str, Any]:
        """For `--json`."""
        return {"file": str(self.path), "findings": [asdict(finding) for finding in self.findings]}

    def lines(self) -> Iterator[str]:
        """For a person: one line for each finding, with file, check and key."""
        if not self.findings:
            yield f"{self.path}: is right"
        for finding in self.findings:
            yield f"{self.path}: {finding.check}: {finding}"


def check(targets: tuple[str, ...]) -> list[Checked]:
    """Check files and installed profiles; without a target all that are installed.

    Raises InputError for a name that no profile has.
    """
    files = [_file(target) for target in targets] or [path for _, path in sorted(profile_paths().items())]
    return [Checked(path, tuple(lint_file(path))) for path in files]


def _file(target: str) -> Path:
    """A path if it looks like one or is one, else the file of the profile of that name."""
    path = Path(target)
    if target.endswith(".toml") or "/" in target or path.is_file():
        return path
    paths = profile_paths()
    if target not in paths:
        load_profile(target)
        raise InputError(f"profile: no profile named {target!r}")
    return paths[target]


@click.group("profiles", invoke_without_command=True)
@click.pass_context
def profiles_command(context: click.Context, /) -> int | None:
    """Profiles: one TOML file for each coding CLI. Yours override the built-in ones."""
    return _list(False) if context.invoked_subcommand is None else None


@profiles_command.command("list", short_help="Names, levels, versions, what is installed.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def list_command(as_json: bool) -> int:
    """Name, level, versions it was measured on, what is installed, and where the file lies.

    Exits with 2 if a file is wrong; the others are listed all the same.
    """
    return _list(as_json)


def _list(as_json: bool) -> int:

    rows = profile_rows()
    good = [row for row in rows if not row.fault]
    if as_json:
        for row in rows:
            click.echo(json.dumps({**asdict(row), "source": str(row.source)}, ensure_ascii=True))
    else:
        cells = [
            (row.name, row.level, row.measured, row.installed, f"{'yours: ' if row.mine else ''}{row.source}")
            for row in good
        ]
        for line in table([("PROFILE", "LEVEL", "RULES", "INSTALLED", "FILE"), *cells]):
            click.echo(line)
    for fault in dict.fromkeys(row.fault for row in rows if row.fault):
        click.echo(safe_text(f"copilot: error: {fault}"), err=True)
    return 0 if len(good) == len(rows) else EXIT_USAGE


@profiles_command.command("show")
@click.argument("name")
def show_command(name: str) -> None:
    """The file of profile NAME, as it counts here."""
    from copilot.config.profile_files import InstalledProfiles

    shelf = InstalledProfiles()
    shelf.load(name)
    path = shelf.where(name)
    click.echo(safe_text(f"# {path}"))
    click.echo(safe_text(path.read_text(encoding="utf-8")), nl=False)


@profiles_command.command("check", short_help="Look for faults in profile files.")
@click.argument("targets", nargs=-1, metavar="[FILE|NAME...]")
@click.option("--json", "as_json", is_flag=True, help="One JSON object for each file.")
def check_command(targets: tuple[str, ...], as_json: bool) -> int:
    """Look for faults in profile files: wrong keys, dead and shadowed rules, costly patterns, stale examples.

    Without arguments every installed profile is looked at. Exits with 2 if anything is found.
    """

    checked = check(targets)
    for one in checked:
        if as_json:
            click.echo(json.dumps(one.as_object(), ensure_ascii=True))
            continue
        for line in one.lines():
            if one.findings:
                click.echo(safe_text(f"copilot: error: {line}"), err=True)
            else:
                click.echo(safe_text(line))
    return EXIT_USAGE if any(one.findings for one in checked) else 0


@profiles_command.command("test", short_help="Walk installed CLIs through their dialogs.")
@click.argument("clis", nargs=-1, metavar="[CLI|FILE...]")
@click.option(
    "--save", "save_in", metavar="DIR", help="Where the screens go; default: below the state folder."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object for each CLI.")
def test_command(clis: tuple[str, ...], save_in: str | None, as_json: bool) -> int:
    """Start installed CLIs offline and see whether their dialogs are still read as they were measured.

    Each runs in a HOME of its own against a scripted model, about half a minute long. What changed is
    printed as a table; the screens are saved. A profile FILE stands for the CLI that it describes. A CLI that
    cannot be walked through is named with the reason.

    Exits with 1 if anything changed, and with 2 if a CLI that you named, or every CLI, could not be tested.
    """
    from pathlib import Path

    from copilot.lab.profiles.drift import run_tests

    code = 0
    for line in run_tests(clis, Path(save_in) if save_in else None, as_json):
        if isinstance(line, int):
            code = line
        else:
            click.echo(line)
    return code


@profiles_command.command("learn")
@click.argument("run", metavar="RUN")
@click.option("--profile", metavar="NAME", help="The profile that the rules are for; default: the run's.")
@click.option("--write", metavar="FILE", help="Write the profile with the rules added as a new file.")
def learn_command(run: str, profile: str | None, write: str | None) -> int:
    """Propose rules from the unknown screens of RUN that were labelled. Nothing is installed.

    Each rule comes with its example, and is shown only if it reads that and takes over none of the
    profile's other examples, of the run's other screens and of what was understood in its recording. Exits
    with 1 if a labelled screen gave no rule.
    """
    from pathlib import Path

    return learn_from(run, profile, Path(write) if write else None)
