"""The command `copilot profiles`. What a subcommand needs is loaded when it is called."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from copilot.errors import EXIT_USAGE
from copilot.safety.text import safe_text


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
    from copilot.profile_tools.listing import profile_rows
    from copilot.profile_tools.tables import table

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
    from copilot.config.profile_shelf import InstalledProfiles

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
    from copilot.profile_tools.checking import check

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

    from copilot.profile_tools.testing import run_tests

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

    from copilot.profile_tools.learning import learn_from

    return learn_from(run, profile, Path(write) if write else None)
