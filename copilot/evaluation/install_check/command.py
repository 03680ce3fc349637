"""The command `copilot verify-install`."""

from __future__ import annotations

from pathlib import Path

import click

from copilot.errors import EXIT_FAILED
from copilot.evaluation.install_check.check import Step, check_install


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

    def told(step: Step) -> None:
        click.echo(f"{'✓' if step.good else '✗'} {step.name:<13}{step.said}")

    check = check_install(source, wheels, system_packages=system_packages, told=told)
    return 0 if check.good else EXIT_FAILED
