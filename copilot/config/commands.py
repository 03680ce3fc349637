"""The command `copilot profiles`: which there are, what one says, and whether a file is right."""

from __future__ import annotations

from pathlib import Path

import click

from copilot.config.profile_shelf import InstalledProfiles
from copilot.safety.text import safe_text


@click.group("profiles", invoke_without_command=True)
@click.pass_context
def profiles_command(context: click.Context, /) -> None:
    """Profiles: one TOML file for each coding CLI. Yours override the built-in ones."""
    if context.invoked_subcommand is None:
        _list()


@profiles_command.command("list")
def list_command() -> None:
    """One line for each profile: its name, level, programs and where it lies."""
    _list()


def _list() -> None:
    shelf = InstalledProfiles()
    for name in shelf.names():
        profile = shelf.load(name)
        programs = ", ".join(profile.launch.names) or "-"
        unverified = "  (unverified)" if profile.unverified else ""
        line = f"{name:<12} {profile.limits.level:<8} {programs:<24} {shelf.where(name)}{unverified}"
        click.echo(safe_text(line))


@profiles_command.command("show")
@click.argument("name")
def show_command(name: str) -> None:
    """The file of profile NAME, as it counts here."""
    shelf = InstalledProfiles()
    shelf.load(name)
    path = shelf.where(name)
    click.echo(safe_text(f"# {path}"))
    click.echo(safe_text(path.read_text(encoding="utf-8")), nl=False)


@profiles_command.command("check")
@click.argument("file", type=click.Path(path_type=Path))
def check_command(file: Path) -> None:
    """Check a profile FILE; a fault is told with its key and line where they are known."""
    profile = InstalledProfiles().load_file(file)
    rules = len(profile.screen.rules)
    click.echo(safe_text(f"{file}: profile {profile.name!r} is right ({rules} rules)"))
