"""The command `copilot doctor`."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path

import click

from copilot.config.profile_shelf import InstalledProfiles
from copilot.core.decision import LEVEL_WORDS
from copilot.core.profile import Profile
from copilot.doctor import programs, surroundings
from copilot.doctor.finding import Finding, Health
from copilot.errors import EXIT_COMPLETED, EXIT_FAILED, InputError
from copilot.safety.text import safe_text

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
    yield from surroundings.python()
    yield from programs.tools()
    yield from programs.second_parser()
    profiles, faults = _profiles()
    yield from programs.coding_clis(profiles)
    yield from programs.two_copilots()
    yield from surroundings.keys()
    yield from surroundings.terminal()
    yield from surroundings.settings_files(Path.cwd())
    yield Finding("profiles", "profiles", Health.OK, ", ".join(profile.name for profile in profiles))
    yield from faults
    yield from surroundings.folders()
    yield from surroundings.token_tables()
    yield from first_steps()


def first_steps() -> Iterator[Finding]:
    """What the start screen says too: the four levels, and the demo."""
    for level, words in LEVEL_WORDS.items():
        yield Finding("levels", level.value, Health.INFO, f"{words} (--autonomy {level.value})")
    yield Finding("to begin", "demo", Health.INFO, "copilot demo: offline, no key, under a minute")
    yield Finding("to begin", "start screen", Health.INFO, "copilot alone: choose a program and a level")


def _profiles() -> tuple[list[Profile], list[Finding]]:
    shelf = InstalledProfiles()
    loaded, faults = [], []
    for name in shelf.names():
        try:
            loaded.append(shelf.load(name))
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
