"""`copilot replay`, as a click command; nothing heavy is loaded before it runs."""

from __future__ import annotations

import os
from pathlib import Path

import click


@click.command("replay")
@click.argument("recording", type=click.Path(path_type=Path), metavar="RUN|CAST")
@click.option("--at", "at", metavar="TIME", help="Begin at this moment: 90, 1:30 or 50%.")
@click.option("--redetect", is_flag=True, help="What today's detectors and policy would see and decide.")
@click.option("--profile", metavar="NAME", help="The profile to read the screens with; else that of the run.")
@click.option("--autonomy", metavar="LEVEL", help="With --redetect: decide at this level instead.")
@click.option("--provider", metavar="NAME", help="With --redetect: have the replies written again.")
@click.option("--playbook", metavar="FILE", help="Scripted replies, for --provider playbook.")
@click.option("--model", "model_name", metavar="NAME", help="With --provider: the provider's model.")
@click.option("--base-url", metavar="URL", help="With --provider: another server of its protocol.")
@click.option("--check", is_flag=True, help="With --redetect: print the table; exit 1 if anything differs.")
@click.option("--json", "as_json", is_flag=True, help="With --redetect: one JSON object per change.")
@click.option(
    "--export",
    nargs=2,
    type=(click.Choice(["v2", "v3"]), click.Path(path_type=Path)),
    metavar="v2|v3 FILE",
    help="Write the recording in that version of asciicast.",
)
@click.option("--verdicts", type=click.Path(path_type=Path), metavar="DIR", help="Export what was reviewed.")
def replay_command(
    recording: Path,
    at: str | None,
    redetect: bool,
    profile: str | None,
    autonomy: str | None,
    provider: str | None,
    playbook: str | None,
    model_name: str | None,
    base_url: str | None,
    check: bool,
    as_json: bool,
    export: tuple[str, Path] | None,
    verdicts: Path | None,
) -> int:
    """Review a run, or any asciicast: the terminal at any moment, what was seen, decided and typed.

    RUN is its folder, its id or the beginning of it, or last for the newest.

    Keys are in the bar at the bottom, all of them at ?. With --redetect and --check or --json nothing is
    shown: the differences are printed.
    """
    from copilot.recording.run_place import given_run
    from copilot.tui.replay import run

    recording = given_run(recording, os.environ)
    asked = run.Asked(profile, autonomy, provider, playbook, model_name, base_url)
    for_redetect = [
        ("--autonomy", autonomy),
        ("--provider", provider),
        ("--playbook", playbook),
        ("--model", model_name),
        ("--base-url", base_url),
        ("--check", check),
        ("--json", as_json),
    ]
    stray = next((name for name, value in for_redetect if value and not redetect), None)
    if stray is not None:
        raise click.UsageError(f"{stray} goes with --redetect; add --redetect or leave it out")
    if export is not None:
        return run.export_cast(recording, export[1], 2 if export[0] == "v2" else 3)
    if verdicts is not None:
        return run.export_verdicts(recording, verdicts)
    if redetect and (check or as_json):
        return run.print_changes(recording, asked, as_json=as_json, check=check)
    return run.show(recording, asked, at, redetect=redetect)
