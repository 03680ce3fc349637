"""The command `copilot profiles`. What a subcommand needs is loaded when it is called."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from copilot.config.paths import user_profiles
from copilot.config.profile_files import MOST_BYTES, load_profile, profile_paths
from copilot.config.profile_lint import lint_file
from copilot.errors import EXIT_COMPLETED, EXIT_FAILED, EXIT_USAGE, InputError
from copilot.guard.text import safe_text
from copilot.plain_files import is_file, is_folder, read_text
from copilot.pty.programs import find_program, version_of
from copilot.recording.run_place import given_run
from copilot.replay.learn import learn, write_new, write_profile

_AT_ONCE = 4
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,40}")
_BUNDLED = "demo"
"""Its program is a part of this package and never on PATH."""


def table(rows: Sequence[Sequence[str]], indent: str = "") -> list[str]:
    """Lines with their columns aligned, each cell on one line; the last column is as long as it is."""
    folded = [[" ".join(text.split()) for text in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*folded, strict=True)]
    padded = [[text.ljust(width) for text, width in zip(row, widths, strict=True)] for row in folded]
    return [safe_text(indent + "  ".join(cells).rstrip()) for cells in padded]


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """One profile. `program` is the path found, `version` what it says; `fault` why the file is none."""

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
    mine = path.parent == user_profiles()
    try:
        profile = load_profile(name)
    except InputError as error:
        return ProfileRow(name, path, mine, fault=str(error))
    launch = profile.launch
    program = next((found for one in launch.names if (found := find_program(one)) is not None), "")
    return ProfileRow(
        name,
        path,
        mine,
        level=profile.limits.level.value,
        verified=() if profile.unverified else launch.verified_versions,
        for_programs=launch.names,
        program=program,
        version=(version_of(program, launch.version_arguments) or "") if program else "",
    )


def _file(target: str) -> Path:
    """A path if it looks like one or is one, else the file of the profile of that name."""
    path = Path(target)
    if target.endswith(".toml") or "/" in target or is_file(path):
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
    load_profile(name)
    path = profile_paths()[name]
    click.echo(safe_text(f"# {path}"))
    click.echo(safe_text(read_text(path, MOST_BYTES)), nl=False)


@profiles_command.command("check", short_help="Look for faults in profile files.")
@click.argument("targets", nargs=-1, metavar="[FILE|NAME...]")
@click.option("--json", "as_json", is_flag=True, help="One JSON object for each file.")
def check_command(targets: tuple[str, ...], as_json: bool) -> int:
    """Look for faults in profile files: wrong keys, dead and shadowed rules, costly patterns, stale examples.

    Without arguments every installed profile is looked at. Exits with 2 if anything is found.
    """
    files = [_file(target) for target in targets] or [path for _, path in sorted(profile_paths().items())]
    checked = [(path, tuple(lint_file(path))) for path in files]
    for path, findings in checked:
        if as_json:
            document = {"file": str(path), "findings": [asdict(finding) for finding in findings]}
            click.echo(json.dumps(document, ensure_ascii=True))
        elif not findings:
            click.echo(safe_text(f"{path}: is right"))
        else:
            for finding in findings:
                line = f"copilot: error: {path}: {finding.check}: {finding}"
                click.echo(safe_text(" ".join(line.split())), err=True)
    return EXIT_USAGE if any(findings for _, findings in checked) else 0


@profiles_command.command("test", short_help="Walk installed CLIs through their dialogs.")
@click.argument("clis", nargs=-1, metavar="[CLI|FILE...]")
@click.option(
    "--save", "save_in", metavar="DIR", help="Where the screens go; default: below the state folder."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object for each CLI.")
def test_command(clis: tuple[str, ...], save_in: str | None, as_json: bool) -> int:
    """Start installed CLIs offline and see whether their dialogs are still read as they were measured.

    Each runs in a HOME of its own against a scripted model, about half a minute long. What changed is
    printed as a table; the screens are saved. A profile FILE means the CLI that it describes. A CLI that
    cannot be walked through is named with the reason.

    Exits with 1 if anything changed, and with 2 if a CLI that you named, or every CLI, could not be tested.
    """
    from copilot.lab.profiles.drift import run_tests

    return run_tests(clis, Path(save_in) if save_in else None, as_json, click.echo)


@profiles_command.command("learn")
@click.argument("run", metavar="RUN")
@click.option("--profile", metavar="NAME", help="The profile that the rules are for; default: the run's.")
@click.option("--new", metavar="NAME", help="Make a profile of that name for a CLI that has none.")
@click.option(
    "--approve",
    metavar="LABEL",
    multiple=True,
    help="With --new: this option permits what is asked, no more.",
)
@click.option("--write", metavar="FILE", help="Write the profile with the rules added as a new file.")
def learn_command(
    run: str, profile: str | None, new: str | None, approve: tuple[str, ...], write: str | None
) -> int:
    """Propose rules from the screens of RUN that were labelled. Nothing is installed.

    Each rule comes with its example, and is shown only if it reads that and takes over none of the
    profile's other examples, of the run's other screens and of what was understood in its recording. Exits
    with 1 if a labelled screen gave no rule.

    With --new, from some ten labels: two or more of a ready input box and of work, and the prompts. What is
    learned is tried on the run's recording, and what is doubtful is named and read as without a profile.
    """
    folder = given_run(Path(run), os.environ)
    if not is_folder(folder):
        raise InputError(f"{run}: no such run; `copilot runs` lists them")
    if new is not None:
        return _learn_new(folder, new, profile, approve, write)
    if approve:
        raise InputError("--approve: goes with --new NAME; in an own profile, set reply_keys.approve_options")
    lesson = learn(folder, profile)
    for one in lesson.learned:
        if one.rule is None:
            click.echo(safe_text(f"copilot: {one.note}"), err=True)
    if lesson.rules and write is not None:
        write_profile(lesson, Path(write))
        click.echo(safe_text(f"{write}: {lesson.profile.name} with {len(lesson.rules)} more rules"))
    elif lesson.rules:
        click.echo(safe_text(lesson.toml()), nl=False)
    return EXIT_COMPLETED if len(lesson.rules) == len(lesson.learned) else EXIT_FAILED


def _learn_new(run: Path, name: str, base: str | None, approve: Sequence[str], write: str | None) -> int:
    """A profile for a CLI that has none: shown, or written to a new file."""
    from copilot.replay.moments import moments_of, names_of
    from copilot.replay.new_profile import approving, profile_toml, teach

    if base is not None:
        raise InputError("--new: makes a profile; --profile adds rules to one: give one of them")
    if not _NAME.fullmatch(name) or name in profile_paths():
        raise InputError(f"--new {name!r}: give a name that no profile has, of letters, digits, - and _")
    moments = moments_of(run)
    taught = teach(moments, name)
    text = profile_toml(taught, names_of(run), approving(taught.profile, approve, moments))
    if write is not None:
        write_new(text, Path(write))
    else:
        click.echo(safe_text(text), nl=False)
    said = [
        f"{name}: reads {taught.right} of {taught.moments} labelled screens as labelled in the recording"
        f" (without it {taught.before}); {len(taught.rules)} rules",
        *(f"unsure: {line}" for line in taught.unsure),
        "level: suggest, until its replies were right and you delete `unverified`",
    ]
    for line in said:
        click.echo(safe_text(f"copilot: {line}"), err=True)
    return EXIT_COMPLETED if taught.right == taught.moments else EXIT_FAILED
